public import PhotoStreamModel
import PhotoStreamStorage

extension Session {
    /// Returns the statistics of streams.
    ///
    /// - Parameter stream: The stream; `nil` for all streams.
    /// - Returns: The statistics, all of one state.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(photos of the file): one pass over the photo table, for one stream or for all.
    public func stats(of stream: StreamName? = nil) throws -> StatsAnswer {
        let rows = try stream.map { [try row(of: $0)] } ?? reader.streams()
        let photos = try reader.photoCounts()
        return StatsAnswer(
            streams: try stats(of: rows, photos: photos), fileCount: photos.values.reduce(0) { $0 + $1.count },
            fileByteCount: try reader.fileByteCount())
    }

    /// Returns a text that differs if any data does that the statistics of a stream depend on, without reading photos.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(streams + chunks + rows of the change log).
    package func statsValidator(of stream: StreamName) throws -> String {
        let row = try row(of: stream)
        let revision = try mark(of: row).revision
        let stats = try stats(of: [row], photos: [:])[0]
        let numbers: [any FixedWidthInteger] = [
            row.id, revision.rawValue, revision.tag ?? 0, stats.chunks.count, stats.chunks.least, stats.chunks.mean,
            stats.chunks.greatest, stats.logRowCount, stats.layoutCount, stats.layoutByteCount,
        ]
        return numbers.map { "\($0)" }.joined(separator: ".")
    }

    /// Returns the statistics of streams, with those of their photos given.
    private func stats(of rows: [StreamRow], photos: [Int64: StreamStats]) throws -> [StreamStats] {
        let chunks = try reader.chunkCounts()
        let log = try reader.logCounts()
        let layouts = try reader.layoutSizes()
        return rows.map { row in
            let stored = layouts.filter { $0.layout.streamID == row.id }
            var stats = photos[row.id] ?? StreamStats()
            (stats.name, stats.chunks, stats.logRowCount) = (row.name, chunks[row.id] ?? ChunkStats(), log[row.id] ?? 0)
            (stats.layoutCount, stats.layoutByteCount) = (
                stored.count, stored.reduce(0) { $0 + Int($1.layout.byteCount) }
            )
            return stats
        }
    }
}
