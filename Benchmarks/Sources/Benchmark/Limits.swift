import CLimits
import PhotoStreamLayout
import PhotoStreamModel

/// Which plain loop in C does the bare work of a layout.
enum Limit {
    case none, masonry, justified, flow
}

/// The bare work of breaking photos into lines.
final class LineLimit {
    private let limit: Limit
    private var firsts: [UInt32]
    private var heights: [UInt32]

    init(_ limit: Limit, _ count: Int) {
        self.limit = limit
        (firsts, heights) = ([UInt32](repeating: 0, count: count), [UInt32](repeating: 0, count: count))
    }

    func run(_ metrics: PackedMetrics) {
        let count = Int64(metrics.count)
        metrics.words.withUnsafeBufferPointer { words in
            switch limit {
            case .none, .masonry: break
            case .justified:
                _ = limit_justified_greedy(words.baseAddress, count, 1_200, 10, 235, 0.15, &firsts, &heights)
            case .flow: _ = limit_flow(words.baseAddress, count, 235, 1_200, 10, &firsts)
            }
        }
    }
}

/// The bare work of a rectangle's question in a masonry of four columns.
final class RectLimit {
    private let limit: Limit
    private var numbers: [UInt32] = []
    private var longest: Int64 = 0
    private var hits = [limit_hit](repeating: limit_hit(), count: 4_096)

    init(_ limit: Limit, _ metrics: PackedMetrics) {
        self.limit = limit
        guard limit == .masonry else { return }
        let count = metrics.count
        var extents = [UInt32](repeating: 0, count: count)
        numbers = [UInt32](repeating: 0, count: count)
        metrics.words.withUnsafeBufferPointer { limit_extents($0.baseAddress, Int64(count), 292.5, &extents) }
        _ = limit_masonry_network(extents, Int64(count), 10, &numbers)
        longest = Int64(extents.max() ?? 0)
    }

    func run(_ rect: PixelRect, _ metrics: PackedMetrics) {
        guard limit == .masonry else { return }
        metrics.words.withUnsafeBufferPointer { words in
            _ = limit_rect(
                numbers, words.baseAddress, Int64(numbers.count), 292.5, 302, longest, rect.y, rect.maxY, &hits)
        }
    }
}
