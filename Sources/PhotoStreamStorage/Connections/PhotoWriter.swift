import GRDB

/// The operations of a write transaction.
///
/// Every function throws if SQLite fails; ``PhotoDatabase/write(_:)`` converts that to a ``StorageError`` and rolls the
/// whole transaction back. Triggers log every change of a photo. An operation that writes photos ends with
/// ``trimLog()``. A writer is valid only inside the closure that receives it.
package struct PhotoWriter {
    let database: Database
    /// The file, with what this process knows of it.
    let file: OpenFile
    /// The row ids for new photos; `nil` leaves them to SQLite.
    let newRowIDs: NewRowIDs?

    /// A reader that sees the writes of this transaction.
    package var reader: PhotoReader { PhotoReader(database: database, file: file) }
}
