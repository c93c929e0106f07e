import PhotoStreamLayout
import PhotoStreamModel

/// Grids and masonry layouts, written from `Documentation/Layouts.md` and its page about masonries alone.
struct DocumentedColumns {
    private let lengths: DocumentedLengths
    private let count: Int
    /// The start and the width of each column.
    private let starts: [Int128]
    private let widths: [Int128]
    /// The width of the narrower columns.
    private let narrow: Int128

    init(_ lengths: DocumentedLengths, columns: ColumnCount) {
        self.lengths = lengths
        switch columns {
        case .count(let number): count = number
        case .minimumWidth(let points):
            let least = max(1, lengths.pixels(points))
            count = Int(min(128, max(1, (lengths.available + lengths.spacing) / (least + lengths.spacing))))
        }
        let shared = lengths.available - Int128(count - 1) * lengths.spacing
        let narrow = shared / Int128(count)
        let rest = Int(shared - narrow * Int128(count))
        let widths = (0..<count).map { narrow + ($0 < rest ? 1 : 0) }
        let spacing = lengths.spacing
        starts = (0..<count).map { column in widths[..<column].reduce(Int128(column) * spacing, +) }
        (self.narrow, self.widths) = (narrow, widths)
    }

    /// Returns the lines of a grid.
    static func grid(_ lengths: DocumentedLengths, parameters: GridParameters, count: Int) -> [DocumentedLine] {
        let columns = DocumentedColumns(lengths, columns: parameters.columns)
        let (narrow, ratio) = (columns.narrow, parameters.aspectRatio)
        let wanted =
            lengths.isSideways ? Double(max(1, narrow - lengths.caption)) * ratio : Double(narrow) / ratio
        let picture = max(1, Int128(wanted.rounded(.toNearestOrAwayFromZero)))
        let extent = picture + (lengths.isSideways ? 0 : lengths.caption)
        return stride(from: 0, to: count, by: columns.count).map { first in
            DocumentedLine(
                frames: (0..<min(columns.count, count - first)).map { column in
                    DocumentedLine.Frame(
                        across: columns.starts[column], alongExtent: extent, acrossExtent: columns.widths[column])
                }, thickness: extent)
        }
    }

    /// Returns the frames of a masonry, and their extent.
    func masonry(
        _ parameters: MasonryParameters, items: [ItemMetrics]
    ) -> (frames: [DocumentedLine.Frame?], extent: Int128) {
        let isFromEnd = parameters.anchor == .end && count > 1
        let tolerance = parameters.columnChoice == .shortest ? lengths.pixels(parameters.orderTolerance) : 0
        var (fronts, next, found) = ([Int128](repeating: 0, count: count), 0, [DocumentedLine.Frame]())
        for item in isFromEnd ? items.reversed() : items {
            let span = span(of: item, widerThan: parameters.spanWiderThan)
            let windows = (0...count - span).map { fronts[$0..<$0 + span].max() ?? 0 }
            var column = 0
            if parameters.columnChoice == .roundRobin {
                column = next + span > count ? 0 : next
                next = (column + span) % count
            } else {
                let least = windows.min() ?? 0
                column = windows.firstIndex { $0 <= least + tolerance } ?? 0
            }
            let width = starts[column + span - 1] + widths[column + span - 1] - starts[column]
            let frame = DocumentedLine.Frame(
                along: windows[column], across: starts[column], alongExtent: extent(of: item, width: width),
                acrossExtent: width)
            found.append(frame)
            for taken in column..<column + span {
                fronts[taken] = frame.along + frame.alongExtent + lengths.lineSpacing
            }
        }
        let extent = items.isEmpty ? 0 : (fronts.max() ?? 0) - lengths.lineSpacing
        guard isFromEnd else { return (found, extent) }
        return (
            found.reversed().map { frame in
                var frame = frame
                frame.along = extent - frame.along - frame.alongExtent
                return frame
            }, extent
        )
    }

    private func extent(of item: ItemMetrics, width: Int128) -> Int128 {
        let (wide, high) = (Int128(item.pixelSize.width), Int128(item.pixelSize.height))
        if lengths.isSideways {
            let caption = item.hasCaption ? min(lengths.caption, narrow - 1) : 0
            return max(1, DocumentedLengths.nearest(max(1, width - caption) * wide, over: high))
        }
        return max(1, DocumentedLengths.nearest(width * high, over: wide)) + (item.hasCaption ? lengths.caption : 0)
    }

    private func span(of item: ItemMetrics, widerThan ratio: Double?) -> Int {
        var span = item.columnSpan
        if let ratio {
            let millionths = Int128((ratio * 1_000_000).rounded(.toNearestOrAwayFromZero))
            let (wide, high) = (Int128(item.pixelSize.width), Int128(item.pixelSize.height))
            let (longer, shorter) = lengths.isSideways ? (high, wide) : (wide, high)
            if longer * 1_000_000 > millionths * shorter { span = max(span, 2) }
        }
        return min(span, count)
    }
}
