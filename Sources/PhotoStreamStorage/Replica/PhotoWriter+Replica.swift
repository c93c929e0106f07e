import GRDB
import PhotoStreamModel

extension PhotoReader {
    /// Returns how far the file has followed its primary; `nil` if it is not a replica.
    package func replicaPosition() throws -> ReplicaPosition? {
        try database.first("SELECT commitId, revision, tag, primaryIdentity FROM replica WHERE id = 1") {
            ReplicaPosition(
                commitID: $0.integer(0), revision: $0.integer(1), tag: $0.integer(2), identity: $0.optionalText(3))
        }
    }

    /// Returns the last revision that the file has; 0 before the first.
    ///
    /// A replica of a primary of version 0.2.0 may have a later revision than the last row of its log, since that
    /// version skipped revisions after it had lost some.
    package func currentRevision() throws -> Int64 {
        let ofLog = try lastRevision() ?? 0
        guard try ReplicaState.isPresent(database) else { return ofLog }
        return max(ofLog, try replicaPosition()?.revision ?? 0)
    }

    /// Returns the rows of a shared table, by id.
    package func rows(of table: SharedTable) -> SharedRows {
        rows("SELECT \(table.columnList) FROM \(table.rawValue) ORDER BY id", columns: table.columns)
    }

    /// Returns the rows of the change log.
    package func changeRows() -> SharedRows {
        let columns = SharedTable.changeColumns
        let list = columns.map(\.name).joined(separator: ", ")
        return rows("SELECT \(list) FROM change ORDER BY revision", columns: columns)
    }

    /// Returns the first and the last revision of the change log; `nil` if it is empty.
    package func logRange() throws -> ClosedRange<Int64>? {
        try database.first("SELECT min(revision), max(revision) FROM change") {
            guard let first = $0.optionalInteger(0), let last = $0.optionalInteger(1) else { return nil }
            return first...max(first, last)
        }
    }

    private func rows(_ sql: String, columns: [SharedTable.Column]) -> SharedRows {
        SharedRows { body in
            try database.forEach(sql) { row in
                try body { row.value(of: columns[$0], at: Int32($0)) }
            }
        }
    }
}

extension PhotoWriter {
    /// Applies the commits of the primary after the file's position.
    ///
    /// The rows of photos and of the change log are those of the primary, with its ids and revisions. Derived tables
    /// follow the change log as usual.
    ///
    /// A row that the file cannot hold is skipped and recorded: ``PhotoReader/skippedRows()``.
    ///
    /// - Returns: Whether everything that a process has derived from the file is invalid.
    /// - Throws: ``PrimaryInterruption/unknownPosition`` if skipped rows may fit now, so that the file must be rebuilt, and `DatabaseError`
    ///   if SQLite fails.
    /// - Complexity: O(k log n) for k changes.
    @discardableResult
    package func apply(_ changes: PrimaryChanges) throws -> Bool {
        let skippedBefore = try reader.skippedRows()
        try checkWhatFits(changes, skipped: skippedBefore)
        let revision = try reader.lastRevision() ?? 0
        if try !changes.areFew || !applyInPlace(changes, after: revision) { try applyAnew(changes) }
        for rows in changes.tables.reversed() { try deleteMissing(rows) }
        for rows in changes.tables { try upsert(rows) }
        try skipPhotosWithoutStream("id IN (SELECT photoId FROM temp.touchedPhoto)")
        try emptyTouched()
        let forgetsStreams = try forgetWhatDependsOnSkipped(
            skippedBefore, changedAfter: revision, upTo: changes.position.revision)
        try setLastIDs(changes.lastIDs)
        try setReplicaPosition(changes.position)
        try trimLog()
        return forgetsStreams || changes.tables.contains { $0.table == .secret }
    }

    /// Applies any changes of photos: each is deleted and inserted again, without triggers.
    private func applyAnew(_ changes: PrimaryChanges) throws {
        try withoutTriggers {
            try emptyTouched()
            let log = try RawStatement(database, sql: Self.insertLogSQL)
            let touched = try RawStatement(database, sql: Self.touchSQL)
            try changes.log.forEach { row in
                try log.run(row, columnCount: SharedTable.changeColumns.count)
                guard case .integer(let photoID) = try row(Self.photoIDColumn) else { return }
                try touched.run(with: photoID)
            }
            try run(Self.forgetSkippedPhotosSQL)
            try deleteTouchedPhotos()
            try insertPhotos(changes.photos)
            try forgetPicturesOfTouched()
        }
    }

    /// Applies a few changes of photos with triggers enabled, then replaces the rows that these logged by the
    /// primary's.
    ///
    /// SQLite prepares all statements of a connection again after its triggers were disabled or enabled. That takes
    /// longer than a few rows, and other servers wait for a write that applies them.
    ///
    /// - Returns: `false`, with nothing changed, if a row does not fit or conflicts with another one.
    private func applyInPlace(_ changes: PrimaryChanges, after revision: Int64) throws -> Bool {
        try emptyTouched()
        do {
            try database.inSavepoint {
                let log = try changes.log.values(columnCount: SharedTable.changeColumns.count)
                let touch = try RawStatement(database, sql: Self.touchSQL)
                for case .integer(let photoID) in log.map({ $0[Self.photoIDColumn] }) {
                    try touch.run(with: photoID)
                }
                try database.run(Self.forgetSkippedPhotosSQL)
                let photos = try changes.photos.values(columnCount: SharedTable.photo.columns.count)
                let present = Set(photos.map { $0[0] })
                let delete = try RawStatement(database, sql: "DELETE FROM photo WHERE id = ?1")
                for row in log where !present.contains(row[Self.photoIDColumn]) {
                    try delete.run(with: row[Self.photoIDColumn])
                }
                let upsert = try RawStatement(database, sql: Self.upsertSQL(.photo))
                for photo in photos { try upsert.run({ photo[$0] }, columnCount: photo.count) }
                try replaceLog(after: revision, by: changes.log)
                return .commit
            }
            return true
        } catch let error as DatabaseError where [.SQLITE_CONSTRAINT, .SQLITE_ERROR].contains(error.resultCode) {
            return false
        }
    }

    /// Replaces the rows of the change log that this transaction's own triggers wrote by those of the primary.
    ///
    /// - Parameters:
    ///   - revision: The last revision before the transaction.
    ///   - commit: The commit of the same changes.
    /// - Throws: `DatabaseError` if SQLite fails.
    func replaceLog(after revision: Int64, by commit: PrimaryCommit) throws {
        try replaceLog(after: revision, by: commit.log)
        try setReplicaPosition(commit.position)
        try trimLog()
    }

    private func replaceLog(after revision: Int64, by log: SharedRows) throws {
        try database.run("DELETE FROM change WHERE revision > ?1", with: revision)
        let insert = try RawStatement(database, sql: Self.insertLogSQL)
        try log.forEach { try insert.run($0, columnCount: SharedTable.changeColumns.count) }
    }

    /// Replaces everything that the file shares with its primary.
    ///
    /// - Parameters:
    ///   - position: The commit to which the rows belong.
    ///   - log: The last rows of the change log.
    ///   - tables: All rows of each shared table.
    ///   - lastIDs: The greatest id that each table has assigned.
    /// A row that the file cannot hold is skipped and recorded: ``PhotoReader/skippedRows()``.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    package func replaceAll(
        position: ReplicaPosition, log: SharedRows, tables: [(SharedTable, SharedRows)], lastIDs: [SharedTable: Int64]
    ) throws {
        try withoutTriggers {
            try emptyTouched()
            try run(Self.touchPicturedSQL)
            try run(
                """
                DELETE FROM streamIndex; DELETE FROM photoWordsState; DELETE FROM change; DELETE FROM photo;
                DELETE FROM skippedRow
                """)
            let insertLog = try RawStatement(database, sql: Self.insertLogSQL)
            try log.forEach { try insertLog.run($0, columnCount: SharedTable.changeColumns.count) }
            try run(Self.logStartSQL)
            for (table, rows) in tables where table == .photo { try insertPhotos(rows) }
            try forgetPicturesOfTouched()
            try emptyTouched()
        }
        // Rows of some tables are kept, since deleting them would delete everything in the file that refers to them.
        for (table, _) in tables.reversed() where !table.isReferred {
            try run("DELETE FROM \(table.rawValue)")
        }
        for (table, rows) in tables where table != .photo {
            let present = table.isReferred ? SharedRows(try rows.values(columnCount: table.columns.count)) : rows
            if table.isReferred {
                let ids = try reader.rows(of: table).values(columnCount: 1)
                let known = ids.compactMap { if case .integer(let id)? = $0.first { id } else { nil } }
                try deleteMissing(PrimaryChanges.Rows(table: table, touched: known, present: present))
            }
            try upsert(PrimaryChanges.Rows(table: table, touched: [], present: present))
        }
        try skipPhotosWithoutStream("true")
        _ = try forgetWhatDependsOnSkipped([], changedAfter: -1, upTo: position.revision)
        try setLastIDs(lastIDs)
        try setReplicaPosition(position)
    }

    private static let forgetSkippedPhotosSQL = """
        DELETE FROM skippedRow WHERE tableName = 'photo' AND rowId IN (SELECT photoId FROM temp.touchedPhoto)
        """

    private static let photoIDColumn = SharedTable.changeColumns.firstIndex { $0.name == "photoId" } ?? 0

    private static let insertLogSQL = insertSQL(into: "change", columns: SharedTable.changeColumns)

    private static func insertSQL(into table: String, columns: [SharedTable.Column]) -> String {
        """
        INSERT INTO \(table) (\(columns.map(\.name).joined(separator: ", ")))
        VALUES (\(columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))
        """
    }

    /// Records the revision after which the log is complete: the last row without a predecessor follows a gap, before
    /// which there are only the newest rows of streams.
    private static let logStartSQL = """
        INSERT OR REPLACE INTO history (id, completeAfter)
        SELECT 1, coalesce(max(revision), 1) - 1 FROM change WHERE revision - 1 NOT IN (SELECT revision FROM change)
        """

    /// Records a photo that is about to change, and the values that its picture depends on.
    private static let touchSQL = """
        INSERT OR IGNORE INTO temp.touchedPhoto
        SELECT ?1, streamId, location, orientation FROM (SELECT 1) LEFT JOIN photo ON photo.id = ?1
        """

    /// Records all photos with rows about their pictures.
    private static let touchPicturedSQL = """
        INSERT OR IGNORE INTO temp.touchedPhoto
        SELECT photo.id, photo.streamId, location, photo.orientation FROM photo
        WHERE id IN (SELECT id FROM picture) OR id IN (SELECT photoId FROM pictureTry)
            OR id IN (SELECT photoId FROM pictureFile)
        """

    private func emptyTouched() throws {
        // Every statement that creates a table, even one that exists, empties the connection's cache of statements.
        if try !database.exists("SELECT 1 FROM temp.sqlite_schema WHERE name = 'touchedPhoto'") {
            try run(
                """
                CREATE TEMP TABLE touchedPhoto (
                    photoId INTEGER PRIMARY KEY, streamId INTEGER, location TEXT, orientation INTEGER)
                """)
        }
        try database.run("DELETE FROM temp.touchedPhoto")
    }

    /// The maximum number of rows that one statement changes: SQLite keeps the overwritten data in memory until the
    /// statement ends.
    static let rowsAtOnce: Int64 = 10_000

    private func deleteTouchedPhotos() throws {
        let next = try RawStatement(
            database,
            sql: """
                SELECT max(photoId) FROM (SELECT photoId FROM temp.touchedPhoto WHERE photoId > ?1 ORDER BY photoId LIMIT ?2)
                """)
        let delete = try RawStatement(
            database,
            sql: """
                DELETE FROM photo WHERE id IN (SELECT photoId FROM temp.touchedPhoto WHERE photoId > ?1 AND photoId <= ?2)
                """)
        var last = Int64.min
        while true {
            try next.bind(last, Self.rowsAtOnce)
            guard let end = try next.first({ $0.optionalInteger(0) }) else { return }
            try delete.run(with: last, end)
            last = end
        }
    }

    /// Does what the triggers of photos do for the tables of pictures.
    private func forgetPicturesOfTouched() throws {
        let changed = """
            SELECT old.photoId FROM temp.touchedPhoto AS old LEFT JOIN photo ON photo.id = old.photoId
            WHERE photo.id IS NULL OR photo.streamId IS NOT old.streamId OR photo.location IS NOT old.location
                OR photo.orientation IS NOT old.orientation
            """
        try run(
            """
            DELETE FROM picture WHERE id IN (\(changed));
            DELETE FROM pictureTry WHERE photoId IN (\(changed));
            UPDATE pictureFile SET photoId = NULL WHERE photoId IN (
                SELECT old.photoId FROM temp.touchedPhoto AS old LEFT JOIN photo ON photo.id = old.photoId
                WHERE photo.id IS NULL OR photo.streamId IS NOT old.streamId)
            """)
    }

    private func insertPhotos(_ rows: SharedRows) throws {
        let columns = SharedTable.photo.columns
        let insert = try RawStatement(database, sql: Self.insertSQL(into: "photo", columns: columns))
        try rows.forEach { row in
            try skippingMisfit(row, of: .photo) { try insert.run(row, columnCount: columns.count) }
        }
    }

    private static func upsertSQL(_ table: SharedTable) -> String {
        let others = table.columns.dropFirst().map(\.name)
        // An unchanged row is left alone: some tables refuse updates.
        return """
            \(insertSQL(into: table.rawValue, columns: table.columns))
            ON CONFLICT (id) DO UPDATE SET \(others.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            WHERE \(others.map { "\(table.rawValue).\($0) IS NOT excluded.\($0)" }.joined(separator: " OR "))
            """
    }

    private func upsert(_ rows: PrimaryChanges.Rows) throws {
        // A stream may have come again with another order, which the only trigger of its updates refuses.
        if rows.table == .stream { try withoutTriggers { try write(rows) } } else { try write(rows) }
    }

    private func write(_ rows: PrimaryChanges.Rows) throws {
        let names = rows.table == .stream ? try reader.streamsAndViews() : []
        if rows.table == .stream { try freeNames(of: rows.present) }
        let statement = try RawStatement(database, sql: Self.upsertSQL(rows.table))
        let source = rows.table == .stream ? rows.table.columns.firstIndex { $0.name == "sourceId" } : nil
        // Kept views refer to streams, which come first.
        for areViews in source == nil ? [false] : [false, true] {
            try rows.present.forEach { row in
                if let source, try (row(source) != .null) != areViews { return }
                try skippingMisfit(row, of: rows.table) {
                    try statement.run(row, columnCount: rows.table.columns.count)
                }
            }
        }
        // A stream whose new row does not fit stays unchanged.
        let keep = try RawStatement(
            database,
            sql: """
                UPDATE stream SET name = ?2 WHERE id = ?1
                    AND EXISTS (SELECT 1 FROM skippedRow WHERE tableName = 'stream' AND rowId = ?1)
                """)
        for stream in names { try keep.run(with: stream.id, stream.name.rawValue) }
    }

    /// Frees the names of streams that get another one, so that two streams may swap names.
    private func freeNames(of streams: SharedRows) throws {
        let statement = try RawStatement(
            database, sql: "UPDATE stream SET name = lower(hex(randomblob(16))) WHERE id = ?1 AND name <> ?2")
        try streams.forEach { try statement.run($0, columnCount: 2) }
    }

    private func deleteMissing(_ rows: PrimaryChanges.Rows) throws {
        var present: Set<Int64> = []
        try rows.present.forEach { row in
            if case .integer(let id) = try row(0) { present.insert(id) }
        }
        if rows.table == .stream {
            let views = try RawStatement(database, sql: "DELETE FROM stream WHERE id = ?1 AND sourceId IS NOT NULL")
            for id in rows.touched where !present.contains(id) { try views.run(with: id) }
        }
        let statement = try RawStatement(database, sql: "DELETE FROM \(rows.table.rawValue) WHERE id = ?1")
        let forget = try RawStatement(
            database, sql: "DELETE FROM skippedRow WHERE tableName = '\(rows.table.rawValue)' AND rowId = ?1")
        for id in rows.touched {
            try forget.run(with: id)
            if !present.contains(id) { try statement.run(with: id) }
        }
    }

    private func setLastIDs(_ lastIDs: [SharedTable: Int64]) throws {
        let statement = try RawStatement(
            database, sql: "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1")
        let insert = try RawStatement(
            database,
            sql: """
                INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2
                WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
                """)
        for (table, id) in lastIDs {
            for statement in [statement, insert] { try statement.run(with: table.rawValue, id) }
        }
    }

    private func setReplicaPosition(_ position: ReplicaPosition) throws {
        try database.run(
            """
            INSERT INTO replica (id, commitId, revision, tag, primaryIdentity) VALUES (1, ?1, ?2, ?3, ?4)
            ON CONFLICT (id) DO UPDATE SET commitId = excluded.commitId, revision = excluded.revision,
                tag = excluded.tag, primaryIdentity = excluded.primaryIdentity
            """, with: position.commitID, position.revision, position.tag, position.identity)
    }

    func run(_ sql: String) throws { try database.execute(sql: sql) }
}
