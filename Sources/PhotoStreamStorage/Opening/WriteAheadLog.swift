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
