import GRDB
package import PhotoStreamModel

extension StreamStats {
    /// Adds a photo.
    package mutating func add(_ stored: StoredPhoto) {
        let photo = stored.photo
        count += 1
        add(photo.pixelSize)
        sources[photo.metricsSource, default: 0] += 1
        if let time = photo.takenAt.map({ StreamOrder.newest.orderTime(of: $0) }) { add(time: time) }
        positionedCount += photo.coordinate == nil ? 0 : 1
        captionedCount += photo.caption == nil ? 0 : 1
        editedCount += photo.editedFields.isEmpty ? 0 : 1
        movedCount += stored.key.isOfMove ? 1 : 0
    }

    mutating func add(_ size: PixelSize) {
        let (width, height) = (Int64(size.width), Int64(size.height))
        landscapeCount += width > height ? 1 : 0
        portraitCount += width < height ? 1 : 0
        squareCount += width == height ? 1 : 0
        if width >= 2 * height { panoramaCount += 1 }
        if height >= 2 * width { towerCount += 1 }
        if widest.map({ width * Int64($0.height) > Int64($0.width) * height }) ?? true { widest = size }
        if tallest.map({ width * Int64($0.height) < Int64($0.width) * height }) ?? true { tallest = size }
    }

    mutating func add(time: Int64) {
        datedCount += 1
        times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }
}

extension PhotoReader {
    /// Returns statistics of each stream's photos, by stream; streams without photos are absent.
    ///
    /// - Complexity: O(photos of the file), in one pass over the table.
    package func photoCounts() throws -> [Int64: StreamStats] {
        // In table order: an index would look up each row separately.
        let sql = """
            SELECT streamId, width, height, metricsSource,
                (takenAtMilliseconds + coalesce(utcOffsetMinutes, 0) * 60000) * 4 + min(takenAtPrecision, 2),
                latitude IS NOT NULL, hasCaption, editedFields <> 0,
                movedTime IS NOT NULL AND movedFromOrderTime IS ownOrderTime
            FROM photo NOT INDEXED WHERE stackRank = 0
            """
        var result: [Int64: StreamStats] = [:]
        // Rows of one stream are mostly adjacent.
        var (streamID, counts) = (Int64.min, StreamStats())
        try database.forEach(sql) { row in
            if row.integer(0) != streamID {
                result[streamID] = counts
                streamID = row.integer(0)
                counts = result[streamID] ?? StreamStats()
            }
            counts.count += 1
            counts.add(try row.pixelSize(1))
            counts.sources[MetricsSource(rawValue: UInt8(clamping: row.integer(3))) ?? .measured, default: 0] += 1
            if let time = try row.optionalInteger(4, in: .min ... .max) { counts.add(time: time) }
            counts.positionedCount += row.integer(5) == 0 ? 0 : 1
            counts.captionedCount += row.integer(6) == 0 ? 0 : 1
            counts.editedCount += row.integer(7) == 0 ? 0 : 1
            counts.movedCount += row.integer(8) == 0 ? 0 : 1
        }
        result[streamID] = counts
        result[.min] = nil
        return result
    }

    /// Returns statistics of each stream's stored chunks, by stream; streams without any are absent.
    ///
    /// - Complexity: O(chunks of the file).
    package func chunkCounts() throws -> [Int64: ChunkStats] {
        let sql = """
            SELECT streamId, count(*), min(photoCount), CAST(total(photoCount) AS INTEGER) / count(*), max(photoCount)
            FROM chunk WHERE state = 0 GROUP BY streamId
            """
        var result: [Int64: ChunkStats] = [:]
        try database.forEach(sql) { row in
            var chunks = ChunkStats()
            (chunks.count, chunks.least) = (Int(row.integer(1)), Int(row.integer(2)))
            (chunks.mean, chunks.greatest) = (Int(row.integer(3)), Int(row.integer(4)))
            result[row.integer(0)] = chunks
        }
        return result
    }

    /// Returns the number of rows in the change log, by stream.
    ///
    /// - Complexity: O(rows of the log).
    package func logCounts() throws -> [Int64: Int] {
        var result: [Int64: Int] = [:]
        try database.forEach("SELECT streamId, count(*) FROM change GROUP BY streamId") { row in
            result[row.integer(0)] = Int(row.integer(1))
        }
        return result
    }

    /// Returns the size of the file in bytes, without the write-ahead log.
    package func fileByteCount() throws -> Int64 {
        let pages = try database.number("PRAGMA page_count")
        let pageSize = try database.number("PRAGMA page_size")
        return pages * pageSize
    }
}
