/// The statistics of a stream.
public struct StreamStats: Hashable, Sendable {
    /// The stream's name.
    public package(set) var name = StreamName(stored: "")
    /// The number of its photos.
    public package(set) var count = 0
    /// The number of photos with a capture time.
    public package(set) var datedCount = 0
    /// The first and last capture time, as order times of a stream with the newest photos first.
    package var times: ClosedRange<Int64>?
    /// The number of photos with a caption.
    public package(set) var captionedCount = 0
    /// The number of photos with coordinates.
    public package(set) var positionedCount = 0
    /// The number of photos for each source of their sizes.
    public package(set) var sources: [MetricsSource: Int] = [.measured: 0, .ratio: 0, .assumed: 0]
    /// The number of photos that a person edited.
    public package(set) var editedCount = 0
    /// The number of photos that a person moved.
    public package(set) var movedCount = 0
    /// The number of photos that are wider than high.
    public package(set) var landscapeCount = 0
    /// The number of photos that are higher than wide.
    public package(set) var portraitCount = 0
    /// The number of photos that are as high as wide.
    public package(set) var squareCount = 0
    /// The number of photos that are at least twice as wide as high.
    public package(set) var panoramaCount = 0
    /// The number of photos that are at least twice as high as wide.
    public package(set) var towerCount = 0
    /// The size of the photo that is widest for its height; `nil` without photos.
    public package(set) var widest: PixelSize?
    /// The size of the photo that is highest for its width; `nil` without photos.
    public package(set) var tallest: PixelSize?
    /// The stored chunks of the photos.
    public package(set) var chunks = ChunkStats()
    /// The number of the stream's rows in the change log.
    public package(set) var logRowCount = 0
    /// The number of stored layouts.
    public package(set) var layoutCount = 0
    /// The number of bytes of their checkpoints and frames.
    public package(set) var layoutByteCount = 0

    /// Creates the statistics of no photos.
    package init() {}

    /// The first and the last date on which a photo was taken, each as precise as it is known; `nil` if no photo has a
    /// date.
    public var dates: (first: OrderDate, last: OrderDate)? {
        times.map { times in
            let order = StreamOrder.newest
            return (order.date(ofOrderTime: times.lowerBound), order.date(ofOrderTime: times.upperBound))
        }
    }
}

/// The stored chunks of a stream; all 0 before the first query about a layout.
public struct ChunkStats: Hashable, Sendable {
    /// The number of chunks.
    public package(set) var count = 0
    /// The number of photos in the smallest chunk.
    public package(set) var least = 0
    /// The average number of photos in a chunk, rounded down.
    public package(set) var mean = 0
    /// The number of photos in the largest chunk.
    public package(set) var greatest = 0

    /// Creates the statistics of no chunks.
    package init() {}
}
