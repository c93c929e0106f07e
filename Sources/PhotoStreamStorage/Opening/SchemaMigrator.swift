import GRDB
import PhotoStreamMigrations
import PhotoStreamModel

/// Migrates a file's schema, one script and one transaction at a time.
struct SchemaMigrator {
    let path: String
    let busyTimeoutMilliseconds: Int

    /// Marks a new file as a PhotoStream file, then runs every script that it lacks.
    ///
    /// Several processes may do this at once. GRDB checks before it locks, so the slower process fails at a script that
    /// the other has just applied, and tries again.
    ///
    /// - Throws: `StorageError` or `DatabaseError`.
    func migrate(_ pool: DatabasePool) throws {
        let migrator = makeMigrator()
        if try pool.read({ try migrator.hasCompletedMigrations($0) }) { return try check(pool) }
        try pool.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try claim(database)
                return .commit
            }
        }
        var appliedCount = -1
        while true {
            do {
                try migrator.migrate(pool)
                return try check(pool)
            } catch {
                let count = try pool.read { try migrator.appliedIdentifiers($0).count }
                guard count > appliedCount else { throw error }
                appliedCount = count
            }
        }
    }

    /// Returns the 64-bit FNV-1a hash in hexadecimal, which is enough to detect an edited script.
    static func hash(of script: String) -> String {
        let digits = String(FNV1a.hash(script.utf8), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private func check(_ pool: DatabasePool) throws {
        _ = try pool.read { try SchemaInspector(path: path, access: .existing).inspect($0) }
    }

    /// Marks an empty database as a PhotoStream file, still without tables for photos.
    private func claim(_ database: Database) throws {
        guard try !SchemaInspector(path: path, access: .readWrite).isOurs(database) else { return }
        // In one transaction with the first table, so that a killed process leaves a file that is either empty or
        // marked.
        try database.execute(
            sql: """
                PRAGMA application_id = \(SchemaInspector.applicationID);
                CREATE TABLE migrationHash (name TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL) STRICT;
                CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)
                """
        )
    }

    private func makeMigrator() -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in Migration.all {
            migrator.registerMigration(migration.name) { database in
                try database.execute(sql: migration.sql)
                try database.execute(
                    sql: "INSERT INTO migrationHash (name, hash) VALUES (?, ?)",
                    arguments: [migration.name, Self.hash(of: migration.sql)]
                )
            }
        }
        return migrator
    }
}
