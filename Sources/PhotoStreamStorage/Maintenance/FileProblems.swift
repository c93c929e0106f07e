import GRDB
import PhotoStreamMigrations
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
            schemaProblems, integrityProblems, orphanedPhotos, damagedPhotos, damagedLogRows, secretProblems,
        ]
        return try checks.flatMap { check in
            do {
                return try check()
            } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_ERROR].contains(error.resultCode) {
                return ["SQLite cannot read the file: \(error.message ?? "it is damaged")\(Self.copyAdvice)"]
            }
        }
    }

    private static let copyAdvice = """
        ; restore a backup, or copy what can be read into a new file with `photostream photos list --export` and \
        `photostream import`
        """

    /// The maximum number of problems of one kind.
    private static let problemLimit = 20

    /// The problems that SQLite's own check finds: damaged pages, indexes that contradict their table, and values of a
    /// wrong type.
    ///
    /// A read-only connection does not check CHECK constraints.
    private func integrityProblems() throws -> [String] {
        var problems: [String] = []
        try RawStatement(database, sql: "PRAGMA integrity_check(\(Self.problemLimit))").forEach { row in
            if row.text(0) != "ok" { problems.append("SQLite's integrity check: \(row.text(0))\(Self.copyAdvice)") }
        }
        return problems
    }

    /// Tables, triggers and indexes that are missing or differ from the migrations.
    ///
    /// Without its triggers the change log misses other programs' writes, so derived data become stale.
    private func schemaProblems() throws -> [String] {
        let present = try Self.schemaObjects(database)
        let expected = try DatabaseQueue().write { database in
            for migration in Migration.all { try database.execute(sql: migration.sql) }
            return try Self.schemaObjects(database)
        }
        return expected.sorted { $0.key < $1.key }.compactMap { name, sql in
            guard let found = present[name] else { return "the \(name) is missing\(Self.copyAdvice)" }
            return found == sql ? nil : "the \(name) differs from the one that this version creates\(Self.copyAdvice)"
        }
    }

    /// Returns the SQL of each table, index, trigger and view, by kind and name.
    private static func schemaObjects(_ database: Database) throws -> [String: String] {
        var objects: [String: String] = [:]
        let sql =
            "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
        try RawStatement(database, sql: sql).forEach { objects[$0.text(0)] = $0.text(1) }
        return objects
    }

    private func orphanedPhotos() throws -> [String] {
        let sql = """
            SELECT streamId, count(*) FROM photo NOT INDEXED WHERE streamId NOT IN (SELECT id FROM stream)
            GROUP BY streamId LIMIT \(Self.problemLimit)
            """
        var problems: [String] = []
        try RawStatement(database, sql: sql).forEach { row in
            problems.append(
                """
                photos of stream \(row.text(0)), which does not exist: \(row.integer(1)); delete them with \
                `DELETE FROM photo WHERE streamId = \(row.text(0))`
                """)
        }
        return problems
    }

    /// The photos that violate the CHECK constraints on which readers rely.
    private func damagedPhotos() throws -> [String] {
        let side = "BETWEEN 1 AND \(PixelSize.maximumSide)"
        let ratio = PixelSize.maximumRatio
        let sql = """
            SELECT count(*), min(id) FROM photo NOT INDEXED WHERE NOT coalesce(
                id BETWEEN 1 AND 8796093022207 AND width \(side) AND height \(side)
                AND width <= height * \(ratio) AND height <= width * \(ratio)
                AND metricsSource BETWEEN 0 AND 2 AND orientation BETWEEN 1 AND 8
                AND coalesce(takenAtMilliseconds, 0) BETWEEN -62135661600000 AND 253402365599999
                AND coalesce(utcOffsetMinutes, 0) BETWEEN -1080 AND 1080, 0)
            """
        let found = try RawStatement(database, sql: sql).first { ($0.integer(0), $0.integer(1)) }
        guard let (count, first) = found, count > 0 else { return [] }
        return ["photos with invalid values: \(count), the first in row \(first)\(Self.copyAdvice)"]
    }

    private func damagedLogRows() throws -> [String] {
        let sides = "BETWEEN 1 AND \(PixelSize.maximumSide)"
        let sql = """
            SELECT count(*) FROM change WHERE revision NOT BETWEEN 1 AND \(Int64(1) << 62)
                OR oldTime IS NOT NULL AND (oldRank IS NULL OR NOT coalesce(oldWidth \(sides), 0)
                    OR NOT coalesce(oldHeight \(sides), 0))
                OR newTime IS NOT NULL AND newRank IS NULL
            """
        let count = try RawStatement(database, sql: sql).first { $0.integer(0) } ?? 0
        return count == 0 ? [] : ["damaged rows of the change log: \(count)\(Self.copyAdvice)"]
    }

    private func secretProblems() throws -> [String] {
        do {
            _ = try cursorKey()
            return []
        } catch let damage as DamagedValue {
            return ["\(damage.detail); `INSERT OR REPLACE INTO secret VALUES (1, randomblob(32))` creates a new one"]
        }
    }
}
