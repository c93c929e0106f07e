import GRDB
import PhotoStreamModel

// What `cache verify` finds of the file itself: rows that no program of ours writes, and parts of the schema that another
// program has dropped or changed.
extension PhotoReader {
    /// What is wrong with the file, a sentence each; damage of derived rows excepted.
    ///
    /// - Throws: `DatabaseError` when SQLite fails for another reason than damage.
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

    /// The most sentences of one kind.
    private static let problemLimit = 20

    /// The problems that SQLite itself finds: damaged pages, indexes that do not fit their table, values of another type
    /// than their column's.
    ///
    /// A connection that only reads looks at no CHECK.
    private func integrityProblems() throws -> [String] {
        var problems: [String] = []
        try RawStatement(database, "PRAGMA integrity_check(\(Self.problemLimit))").forEach { row in
            if row.text(0) != "ok" { problems.append("SQLite's integrity check: \(row.text(0))\(Self.copyAdvice)") }
        }
        return problems
    }

    /// Tables, triggers and indexes that are missing or are not those of the scripts.
    ///
    /// Without its triggers the change log misses what other programs write, so what is derived grows stale.
    private func schemaProblems() throws -> [String] {
        let present = try FileSchema.objects(of: database)
        return try FileSchema.expected().sorted { $0.key < $1.key }.compactMap { name, sql in
            let advice = FileSchema.isRestorable(name) ? "; `photostream cache clear` makes it again" : Self.copyAdvice
            guard let found = present[name] else { return "the \(name) is missing\(advice)" }
            return found == sql ? nil : "the \(name) is not the one that this version makes\(advice)"
        }
    }

    private func orphanedPhotos() throws -> [String] {
        let sql = """
            SELECT streamId, count(*) FROM photo NOT INDEXED WHERE streamId NOT IN (SELECT id FROM stream)
            GROUP BY streamId LIMIT \(Self.problemLimit)
            """
        var problems: [String] = []
        try RawStatement(database, sql).forEach { row in
            problems.append(
                """
                photos of stream \(row.text(0)), which does not exist: \(row.integer(1)); delete them with \
                `DELETE FROM photo WHERE streamId = \(row.text(0))`
                """)
        }
        return problems
    }

    /// Photos that the CHECKs of their table forbid, as far as a reader relies on these.
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
        let found = try RawStatement(database, sql).first { ($0.integer(0), $0.integer(1)) }
        guard let (count, first) = found, count > 0 else { return [] }
        return ["photos with values that cannot be: \(count), the first in row \(first)\(Self.copyAdvice)"]
    }

    private func damagedLogRows() throws -> [String] {
        let sides = "BETWEEN 1 AND \(PixelSize.maximumSide)"
        let sql = """
            SELECT count(*) FROM change WHERE revision NOT BETWEEN 1 AND \(Int64(1) << 62)
                OR oldTime IS NOT NULL AND (oldRank IS NULL OR NOT coalesce(oldWidth \(sides), 0)
                    OR NOT coalesce(oldHeight \(sides), 0))
                OR newTime IS NOT NULL AND newRank IS NULL
            """
        let count = try RawStatement(database, sql).first { $0.integer(0) } ?? 0
        return count == 0 ? [] : ["rows of the change log that are damaged: \(count)\(Self.copyAdvice)"]
    }

    private func secretProblems() throws -> [String] {
        do {
            _ = try cursorKey()
            return []
        } catch let damage as DamagedValue {
            return ["\(damage.detail); `INSERT OR REPLACE INTO secret VALUES (1, randomblob(32))` makes another"]
        }
    }
}
