package import PhotoStreamModel

extension PhotoReader {
    /// The photos of these rows, in the order in which they are asked for, packed: out of memory where they are there.
    ///
    /// - Parameter rowIDs: The rows.
    /// - Returns: The photos as this transaction sees them.
    /// - Throws: As ``photos(rowIDs:)``.
    /// - Complexity: O(k) for those in memory, O(k log n) for others.
    package func packedRows(_ rowIDs: [Int64]) throws -> PackedRows {
        var rows = PackedRows(count: rowIDs.count)
        guard let cached = cachedRows, let end = try cached.end(self) else {
            for (position, photo) in try photos(rowIDs: rowIDs).enumerated() { rows.set(position, photo) }
            return rows
        }
        let missing = cached.cache.read(rowIDs, asOf: end, into: &rows)
        guard !missing.isEmpty else { return rows }
        for (position, photo) in zip(missing, try photos(rowIDs: missing.map { rowIDs[$0] })) {
            rows.set(position, photo)
        }
        cached.cache.keep(missing, rowIDs, rows, asOf: end)
        return rows
    }
}

extension PhotoReader {
    /// How many rows are read at once where bytes are bounded.
    private static let blockCount = 32

    /// The photos of these rows, in the order in which they are asked for, as many of them as fit into a number of bytes:
    /// one always does.
    ///
    /// - Parameters:
    ///   - rowIDs: The rows.
    ///   - byteLimit: The most bytes that the photos may take.
    /// - Returns: The first ones of the photos as this transaction sees them.
    /// - Throws: As ``photos(rowIDs:)``.
    package func packedRows(_ rowIDs: [Int64], within byteLimit: Int) throws -> PackedRows {
        var rows = PackedRows(count: 0)
        var rest = rowIDs[...]
        while !rest.isEmpty {
            guard rows.append(try packedRows(Array(rest.prefix(Self.blockCount))), within: byteLimit) else { break }
            rest = rest.dropFirst(Self.blockCount)
        }
        return rows
    }

    /// The photos strictly behind a place, in stream order, as many as fit into a number of bytes: two always do.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id; an unknown one has no photos.
    ///   - after: The place, whether or not a photo stands there; `nil` starts at the head.
    ///   - limit: The most photos to give.
    ///   - byteLimit: The most bytes that the photos may take.
    /// - Returns: The next photos, and whether they are fewer than `limit` for the bytes' sake.
    /// - Throws: What SQLite reports.
    package func photos(
        streamID: Int64, after: OrderKey?, limit: Int, within byteLimit: Int
    ) throws -> (photos: [StoredPhoto], isCut: Bool) {
        var photos: [StoredPhoto] = []
        var byteCount = 0
        while photos.count < limit {
            let wanted = min(limit - photos.count, Self.blockCount)
            let found = try self.photos(streamID: streamID, after: photos.last?.key ?? after, limit: wanted)
            for photo in found {
                byteCount += photo.photo.textByteCount
                guard photos.count < 2 || byteCount <= byteLimit else { return (photos, true) }
                photos.append(photo)
            }
            if found.count < wanted { break }
        }
        return (photos, false)
    }
}

extension Photo {
    /// How many bytes its texts take.
    package var textByteCount: Int {
        let texts = [caption, alt, location, contentHash, placeholder].compactMap { $0?.utf8.count }
        return texts.reduce(id.rawValue.utf8.count, +) + tags.reduce(0) { $0 + $1.utf8.count }
    }
}

/// The rows in memory beside a transaction.
struct CachedRows {
    /// With more rows behind the end of the log everything is forgotten.
    ///
    /// To read so many takes some 10 ms, and a commit of an import logs 10,000; a row that is forgotten for nothing takes
    /// several microseconds when it is asked for again.
    static let changeLimit = 65_536

    let cache: RowCache
    /// Where the cache was before the transaction began.
    private let before: RowCache.LogEnd?

    /// Looks at a cache; to be done before the transaction begins.
    init(_ cache: RowCache) {
        self.cache = cache
        before = cache.end
    }

    /// The end of the log in a transaction, to which the cache was brought.
    ///
    /// - Parameter reader: The transaction.
    /// - Returns: `nil` where the cache is at a later end than the transaction.
    /// - Throws: `DatabaseError` when SQLite fails.
    func end(_ reader: PhotoReader) throws -> RowCache.LogEnd? {
        let end = try reader.logEnd()
        if cache.end == end { return end }
        // One transaction at a time reads the log; those that wait for it find it read.
        return try cache.alone { try bring(to: end, reader) }
    }

    private func bring(to end: RowCache.LogEnd, _ reader: PhotoReader) throws -> RowCache.LogEnd? {
        let known = cache.end
        if known == end { return end }
        guard let known else {
            cache.move(from: nil, to: end, forgetting: nil)
            return end
        }
        if known.revision <= end.revision {
            cache.move(from: known, to: end, forgetting: try reader.changedRows(from: known, to: end))
            return end
        }
        // The transaction is older than what is in memory, but if that was there when it began: then the log has lost rows.
        guard let before, before.revision > end.revision else { return nil }
        cache.move(from: known, to: end, forgetting: nil)
        return end
    }
}

extension PhotoReader {
    /// The end of the log in this transaction.
    fileprivate func logEnd() throws -> RowCache.LogEnd {
        let statement = try RawStatement(database, "\(Self.logRowSQL) ORDER BY revision DESC LIMIT 1")
        return try statement.first(Self.logEnd) ?? RowCache.LogEnd(revision: 0, row: 0)
    }

    /// The rows that the log names between two ends of it.
    ///
    /// - Parameters:
    ///   - start: The earlier end.
    ///   - end: This transaction's.
    /// - Returns: Their row ids; `nil` where they are too many, where the log has lost some, and where it is another log
    ///   than that of the earlier end.
    /// - Throws: `DatabaseError` when SQLite fails.
    fileprivate func changedRows(from start: RowCache.LogEnd, to end: RowCache.LogEnd) throws -> [Int64]? {
        let count = end.revision - start.revision
        guard count <= Int64(CachedRows.changeLimit) else { return nil }
        if start.revision > 0 {
            let statement = try RawStatement(database, "\(Self.logRowSQL) WHERE revision = ?1")
            statement.bind(1, start.revision)
            guard try statement.first(Self.logEnd) == start else { return nil }
        }
        let statement = try RawStatement(database, "SELECT photoId FROM change WHERE revision > ?1")
        statement.bind(1, start.revision)
        var rowIDs: [Int64] = []
        try statement.forEach { rowIDs.append($0.integer(0)) }
        // Keys are handed out without gaps, so a gap is what trimming has left.
        return rowIDs.count == count ? rowIDs : nil
    }

    private static let logRowSQL = """
        SELECT revision, streamId, photoId, kind, oldTime, oldRank, newTime, newRank, oldExternalId FROM change
        """

    private static func logEnd(_ row: RawStatement) throws -> RowCache.LogEnd {
        var hasher = Hasher()
        for column: Int32 in 1...7 { hasher.combine(row.optionalInteger(column)) }
        hasher.combine(row.text(8))
        return RowCache.LogEnd(revision: try row.revision(0), row: hasher.finalize())
    }
}
