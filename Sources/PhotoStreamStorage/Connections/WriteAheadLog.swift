/// The length of SQLite's write-ahead log.
///
/// An import changes the same pages again and again: the more of the log is copied at once, the fewer times each page
/// is copied and synchronised. But a reader searches the log for each page that it lacks, and the first process after a
/// crash reads all of it. So the log is long only during an import.
enum WriteAheadLog {
    /// Copied to the file at 128 MB. A log that a long read made longer shrinks to 64 MB again.
    case usual
    /// Copied at 512 MB and never shrunk, since growing it again costs more than overwriting it.
    case bulk

    /// The settings as SQL.
    var sql: String {
        switch self {
        case .usual: "PRAGMA wal_autocheckpoint = 32768; PRAGMA journal_size_limit = 67108864"
        case .bulk: "PRAGMA wal_autocheckpoint = 131072; PRAGMA journal_size_limit = -1"
        }
    }
}
