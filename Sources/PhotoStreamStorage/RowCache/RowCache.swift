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
        var rows: RowMemory
    }

    /// Enough for a million photos with only an id and a time.
    private static let byteLimit = 72 << 20

    private let state: Mutex<State>
    private let moving = Mutex<Void>(())

    /// Creates an empty cache.
    init() {
        state = Mutex(State(end: nil, rows: RowMemory(byteLimit: Self.byteLimit)))
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
            guard let changed else { return state.rows.removeAll() }
            for rowID in changed { state.rows.remove(rowID) }
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
            return unsafe state.rows.find(rowIDs) { unsafe rows.set($0, record: $1) }
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
                unsafe rows.withRecord(at: position) { unsafe state.rows.insert(rowIDs[position], record: $0) }
            }
        }
    }
}

/// Records by row id, one after another in an array that is cleared when it is full.
struct RowMemory {
    private let byteLimit: Int
    private var bytes: [UInt8] = []
    private var places: [Int64: Place] = [:]

    private struct Place {
        let start: UInt32
        let count: UInt32
        var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
    }

    /// Creates an empty memory of at most `byteLimit` bytes, which must be less than 4 GB.
    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// Calls a closure with each record found.
    ///
    /// - Parameters:
    ///   - rowIDs: The row ids.
    ///   - body: Receives the position of a row id and its record, which it must not keep.
    /// - Returns: The positions of the row ids that were not found.
    func find(_ rowIDs: [Int64], body: (Int, UnsafeRawBufferPointer) -> Void) -> [Int] {
        unsafe bytes.withUnsafeBytes { bytes in
            rowIDs.indices.filter { position in
                guard let place = places[rowIDs[position]] else { return true }
                unsafe body(position, UnsafeRawBufferPointer(rebasing: bytes[place.range]))
                return false
            }
        }
    }

    /// Stores a record, replacing the row's earlier one; one that alone exceeds the limit is not kept.
    mutating func insert(_ rowID: Int64, record: UnsafeRawBufferPointer) {
        remove(rowID)
        guard record.count <= byteLimit else { return }
        if bytes.count + record.count > byteLimit { removeAll() }
        if bytes.isEmpty {
            // At once, so that no call has to copy everything. The system provides pages when they are written to.
            bytes.reserveCapacity(byteLimit)
            places.reserveCapacity(byteLimit / Self.typicalByteCount)
        }
        places[rowID] = Place(start: UInt32(bytes.count), count: UInt32(record.count))
        unsafe bytes.append(contentsOf: record)
    }

    /// The length of a short record: an id, a time and a place in the order.
    private static let typicalByteCount = 48

    /// Drops a record, if there is one.
    mutating func remove(_ rowID: Int64) { places[rowID] = nil }

    /// Drops all records.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
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
        // The transaction is older than the cache. But if the cache was at this end when it began, the log has lost
        // rows.
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
        let rowIDs = try database.integers("SELECT photoId FROM change WHERE revision > ?1", with: start.rawValue)
        // Keys are consecutive, so a gap is the result of trimming.
        return rowIDs.count == count ? rowIDs : nil
    }
}
