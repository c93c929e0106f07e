/// The frames of items that stand anywhere, with a box around each 64 of them.
///
/// Items that meet a rectangle are found by the boxes first, then by a look at every frame in those that meet it.
struct FreeFrames: AlgorithmFrames {
    /// The number of items that share a box.
    private static let boxCapacity = 64

    /// The frames, along from the base of the run, across from the container's leading edge.
    let frames: [AxisFrame]
    private let boxes: [AxisFrame]

    init(_ frames: [AxisFrame]) {
        self.frames = frames
        boxes = stride(from: 0, to: frames.count, by: Self.boxCapacity).map { first in
            AxisFrame(around: frames[first..<min(first + Self.boxCapacity, frames.count)])
        }
    }

    /// Hands the items that meet a range to `body`, in order, until it returns `false`.
    ///
    /// - Parameters:
    ///   - range: Counted as the frames are, not empty.
    ///   - body: Takes an item's position and its frame; returns whether to go on.
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

    /// Hands the items that begin in a range to `body`, in order, until it returns `false`.
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

extension FreeFrames {
    var count: Int { frames.count }
    var byteCount: Int { MemoryLayout<AxisFrame>.stride * frames.count }

    /// The frames as bytes: four variable-length integers each.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for frame in frames {
            bytes.appendVariableLength(UInt64(frame.along))
            bytes.appendVariableLength(UInt64(bitPattern: frame.across << 1 ^ frame.across >> 63))
            bytes.appendVariableLength(UInt64(frame.alongExtent))
            bytes.appendVariableLength(UInt64(frame.acrossExtent))
        }
        return bytes
    }

    /// Reads frames.
    ///
    /// - Returns: `nil` when the bytes are not frames of that many items.
    init?(decoding bytes: [UInt8], count: Int) {
        var rest = bytes[...]
        var frames: [AxisFrame] = []
        for _ in 0..<count {
            let numbers = (0..<4).compactMap { _ in rest.popVariableLength() }
            guard numbers.count == 4, numbers.allSatisfy({ $0 < 1 << 60 }) else { return nil }
            frames.append(
                AxisFrame(
                    along: Int64(numbers[0]), across: Int64(numbers[1] >> 1) ^ -Int64(numbers[1] & 1),
                    alongExtent: Int64(numbers[2]), acrossExtent: Int64(numbers[3])))
        }
        guard rest.isEmpty else { return nil }
        self.init(frames)
    }
}

extension AxisFrame {
    /// Whether it has any extent.
    fileprivate var isVisible: Bool { alongExtent > 0 && acrossExtent > 0 }

    /// The least frame that holds some others, at least one.
    fileprivate init(around frames: ArraySlice<AxisFrame>) {
        let (along, across) = (frames.map(\.along).min() ?? 0, frames.map(\.across).min() ?? 0)
        self.init(
            along: along, across: across, alongExtent: (frames.map(\.alongEnd).max() ?? 0) - along,
            acrossExtent: (frames.map(\.acrossEnd).max() ?? 0) - across)
    }
}
