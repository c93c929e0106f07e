import GRDB
package import PhotoStreamModel

extension PhotoReader {
    /// Returns the photos of a stack, the cover first; none if there is no such stack.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(photos of the stack · log n).
    package func stack(_ name: String, streamID: Int64) throws -> [StoredPhoto] {
        let sql = """
            SELECT id FROM photo INDEXED BY photoStack WHERE streamId = ?1 AND stack = ?2
            ORDER BY stackRank, id LIMIT \(StackPlace.maximumCount)
            """
        return try photos(rowIDs: database.rows(sql, with: streamID, name) { $0.integer(0) })
    }

    /// Returns the stacks of some photos, as answers show them, by row id; photos outside stacks are missing.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(k log n + photos of the stacks).
    package func stackSummaries(photoRowIDs: some Sequence<Int64>) throws -> [Int64: StackSummary] {
        let statement = try RawStatement(
            database,
            sql: """
                SELECT stackKind, count(*) FROM photo INDEXED BY photoStack
                WHERE (streamId, stack) = (SELECT streamId, stack FROM photo WHERE id = ?1) GROUP BY 1 ORDER BY 1
                """)
        var summaries: [Int64: StackSummary] = [:]
        for id in photoRowIDs {
            try statement.bind(id)
            var summary = StackSummary(count: 0, kinds: [])
            try statement.forEach { row in
                summary.count += Int(row.integer(1))
                // A later version may have written an unknown kind.
                if let kind = StackKind(rawValue: UInt8(clamping: row.integer(0))) { summary.kinds.append(kind) }
            }
            if summary.count > 0 { summaries[id] = summary }
        }
        return summaries
    }

    /// Returns the photo that layouts show in place of another: the cover of its stack, or itself.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(log n).
    package func shown(insteadOf photo: StoredPhoto, streamID: Int64) throws -> StoredPhoto {
        guard let place = photo.photo.stack, place.isHidden else { return photo }
        let sql = """
            SELECT id FROM photo INDEXED BY photoStack WHERE streamId = ?1 AND stack = ?2 AND stackRank = 0 LIMIT 1
            """
        guard let cover = try database.first(sql, with: streamID, place.stack, read: { $0.integer(0) }) else {
            return photo
        }
        return try photos(rowIDs: [cover])[0]
    }
}

extension PhotoWriter {
    /// Makes a photo the cover of its stack, as a person does; the former cover comes next.
    ///
    /// The place of the photo is marked as edited, so that no import chooses another cover.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - id: The photo.
    /// - Returns: The photos of the stack afterwards, the cover first; `nil` if the photo is in none.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(photos of the stack · log n).
    package func makeCover(streamID: Int64, id: PhotoID) throws -> [StoredPhoto]? {
        guard let chosen = try reader.photo(streamID: streamID, id: id), let place = chosen.photo.stack else {
            return nil
        }
        let members = try reader.stack(place.stack, streamID: streamID)
        try arrange([chosen.rowID] + members.map(\.rowID).filter { $0 != chosen.rowID })
        var record = PhotoRecord(id: id)
        record.stack = .set(StackPlace(stored: place.stack, rank: 0, kind: place.kind))
        _ = try edit(streamID: streamID, record: record)
        return try reader.stack(place.stack, streamID: streamID)
    }

    /// Takes a stack apart, as a person does: each of its photos is shown again, and no import stacks it.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - name: The name of the stack.
    /// - Returns: The photos; none if there is no such stack.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(photos of the stack · log n).
    package func takeApart(streamID: Int64, stack name: String) throws -> [StoredPhoto] {
        let members = try reader.stack(name, streamID: streamID)
        // The cover last, so that no other photo takes over its place.
        return try members.reversed().compactMap { member in
            var record = PhotoRecord(id: member.photo.id)
            record.stack = .clear
            return try edit(streamID: streamID, record: record)
        }.reversed()
    }

    /// Gives the photos of a stack their order, the cover first.
    ///
    /// If another photo becomes the cover, it takes over the place of the former one: the least rank does so when a cover
    /// is hidden. So the ranks of the others begin with 2.
    func arrange(_ rowIDs: [Int64]) throws {
        let ranks = try rowIDs.map { try database.number("SELECT stackRank FROM photo WHERE id = ?1", with: $0) }
        guard zip(ranks, ranks.dropFirst()).contains(where: { $0 >= $1 }) else { return }
        let statement = try RawStatement(
            database,
            sql: """
                UPDATE photo SET stackRank = ?2, movedTime = NULL, movedRank = NULL, movedFromOrderTime = NULL
                WHERE id = ?1 AND stackRank <> ?2
                """)
        if let cover = rowIDs.first, ranks[0] != 0 { try statement.run(with: cover, 1) }
        for (position, id) in rowIDs.enumerated().dropFirst() { try statement.run(with: id, position + 1) }
    }
}
