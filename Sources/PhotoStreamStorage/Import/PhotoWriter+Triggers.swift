import CSQLiteTriggers
import GRDB
import GRDBSQLite
import PhotoStreamModel

extension PhotoWriter {
    /// Returns whether new photos may be inserted without triggers: only if all triggers on the photo table are ours,
    /// whose effect is known.
    func canInsertWithoutTriggers() throws -> Bool {
        try RawStatement(database, sql: PhotoSQL.foreignTriggers).first { $0.integer(0) == 0 } ?? false
    }

    /// Runs `insert` with the triggers of this connection disabled, then logs the inserted photos in one statement, as
    /// the triggers would have done one by one.
    ///
    /// `insert` must only add new photos and must never replace a row. It leaves row ids to SQLite, so that they are
    /// consecutive. The triggers are always enabled again afterwards. If `insert` throws, the transaction rolls back
    /// the rows that were not logged. Other connections are not affected.
    ///
    /// - Parameter insert: Adds photos, and returns the first and last row id; `nil` for none.
    /// - Throws: Errors of `insert`; `DatabaseError` if SQLite fails.
    func insertingWithoutTriggers(_ insert: () throws -> ClosedRange<Int64>?) throws {
        guard let rowIDs = try withoutTriggers(insert) else { return }
        try forgetPictures(ofNewPhotos: rowIDs)
        let log = try RawStatement(database, sql: PhotoSQL.logInserted)
        try log.bind(rowIDs.lowerBound, rowIDs.upperBound)
        try log.run()
        guard database.changesCount == rowIDs.count else {
            throw StorageError(.database, message: "imported photos did not get consecutive row ids")
        }
    }

    /// Runs `body` with the triggers of this connection disabled; afterwards they are always enabled again.
    func withoutTriggers<T>(_ body: () throws -> T) throws -> T {
        try setTriggers(areEnabled: false)
        let result: T
        do {
            result = try body()
        } catch {
            try setTriggers(areEnabled: true)
            throw error
        }
        try setTriggers(areEnabled: true)
        return result
    }

    private func setTriggers(areEnabled: Bool) throws {
        let code = unsafe photostream_set_triggers(database.sqliteConnection, areEnabled ? 1 : 0)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
