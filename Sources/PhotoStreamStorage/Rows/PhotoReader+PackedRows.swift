import PhotoStreamModel

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

/// The rows in memory beside a transaction.
struct CachedRows {
    /// With more rows behind the end of the log everything is forgotten.
    ///
    /// To read so many takes some 10 ms, and a commit of an import logs 10,000; a row that is forgotten for nothing takes
    /// several microseconds when it is asked for again.
    static let changeLimit = 65_536
    /// With more than these a brief read leaves it to who may take longer.
    static let briefChangeLimit = 2_048

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
    /// - Throws: `DatabaseError` when SQLite fails, ``ReaderMemo/Outdated`` where a brief read would have to wait.
    func end(_ reader: PhotoReader) throws -> RowCache.LogEnd? {
        let end = try reader.logEnd()
        if cache.end == end { return end }
        // Whoever comes while another one reads the log finds it read.
        guard reader.memo != nil else { return try cache.alone { try bring(to: end, reader) } }
        guard let brought = try cache.aloneIfNobodyIs({ try bring(to: end, reader) }) else {
            throw ReaderMemo.Outdated()
        }
        return brought
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
        if let known = memo?.known({ $0.logEnd }) { return known }
        let statement = try RawStatement(database, "\(Self.logRowSQL) ORDER BY revision DESC LIMIT 1")
        let end = try statement.first(Self.logEnd) ?? RowCache.LogEnd(revision: 0, row: 0)
        memo?.remember { $0.logEnd = end }
        return end
    }

    /// The rows that the log names between two ends of it.
    ///
    /// - Parameters:
    ///   - start: The earlier end.
    ///   - end: This transaction's.
    /// - Returns: Their row ids; `nil` where they are too many, where the log has lost some, and where it is another log
    ///   than that of the earlier end.
    /// - Throws: `DatabaseError` when SQLite fails, ``ReaderMemo/Outdated`` where they are too many for a brief read.
    fileprivate func changedRows(from start: RowCache.LogEnd, to end: RowCache.LogEnd) throws -> [Int64]? {
        let count = end.revision - start.revision
        guard count <= Int64(CachedRows.changeLimit) else { return nil }
        if memo != nil, count > Int64(CachedRows.briefChangeLimit) { throw ReaderMemo.Outdated() }
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

    private static func logEnd(_ row: RawStatement) -> RowCache.LogEnd {
        var hasher = Hasher()
        for column: Int32 in 1...7 { hasher.combine(row.optionalInteger(column)) }
        hasher.combine(row.text(8))
        return RowCache.LogEnd(revision: row.integer(0), row: hasher.finalize())
    }
}
