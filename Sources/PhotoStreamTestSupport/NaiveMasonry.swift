import PhotoStreamLayout
import PhotoStreamModel

/// Masonry as somebody would write it who has read the design and nothing else: one item after the other, a linear
/// search for the shortest column.
struct NaiveMasonry: NaiveAlgorithm {
    let measures: NaiveMeasures
    let parameters: MasonryParameters

    /// Packed from the end, a section is one of the reversed items upside down.
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
            case .shortest: column = firstGoodColumn(nextTops, count)
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
                ? Self.pictureWidth(of: item.pixelSize, height: span.length - caption)
                : Self.pictureHeight(of: item.pixelSize, width: span.length) + caption
            block.frames.append(
                NaiveFrame(
                    along: top, across: span.start, alongExtent: extent, acrossExtent: span.length,
                    caption: caption))
            block.end = max(block.end, top + extent)
            for taken in column..<column + count { nextTops[taken] = top + extent + measures.line }
        }
        return block
    }

    /// The height of a picture that is scaled to a width, at least one pixel.
    static func pictureHeight(of size: PixelSize, width: Int64) -> Int64 {
        NaiveNumbers.scaled(width, by: size.height, over: size.width)
    }

    /// The width of a picture that is scaled to a height, at least one pixel.
    static func pictureWidth(of size: PixelSize, height: Int64) -> Int64 {
        NaiveNumbers.scaled(height, by: size.width, over: size.height)
    }

    private func takesTwoColumns(_ size: PixelSize) -> Bool {
        guard let ratio = parameters.spanWiderThan else { return false }
        let (width, height) = (Int64(size.width) * 1_000_000, Int64(size.height) * 1_000_000)
        let millionths = Int64((ratio * 1_000_000).rounded())
        return measures.isHorizontal
            ? height > Int64(size.width) * millionths : width > Int64(size.height) * millionths
    }

    /// The first column from which on so many reach at most the tolerance below where the best of them do.
    private func firstGoodColumn(_ nextTops: [Int64], _ count: Int) -> Int {
        let tops = (0...nextTops.count - count).map { column in nextTops[column..<column + count].max() ?? 0 }
        let best = tops.min() ?? 0
        return tops.firstIndex { $0 <= best + NaiveNumbers.roundedHalfUp(parameters.orderTolerance * measures.scale) }
            ?? 0
    }
}
