public import PhotoStreamModel

/// The photos that the run of one chunk placed: frames and metrics.
///
/// A reference to what never changes: every question hands chunks about, and copying their arrays one by one costs more
/// than many an answer.
public struct PlacedChunk: Hashable, Sendable {
    private let content: PlacedContent

    /// The photos' metrics.
    public var metrics: PackedMetrics { content.metrics }
    /// Their frames.
    public var frames: PackedFrames { content.packedFrames }

    /// Creates a chunk.
    ///
    /// - Precondition: There are as many frames as metrics.
    public init(metrics: PackedMetrics, frames: PackedFrames) {
        precondition(metrics.count == frames.count, "a chunk has one frame for each photo")
        content = frames.content(with: metrics)
    }

    /// The frames as the algorithm keeps them that made them.
    ///
    /// - Precondition: They are of that type.
    @inline(__always)
    func frames<Frames: AlgorithmFrames>(as type: Frames.Type) -> Frames {
        // As quick as a cast can be: the class is final, so nothing but itself is it.
        guard Swift.type(of: content) == TypedContent<Frames>.self else {
            preconditionFailure("frames of another layout")
        }
        return unsafeDowncast(content, to: TypedContent<Frames>.self).frames
    }

    /// Whether two chunks have the same photos and frames.
    public static func == (left: PlacedChunk, right: PlacedChunk) -> Bool {
        left.content === right.content || left.metrics == right.metrics && left.frames == right.frames
    }

    /// Hashes the chunk.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(metrics)
        hasher.combine(frames)
    }
}

/// The content of a chunk.
///
/// `@unchecked Sendable` because it is immutable: it and its only subclass have nothing but `let` properties of sendable
/// types.
class PlacedContent: @unchecked Sendable {
    final let metrics: PackedMetrics
    final let packedFrames: PackedFrames

    fileprivate init(_ metrics: PackedMetrics, packedFrames: PackedFrames) {
        self.metrics = metrics
        self.packedFrames = packedFrames
    }
}

/// The content of a chunk with the frames as their algorithm keeps them, in one piece of memory: a question about an item
/// out of millions waits for memory more than for anything else.
final class TypedContent<Frames: AlgorithmFrames>: PlacedContent, @unchecked Sendable {
    let frames: Frames

    init(_ metrics: PackedMetrics, packedFrames: PackedFrames, frames: Frames) {
        self.frames = frames
        super.init(metrics, packedFrames: packedFrames)
    }
}

/// A laid-out stream that can be asked where things stand: in memory, or in a file.
///
///     func visiblePhotos<Layout: LayoutSource>(
///         of layout: Layout, in bounds: PixelRect
///     ) throws(Layout.Failure) -> [Int] {
///         try layout.items(in: bounds).map(\.index)
///     }
public protocol LayoutSource {
    /// The error that reading a chunk's content may throw.
    associatedtype Failure: Error

    /// The index of its chunks and sections.
    var directory: LayoutDirectory { get }

    /// The photos and frames that the run of a chunk placed.
    ///
    /// - Parameter position: Its position in the directory's chunks.
    /// - Returns: Metrics and frames of the photos that the run placed, not of those that the chunk holds.
    /// - Throws: Any error that the source throws.
    func placedChunk(at position: Int) throws(Failure) -> PlacedChunk
}
