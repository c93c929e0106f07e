import Foundation
import GRDB
import PhotoStreamMigrations

@testable import PhotoStreamStorage

/// Files as earlier versions created them.
enum OlderFile {
    /// Creates a file with the migrations before one of them, in place of any other file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - end: The start of the name of the first migration that the file lacks, such as `V011`.
    ///   - fill: Writes its rows.
    /// - Throws: `DatabaseError`, and what `fill` throws.
    static func create(at path: String, before end: String, _ fill: (Database) throws -> Void) throws {
        try? FileManager.default.removeItem(atPath: path)
        let old = try DatabaseQueue(path: path)
        try old.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE migrationHash (name TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL) STRICT;
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    """)
            for migration in Migration.all where migration.name < end {
                try database.execute(sql: migration.sql)
                try database.execute(
                    sql: "INSERT INTO migrationHash (name, hash) VALUES (?, ?)",
                    arguments: [migration.name, SchemaMigrator.hash(of: migration.sql)])
                try database.execute(
                    sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [migration.name])
            }
            try fill(database)
            try database.execute(sql: "PRAGMA application_id = \(SchemaInspector.applicationID)")
        }
        try old.close()
    }
}
