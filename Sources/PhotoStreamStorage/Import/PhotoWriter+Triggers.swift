import CShims
import GRDB
import GRDBSQLite
import PhotoStreamModel

extension PhotoWriter {
    /// Returns whether new photos may be inserted without triggers: only if all triggers on the photo table are ours,
    /// whose effect is known.
    func canInsertWithoutTriggers() throws -> Bool {
        try database.first(PhotoSQL.foreignTriggers) { $0.integer(0) == 0 } ?? false
    }

    /// Runs `insert` with the triggers of this connection disabled, then logs the inserted photos in one statement, as
    /// the triggers would have done one by one.
    ///
    /// `insert` must only add new photos and must never replace a row. Their row ids ascend, and no other photo has one
    /// between them. The triggers are always enabled again afterwards. If `insert` throws, the transaction rolls back
    /// the rows that were not logged. Other connections are not affected.
    ///
    /// - Parameter insert: Adds photos, and returns their first and last row id and their number; `nil` for none.
    /// - Throws: Errors of `insert`; `DatabaseError` if SQLite fails.
    func insertingWithoutTriggers(_ insert: () throws -> (rowIDs: ClosedRange<Int64>, count: Int)?) throws {
        guard let (rowIDs, count) = try withoutTriggers(insert) else { return }
        try forgetPictures(ofNewPhotos: rowIDs)
        try database.run(PhotoSQL.logInserted, with: rowIDs.lowerBound, rowIDs.upperBound)
        guard database.changesCount == count else {
            throw StorageError(.database, message: "other photos have row ids between those of imported ones")
        }
        try settleStacks(ofNewPhotos: rowIDs)
    }

    /// Gives each stack of new photos exactly one cover, as the triggers would have done one by one: of several, the last
    /// one.
    private func settleStacks(ofNewPhotos rowIDs: ClosedRange<Int64>) throws {
        let range = "id BETWEEN ?1 AND ?2 AND stack IS NOT NULL"
        guard
            try database.exists(
                "SELECT 1 FROM photo WHERE \(range) LIMIT 1", with: rowIDs.lowerBound, rowIDs.upperBound)
        else { return }
        try database.run(
            """
            UPDATE photo SET stackRank = 1, movedTime = NULL, movedRank = NULL, movedFromOrderTime = NULL
            WHERE stackRank = 0 AND id IN (
                SELECT other.id
                FROM (SELECT streamId, stack, max(id) AS cover FROM photo WHERE \(range) AND stackRank = 0 GROUP BY 1, 2)
                    AS written
                JOIN photo AS other INDEXED BY photoStack ON other.streamId = written.streamId
                    AND other.stack = written.stack AND other.stackRank = 0 AND other.id <> written.cover)
            """, with: rowIDs.lowerBound, rowIDs.upperBound)
        try database.run(
            """
            UPDATE photo SET stackRank = 0
            WHERE stackRank > 0 AND id IN (
                SELECT (
                    SELECT id FROM photo INDEXED BY photoStack
                    WHERE streamId = written.streamId AND stack = written.stack ORDER BY stackRank, id LIMIT 1)
                FROM (SELECT DISTINCT streamId, stack FROM photo WHERE \(range)) AS written)
            """, with: rowIDs.lowerBound, rowIDs.upperBound)
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
