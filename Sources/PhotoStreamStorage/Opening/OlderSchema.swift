import GRDB
import PhotoStreamMigrations

/// The tables and columns that a file of version 0.2.0 lacks, if it is open for reading only and cannot be migrated.
///
/// Each connection gets them as temporary tables without rows, and as temporary views of the file's own tables with the
/// missing columns. The rows of the log have one tag while the file is open: states begin with it. A view has no
/// indices, so that statements name none; SQLite chooses those of the table.
struct OlderSchema {
    /// The last migration of version 0.2.0.
    static let last = "V017_replica"

    /// The statements that a connection runs first; empty for a file of this version.
    let sql: String

    /// Compares a file with this version.
    ///
    /// - Parameter database: A connection to the file.
    /// - Throws: `DatabaseError` if SQLite fails.
    init(_ database: Database) throws {
        let expected = try DatabaseQueue().write { new in
            for migration in Migration.all { try new.execute(sql: migration.sql) }
            return try Self.columns(of: new)
        }
        let present = try Self.columns(of: database)
        let tag = Int64.random(in: .min ... .max)
        sql = expected.keys.sorted().map { table in
            let columns = expected[table] ?? []
            guard let own = present[table] else {
                return "CREATE TEMP TABLE \(table) (\(columns.map { "\"\($0.name)\"" }.joined(separator: ", ")));"
            }
            let known = Set(own.map(\.name))
            let missing = columns.filter { !known.contains($0.name) }
            guard !missing.isEmpty else { return "" }
            let values = missing.map { column in
                let former = Self.formerNames["\(table).\(column.name)"]
                let value = column.name == "tag" ? "\(tag)" : former ?? column.standard ?? "NULL"
                return "\(value) AS \"\(column.name)\""
            }
            return "CREATE TEMP VIEW \(table) AS SELECT *, \(values.joined(separator: ", ")) FROM main.\(table);"
        }.joined()
    }

    /// Returns the statement to prepare instead of one that names an index of a view; `nil` after any other error.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    static func sql(insteadOf sql: String, after error: any Error, _ database: Database) throws -> String? {
        guard let message = (error as? DatabaseError)?.message, message.hasPrefix("no such index"),
            try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_temp_schema WHERE type = 'view')")
                == true
        else { return nil }
        return sql.replacing(/\sINDEXED BY \w+/, with: "")
    }

    /// The names that columns had in version 0.2.0.
    private static let formerNames = [
        "picture.id": "photoId", "picture.hash": "contentHash", "picture.decodedPlaceholder": "placeholder",
        "picture.decodedColor": "color", "pictureRevision.id": "streamId",
    ]

    private struct Column {
        let name: String
        /// The default value in SQL.
        let standard: String?
    }

    private static func columns(of database: Database) throws -> [String: [Column]] {
        var columns: [String: [Column]] = [:]
        let sql = """
            SELECT t.name, c.name, c.dflt_value FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid
            """
        try database.forEach(sql) { row in
            columns[row.text(0), default: []].append(Column(name: row.text(1), standard: row.optionalText(2)))
        }
        return columns
    }
}
