public import PhotoStreamModel

/// The photos that the run of one chunk placed: frames and metrics.
///
/// A reference to immutable values in one allocation: copying their arrays one by one costs more than many a query, and
/// a query of one item among millions mostly waits for memory.
public struct PlacedChunk: Sendable {
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
    /// - Precondition: There is one frame per photo.
    public init(metrics: PackedMetrics, frames: PackedFrames) {
        precondition(metrics.count == frames.count, "a chunk has one frame for each photo")
        content = Content(metrics: metrics, frames: frames)
    }

    /// The frames in the type of the algorithm that created them.
    ///
    /// - Precondition: They are of that type.
    @inline(__always)
    func frames<Frames: AlgorithmFrames>(as type: Frames.Type) -> Frames { content.frames.of(type) }
}

/// A laid-out stream in memory or in a file, with queries of its elements.
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
    /// - Parameter position: The chunk's position in the directory's chunks.
    /// - Returns: The placed photos, which may differ from those that the chunk contains.
    /// - Throws: Any error that the source throws.
    func placedChunk(at position: Int) throws(Failure) -> PlacedChunk
}
