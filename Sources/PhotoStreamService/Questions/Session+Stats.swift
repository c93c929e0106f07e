public import PhotoStreamModel
import PhotoStreamStorage

extension Session {
    /// Returns the numbers of streams.
    ///
    /// Reads much, so it needs a session that may block.
    ///
    /// - Parameter stream: The stream; `nil` for all of them.
    /// - Returns: The numbers, all of one state.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(photos of the file), one pass over the photo table, whether for one stream or for all.
    public func stats(of stream: StreamName? = nil) throws -> StatsAnswer {
        try requireBlocking()
        let rows = try stream.map { [try row(of: $0)] } ?? reader.streams()
        let photos = try reader.photoCounts()
        return StatsAnswer(
            streams: zip(rows, try validators(of: rows)).map { row, validator in
                StreamStats(row, photos: photos[row.id] ?? PhotoCounts(), validator: validator)
            },
            fileCount: photos.values.reduce(0) { $0 + $1.photos }, fileByteCount: try reader.fileByteCount())
    }

    /// Returns the state of everything that the numbers of a stream depend on, without reading photos.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(streams + chunks + rows of the change log).
    package func statsValidator(of stream: StreamName) throws -> StatsValidator {
        try requireBlocking()
        return try validators(of: [try row(of: stream)])[0]
    }

    private func validators(of rows: [StreamRow]) throws -> [StatsValidator] {
        let chunks = try reader.chunkCounts()
        let log = try reader.logCounts()
        let layouts = try reader.layoutSizes()
        return try rows.map { row in
            let stored = layouts.filter { $0.layout.streamID == row.id }
            return StatsValidator(
                state: StreamState(streamID: row.id, revision: try mark(of: row).revision),
                chunks: ChunkStats(chunks[row.id] ?? ChunkCounts()), logRowCount: log[row.id] ?? 0,
                layoutCount: stored.count, layoutByteCount: stored.reduce(0) { $0 + Int($1.layout.byteCount) })
        }
    }
}

extension ChunkStats {
    fileprivate init(_ counts: ChunkCounts) {
        self.init(
            count: counts.chunks, least: counts.least, mean: counts.chunks == 0 ? 0 : counts.photos / counts.chunks,
            greatest: counts.greatest)
    }
}

extension StreamStats {
    fileprivate init(_ row: StreamRow, photos: PhotoCounts, validator: StatsValidator) {
        name = row.name
        count = photos.photos
        datedCount = photos.dated
        dates = photos.times.map { times in
            Dates(
                first: StreamOrder.newest.date(ofOrderTime: times.lowerBound),
                last: StreamOrder.newest.date(ofOrderTime: times.upperBound))
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
        towerCount = photos.tall
        widest = photos.widest
        tallest = photos.tallest
        self.validator = validator
    }
}
