import CLimits
import PhotoStreamLayout
import PhotoStreamModel

/// The plain loop in C that does the work of a layout.
///
/// It is a limit, because the layout has to do that work as well. For spans and optimal breaks it is the obvious first
/// version, a reference.
enum Limit {
    case none, masonry, justified, flow, optimal, spans
}

/// Laying out everything, by a plain loop.
final class FoldLimit {
    private let limit: Limit
    private var firsts: [UInt32] = []
    private var heights: [UInt32] = []
    private var lengths: [Double] = []
    private var columns: [UInt8] = []
    /// The number of lines, or the end of the last item; 0 if that is not compared.
    private(set) var extent: Double = 0

    init(_ limit: Limit, count: Int) {
        self.limit = limit
        if limit == .none { return }
        (firsts, heights) = ([UInt32](repeating: 0, count: count + 1), [UInt32](repeating: 0, count: count))
        if limit == .optimal || limit == .spans { lengths = [Double](repeating: 0, count: count + 1) }
        if limit == .spans { columns = [UInt8](repeating: 0, count: count) }
    }

    /// Stops if the layout has another result, because a fast wrong answer does not count.
    func check(_ directory: LayoutDirectory, lineCount: Int) {
        let ours: Double =
            switch limit {
            case .spans: Double(directory.contentSize.height)
            case .optimal: Double(lineCount)
            case .none, .masonry, .justified, .flow: extent
            }
        // Half a pixel of a column's width, whole pixels, and the last line.
        precondition(abs(ours - extent) <= 0.01 * extent + 2, "the C loop lays out something else")
    }

    func run(_ metrics: PackedMetrics) {
        let count = Int64(metrics.count)
        metrics.words.withUnsafeBufferPointer { words in
            switch limit {
            case .none: break
            case .masonry:
                limit_extents(words.baseAddress, count, 292.5, &heights)
                _ = limit_masonry_network(heights, count, 10, &firsts)
            case .justified:
                _ = limit_justified_greedy(words.baseAddress, count, 1_200, 10, 235, 0.15, &firsts, &heights)
            case .optimal:
                extent = Double(
                    limit_justified_optimal(
                        words.baseAddress, count, 1_200, 10, 235, 117.5, 470, &lengths, &firsts))
            case .spans:
                extent = limit_masonry_spans(words.baseAddress, count, 292.5, 10, 1.6, 40, &columns, &lengths)
            case .flow: _ = limit_flow(words.baseAddress, count, 235, 1_200, 10, &firsts)
            }
        }
    }
}

/// The bare work of a rectangle query in a masonry of four columns.
final class RectLimit {
    private let limit: Limit
    private var numbers: [UInt32] = []
    private var longest: Int64 = 0
    private var hits = [limit_hit](repeating: limit_hit(), count: 4_096)

    init(_ limit: Limit, metrics: PackedMetrics) {
        self.limit = limit
        guard limit == .masonry else { return }
        let count = metrics.count
        var extents = [UInt32](repeating: 0, count: count)
        numbers = [UInt32](repeating: 0, count: count)
        metrics.words.withUnsafeBufferPointer { limit_extents($0.baseAddress, Int64(count), 292.5, &extents) }
        _ = limit_masonry_network(extents, Int64(count), 10, &numbers)
        longest = Int64(extents.max() ?? 0)
    }

    func run(_ rect: PixelRect, metrics: PackedMetrics) {
        guard limit == .masonry else { return }
        metrics.words.withUnsafeBufferPointer { words in
            _ = limit_rect(
                numbers, words.baseAddress, Int64(numbers.count), 292.5, 302, longest, rect.y, rect.maxY, &hits)
        }
    }
}
