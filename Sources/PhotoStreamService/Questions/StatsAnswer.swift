public import PhotoStreamModel

/// The numbers of a stream.
public struct StreamStats: Hashable, Sendable {
    /// A length of time by its first and its last date, each to the unit that is known.
    public struct Dates: Hashable, Sendable {
        /// The first date.
        public let first: OrderDate
        /// The last date.
        public let last: OrderDate
    }

    /// The stream's name.
    public let name: StreamName
    /// The number of its photos.
    public let count: Int
    /// Photos with a capture time.
    public let datedCount: Int
    /// The first and the last date on which a photo was taken; `nil` if no photo has a date.
    public let dates: Dates?
    /// Photos with a caption.
    public let captionedCount: Int
    /// Photos with coordinates.
    public let positionedCount: Int
    /// Photos by where their sizes come from.
    public let sources: [MetricsSource: Int]
    /// Photos of which a person edited something.
    public let editedCount: Int
    /// Photos that a person moved.
    public let movedCount: Int
    /// Photos that are wider than high.
    public let landscapeCount: Int
    /// Photos that are higher than wide.
    public let portraitCount: Int
    /// Photos that are as high as wide.
    public let squareCount: Int
    /// Photos at least twice as wide as high.
    public let panoramaCount: Int
    /// Photos at least twice as high as wide.
    public let towerCount: Int
    /// The size of the photo that is widest for its height; `nil` without photos.
    public let widest: PixelSize?
    /// The size of the photo that is highest for its width; `nil` without photos.
    public let tallest: PixelSize?
    /// The state of everything that the numbers depend on: while it is the same, so are they.
    package let validator: StatsValidator

    /// The stored chunks of the photos.
    public var chunks: ChunkStats { validator.chunks }
    /// The stream's rows in the change log.
    public var logRowCount: Int { validator.logRowCount }
    /// The number of stored layouts.
    public var layoutCount: Int { validator.layoutCount }
    /// The bytes of their checkpoints and frames.
    public var layoutByteCount: Int { validator.layoutByteCount }
}

/// The state of everything that the numbers of a stream depend on: the revision of its photos, and the stored data.
package struct StatsValidator: Hashable, Sendable {
    /// The state of the stream that the numbers describe.
    package let state: StreamState
    let chunks: ChunkStats
    let logRowCount: Int
    let layoutCount: Int
    let layoutByteCount: Int

    /// A text that differs if any of it does.
    package var text: String {
        let numbers: [any FixedWidthInteger] = [
            state.streamID, state.revision.rawValue, state.revision.tag ?? 0, chunks.count, chunks.least, chunks.mean,
            chunks.greatest,
            logRowCount, layoutCount, layoutByteCount,
        ]
        return numbers.map { "\($0)" }.joined(separator: ".")
    }
}

/// The stored chunks of a stream; all 0 before the first question about a layout.
public struct ChunkStats: Hashable, Sendable {
    /// The number of chunks.
    public let count: Int
    /// The number of photos in the smallest.
    public let least: Int
    /// The average number of photos in a chunk, rounded down.
    public let mean: Int
    /// The number of photos in the largest.
    public let greatest: Int
}

/// The numbers of a file.
public struct StatsAnswer: Hashable, Sendable {
    /// The streams that were asked for, by name.
    public let streams: [StreamStats]
    /// The photos of all streams of the file, asked for or not.
    public let fileCount: Int
    /// The bytes of the file.
    public let fileByteCount: Int64

    /// The bytes of the file to a photo; `nil` without photos.
    public var bytesPerPhoto: Double? { fileCount == 0 ? nil : Double(fileByteCount) / Double(fileCount) }
}
