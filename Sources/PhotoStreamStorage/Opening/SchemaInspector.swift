import GRDB
import PhotoStreamMigrations
import PhotoStreamModel

/// Checks whether this version may read or write a file.
struct SchemaInspector {
    /// The `PRAGMA application_id` of every PhotoStream file: the letters `PhoS`.
    static let applicationID: Int64 = 0x5068_6F53

    let path: String
    let access: FileAccess

    /// Throws for another program's file, for an unknown schema, and, if read-only, for one before version 0.2.0.
    ///
    /// An empty database passes if it may be written.
    ///
    /// - Returns: The required update, if the file was made by version 0.1.0.
    /// - Throws: `StorageError` or `DatabaseError`.
    func inspect(_ database: Database) throws -> FileUpdate? {
        guard try isOurs(database) else {
            guard access == .readWrite else {
                throw StorageError(
                    .notADatabase, message: "\(path) is empty: it does not contain a PhotoStream database")
            }
            return nil
        }
        let applied = Set(try knownScripts(database).map(\.name))
        let known = Migration.all
        if access == .readOnly, let missing = known.first(where: { !applied.contains($0.name) }),
            missing.name <= OlderSchema.last
        {
            throw StorageError(
                .schemaTooOld,
                message:
                    "\(path) was made by an older version and lacks migration \(missing.name); it cannot be brought up to date "
                    + "here, where it is open for reading only. Make the file and its folder writable, or copy it to where "
                    + "it is, and run `photostream streams --database \(path)` there once"
            )
        }
        guard applied.contains(Self.lastOfFirstVersion), !applied.contains(Self.photosAgain) else { return nil }
        let count = try database.number("SELECT count(*) FROM photo")
        return FileUpdate(path: path, photoCount: Int(count))
    }

    /// Returns the scripts that were applied to a file.
    ///
    /// - Throws: ``StorageError`` for scripts that this version lacks or has in another form; `DatabaseError`.
    func knownScripts(_ database: Database) throws -> [Migration] {
        let applied = try appliedScripts(database)
        let known = Migration.all
        if let stranger = applied.keys.filter({ name in !known.contains { $0.name == name } }).max() {
            throw StorageError(
                .schemaTooNew,
                message: "\(path) was made by a newer PhotoStream: migration \(stranger) is unknown to this one"
            )
        }
        for migration in known {
            guard let hash = applied[migration.name] else { continue }
            guard hash == SchemaMigrator.hash(of: migration.sql) else {
                throw StorageError(
                    .schemaDiffers,
                    message: "\(path) was made by a different build: migration \(migration.name) has changed"
                )
            }
        }
        return known.filter { applied[$0.name] != nil }
    }

    /// The last migration of version 0.1.0, and the one after it that rewrites all photos.
    private static let (lastOfFirstVersion, photosAgain) = ("V008_root", "V009_order")

    /// Whether the file is a PhotoStream file; `false` for an empty database.
    ///
    /// - Throws: `StorageError` for another program's file.
    func isOurs(_ database: Database) throws -> Bool {
        let identifier = try database.number("PRAGMA application_id")
        if identifier == Self.applicationID { return true }
        let isEmpty = try !database.exists("SELECT 1 FROM sqlite_schema LIMIT 1")
        guard identifier == 0, isEmpty else {
            throw StorageError(.notADatabase, message: "\(path) is an SQLite database, but not PhotoStream's")
        }
        return false
    }

    /// Returns the applied migrations with their recorded hashes; an unrecorded hash is empty.
    func appliedScripts(_ database: Database) throws -> [String: String] {
        var applied: [String: String] = [:]
        let sql = """
            SELECT grdb_migrations.identifier, migrationHash.hash
            FROM grdb_migrations LEFT JOIN migrationHash ON migrationHash.name = grdb_migrations.identifier
            """
        try database.forEach(sql) { applied[$0.text(0)] = $0.text(1) }
        return applied
    }
}
