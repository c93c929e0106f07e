import GRDB

/// What can be read inside one read transaction, or inside a write before its commit.
///
/// Every function throws when SQLite fails; ``PhotoDatabase/read(_:)`` turns that into a ``StorageError``. A reader is
/// valid only inside the closure that it was given to.
package struct PhotoReader {
    private let connection: Database
    let chunkSize: ChunkSize
    let log: ChangeLog
    /// Rows in memory; `nil` inside a write, whose own changes nobody else may see.
    let cachedRows: CachedRows?
    /// What earlier transactions of the connection have read; `nil` where none is to be remembered.
    let memo: ReaderMemo?

    init(
        database: Database, chunkSize: ChunkSize, log: ChangeLog, cachedRows: CachedRows? = nil, memo: ReaderMemo? = nil
    ) {
        (self.cachedRows, self.memo) = (cachedRows, memo)
        connection = database
        self.chunkSize = chunkSize
        self.log = log
    }

    /// The connection, to ask the file; a transaction that was put off begins here.
    ///
    /// - Throws: `DatabaseError` when SQLite fails, ``ReaderMemo/Outdated`` where what memory has told already is no
    ///   longer what the file says.
    var database: Database {
        get throws {
            try memo?.openIfPutOff(connection)
            return connection
        }
    }
}
