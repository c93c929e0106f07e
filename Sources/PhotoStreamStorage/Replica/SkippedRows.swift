import GRDB

/// A row of the primary that a replica cannot hold and skips.
package struct SkippedRow: Hashable, Sendable {
    /// The table.
    package let table: SharedTable
    /// The row id.
    package let id: Int64
    /// The id of the row that it refers to and that is missing; `nil` for another reason.
    package let missingID: Int64?
    /// The reason, in SQLite's words.
    package let reason: String

    /// Creates the record of a row.
    package init(table: SharedTable, id: Int64, missingID: Int64? = nil, reason: String) {
        (self.table, self.id, self.missingID, self.reason) = (table, id, missingID, reason)
    }
}

extension SharedTable {
    /// The table that its rows belong to, and the column with the id of such a row; `nil` if they belong to none.
    package var parent: (table: SharedTable, column: String)? {
        switch self {
        case .secret, .stream: nil
        case .importFailure: (.importRun, "importRunId")
        case .session: (.token, "tokenId")
        case .pictureRevision: (.stream, "id")
        case .photo, .picture, .declaredRoot, .deletedPhoto, .tombstone, .importRun, .token, .share:
            (.stream, "streamId")
        }
    }
}

extension PhotoReader {
    /// Returns the rows of the primary that the file skips, at most 1,000.
    package func skippedRows() throws -> [SkippedRow] {
        // A file of version 0.2.0 that cannot be written has no such table.
        guard try database.tableExists("skippedRow") else { return [] }
        let sql = "SELECT tableName, rowId, missingId, reason FROM skippedRow ORDER BY tableName, rowId LIMIT 1000"
        return try database.rows(sql) { row in
            SharedTable(rawValue: row.text(0)).map { table in
                SkippedRow(table: table, id: row.integer(1), missingID: row.optionalInteger(2), reason: row.text(3))
            }
        }
    }
}

extension PhotoWriter {
    /// Runs the statement that writes a row of the primary, and skips the row if it does not fit.
    ///
    /// - Throws: `DatabaseError` for any other failure, and for a row that collides with another one: then the file is
    ///   inconsistent.
    func skippingMisfit(_ row: SharedRows.Row, of table: SharedTable, writing body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DatabaseError {
            let isMissing = error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY
            // SQLite's error if a CHECK reads a text that is not JSON.
            let isNotJSON = error.resultCode == .SQLITE_ERROR && error.message == "malformed JSON"
            guard isMissing || isNotJSON || Self.misfits.contains(error.extendedResultCode),
                case .integer(let id) = try row(0)
            else {
                throw error
            }
            var missingID: Int64?
            if isMissing, let column = table.columns.firstIndex(where: { $0.name == table.parent?.column }),
                case .integer(let parent) = try row(column)
            {
                missingID = parent
            }
            try skip(
                SkippedRow(table: table, id: id, missingID: missingID, reason: error.message ?? "it does not fit"))
        }
    }

    /// The results of rows that no file can hold.
    private static let misfits: [ResultCode] = [
        .SQLITE_CONSTRAINT_CHECK, .SQLITE_CONSTRAINT_NOTNULL, .SQLITE_CONSTRAINT_DATATYPE, .SQLITE_CONSTRAINT_TRIGGER,
        .SQLITE_TOOBIG,
    ]

    /// Returns the row id after the last one of a table that may reuse ids, including skipped rows.
    ///
    /// - Throws: `DatabaseError`.
    func unusedRowID(of table: SharedTable) throws -> Int64 {
        try database.number(
            """
            SELECT max(coalesce((SELECT max(id) FROM \(table.rawValue)), 0),
                coalesce((SELECT max(rowId) FROM skippedRow WHERE tableName = '\(table.rawValue)'), 0)) + 1
            """)
    }

    private func skip(_ row: SkippedRow) throws {
        // The file's earlier version of the row is no longer the primary's. A stream stays, with its photos.
        if row.table != .stream, row.table != .photo {
            for child in SharedTable.allCases {
                guard let parent = child.parent, parent.table == row.table else { continue }
                let sql = "SELECT id FROM \(child.rawValue) WHERE \(parent.column) = ?1"
                for id in try database.integers(sql, with: row.id) {
                    try skip(
                        SkippedRow(
                            table: child, id: id, missingID: row.id,
                            reason: "there is no \(row.table.rawValue) \(row.id)"))
                }
            }
            try database.run("DELETE FROM \(row.table.rawValue) WHERE id = ?1", with: row.id)
        }
        try database.run(
            "INSERT OR REPLACE INTO skippedRow (tableName, rowId, missingId, reason) VALUES (?1, ?2, ?3, ?4)",
            with: row.table.rawValue, row.id, row.missingID, row.reason)
    }

    /// Skips photos whose stream is missing, which SQLite would detect only at the commit.
    ///
    /// - Parameter condition: The condition on the photos to check, in SQL.
    /// - Throws: `DatabaseError`.
    func skipPhotosWithoutStream(_ condition: String) throws {
        let sql = "SELECT id, streamId FROM photo WHERE \(condition) AND streamId NOT IN (SELECT id FROM stream)"
        let orphans = try database.rows(sql) { row in
            SkippedRow(
                table: .photo, id: row.integer(0), missingID: row.integer(1),
                reason: "there is no stream \(row.integer(1))")
        }
        guard !orphans.isEmpty else { return }
        try withoutTriggers {
            for orphan in orphans { try database.run("DELETE FROM photo WHERE id = ?1", with: orphan.id) }
        }
        for orphan in orphans { try skip(orphan) }
    }

    /// Checks that no row of some changes is one whose absence caused others to be skipped.
    ///
    /// - Throws: ``PrimaryInterruption/unknownPosition`` if there is one: the rows that refer to it have not changed, so the changes lack
    ///   them.
    func checkWhatFits(_ changes: PrimaryChanges, skipped: [SkippedRow]) throws {
        for rows in changes.tables {
            let missing = Set(skipped.filter { $0.table.parent?.table == rows.table }.compactMap(\.missingID))
            guard !missing.isEmpty else { continue }
            try rows.present.forEach { row in
                guard case .integer(let id) = try row(0), missing.contains(id) else { return }
                throw PrimaryInterruption.unknownPosition
            }
        }
    }

    /// Deletes everything derived from the log of photos that are or were skipped: the log names them, but the file
    /// lacks them, so clients have to read their streams again.
    ///
    /// - Parameters:
    ///   - before: The rows that were skipped before.
    ///   - revision: The last revision before the changes.
    ///   - last: The last revision of the changes.
    /// - Returns: Whether anything was deleted.
    /// - Throws: `DatabaseError`.
    func forgetWhatDependsOnSkipped(
        _ before: [SkippedRow], changedAfter revision: Int64, upTo last: Int64
    ) throws -> Bool {
        // No stream's log contains a photo without a stream.
        let photos = Set(
            try (before + reader.skippedRows()).filter { $0.table == .photo && $0.missingID == nil }.map(\.id))
        guard !photos.isEmpty else { return false }
        var streams: Set<Int64> = []
        try database.forEach("SELECT streamId, photoId FROM change WHERE revision > ?1", with: revision) {
            if photos.contains($0.integer(1)) { streams.insert($0.integer(0)) }
        }
        guard !streams.isEmpty else { return false }
        for stream in streams { try database.run("DELETE FROM streamIndex WHERE streamId = ?1", with: stream) }
        try database.run("INSERT OR REPLACE INTO history (id, completeAfter) VALUES (1, ?1)", with: last)
        return true
    }
}
