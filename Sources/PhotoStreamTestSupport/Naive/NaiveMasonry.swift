import PhotoStreamLayout
import PhotoStreamModel

/// A naive masonry layout, written from the specification alone: one item after the other, with a linear search for the
/// shortest column.
struct NaiveMasonry: NaiveAlgorithm {
    let measures: NaiveMeasures
    let parameters: MasonryParameters

    /// A section packed from its end is a section of the reversed items, upside down.
    func place(_ items: [ItemMetrics]) -> NaiveBlock {
        guard parameters.anchor == .end else { return placeFromStart(items) }
        let upsideDown = placeFromStart(items.reversed())
        var block = NaiveBlock()
        block.end = upsideDown.end
        for frame in upsideDown.frames.reversed() {
            guard var frame else { continue }
            frame.along = upsideDown.end - (frame.along + frame.alongExtent)
            block.frames.append(frame)
        }
        return block
    }

    private func placeFromStart(_ items: [ItemMetrics]) -> NaiveBlock {
        let columns = measures.columnSpans(parameters.columns)
        let narrowest = columns.map(\.length).min() ?? 0
        var nextTops = [Int64](repeating: 0, count: columns.count)
        var block = NaiveBlock()
        var turn = 0
        for item in items {
            let count = min(columns.count, max(item.columnSpan, takesTwoColumns(item.pixelSize) ? 2 : 1))
            let column: Int
            switch parameters.columnChoice {
            case .shortest: column = firstGoodColumn(tops: nextTops, span: count)
            case .roundRobin:
                column = turn + count > columns.count ? 0 : turn
                turn = (column + count) % columns.count
            }
            let top = nextTops[column..<column + count].reduce(0, max)
            let caption = item.hasCaption ? measures.caption(inLaneOf: narrowest) : 0
            let last = columns[column + count - 1]
            let span = NaiveSpan(start: columns[column].start, length: last.start + last.length - columns[column].start)
            let extent =
                measures.isHorizontal
                ? NaiveNumbers.scaled(span.length - caption, by: item.pixelSize.width, over: item.pixelSize.height)
                : NaiveLayout.pictureExtent(of: item.pixelSize, width: span.length) + caption
            block.frames.append(
                NaiveFrame(
                    along: top, across: span.start, alongExtent: extent, acrossExtent: span.length,
                    caption: caption))
            block.end = max(block.end, top + extent)
            for taken in column..<column + count { nextTops[taken] = top + extent + measures.line }
        }
        return block
    }

    private func takesTwoColumns(_ size: PixelSize) -> Bool {
        guard let ratio = parameters.spanWiderThan else { return false }
        let (width, height) = (Int64(size.width) * 1_000_000, Int64(size.height) * 1_000_000)
        let millionths = Int64((ratio * 1_000_000).rounded())
        return measures.isHorizontal
            ? height > Int64(size.width) * millionths : width > Int64(size.height) * millionths
    }

    /// Returns the first column in which the item's top is at most the tolerance below the best one.
    private func firstGoodColumn(tops nextTops: [Int64], span count: Int) -> Int {
        let tops = (0...nextTops.count - count).map { column in nextTops[column..<column + count].max() ?? 0 }
        let best = tops.min() ?? 0
        return tops.firstIndex { $0 <= best + NaiveNumbers.roundedHalfUp(parameters.orderTolerance * measures.scale) }
            ?? 0
    }
}

/// A naive grid, cell by cell.
struct NaiveGrid: NaiveAlgorithm {
    let measures: NaiveMeasures
    let parameters: GridParameters

    func place(_ items: [ItemMetrics]) -> NaiveBlock {
        let columns = measures.columnSpans(parameters.columns)
        let narrowest = columns.map(\.length).min() ?? 0
        let caption = measures.caption(inLaneOf: narrowest)
        let extent = cellExtent(narrowest: narrowest, caption: caption)
        var block = NaiveBlock()
        var (column, top): (Int, Int64) = (0, 0)
        for _ in items {
            if column == columns.count { (column, top) = (0, top + extent + measures.line) }
            block.frames.append(
                NaiveFrame(
                    along: top, across: columns[column].start, alongExtent: extent,
                    acrossExtent: columns[column].length, caption: caption))
            block.end = top + extent
            column += 1
        }
        return block
    }

    /// Returns the height of every cell, computed from the narrowest column so that all cells are equal.
    ///
    /// The configuration contains the ratio as a `Double`, so the quotient is a `Double` too.
    private func cellExtent(narrowest: Int64, caption: Int64) -> Int64 {
        if measures.isHorizontal {
            return max(1, NaiveNumbers.roundedHalfUp(Double(narrowest - caption) * parameters.aspectRatio))
        }
        return max(1, NaiveNumbers.roundedHalfUp(Double(narrowest) / parameters.aspectRatio)) + caption
    }
}
