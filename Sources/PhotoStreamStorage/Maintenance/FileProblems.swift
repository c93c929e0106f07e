import GRDB
import PhotoStreamModel

// The problems that `cache verify` finds in the file itself: rows that this program never writes, and schema objects
// that another program has dropped or changed.
extension PhotoReader {
    /// Returns the problems of the file, one sentence each, except damage of derived rows.
    ///
    /// - Throws: `DatabaseError` if SQLite fails for a reason other than damage.
    /// - Complexity: O(size of the file), in one transaction.
    package func fileProblems() throws -> [String] {
        let checks = [
            schemaProblems, integrityProblems, misnumberedStreams, orphanedPhotos, forbiddenRows, damagedLogRows,
            secretProblems,
        ]
        return try checks.flatMap { check in try problems(check) }
    }

    /// Returns the findings of a check, or the error if SQLite cannot read the file.
    private func problems(_ check: () throws -> [String]) throws -> [String] {
        do {
            return try check()
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_ERROR].contains(error.resultCode) {
            return ["SQLite cannot read the file: \(error.message ?? "it is damaged")\(Self.copyAdvice)"]
        }
    }

    private static let derivedTables = Set(OrphanTable.allCases.map(\.rawValue)).union([
        "photoWords", "photoWordsNewer", "photoWordsState",
    ])

    private static let copyAdvice = """
        ; restore a backup, or copy what can be read into a new file with `photostream photos list --export` and \
        `photostream import`
        """

    /// The maximum number of problems of one kind.
    private static let problemLimit = 20

    /// The problems that SQLite's own check finds: damaged pages, indexes that contradict their table, and values of a
    /// wrong type.
    ///
    /// A read-only connection does not check CHECK constraints; ``forbiddenRows()`` does.
    private func integrityProblems() throws -> [String] {
        try database.rows("PRAGMA integrity_check(\(Self.problemLimit))") { row in
            let finding = row.text(0)
            guard finding != "ok" else { return nil }
            let advice =
                Self.isAboutDerivedRows(finding) ? "; `photostream cache clear` deletes what is wrong" : Self.copyAdvice
            return "SQLite's integrity check: \(finding)\(advice)"
        }
    }

    /// Whether a finding of SQLite's check is about a value in a derived table, such as `NULL value in chunk.count`.
    private static func isAboutDerivedRows(_ finding: String) -> Bool {
        guard let place = finding.split(separator: " ").last else { return false }
        return derivedTables.contains(String(place.prefix { $0 != "." }))
    }

    /// Tables, triggers and indexes that are missing or differ from the migrations, and triggers of others.
    ///
    /// Without its triggers the change log misses other programs' writes, so derived data become stale.
    private func schemaProblems() throws -> [String] {
        let (present, expected) = (try FileSchema.objects(of: database), try FileSchema.expected())
        let differences = expected.sorted { $0.key < $1.key }.compactMap { name, sql in
            let advice =
                FileSchema.isRestorable(name) ? "; `photostream cache clear` creates it again" : Self.copyAdvice
            guard let found = present[name] else { return "the \(name) is missing\(advice)" }
            return found == sql ? nil : "the \(name) differs from the one that this version creates\(advice)"
        }
        let triggers = try FileSchema.Strangers(in: database, besides: expected).triggers
        return differences + triggers.map(FileSchema.problem(ofTrigger:))
    }

    /// Returns the tables, views and indexes of the file that are not PhotoStream's, such as `view recent`.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    package func schemaStrangers() throws -> [String] {
        try FileSchema.Strangers(in: database, besides: FileSchema.expected()).others
    }

    /// Streams with ids that this program never assigns: imports refuse them.
    private func misnumberedStreams() throws -> [String] {
        let sql = "SELECT id, name FROM stream WHERE id < 1 LIMIT \(Self.problemLimit)"
        return try database.rows(sql) { row in
            "the stream \"\(row.text(1))\" has the id \(row.text(0)), which is not positive\(Self.copyAdvice)"
        }
    }

    private func orphanedPhotos() throws -> [String] {
        let sql = """
            SELECT streamId, count(*) FROM photo NOT INDEXED WHERE streamId NOT IN (SELECT id FROM stream)
            GROUP BY streamId LIMIT \(Self.problemLimit)
            """
        return try database.rows(sql) { row in
            """
            photos of stream \(row.text(0)), which does not exist: \(row.integer(1)); delete them with \
            `DELETE FROM photo WHERE streamId = \(row.text(0))`
            """
        }
    }

    /// Rows that violate a CHECK constraint of their table, or that refer to a row that does not exist.
    ///
    /// Derived rows are not included; they have checksums and are counted elsewhere.
    private func forbiddenRows() throws -> [String] {
        let prefix = "table "
        return try FileSchema.expected().sorted { $0.key < $1.key }.flatMap { name, sql -> [String] in
            guard name.hasPrefix(prefix), case let table = String(name.dropFirst(prefix.count)),
                !Self.derivedTables.contains(table)
            else { return [] }
            let forbidden = try problems { try forbiddenRows(of: table, conditions: TableConditions.checks(in: sql)) }
            // Photos without a stream are reported by stream.
            return try table == "photo" ? forbidden : forbidden + problems { try danglingRows(of: table) }
        }
    }

    private func danglingRows(of table: String) throws -> [String] {
        var counts: [String: Int] = [:]
        try database.forEach("PRAGMA foreign_key_check(\(table))") { counts[$0.text(2), default: 0] += 1 }
        return counts.sorted { $0.key < $1.key }.map { parent, count in
            "rows of the table \(table) that refer to no row of \(parent): \(count)\(Self.copyAdvice)"
        }
    }

    private func forbiddenRows(of table: String, conditions: [String]) throws -> [String] {
        guard !conditions.isEmpty else { return [] }
        // As in a CHECK, a condition that is NULL forbids nothing.
        let columns = conditions.flatMap { condition in
            ["count(*)", "min(rowid)"].map { "\($0) FILTER (WHERE NOT (\(condition)\n))" }
        }
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(table) NOT INDEXED"
        let found = try database.first(sql) { row in
            conditions.indices.map { (count: row.integer(Int32(2 * $0)), first: row.integer(Int32(2 * $0 + 1))) }
        }
        return zip(conditions, found ?? []).filter { $1.count > 0 }.map { condition, rows in
            """
            rows of the table \(table) that CHECK (\(condition)) forbids: \(rows.count), the first in row \(rows.first)\
            \(Self.copyAdvice)
            """
        }
    }

    private func damagedLogRows() throws -> [String] {
        let sides = "BETWEEN 1 AND \(PixelSize.maximumSide)"
        let sql = """
            SELECT count(*) FROM change WHERE revision NOT BETWEEN 1 AND \(Int64(1) << 62)
                OR oldTime IS NOT NULL AND (oldRank IS NULL OR NOT coalesce(oldWidth \(sides), 0)
                    OR NOT coalesce(oldHeight \(sides), 0))
                OR newTime IS NOT NULL AND newRank IS NULL
            """
        let count = try database.number(sql)
        return count == 0 ? [] : ["damaged rows of the change log: \(count)\(Self.copyAdvice)"]
    }

    private func secretProblems() throws -> [String] {
        do {
            _ = try cursorKey()
            return []
        } catch let damage as DamagedValue {
            return [
                "\(damage.detail); `INSERT OR REPLACE INTO secret (id, cursorKey) VALUES (1, randomblob(32))` creates a new one"
            ]
        }
    }
}
