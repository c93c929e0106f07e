import CSQLiteTriggers
import GRDB
import GRDBSQLite
import PhotoStreamModel

extension PhotoWriter {
    /// Whether a run of new photos may go in without triggers: those on the photo table are ours alone, so what they
    /// would do is known.
    func canInsertWithoutTriggers() throws -> Bool {
        try RawStatement(database, PhotoSQL.foreignTriggers).first { $0.integer(0) == 0 } ?? false
    }

    /// Runs `insert` with the triggers of this connection off, then logs the photos that it has added, in one
    /// statement, as the triggers would have done one by one.
    ///
    /// `insert` adds new photos and changes none. It leaves their row ids to SQLite, so that they are consecutive, and
    /// never replaces a row. The triggers are on again afterwards, whatever happens; what was inserted but not logged
    /// when it throws is undone with the transaction. Other connections notice nothing of it.
    ///
    /// - Parameter insert: Adds photos; returns the first and the last row id, or `nil` for none.
    /// - Throws: What `insert` throws; `DatabaseError` when SQLite fails.
    func insertingWithoutTriggers(_ insert: () throws -> ClosedRange<Int64>?) throws {
        try setTriggers(areEnabled: false)
        let rowIDs: ClosedRange<Int64>?
        do {
            rowIDs = try insert()
        } catch {
            try setTriggers(areEnabled: true)
            throw error
        }
        try setTriggers(areEnabled: true)
        guard let rowIDs else { return }
        let log = try RawStatement(database, PhotoSQL.logInserted)
        log.bind(1, rowIDs.lowerBound)
        log.bind(2, rowIDs.upperBound)
        try log.run()
        guard database.changesCount == rowIDs.count else {
            throw StorageError(.database, "an import's photos did not get consecutive row ids")
        }
    }

    private func setTriggers(areEnabled: Bool) throws {
        let code = photostream_set_triggers(database.sqliteConnection, areEnabled ? 1 : 0)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
