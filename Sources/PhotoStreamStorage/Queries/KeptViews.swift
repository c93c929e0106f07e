import GRDB
package import PhotoStreamModel

/// The definition of a kept view: the photos of a stream that meet a condition.
package struct KeptView: Hashable, Sendable {
    /// The maximum number of kept views of a file.
    package static let maximumCount = 1_000
    /// The maximum length of a description, in bytes of UTF-8.
    package static let maximumDescriptionByteCount = 2_000

    /// The row id of the stream.
    package let sourceID: Int64
    /// The text of the condition, with its days as they were written.
    package let rule: String
    /// The last revision of the file at which the view had another rule, or did not exist.
    package let ruleRevision: Int64
    /// A text about the view; `nil` for none.
    package let description: String?
    /// The photo that stands for the view; `nil` for the first that it shows.
    package let cover: PhotoID?

    /// Reads the definition out of a row of `stream`; `nil` for a stream.
    init?(_ row: RawStatement, from column: Int32) {
        guard let sourceID = row.optionalInteger(column) else { return nil }
        (self.sourceID, rule) = (sourceID, row.optionalText(column + 1) ?? "")
        (ruleRevision, description) = (row.optionalInteger(column + 2) ?? .max, row.optionalText(column + 3))
        cover = row.optionalText(column + 4).map(PhotoID.init(stored:))
    }
}

extension PhotoReader {
    /// Returns the number of kept views.
    package func keptViewCount() throws -> Int {
        Int(try database.number("SELECT count(*) FROM stream WHERE sourceId IS NOT NULL"))
    }

    /// Returns the kept views of a stream, by name.
    package func keptViews(of streamID: Int64) throws -> [StreamRow] {
        try streamsAndViews().filter { $0.kept?.sourceID == streamID }
    }
}

extension PhotoWriter {
    /// Creates a kept view.
    ///
    /// - Parameters:
    ///   - name: The name, which must not be taken by a stream or a kept view.
    ///   - source: The stream whose photos it shows.
    ///   - rule: The text of the condition that the photos meet.
    ///   - description: A text about it.
    ///   - now: Milliseconds since 1970.
    /// - Throws: ``StorageError`` with code `constraint` if the name is taken, and `DatabaseError` if the source is a kept
    ///   view.
    package func createView(
        named name: StreamName, of source: StreamRow, rule: String, description: String?, now: Int64
    ) throws {
        try requireFree(name)
        let sql = """
            INSERT INTO stream (name, createdAtMilliseconds, streamOrder, sourceId, rule, description, ruleRevision)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, (SELECT coalesce(max(revision), 0) FROM change))
            """
        try database.run(sql, with: name.rawValue, now, source.order.stored, source.id, rule, description)
    }

    /// Changes the rule, the description and the cover of a kept view.
    ///
    /// - Throws: ``StorageError`` with code `notFound`.
    package func setDefinition(
        ofView name: StreamName, rule: String, description: String?, cover: PhotoID?
    ) throws {
        let view = try requireStream(name)
        let sql = """
            UPDATE stream SET rule = ?2, description = ?3, cover = ?4, ruleRevision = CASE rule WHEN ?2 THEN ruleRevision
                ELSE (SELECT coalesce(max(revision), 0) FROM change) END
            WHERE id = ?1
            """
        try database.run(sql, with: view.id, rule, description, cover?.rawValue)
    }
}
