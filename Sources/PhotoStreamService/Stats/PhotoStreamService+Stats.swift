public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// What there is in the streams, in numbers.
    ///
    /// - Parameter stream: The stream; `nil` for all of them.
    /// - Returns: The numbers, all of one moment.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(photos of the file), one pass over the photo table, whether one stream is asked for or all.
    public func stats(of stream: StreamName? = nil) throws -> StatsAnswer {
        try read { reader in
            let rows = try stream.map { [try self.stream($0, reader)] } ?? reader.streams()
            let (photos, chunks) = (try reader.photoCounts(), try reader.chunkCounts())
            let (log, layouts) = (try reader.logCounts(), try reader.layoutSizes())
            return StatsAnswer(
                streams: rows.map { row in
                    let stored = layouts.filter { $0.layout.isKept && $0.layout.streamID == row.id }
                    return StreamStats(
                        row, photos[row.id] ?? PhotoCounts(), chunks[row.id] ?? ChunkCounts(),
                        logRowCount: log[row.id] ?? 0, layoutCount: stored.count,
                        layoutByteCount: stored.reduce(0) { $0 + Int($1.layout.byteCount) })
                },
                fileCount: photos.values.reduce(0) { $0 + $1.photos }, fileByteCount: try reader.fileByteCount())
        }
    }
}

extension StreamStats {
    fileprivate init(
        _ row: StreamRow, _ photos: PhotoCounts, _ chunks: ChunkCounts, logRowCount: Int, layoutCount: Int,
        layoutByteCount: Int
    ) {
        name = row.name
        count = photos.photos
        datedCount = photos.dated
        days = photos.times.flatMap { times in
            guard let first = OrderKey(time: times.lowerBound, rank: 0).day,
                let last = OrderKey(time: times.upperBound, rank: 0).day
            else { return nil }
            return Days(first: CivilDate(daysSince1970: first), last: CivilDate(daysSince1970: last))
        }
        captionedCount = photos.captioned
        positionedCount = photos.positioned
        sources = [.measured: photos.measured, .ratio: photos.ratioOnly, .assumed: photos.assumed]
        editedCount = photos.edited
        movedCount = photos.moved
        landscapeCount = photos.landscape
        portraitCount = photos.portrait
        squareCount = photos.square
        panoramaCount = photos.panoramas
        towerCount = photos.towers
        widest = photos.widest
        tallest = photos.tallest
        self.chunks = ChunkStats(
            count: chunks.chunks, least: chunks.least, mean: chunks.chunks == 0 ? 0 : chunks.photos / chunks.chunks,
            greatest: chunks.greatest)
        self.logRowCount = logRowCount
        self.layoutCount = layoutCount
        self.layoutByteCount = layoutByteCount
    }
}
