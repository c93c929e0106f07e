import PhotoStreamModel

/// The frames of consecutive items, in as few bytes as their layout allows: the rest follows from their metrics.
///
/// A masonry keeps one number an item, layouts in lines a record a line, cells of one size nothing, a map only which
/// photos have a position, a placement rule the frames themselves. Only the algorithm that made them reads them.
public struct PackedFrames: Hashable, Sendable {
    /// The frames, as one of the algorithms keeps them.
    let content: ChunkFrames

    /// Wraps the frames of an algorithm.
    init(_ frames: some AlgorithmFrames) {
        content = frames.content
    }

    /// The frames of items whose places follow from their positions.
    package static func computed(count: Int) -> PackedFrames { PackedFrames(ComputedFrames(count: count)) }

    /// The number of items.
    public var count: Int { content.frames.count }

    /// The memory that they take.
    public var byteCount: Int { content.frames.byteCount }

    /// The number of lines that the items stand in; `nil` in a layout that does not fold lines.
    public var lineCount: Int? { if case .lines(let frames) = content { frames.lines.count } else { nil } }

    /// The frames as bytes: numbers little-endian in four or eight, lines in variable-length integers.
    package var encoded: [UInt8] { content.frames.encoded }

    /// The frames as the algorithm keeps them that made them.
    ///
    /// - Precondition: They are of that type.
    @inline(__always)
    func of<Frames: AlgorithmFrames>(_ type: Frames.Type) -> Frames {
        guard let frames = Frames.unwrapped(content) else { preconditionFailure("frames of another layout") }
        return frames
    }
}

/// The frames of a chunk: one case for each way in which algorithms keep them.
enum ChunkFrames: Hashable, Sendable {
    /// A number an item.
    case masonry(MasonryFrames)
    /// A record a line.
    case lines(LineFrames)
    /// Nothing but the number of items: their places follow from their positions.
    case computed(Int)
    /// The photos that have a position.
    case map(MapFrames)
    /// The frames of a placement rule.
    case placed(PlacedFrames)

    /// The frames as a value of any type: for what is asked once for a chunk.
    var frames: any AlgorithmFrames {
        switch self {
        case .masonry(let frames): frames
        case .lines(let frames): frames
        case .computed(let count): ComputedFrames(count: count)
        case .map(let frames): frames
        case .placed(let frames): frames
        }
    }
}

extension LayoutEngine {
    /// Reads frames of this layout.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of ``PackedFrames/encoded``.
    ///   - count: The number of items that they place.
    /// - Returns: `nil` when the bytes are not frames of that many items.
    package func frames(decoding bytes: [UInt8], count: Int) -> PackedFrames? {
        algorithm.packedFrames(decoding: bytes, count: count)
    }
}

extension LayoutAlgorithm {
    fileprivate func packedFrames(decoding bytes: [UInt8], count: Int) -> PackedFrames? {
        frames(decoding: bytes, count: count).map { PackedFrames($0) }
    }
}

extension MasonryFrames {
    var content: ChunkFrames { .masonry(self) }

    @inline(__always)
    static func unwrapped(_ content: ChunkFrames) -> MasonryFrames? {
        if case .masonry(let frames) = content { frames } else { nil }
    }
}

extension LineFrames {
    var content: ChunkFrames { .lines(self) }

    @inline(__always)
    static func unwrapped(_ content: ChunkFrames) -> LineFrames? {
        if case .lines(let frames) = content { frames } else { nil }
    }
}

extension MapFrames {
    var content: ChunkFrames { .map(self) }

    @inline(__always)
    static func unwrapped(_ content: ChunkFrames) -> MapFrames? {
        if case .map(let frames) = content { frames } else { nil }
    }
}

extension PlacedFrames {
    var content: ChunkFrames { .placed(self) }

    @inline(__always)
    static func unwrapped(_ content: ChunkFrames) -> PlacedFrames? {
        if case .placed(let frames) = content { frames } else { nil }
    }
}

/// The frames of items whose places follow from their positions: nothing but their number.
struct ComputedFrames: AlgorithmFrames {
    let count: Int
    var byteCount: Int { 0 }
    var encoded: [UInt8] { [] }
    var content: ChunkFrames { .computed(count) }

    @inline(__always)
    static func unwrapped(_ content: ChunkFrames) -> ComputedFrames? {
        if case .computed(let count) = content { ComputedFrames(count: count) } else { nil }
    }
}
