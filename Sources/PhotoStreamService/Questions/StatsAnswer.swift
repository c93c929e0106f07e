public import PhotoStreamModel

/// The statistics of a file.
public struct StatsAnswer: Hashable, Sendable {
    /// The requested streams, by name.
    public let streams: [StreamStats]
    /// The number of photos in all streams of the file, including those that were not requested.
    public let fileCount: Int
    /// The number of bytes of the file.
    public let fileByteCount: Int64

    /// The number of bytes of the file per photo; `nil` without photos.
    public var bytesPerPhoto: Double? { fileCount == 0 ? nil : Double(fileByteCount) / Double(fileCount) }
}
