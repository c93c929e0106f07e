import GRDB
import PhotoStreamMigrations
import PhotoStreamModel

/// The tables, indexes, triggers and views of a file.
enum FileSchema {
    /// Returns the SQL of each object in a database, by kind and name, such as `trigger photoUpdated`.
    static func objects(of database: Database) throws -> [String: String] {
        var objects: [String: String] = [:]
        let sql =
            "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_'"
        try database.forEach(sql) { objects[$0.text(0)] = $0.text(1) }
        return objects
    }

    /// Returns the objects that migrations create, by default all of this version.
    static func expected(after migrations: [Migration] = Migration.all) throws -> [String: String] {
        try DatabaseQueue().write { database in
            for migration in migrations { try database.execute(sql: migration.sql) }
            return try objects(of: database)
        }
    }

    /// The tables that ``SchemaMigrator`` creates.
    private static let tablesOfMigrator: Set<String> = ["table grdb_migrations", "table migrationHash"]

    /// The tables in which SQLite keeps statistics and ids.
    private static let tablesOfSQLite: Set<String> = ["sqlite_stat1", "sqlite_stat4", "sqlite_sequence"]

    /// The objects of a database that are not PhotoStream's.
    struct Strangers {
        /// The triggers, which run with the writes of this program.
        var triggers: [String] = []
        /// The tables, views and indexes.
        var others: [String] = []

        /// Finds the objects that are not PhotoStream's.
        ///
        /// - Parameters:
        ///   - database: The database.
        ///   - expected: The objects that are PhotoStream's.
        /// - Throws: `DatabaseError` if SQLite fails.
        init(in database: Database, besides expected: [String: String]) throws {
            let sql = """
                SELECT type, name FROM sqlite_schema WHERE name NOT GLOB 'sqlite_autoindex_*' ORDER BY type, name
                """
            for (type, name) in try database.rows(sql, read: { ($0.text(0), $0.text(1)) })
            where type != "table" || !FileSchema.tablesOfSQLite.contains(name) {
                let object = "\(type) \(name)"
                guard expected[object] == nil, !FileSchema.tablesOfMigrator.contains(object) else { continue }
                if type == "trigger" { triggers.append(name) } else { others.append(object) }
            }
        }
    }

    /// The difference between the schema of a file and that of the version that made it.
    struct Comparison {
        /// A sentence for each object that is missing or differs, or that changes what this program writes.
        let problems: [String]
        /// The tables, views and indexes that are not PhotoStream's, such as `view recent`.
        let strangers: [String]

        /// Compares the schema of a file of this version or an older one.
        ///
        /// - Parameters:
        ///   - database: The file.
        ///   - path: The path of the file, for errors.
        /// - Throws: ``StorageError`` for a file of another version; `DatabaseError`.
        init(_ database: Database, path: String) throws {
            let applied = try SchemaInspector(path: path, access: .readOnly).knownScripts(database)
            let expected = try FileSchema.expected(after: applied)
            let present = try FileSchema.objects(of: database)
            let strangers = try Strangers(in: database, besides: expected)
            problems =
                expected.keys.sorted().compactMap { object in
                    guard let found = present[object] else { return "the \(object) is missing" }
                    return found == expected[object] ? nil : "the \(object) differs from that of its version"
                } + strangers.triggers.map(FileSchema.problem(ofTrigger:))
            self.strangers = strangers.others
        }
    }

    /// The sentence for a trigger that is not PhotoStream's.
    static func problem(ofTrigger name: String) -> String {
        "the trigger \(name) is not PhotoStream's, but runs when PhotoStream writes; `DROP TRIGGER \"\(name)\"` removes it"
    }

    /// Whether an object contains no data of its own, so that it can be created again.
    static func isRestorable(_ object: String) -> Bool { object.hasPrefix("trigger ") || object.hasPrefix("index ") }
}

extension PhotoDatabase {
    /// Restores the triggers and indexes that another program has dropped or changed.
    ///
    /// Writes that the change log missed in the meantime cannot be identified any more: each stream gets a new
    /// revision, and readers of changes since an older one must reload. A replica is built again by its follower.
    ///
    /// - Returns: The restored objects, such as `trigger photoUpdated`.
    /// - Throws: ``StorageError``, in particular if rows that were written without a unique index contradict it; then
    ///   nothing is restored.
    package func restoreSchema() throws -> [String] {
        let expected = try translatingErrors { try FileSchema.expected() }
        return try writeLocally { writer in
            let present = try FileSchema.objects(of: writer.database)
            let wrong = expected.keys.filter { FileSchema.isRestorable($0) && present[$0] != expected[$0] }.sorted()
            for object in wrong {
                if present[object] != nil { try writer.database.execute(sql: "DROP \(object)") }
                if let sql = expected[object] { try create(object, sql: sql, in: writer.database) }
            }
            if !wrong.isEmpty { try isReplica ? writer.forgetPosition() : writer.forgetChanges() }
            if wrong.contains(where: PhotoSQL.pictureTriggers.contains) { try writer.forgetPictures() }
            return wrong
        }
    }

    private func create(_ object: String, sql: String, in database: Database) throws {
        do {
            try database.execute(sql: sql)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw StorageError(
                .corrupt,
                message: """
                    the \(object) cannot be created again: \(error.message ?? "two rows have the same values"); delete \
                    one row of each pair, then run `photostream cache clear` again
                    """)
        }
    }
}

extension PhotoWriter {
    /// Gives a replica a history that its primary does not have, so that it is rebuilt.
    fileprivate func forgetPosition() throws {
        try database.execute(sql: "UPDATE replica SET commitId = -1, revision = 0, tag = 0")
    }

    /// Keeps only the newest change of each stream, and moves it to another history: its revision is farther from the
    /// older ones than the length of the log, and its tag is new, since copies of the file may have missed other
    /// changes.
    fileprivate func forgetChanges() throws {
        try database.execute(
            sql: """
                INSERT INTO change (streamId, photoId, kind)
                SELECT id, 0, 3 FROM stream WHERE sourceId IS NULL AND id NOT IN (SELECT streamId FROM change);
                DELETE FROM change WHERE revision NOT IN (SELECT max(revision) FROM change GROUP BY streamId);
                UPDATE change SET revision = revision + (SELECT max(revision) FROM change) + \(file.changeLog.keptRowCount + 1),
                    tag = random();
                UPDATE history SET completeAfter = (SELECT max(revision) FROM change)
                """)
    }
}
