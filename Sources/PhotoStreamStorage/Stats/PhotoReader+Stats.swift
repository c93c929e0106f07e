import GRDB
import PhotoStreamModel

extension PhotoReader {
    /// What there is of each stream's photos, by stream; a stream without photos is not there.
    ///
    /// - Complexity: O(photos of the file), one pass over the table.
    package func photoCounts() throws -> [Int64: PhotoCounts] {
        // In the order of the table: by an index each row would be looked up by itself.
        let sql = """
            SELECT streamId, width, height, metricsSource,
                (takenAtMilliseconds + coalesce(utcOffsetMinutes, 0) * 60000) * 4 + min(takenAtPrecision, 2),
                latitude IS NOT NULL, hasCaption, editedFields <> 0,
                movedTime IS NOT NULL AND movedFromOrderTime IS ownOrderTime
            FROM photo NOT INDEXED
            """
        var result: [Int64: PhotoCounts] = [:]
        // Rows of one stream mostly follow each other.
        var (streamID, counts) = (Int64.min, PhotoCounts())
        try RawStatement(database, sql).forEach { row in
            if row.integer(0) != streamID {
                result[streamID] = counts
                streamID = row.integer(0)
                counts = result[streamID] ?? PhotoCounts()
            }
            counts.photos += 1
            counts.add(try row.pixelSize(1))
            switch row.integer(3) {
            case 1: counts.ratioOnly += 1
            case 2: counts.assumed += 1
            default: counts.measured += 1
            }
            if let time = try row.optionalInteger(4, in: .min ... .max) { counts.add(time: time) }
            counts.positioned += row.integer(5) == 0 ? 0 : 1
            counts.captioned += row.integer(6) == 0 ? 0 : 1
            counts.edited += row.integer(7) == 0 ? 0 : 1
            counts.moved += row.integer(8) == 0 ? 0 : 1
        }
        result[streamID] = counts
        result[.min] = nil
        return result
    }

    /// The stored chunks of each stream, by stream; a stream without any is not there.
    ///
    /// - Complexity: O(chunks of the file).
    package func chunkCounts() throws -> [Int64: ChunkCounts] {
        let sql = """
            SELECT streamId, count(*), total(photoCount), min(photoCount), max(photoCount) FROM chunk
            WHERE state = 0 GROUP BY streamId
            """
        var result: [Int64: ChunkCounts] = [:]
        try RawStatement(database, sql).forEach { row in
            result[row.integer(0)] = ChunkCounts(
                chunks: Int(row.integer(1)), photos: Int(row.integer(2)), least: Int(row.integer(3)),
                greatest: Int(row.integer(4)))
        }
        return result
    }

    /// The rows of the change log of each stream, by stream.
    ///
    /// - Complexity: O(rows of the log).
    package func logCounts() throws -> [Int64: Int] {
        var result: [Int64: Int] = [:]
        try RawStatement(database, "SELECT streamId, count(*) FROM change GROUP BY streamId").forEach { row in
            result[row.integer(0)] = Int(row.integer(1))
        }
        return result
    }

    /// The bytes of the file, without what waits in the write-ahead log.
    package func fileByteCount() throws -> Int64 {
        let pages = try RawStatement(database, "PRAGMA page_count").first { $0.integer(0) } ?? 0
        let pageSize = try RawStatement(database, "PRAGMA page_size").first { $0.integer(0) } ?? 0
        return pages * pageSize
    }
}
