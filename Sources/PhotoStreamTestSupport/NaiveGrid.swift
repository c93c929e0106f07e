import PhotoStreamLayout
import PhotoStreamModel

/// A grid, cell by cell.
struct NaiveGrid: NaiveAlgorithm {
    let measures: NaiveMeasures
    let parameters: GridParameters

    func place(_ items: [ItemMetrics]) -> NaiveBlock {
        let columns = measures.columnSpans(parameters.columns)
        let narrowest = columns.map(\.length).min() ?? 0
        let caption = measures.caption(inLaneOf: narrowest)
        let extent = cellExtent(narrowest, caption)
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

    /// The extent of every cell: of the narrowest column, so that all are alike.
    ///
    /// As the configuration gives a ratio in `Double`, the quotient is that of `Double`.
    private func cellExtent(_ narrowest: Int64, _ caption: Int64) -> Int64 {
        if measures.isHorizontal {
            return max(1, NaiveNumbers.roundedHalfUp(Double(narrowest - caption) * parameters.aspectRatio))
        }
        return max(1, NaiveNumbers.roundedHalfUp(Double(narrowest) / parameters.aspectRatio)) + caption
    }
}
