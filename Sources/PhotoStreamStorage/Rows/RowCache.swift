import Synchronization

/// Rows of photos in memory, as of one end of the file's change log.
///
/// Whoever writes to a photo, in whatever process, adds a row to the log that names the photo's row id. So a transaction that
/// sees the log end where the rows in memory are of reads from them what it would read from the file; one that sees a
/// later end has what the log names in between forgotten first; one that sees an earlier end does without.
final class RowCache: Sendable {
    /// An end of the log: its last row, and what that row is, which tells a log that was emptied and has grown again.
    struct LogEnd: Hashable {
        /// The key of the last row; 0 where there is none.
        let revision: Int64
        /// A hash of the row.
        let row: Int
    }

    private struct State: ~Copyable {
        var end: LogEnd?
        var ring: RowRing
    }

    /// Enough for a million photos with an id and a time of their own.
    private static let byteCount = 72 << 20
    /// For two million rows, 16 MB.
    private static let hashBits = 18

    private let state: Mutex<State>
    private let moving = Mutex<Void>(())

    /// Makes an empty cache.
    convenience init() {
        self.init(byteCount: Self.byteCount, hashBits: Self.hashBits)
    }

    /// Makes an empty cache of another size than programs use.
    init(byteCount: Int, hashBits: Int) {
        state = Mutex(State(end: nil, ring: RowRing(byteCount: byteCount, hashBits: hashBits)))
    }

    /// The end of the log that the rows are of.
    var end: LogEnd? { state.withLock { $0.end } }

    /// Runs `body` while nobody else does; it may block.
    func alone<T>(_ body: () throws -> T) rethrows -> T {
        try moving.withLock { _ in try body() }
    }

    /// Goes from one end of the log to another.
    ///
    /// - Parameters:
    ///   - end: Where the caller found the rows to be; where they are elsewhere by now nothing happens.
    ///   - newEnd: Where they are to be.
    ///   - changed: The rows that may be others there; `nil` for all.
    func move(from end: LogEnd?, to newEnd: LogEnd, forgetting changed: [Int64]?) {
        state.withLock { state in
            guard state.end == end else { return }
            state.end = newEnd
            guard let changed else { return state.ring.removeAll() }
            for rowID in changed { state.ring.remove(rowID) }
        }
    }

    /// Takes rows over.
    ///
    /// - Parameters:
    ///   - rowIDs: The rows.
    ///   - end: The end of the log in the caller's transaction.
    ///   - rows: Gets what is there.
    /// - Returns: The positions of the rows that are not there.
    func read(_ rowIDs: [Int64], asOf end: LogEnd, into rows: inout PackedRows) -> [Int] {
        state.withLock { state in
            guard state.end == end else { return Array(rowIDs.indices) }
            return state.ring.find(rowIDs) { rows.set($0, $1) }
        }
    }

    /// Keeps rows, if they are of the same end of the log as the others.
    ///
    /// - Parameters:
    ///   - positions: Which of them.
    ///   - rowIDs: The row ids of all.
    ///   - rows: All.
    ///   - end: The end of the log in the transaction that they were read in.
    func keep(_ positions: [Int], _ rowIDs: [Int64], _ rows: PackedRows, asOf end: LogEnd) {
        state.withLock { state in
            guard state.end == end else { return }
            for position in positions {
                rows.withRecord(position) { state.ring.insert(rowIDs[position], $0) }
            }
        }
    }
}
