public import PhotoStreamModel

/// The photos that the run of one chunk placed: frames and metrics.
///
/// A reference to immutable values, in one piece of memory: copying their arrays one by one costs more than many an
/// answer, and a query for one item of millions waits for memory more than for anything else.
public struct PlacedChunk: Hashable, Sendable {
    private let content: Content

    private final class Content: Sendable {
        let metrics: PackedMetrics
        let frames: PackedFrames

        init(metrics: PackedMetrics, frames: PackedFrames) {
            self.metrics = metrics
            self.frames = frames
        }
    }

    /// The photos' metrics.
    public var metrics: PackedMetrics { content.metrics }
    /// Their frames.
    public var frames: PackedFrames { content.frames }

    /// Creates a chunk.
    ///
    /// - Precondition: There are as many frames as metrics.
    public init(metrics: PackedMetrics, frames: PackedFrames) {
        precondition(metrics.count == frames.count, "a chunk has one frame for each photo")
        content = Content(metrics: metrics, frames: frames)
    }

    /// The frames as the algorithm keeps them that made them.
    ///
    /// - Precondition: They are of that type.
    @inline(__always)
    func frames<Frames: AlgorithmFrames>(as type: Frames.Type) -> Frames { content.frames.of(type) }

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

/// A laid-out stream that can be asked where things stand: in memory, or in a file.
///
///     func visiblePhotos<Layout: LayoutSource>(
///         of layout: Layout, in bounds: PixelRect
///     ) throws(Layout.Failure) -> [Int] {
///         try layout.items(in: bounds).map(\.index)
///     }
public protocol LayoutSource: ElementSource {
    /// The error of ``placedChunk(at:)``, from which it is inferred.
    associatedtype Failure

    /// The photos and frames that the run of a chunk placed.
    ///
    /// - Parameter position: Its position in the directory's chunks.
    /// - Returns: Metrics and frames of the photos that the run placed, not of those that the chunk holds.
    /// - Throws: Any error that the source throws.
    func placedChunk(at position: Int) throws(Failure) -> PlacedChunk
}
