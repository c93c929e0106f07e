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
            let photos = try reader.photoCounts()
            return StatsAnswer(
                streams: try zip(rows, marks(of: rows, reader)).map { row, mark in
                    StreamStats(row, photos[row.id] ?? PhotoCounts(), mark)
                },
                fileCount: photos.values.reduce(0) { $0 + $1.photos }, fileByteCount: try reader.fileByteCount())
        }
    }

    /// What the numbers of a stream depend on, which is read without a look at the photos.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(streams + chunks + rows of the change log).
    package func statsMark(of stream: StreamName) throws -> StatsMark {
        try read { reader in try marks(of: [try self.stream(stream, reader)], reader)[0] }
    }

    private func marks(of rows: [StreamRow], _ reader: PhotoReader) throws -> [StatsMark] {
        let (chunks, log, layouts) = (try reader.chunkCounts(), try reader.logCounts(), try reader.layoutSizes())
        return try rows.map { row in
            let stored = layouts.filter { $0.layout.isKept && $0.layout.streamID == row.id }
            return StatsMark(
                state: StreamState(streamID: row.id, revision: try mark(of: row, reader).revision),
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
    fileprivate init(_ row: StreamRow, _ photos: PhotoCounts, _ mark: StatsMark) {
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
        self.mark = mark
    }
}
