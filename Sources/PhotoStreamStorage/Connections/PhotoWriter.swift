import GRDB

/// The operations of a write transaction.
///
/// Every function throws if SQLite fails; ``PhotoDatabase/write(_:)`` converts that to a ``StorageError`` and rolls the
/// whole transaction back. Triggers log every change of a photo. An operation that writes photos ends with
/// ``trimLog()``. A writer is valid only inside the closure that receives it.
package struct PhotoWriter {
    let database: Database
    private let chunkSize: ChunkSize
    let log: ChangeLog
    private let distrusted: DistrustedChunks
    /// The row ids for new photos; `nil` leaves them to SQLite.
    let newRowIDs: NewRowIDs?

    init(
        database: Database, chunkSize: ChunkSize, log: ChangeLog, distrusted: DistrustedChunks,
        newRowIDs: NewRowIDs? = nil
    ) {
        self.distrusted = distrusted
        self.newRowIDs = newRowIDs
        self.database = database
        self.chunkSize = chunkSize
        self.log = log
    }

    /// A reader that sees the writes of this transaction.
    package var reader: PhotoReader {
        PhotoReader(database: database, chunkSize: chunkSize, log: log, distrusted: distrusted)
    }

    /// The number of rows that this connection has changed since it was opened, including those of triggers.
    var totalChangeCount: Int { database.totalChangesCount }
}
