import GRDB
package import PhotoStreamModel

/// Statistics of a stream's photos.
package struct PhotoCounts: Hashable, Sendable {
    /// The number of photos.
    package var photos = 0
    /// The number of photos with a capture time.
    package var dated = 0
    /// The first and last capture time, as order times of a stream with the newest photos first; `nil` if there are
    /// none.
    package var times: ClosedRange<Int64>?
    /// The numbers of photos with a caption, and with coordinates.
    package var captioned = 0
    package var positioned = 0
    /// The numbers of photos with a measured size, with a ratio only, and with an assumed size.
    package var measured = 0
    package var ratioOnly = 0
    package var assumed = 0
    /// The numbers of photos that a person edited, and that a person moved.
    package var edited = 0
    package var moved = 0
    /// The numbers of photos that are wider than high, higher than wide, and square.
    package var landscape = 0
    package var portrait = 0
    package var square = 0
    /// The numbers of photos at least twice as wide as high, and at least twice as high as wide.
    package var panoramas = 0
    package var tall = 0
    /// The sizes of the photos with the greatest and the least ratio of width to height.
    package var widest: PixelSize?
    package var tallest: PixelSize?

    /// Creates the statistics of no photos.
    package init() {}

    mutating func add(_ size: PixelSize) {
        let (width, height) = (Int64(size.width), Int64(size.height))
        if width > height { landscape += 1 } else if width < height { portrait += 1 } else { square += 1 }
        if width >= 2 * height { panoramas += 1 }
        if height >= 2 * width { tall += 1 }
        if widest.map({ width * Int64($0.height) > Int64($0.width) * height }) ?? true { widest = size }
        if tallest.map({ width * Int64($0.height) < Int64($0.width) * height }) ?? true { tallest = size }
    }

    mutating func add(time: Int64) {
        dated += 1
        times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }
}

/// Statistics of a stream's stored chunks.
package struct ChunkCounts: Hashable, Sendable {
    /// The number of stored chunks, and of the photos in them.
    package var chunks = 0
    package var photos = 0
    /// The number of photos in the smallest and in the largest chunk.
    package var least = 0
    package var greatest = 0

    /// Creates the statistics of no chunks.
    package init() {}

    init(chunks: Int, photos: Int, least: Int, greatest: Int) {
        (self.chunks, self.photos, self.least, self.greatest) = (chunks, photos, least, greatest)
    }
}

extension PhotoReader {
    /// Returns statistics of each stream's photos, by stream; streams without photos are absent.
    ///
    /// - Complexity: O(photos of the file), in one pass over the table.
    package func photoCounts() throws -> [Int64: PhotoCounts] {
        // In table order: an index would look up each row separately.
        let sql = """
            SELECT streamId, width, height, metricsSource,
                (takenAtMilliseconds + coalesce(utcOffsetMinutes, 0) * 60000) * 4 + min(takenAtPrecision, 2),
                latitude IS NOT NULL, hasCaption, editedFields <> 0,
                movedTime IS NOT NULL AND movedFromOrderTime IS ownOrderTime
            FROM photo NOT INDEXED
            """
        var result: [Int64: PhotoCounts] = [:]
        // Rows of one stream are mostly adjacent.
        var (streamID, counts) = (Int64.min, PhotoCounts())
        try RawStatement(database, sql: sql).forEach { row in
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

    /// Returns statistics of each stream's stored chunks, by stream; streams without any are absent.
    ///
    /// - Complexity: O(chunks of the file).
    package func chunkCounts() throws -> [Int64: ChunkCounts] {
        let sql = """
            SELECT streamId, count(*), total(photoCount), min(photoCount), max(photoCount) FROM chunk
            WHERE state = 0 GROUP BY streamId
            """
        var result: [Int64: ChunkCounts] = [:]
        try RawStatement(database, sql: sql).forEach { row in
            result[row.integer(0)] = ChunkCounts(
                chunks: Int(row.integer(1)), photos: Int(row.integer(2)), least: Int(row.integer(3)),
                greatest: Int(row.integer(4)))
        }
        return result
    }

    /// Returns the number of rows in the change log, by stream.
    ///
    /// - Complexity: O(rows of the log).
    package func logCounts() throws -> [Int64: Int] {
        var result: [Int64: Int] = [:]
        try RawStatement(database, sql: "SELECT streamId, count(*) FROM change GROUP BY streamId").forEach { row in
            result[row.integer(0)] = Int(row.integer(1))
        }
        return result
    }

    /// Returns the size of the file in bytes, without the write-ahead log.
    package func fileByteCount() throws -> Int64 {
        let pages = try RawStatement(database, sql: "PRAGMA page_count").first { $0.integer(0) } ?? 0
        let pageSize = try RawStatement(database, sql: "PRAGMA page_size").first { $0.integer(0) } ?? 0
        return pages * pageSize
    }
}
