import GRDB
package import PhotoStreamModel

extension PhotoWriter {
    /// Applies a record to a stored photo.
    ///
    /// The fields that a person's record names are marked as edited and take precedence over every import.
    ///
    /// A record that changes nothing writes nothing. Unless the order is manual, a capture time that a person changes ends a
    /// move.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - record: The photo's id and the fields to change.
    ///   - author: The author of the record.
    /// - Returns: The stored photo afterwards; `nil` if the stream has none with that id.
    /// - Throws: ``StorageError``.
    /// - Complexity: O(log n).
    package func edit(streamID: Int64, record: PhotoRecord, by author: Photo.Author = .person) throws -> StoredPhoto? {
        var rows = try PhotoRowWriter(self, streamID: streamID)
        guard let stored = try rows.find(record.id) else { return nil }
        let photo = Photo.applying(record, to: stored.photo, by: author)
        guard try rows.replace(stored, with: photo, by: author) else { return stored }
        return try rows.find(record.id)
    }

    /// Adds a photo.
    ///
    /// The fields that a person's record names take precedence over every import.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - record: The photo.
    ///   - author: The author of the record.
    /// - Returns: The stored photo.
    /// - Throws: ``StorageError`` with code `constraint` if the stream has a photo with that id.
    /// - Complexity: O(log n).
    package func add(streamID: Int64, record: PhotoRecord, by author: Photo.Author = .person) throws -> StoredPhoto {
        var rows = try PhotoRowWriter(self, streamID: streamID)
        guard try rows.find(record.id) == nil else {
            throw StorageError(.constraint, message: "photo \"\(record.id)\" already exists")
        }
        _ = try rows.add(Photo.applying(record, to: nil, by: author))
        // The id belongs to another photo now, which undo must not replace.
        try forgetDeletedPhoto(streamID: streamID, id: record.id)
        guard let added = try rows.find(record.id) else {
            throw StorageError(.corrupt, message: "photo \"\(record.id)\" was added but cannot be found")
        }
        return added
    }
}

/// Looks up and writes photos of one stream, with statements that are prepared once.
struct PhotoRowWriter: ~Copyable {
    private let database: Database
    private let streamID: Int64
    private let order: StreamOrder
    private let lookUp: RawStatement
    private let insert: RawStatement
    private let update: RawStatement
    private let updateEndingMove: RawStatement
    private let updateKeepingMove: RawStatement
    private let newRowIDs: NewRowIDs?
    private var binding: PhotoBinding

    /// Prepares the statements.
    init(_ writer: PhotoWriter, streamID: Int64) throws {
        // Everything that can fail comes first: a value with a deinit must be initialised completely or not at all.
        let database = writer.database
        let order = try writer.reader.stream(id: streamID)?.order ?? .newest
        let lookUp = try RawStatement(database, sql: PhotoSQL.byExternalID)
        let insert = try RawStatement(database, sql: PhotoSQL.insert)
        let update = try RawStatement(database, sql: PhotoSQL.update)
        let updateEndingMove = try RawStatement(database, sql: PhotoSQL.updateEndingMove)
        let updateKeepingMove = try RawStatement(database, sql: PhotoSQL.updateKeepingMove)
        self.database = database
        newRowIDs = writer.newRowIDs
        self.streamID = streamID
        self.order = order
        self.lookUp = lookUp
        self.insert = insert
        self.update = update
        self.updateEndingMove = updateEndingMove
        self.updateKeepingMove = updateKeepingMove
        binding = PhotoBinding()
    }

    deinit {
        for statement in [lookUp, insert, update, updateEndingMove, updateKeepingMove] { statement.clear() }
    }

    /// Returns the stored photo with an id, if any.
    mutating func find(_ id: PhotoID) throws -> StoredPhoto? {
        binding.bind(streamID: streamID, id: id, to: lookUp)
        return try lookUp.first(PhotoRow.storedPhoto)
    }

    /// Adds a photo.
    ///
    /// - Returns: Its row id.
    mutating func add(_ photo: Photo) throws -> Int64 {
        binding.bind(new: photo, rowID: try newRowIDs?.next(), streamID: streamID, order: order, to: insert)
        try insert.run()
        return database.lastInsertedRowID
    }

    /// Adds a photo unless its id is taken, without looking it up first.
    ///
    /// This halves the index work for new photos, and fails slowly for others.
    ///
    /// - Returns: Its row id; `nil`, without any write, if the id is taken.
    mutating func addIfNew(_ photo: Photo) throws -> Int64? {
        binding.bind(new: photo, rowID: try newRowIDs?.next(), streamID: streamID, order: order, to: insert)
        do {
            try insert.run()
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
            // OR FAIL keeps the log row that the trigger wrote before the failure.
            try database.run("DELETE FROM change WHERE revision = (SELECT max(revision) FROM change) AND kind = 3")
            newRowIDs?.takeBackLast()
            return nil
        }
        return database.lastInsertedRowID
    }

    /// Moves a photo that was just added to the date of an exported place, unless the export has another order.
    ///
    /// The photo then comes after those imported before it and before those imported later, moved or not. An export is
    /// in stream order, so importing it restores the order of all its photos.
    func restore(_ move: ExportedState.Move, of rowID: Int64) throws {
        guard move.order == order, order != .manual else { return }
        let statement = try RawStatement(database, sql: PhotoSQL.move)
        // A rank between the photo's own and that of the next imported one. Any may be taken, because row ids of
        // deleted photos are reused.
        var distance = OrderKey.rankStep / 2
        while true {
            let rank = Rank.ofRow(rowID).adding(-distance) ?? Rank(.min)
            do {
                return try statement.run(with: rowID, order.orderTime(of: move.date), rank.value)
            } catch let error as DatabaseError
                where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE && distance > 1
            {
                distance /= 2
            }
        }
    }

    /// Writes the new version of a stored photo, if it differs.
    ///
    /// A capture time that a person changes ends a move. Any other keeps it: the time of a file does not decide about the place that a
    /// person has chosen.
    ///
    /// - Returns: Whether anything was written.
    mutating func replace(_ stored: StoredPhoto, with photo: Photo, by author: Photo.Author) throws -> Bool {
        guard !photo.isStoredAlike(stored.photo) else { return false }
        let statement: RawStatement
        if photo.stack?.isHidden == true {
            // A hidden photo is at its own place; the next cover takes over the move.
            statement = updateEndingMove
        } else if order == .manual || photo.takenAt == stored.photo.takenAt {
            statement = update
        } else if author == .person {
            statement = updateEndingMove
        } else {
            statement = updateKeepingMove
            statement.bind(.orderTime, to: order.orderTime(of: photo.takenAt))
        }
        binding.bind(changed: photo, rowID: stored.rowID, to: statement)
        try statement.run()
        return true
    }
}

extension Photo {
    /// Whether both are stored as the same bytes.
    ///
    /// Swift's strings compare equal if they are canonically equivalent, but a path in another normal form is another
    /// path.
    func isStoredAlike(_ other: Photo) -> Bool {
        func alike(_ left: String?, and right: String?) -> Bool {
            (left ?? "").utf8.elementsEqual((right ?? "").utf8)
        }
        return self == other && PhotoText.allCases.allSatisfy { alike(self[$0], and: other[$0]) }
            && PhotoList.allCases.allSatisfy { zip(self[$0], other[$0]).allSatisfy { alike($0, and: $1) } }
    }
}
