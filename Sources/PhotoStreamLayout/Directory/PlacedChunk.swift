public import PhotoStreamModel

/// What the run of one chunk placed: frames, and the metrics of the same photos.
public struct PlacedChunk: Hashable, Sendable {
    /// The photos' metrics.
    public let metrics: PackedMetrics
    /// Where they stand.
    public let frames: PackedFrames

    /// Creates a chunk.
    ///
    /// - Precondition: There are as many frames as metrics.
    public init(metrics: PackedMetrics, frames: PackedFrames) {
        precondition(metrics.count == frames.count, "a chunk has one frame for each photo")
        self.metrics = metrics
        self.frames = frames
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
