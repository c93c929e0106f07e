import PhotoStreamLayout
import PhotoStreamModel

/// Masonry as somebody would write it who has read the design and nothing else: one item after the other, a linear
/// search for the shortest column.
struct NaiveMasonry: NaiveAlgorithm {
    let measures: NaiveMeasures
    let parameters: MasonryParameters

    func place(_ items: [ItemMetrics]) -> NaiveBlock {
        let columns = measures.columnSpans(parameters.columns)
        let narrowest = columns.map(\.length).min() ?? 0
        var nextTops = [Int64](repeating: 0, count: columns.count)
        var block = NaiveBlock()
        for (index, item) in items.enumerated() {
            let column =
                switch parameters.columnChoice {
                case .shortest: Self.indexOfFirstLeast(nextTops)
                case .roundRobin: index % columns.count
                }
            let caption = item.hasCaption ? measures.caption(inLaneOf: narrowest) : 0
            let span = columns[column]
            let extent =
                measures.isHorizontal
                ? Self.pictureWidth(of: item.pixelSize, height: span.length - caption)
                : Self.pictureHeight(of: item.pixelSize, width: span.length) + caption
            block.frames.append(
                NaiveFrame(
                    along: nextTops[column], across: span.start, alongExtent: extent, acrossExtent: span.length,
                    caption: caption))
            block.end = max(block.end, nextTops[column] + extent)
            nextTops[column] += extent + measures.line
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

    private static func indexOfFirstLeast(_ numbers: [Int64]) -> Int {
        var best = 0
        for index in numbers.indices where numbers[index] < numbers[best] { best = index }
        return best
    }
}
