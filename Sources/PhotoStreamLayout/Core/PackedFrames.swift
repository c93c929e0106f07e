import PhotoStreamModel

/// The frames of consecutive items, in as few bytes as their layout allows; the rest follows from their metrics.
///
/// A masonry stores one number per item, layouts in lines one record per line, cells of one size nothing, a map only
/// which photos have a position, a placement rule the frames themselves. Only the algorithm that created them can read
/// them.
public struct PackedFrames: Equatable, Sendable {
    /// The frames in the form of one algorithm.
    let content: ChunkFrames

    /// Wraps the frames of an algorithm.
    init(_ frames: some AlgorithmFrames) {
        content = frames.content
    }

    /// Returns frames of items that follow from their positions.
    package static func computed(count: Int) -> PackedFrames { PackedFrames(ComputedFrames(count: count)) }

    /// The number of items.
    public var count: Int { content.frames.count }

    /// The size in memory.
    public var byteCount: Int { content.frames.byteCount }

    /// The number of lines that contain the items; `nil` if the layout does not fold lines.
    public var lineCount: Int? { if case .lines(let frames) = content { frames.lines.count } else { nil } }

    /// The frames as bytes: numbers little-endian in four or eight bytes, lines in variable-length integers.
    package var encoded: [UInt8] { content.frames.encoded }

    /// The frames in the type of the algorithm that created them.
    ///
    /// - Precondition: They are of that type.
    @inline(__always)
    func of<Frames: AlgorithmFrames>(_ type: Frames.Type) -> Frames {
        // A cast in each case costs nothing once the type is known.
        let frames =
            switch content {
            case .masonry(let frames): frames as? Frames
            case .lines(let frames): frames as? Frames
            case .computed(let count): ComputedFrames(count: count) as? Frames
            case .map(let frames): frames as? Frames
            case .placed(let frames): frames as? Frames
            }
        guard let frames else { preconditionFailure("frames of another layout") }
        return frames
    }
}

/// The frames of a chunk: one case for each form that algorithms use.
enum ChunkFrames: Equatable, Sendable {
    /// One number per item.
    case masonry(MasonryFrames)
    /// One record per line.
    case lines(LineFrames)
    /// The number of items, whose frames follow from their positions.
    case computed(Int)
    /// The photos that have a position.
    case map(MapFrames)
    /// The frames of a placement rule.
    case placed(PlacedFrames)

    /// The frames as an existential, for use once per chunk.
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
    /// Reads frames of this layout from the bytes of ``PackedFrames/encoded``.
    ///
    /// - Returns: `nil` if the bytes are not frames of `count` items.
    package func frames(decoding bytes: [UInt8], count: Int) -> PackedFrames? {
        algorithm.frames(decoding: bytes, count: count).map { PackedFrames($0) }
    }
}

/// Frames that follow from the items' positions: only their number is stored.
struct ComputedFrames: AlgorithmFrames {
    let count: Int
    var byteCount: Int { 0 }
    var encoded: [UInt8] { [] }
    var content: ChunkFrames { .computed(count) }
}
