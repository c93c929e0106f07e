import PhotoStreamModel
import Synchronization

/// A cache of photo rows, in the state at one end of the file's change log.
///
/// Every write to a photo, by any process, adds a row to the log with the photo's row id. So a transaction that sees
/// the same end of the log can use the cached rows; one that sees a later end first drops the rows that the log names
/// in between; one that sees an earlier end does not use the cache.
final class RowCache: Sendable {
    private struct State: ~Copyable {
        /// The last row of the change log.
        var end: Revision?
        var ring: RowRing
    }

    /// Enough for a million photos with only an id and a time.
    private static let byteCount = 72 << 20
    /// For two million rows, 16 MB.
    private static let hashBits = 18

    private let state: Mutex<State>
    private let moving = Mutex<Void>(())

    /// Creates an empty cache.
    convenience init() {
        self.init(byteCount: Self.byteCount, hashBits: Self.hashBits)
    }

    /// Creates an empty cache with a custom size, for tests.
    init(byteCount: Int, hashBits: Int) {
        state = Mutex(State(end: nil, ring: RowRing(byteCount: byteCount, hashBits: hashBits)))
    }

    /// The end of the log to which the rows belong.
    var end: Revision? { state.withLock { $0.end } }

    /// Runs `body` while no other thread does; may block.
    func withExclusiveAccess<T>(_ body: () throws -> T) rethrows -> T {
        try moving.withLock { _ in try body() }
    }

    /// Moves the cache from one end of the log to another.
    ///
    /// - Parameters:
    ///   - end: The end that the caller found; if the cache has moved since, nothing happens.
    ///   - newEnd: The new end.
    ///   - changed: The rows to drop; `nil` for all.
    func move(from end: Revision?, to newEnd: Revision, forgetting changed: [Int64]?) {
        state.withLock { state in
            guard state.end == end else { return }
            state.end = newEnd
            guard let changed else { return state.ring.removeAll() }
            for rowID in changed { state.ring.remove(rowID) }
        }
    }

    /// Copies cached rows.
    ///
    /// - Parameters:
    ///   - rowIDs: The row ids.
    ///   - end: The end of the log in the caller's transaction.
    ///   - rows: Receives the cached rows.
    /// - Returns: The positions of the rows that are not cached.
    func read(_ rowIDs: [Int64], asOf end: Revision, into rows: inout PackedRows) -> [Int] {
        state.withLock { state in
            guard state.end == end else { return Array(rowIDs.indices) }
            return unsafe state.ring.find(rowIDs) { unsafe rows.set($0, record: $1) }
        }
    }

    /// Caches rows, if they belong to the cache's end of the log.
    ///
    /// - Parameters:
    ///   - positions: The positions of the rows to cache.
    ///   - rows: All rows.
    ///   - rowIDs: The row ids of all rows.
    ///   - end: The end of the log in the transaction that read them.
    func keep(_ positions: [Int], of rows: PackedRows, rowIDs: [Int64], asOf end: Revision) {
        state.withLock { state in
            guard state.end == end else { return }
            for position in positions {
                unsafe rows.withRecord(at: position) { unsafe state.ring.insert(rowIDs[position], record: $0) }
            }
        }
    }
}

/// The row cache as one transaction uses it.
struct CachedRows {
    /// The number of later rows of the log beyond which the whole cache is cleared.
    ///
    /// Reading that many takes about 10 ms, and a commit of an import logs 10,000; a row that is dropped needlessly
    /// costs several microseconds when it is needed again.
    static let changeLimit = 65_536

    let cache: RowCache
    /// The end of the log of the cache before the transaction began.
    private let before: Revision?

    /// Prepares the use of a cache.
    ///
    /// Call this before the transaction begins.
    init(_ cache: RowCache) {
        self.cache = cache
        before = cache.end
    }

    /// Brings the cache up to the end of the log in a transaction, and returns that end.
    ///
    /// - Parameter reader: The transaction.
    /// - Returns: `nil` if the cache is already at a later end.
    /// - Throws: `DatabaseError` if SQLite fails.
    func end(_ reader: PhotoReader) throws -> Revision? {
        let end = try reader.logEnd() ?? Revision(0)
        if cache.end == end { return end }
        // Only one thread brings the cache up to date; the others wait and reuse its result.
        return try cache.withExclusiveAccess { try advanceCache(to: end, reader: reader) }
    }

    private func advanceCache(to end: Revision, reader: PhotoReader) throws -> Revision? {
        let known = cache.end
        if known == end { return end }
        guard let known else {
            cache.move(from: nil, to: end, forgetting: nil)
            return end
        }
        if known <= end {
            cache.move(from: known, to: end, forgetting: try reader.changedRows(from: known, to: end))
            return end
        }
        // The transaction is older than the cache. But if the cache was this far when it began, the log has lost rows.
        guard let before, before > end else { return nil }
        cache.move(from: known, to: end, forgetting: nil)
        return end
    }
}

extension PhotoReader {
    /// Returns the row ids named in the log between two ends.
    ///
    /// - Parameters:
    ///   - start: The earlier end.
    ///   - end: The end in this transaction.
    /// - Returns: The row ids; `nil` if they are too many, if the log was trimmed in between, or if it was emptied
    ///   since.
    /// - Throws: `DatabaseError` if SQLite fails.
    fileprivate func changedRows(from start: Revision, to end: Revision) throws -> [Int64]? {
        let count = end.rawValue - start.rawValue
        guard count <= Int64(CachedRows.changeLimit) else { return nil }
        guard try isKnown(start) else { return nil }
        let statement = try RawStatement(database, sql: "SELECT photoId FROM change WHERE revision > ?1")
        try statement.bind(start.rawValue)
        var rowIDs: [Int64] = []
        try statement.forEach { rowIDs.append($0.integer(0)) }
        // Keys are consecutive, so a gap is the result of trimming.
        return rowIDs.count == count ? rowIDs : nil
    }
}
