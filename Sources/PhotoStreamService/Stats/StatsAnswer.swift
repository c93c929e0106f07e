public import PhotoStreamModel

/// What there is in a stream, in numbers.
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
    /// How many photos it has.
    public let count: Int
    /// Photos with a capture time.
    public let datedCount: Int
    /// From the first to the last date that a photo was taken; `nil` where no photo has a date.
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
    /// What there is beside the photos; while it is the same, so are all the numbers.
    package let mark: StatsMark

    /// How the photos are cut into the chunks that are stored.
    public var chunks: ChunkStats { mark.chunks }
    /// The stream's rows in the change log.
    public var logRowCount: Int { mark.logRowCount }
    /// How many layouts are stored.
    public var layoutCount: Int { mark.layoutCount }
    /// The bytes of their checkpoints and frames.
    public var layoutByteCount: Int { mark.layoutByteCount }
}

/// What the numbers of a stream depend on: its photos by their revision, and what is stored beside them.
package struct StatsMark: Hashable, Sendable {
    /// Which state of the stream the numbers are of.
    package let state: StreamState
    let chunks: ChunkStats
    let logRowCount: Int
    let layoutCount: Int
    let layoutByteCount: Int

    /// A text that is another one where any of it is.
    package var text: String {
        let numbers: [any FixedWidthInteger] = [
            state.streamID, state.revision.rawValue, chunks.count, chunks.least, chunks.mean, chunks.greatest,
            logRowCount, layoutCount, layoutByteCount,
        ]
        return numbers.map { "\($0)" }.joined(separator: ".")
    }
}

/// The stored chunks of a stream; all 0 where nobody has asked for a layout yet.
public struct ChunkStats: Hashable, Sendable {
    /// How many there are.
    public let count: Int
    /// The photos of the smallest.
    public let least: Int
    /// The photos of one on average, rounded down.
    public let mean: Int
    /// The photos of the largest.
    public let greatest: Int
}

/// What there is in a file, in numbers.
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
