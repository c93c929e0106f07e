import GRDB

/// What can be written inside one write transaction.
///
/// Every function throws when SQLite fails; ``PhotoDatabase/write(_:)`` turns that into a ``StorageError`` and undoes
/// the whole transaction. Triggers log every change of a photo, whatever makes it. A use case that writes photos ends
/// with ``trimLog()``. A writer is valid only inside the closure that it was given to.
package struct PhotoWriter {
    let database: Database
    private let chunkSize: ChunkSize
    let log: ChangeLog
    private let distrusted: DistrustedChunks

    init(database: Database, chunkSize: ChunkSize, log: ChangeLog, distrusted: DistrustedChunks) {
        self.distrusted = distrusted
        self.database = database
        self.chunkSize = chunkSize
        self.log = log
    }

    /// Reads what this transaction has written so far.
    package var reader: PhotoReader {
        PhotoReader(database: database, chunkSize: chunkSize, log: log, distrusted: distrusted)
    }

    /// How many rows this connection has changed since it was opened, triggers' rows included.
    var totalChangeCount: Int { database.totalChangesCount }
}
