import Synchronization

/// How long SQLite's write-ahead log gets.
///
/// An import touches the same pages again and again: the more of the log is copied to the file at once, the fewer times
/// each page is copied and synchronised. A reader searches the log for each page that it does not have, and the first
/// process after a crash reads it whole; so it is long only while an import runs.
enum WriteAheadLog {
    /// Copied to the file at 128 MB; what grew beyond under a long read shrinks to 64 MB again.
    case usual
    /// Copied at 512 MB, and never shrunk: to let it grow again costs more than to write over it.
    case bulk

    /// The settings of a connection.
    var sql: String {
        switch self {
        case .usual: "PRAGMA wal_autocheckpoint = 32768; PRAGMA journal_size_limit = 67108864"
        case .bulk: "PRAGMA wal_autocheckpoint = 131072; PRAGMA journal_size_limit = -1"
        }
    }
}

/// How many imports expect to write many batches: the log stays long until the last of them is done.
final class BulkWriters: Sendable {
    private let count = Mutex(0)

    /// Whether there is any.
    var areThere: Bool { count.withLock { $0 > 0 } }

    /// Counts one more or one less.
    ///
    /// - Parameters:
    ///   - isOneMore: Which of both.
    ///   - set: Sets the log; called while nobody else counts, where the first comes or the last has gone.
    /// - Throws: What `set` throws; who could not come is not counted.
    func count(_ isOneMore: Bool, _ set: (WriteAheadLog) throws -> Void) throws {
        try count.withLock { count in
            if isOneMore {
                if count == 0 { try set(.bulk) }
                count += 1
            } else {
                count -= 1
                if count == 0 { try set(.usual) }
            }
        }
    }
}
