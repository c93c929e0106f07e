import GRDB
import GRDBSQLite

/// The queries of a read transaction, or of a write transaction before its commit.
///
/// Every function throws if SQLite fails; ``PhotoDatabase/read(_:)`` converts that to a ``StorageError``. A reader is
/// valid only inside the closure that receives it.
package struct PhotoReader {
    let database: Database
    /// The file, with what this process knows of it.
    let file: OpenFile
    /// The cached rows; `nil` in a write transaction, whose changes no other transaction may see.
    let cachedRows: CachedRows?
    /// Whether the transaction must start again; `nil` if it cannot.
    private let mustRestart: (() -> Bool)?

    init(database: Database, file: OpenFile, cachedRows: CachedRows? = nil, mustRestart: (() -> Bool)? = nil) {
        self.mustRestart = mustRestart
        self.database = database
        self.file = file
        self.cachedRows = cachedRows
    }

    /// Ends a read that must start again, because it keeps the write-ahead log from being emptied.
    ///
    /// - Throws: ``ReadInterruption/logIsLong``.
    package func throwIfMustRestart() throws {
        if mustRestart?() == true { throw ReadInterruption.logIsLong }
    }

    /// Lets statements of this transaction continue if the task is cancelled, for work that serves other callers too
    /// and checks on its own whether it is still wanted.
    package func ignoreCancellation() {
        unsafe sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
    }
}
