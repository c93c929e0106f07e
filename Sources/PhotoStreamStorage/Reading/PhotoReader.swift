import GRDB
import GRDBSQLite

/// What can be read inside one read transaction, or inside a write before its commit.
///
/// Every function throws when SQLite fails; ``PhotoDatabase/read(_:)`` turns that into a ``StorageError``. A reader is
/// valid only inside the closure that it was given to.
package struct PhotoReader {
    let database: Database
    let chunkSize: ChunkSize
    let log: ChangeLog
    /// Stored chunks that do not count.
    let distrusted: DistrustedChunks
    /// Rows in memory; `nil` inside a write, whose own changes no other transaction may see.
    let cachedRows: CachedRows?
    private let gate: ReadGate?

    init(
        database: Database, chunkSize: ChunkSize, log: ChangeLog, distrusted: DistrustedChunks,
        cachedRows: CachedRows? = nil, gate: ReadGate? = nil
    ) {
        self.gate = gate
        self.database = database
        self.chunkSize = chunkSize
        self.log = log
        self.distrusted = distrusted
        self.cachedRows = cachedRows
    }

    /// Ends a read that is to begin again because it keeps the write-ahead log from being emptied.
    ///
    /// - Throws: ``ReadGivenUp``.
    package func checkMayGoOn() throws {
        if gate?.endsFolds == true { throw ReadGivenUp() }
    }

    /// Lets statements of this transaction run on when the task is cancelled: for work that others wait for, too, and that
    /// looks for itself whether it is wanted.
    package func ignoreCancellation() {
        sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
    }
}
