/// The frames of items with arbitrary positions, with a box around each 64 of them.
///
/// Queries search the boxes first, then every frame in the boxes that match.
struct PlacedFrames: AlgorithmFrames {
    /// The number of items that share a box.
    private static let boxCapacity = 64

    /// The frames, along from the base of the run and across from the container's leading edge.
    let frames: [AxisFrame]
    var content: ChunkFrames { .placed(self) }
    var count: Int { frames.count }
    var byteCount: Int { MemoryLayout<AxisFrame>.stride * frames.count }
    // Chunks of a placement rule are never stored.
    var encoded: [UInt8] { [] }
    private let boxes: [AxisFrame]

    init(_ frames: [AxisFrame]) {
        self.frames = frames
        boxes = stride(from: 0, to: frames.count, by: Self.boxCapacity).map { first in
            AxisFrame(around: frames[first..<min(first + Self.boxCapacity, frames.count)])
        }
    }

    /// Calls `body` with the items that meet a range, in order, until it returns `false`.
    ///
    /// - Parameters:
    ///   - range: In the coordinates of the frames, not empty.
    ///   - body: Receives an item's position and its frame; returns whether to continue.
    /// - Returns: Whether `body` never returned `false`.
    /// - Complexity: O(items / 64 + items of the boxes that meet the range).
    func forEachItem(in range: AxisFrame, _ body: (Int, AxisFrame) -> Bool) -> Bool {
        for box in boxes.indices where boxes[box].intersects(range) {
            let first = box * Self.boxCapacity
            for position in first..<min(first + Self.boxCapacity, frames.count)
            where frames[position].intersects(range) {
                guard body(position, frames[position]) else { return false }
            }
        }
        return true
    }

    /// Calls `body` with the items that begin in a range, in order, until it returns `false`.
    func forEachTop(in range: Range<Int64>, _ body: (Int, Int64) -> Bool) -> Bool {
        for box in boxes.indices where boxes[box].along < range.upperBound && range.lowerBound < boxes[box].alongEnd {
            let first = box * Self.boxCapacity
            for position in first..<min(first + Self.boxCapacity, frames.count) where frames[position].isVisible {
                guard range.contains(frames[position].along) else { continue }
                guard body(position, frames[position].along) else { return false }
            }
        }
        return true
    }
}

extension AxisFrame {
    /// Whether it has an area.
    fileprivate var isVisible: Bool { alongExtent > 0 && acrossExtent > 0 }

    /// Creates the smallest frame around at least one other.
    fileprivate init(around frames: ArraySlice<AxisFrame>) {
        let (along, across) = (frames.map(\.along).min() ?? 0, frames.map(\.across).min() ?? 0)
        self.init(
            along: along, across: across, alongExtent: (frames.map(\.alongEnd).max() ?? 0) - along,
            acrossExtent: (frames.map(\.acrossEnd).max() ?? 0) - across)
    }
}
