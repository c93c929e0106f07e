public import PhotoStreamModel

/// What the run of one chunk placed: frames, and the metrics of the same photos.
///
/// A reference to what never changes: every question hands chunks about, and copying their arrays one by one costs more
/// than many an answer.
public struct PlacedChunk: Hashable, Sendable {
    private let content: Content

    private final class Content: Hashable, Sendable {
        let metrics: PackedMetrics
        let frames: PackedFrames

        init(_ metrics: PackedMetrics, _ frames: PackedFrames) {
            self.metrics = metrics
            self.frames = frames
        }

        static func == (left: Content, right: Content) -> Bool {
            left === right || left.metrics == right.metrics && left.frames == right.frames
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(metrics)
            hasher.combine(frames)
        }
    }

    /// The photos' metrics.
    public var metrics: PackedMetrics { content.metrics }
    /// Where they stand.
    public var frames: PackedFrames { content.frames }

    /// Creates a chunk.
    ///
    /// - Precondition: There are as many frames as metrics.
    public init(metrics: PackedMetrics, frames: PackedFrames) {
        precondition(metrics.count == frames.count, "a chunk has one frame for each photo")
        content = Content(metrics, frames)
    }
}

/// A laid-out stream that can be asked where things stand: in memory, or in a file.
public protocol LayoutSource {
    /// What getting at a chunk's content may throw.
    associatedtype Failure: Error

    /// Where its chunks and sections are.
    var directory: LayoutDirectory { get }

    /// What the run of a chunk placed.
    ///
    /// - Parameter position: Its position in the directory's chunks.
    /// - Returns: Metrics and frames of the photos that the run placed, not of those that the chunk holds.
    /// - Throws: What the source throws.
    func placedChunk(at position: Int) throws(Failure) -> PlacedChunk
}
