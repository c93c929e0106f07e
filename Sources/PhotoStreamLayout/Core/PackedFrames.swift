import PhotoStreamModel

/// The frames of consecutive items, in as few bytes as their layout allows: the rest follows from their metrics.
///
/// A masonry keeps one number an item, layouts in lines a record a line, cells of one size nothing, a map only which
/// photos have a position, a custom layout the frames themselves. Only the algorithm that made them reads them.
public struct PackedFrames: Hashable, Sendable {
    private let storage: any FramesStorage

    /// Wraps the frames of an algorithm.
    init(_ frames: some AlgorithmFrames) {
        storage = FramesBox(frames)
    }

    fileprivate init(storage: any FramesStorage) {
        self.storage = storage
    }

    /// The frames of items whose places follow from their positions.
    package static func computed(count: Int) -> PackedFrames { PackedFrames(ComputedFrames(count: count)) }

    /// The number of items.
    public var count: Int { storage.count }

    /// The memory that they take.
    public var byteCount: Int { storage.byteCount }

    /// The number of lines that the items stand in; `nil` in a layout that does not fold lines.
    public var lineCount: Int? { known(as: LineFrames.self)?.lines.count }

    /// The frames as bytes: numbers little-endian in four or eight, lines in variable-length integers.
    package var encoded: [UInt8] { storage.encoded }

    /// The frames as the algorithm keeps them that made them.
    ///
    /// - Precondition: They are of that type.
    @inline(__always)
    func of<Frames: AlgorithmFrames>(_ type: Frames.Type) -> Frames {
        guard let frames = known(as: type) else { preconditionFailure("frames of another layout") }
        return frames
    }

    /// The frames as a type; `nil` where they are of another.
    @inline(__always)
    func known<Frames: AlgorithmFrames>(as type: Frames.Type) -> Frames? { (storage as? FramesBox<Frames>)?.frames }

    /// A chunk's content.
    func content(with metrics: PackedMetrics) -> PlacedContent { storage.content(with: metrics) }

    /// Whether both are of one algorithm and equal.
    public static func == (left: PackedFrames, right: PackedFrames) -> Bool {
        left.storage === right.storage || left.storage.isEqual(to: right.storage)
    }

    /// Hashes the frames.
    public func hash(into hasher: inout Hasher) {
        storage.hash(into: &hasher)
    }
}

/// Frames of any type, as a reference: copied faster than the arrays in them.
private protocol FramesStorage: AnyObject, Sendable {
    var count: Int { get }
    var byteCount: Int { get }
    var encoded: [UInt8] { get }
    func content(with metrics: PackedMetrics) -> PlacedContent
    func isEqual(to other: any FramesStorage) -> Bool
    func hash(into hasher: inout Hasher)
}

private final class FramesBox<Frames: AlgorithmFrames>: FramesStorage {
    let frames: Frames

    init(_ frames: Frames) {
        self.frames = frames
    }

    var count: Int { frames.count }
    var byteCount: Int { frames.byteCount }
    var encoded: [UInt8] { frames.encoded }
    func content(with metrics: PackedMetrics) -> PlacedContent {
        TypedContent(metrics, packedFrames: PackedFrames(storage: self), frames: frames)
    }
    func isEqual(to other: any FramesStorage) -> Bool { (other as? FramesBox)?.frames == frames }
    func hash(into hasher: inout Hasher) { frames.hash(into: &hasher) }
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

/// The frames of items whose places follow from their positions: nothing but their number.
struct ComputedFrames: AlgorithmFrames {
    let count: Int
    var byteCount: Int { 0 }
    var encoded: [UInt8] { [] }
}
