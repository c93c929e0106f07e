import GRDB
import PhotoStreamMigrations
import PhotoStreamModel

/// Says whether a file is one that this build may read or write.
struct SchemaInspector {
    /// `PRAGMA application_id` of every PhotoStream file: the letters `PhoS`.
    static let applicationID: Int64 = 0x5068_6F53

    let path: String
    let access: FileAccess

    /// Refuses another program's file, another build's schema, and, for reading only, one that is not complete.
    ///
    /// An empty database passes when it may be written.
    ///
    /// - Returns: What it takes to bring the file up to date, where it is one of version 0.1.0.
    /// - Throws: `StorageError` or `DatabaseError`.
    func inspect(_ database: Database) throws -> SchemaUpdate? {
        guard try isOurs(database) else {
            guard access == .readWrite else {
                throw StorageError(.notADatabase, "\(path) is empty: it holds no PhotoStream database")
            }
            return nil
        }
        let applied = try appliedScripts(database)
        let known = Migration.all
        if let stranger = applied.keys.filter({ name in !known.contains { $0.name == name } }).max() {
            throw StorageError(
                .schemaTooNew,
                "\(path) was made by a newer PhotoStream: migration \(stranger) is unknown to this one"
            )
        }
        for migration in known {
            guard let hash = applied[migration.name] else { continue }
            guard hash == SchemaMigrator.hash(of: migration.sql) else {
                throw StorageError(
                    .schemaDiffers,
                    "\(path) was made by a different build: migration \(migration.name) has changed"
                )
            }
        }
        if access == .readOnly, let missing = known.first(where: { applied[$0.name] == nil }) {
            throw StorageError(
                .schemaTooOld,
                "\(path) was made by an older version and lacks migration \(missing.name); it cannot be brought up to date "
                    + "here, where it is open for reading only. Make the file and its folder writable, or copy it to where "
                    + "it is, and run `photostream streams --database \(path)` there once"
            )
        }
        guard applied[Self.lastOfFirstVersion] != nil, applied[Self.photosAgain] == nil else { return nil }
        let count = try RawStatement(database, "SELECT count(*) FROM photo").first { $0.integer(0) } ?? 0
        return SchemaUpdate(path: path, photoCount: Int(count))
    }

    /// The last migration of version 0.1.0, and the one after it that writes all photos again.
    private static let (lastOfFirstVersion, photosAgain) = ("V008_root", "V009_order")

    /// Whether the file is a PhotoStream file; `false` is an empty database.
    ///
    /// - Throws: `StorageError` for another program's.
    func isOurs(_ database: Database) throws -> Bool {
        let identifier = try RawStatement(database, "PRAGMA application_id").first { $0.integer(0) } ?? 0
        if identifier == Self.applicationID { return true }
        let isEmpty = try RawStatement(database, "SELECT 1 FROM sqlite_schema LIMIT 1").first { $0.integer(0) } == nil
        guard identifier == 0, isEmpty else {
            throw StorageError(.notADatabase, "\(path) is an SQLite database, but not PhotoStream's")
        }
        return false
    }

    /// The name of every step that was applied, with its recorded hash, empty where there is none.
    private func appliedScripts(_ database: Database) throws -> [String: String] {
        var applied: [String: String] = [:]
        let sql = """
            SELECT grdb_migrations.identifier, migrationHash.hash
            FROM grdb_migrations LEFT JOIN migrationHash ON migrationHash.name = grdb_migrations.identifier
            """
        try RawStatement(database, sql).forEach { applied[$0.text(0)] = $0.text(1) }
        return applied
    }
}
