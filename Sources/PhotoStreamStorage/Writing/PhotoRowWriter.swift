import GRDB
import PhotoStreamModel

/// Looks photos of one stream up and writes them, with statements that are prepared once.
struct PhotoRowWriter: ~Copyable {
    private let database: Database
    private let streamID: Int64
    private let order: StreamOrder
    private let lookUp: RawStatement
    private let insert: RawStatement
    private let update: RawStatement
    private let updateEndingMove: RawStatement
    private var binding: PhotoBinding

    /// Prepares the statements.
    init(_ writer: PhotoWriter, streamID: Int64) throws {
        // All that can fail comes first: a value with a deinit is initialised wholly or not at all.
        let database = writer.database
        let order = try writer.reader.stream(id: streamID)?.order ?? .newest
        let lookUp = try RawStatement(database, PhotoSQL.byExternalID)
        let insert = try RawStatement(database, PhotoSQL.insert)
        let update = try RawStatement(database, PhotoSQL.update)
        let updateEndingMove = try RawStatement(database, PhotoSQL.updateEndingMove)
        self.database = database
        self.streamID = streamID
        self.order = order
        self.lookUp = lookUp
        self.insert = insert
        self.update = update
        self.updateEndingMove = updateEndingMove
        binding = PhotoBinding()
    }

    deinit {
        for statement in [lookUp, insert, update, updateEndingMove] { statement.clear() }
    }

    /// The stored photo of that id, if there is one.
    mutating func find(_ id: PhotoID) throws -> StoredPhoto? {
        binding.bind(streamID: streamID, id: id, to: lookUp)
        return try lookUp.first(PhotoRow.storedPhoto)
    }

    /// Adds a photo.
    ///
    /// - Returns: Its row id.
    mutating func add(_ photo: Photo) throws -> Int64 {
        binding.bind(new: photo, streamID: streamID, order, to: insert)
        try insert.run()
        return database.lastInsertedRowID
    }

    /// Adds a photo unless there is one of its id, without looking first: half the way through the index for those that
    /// are new, and a slow failure for those that are not.
    ///
    /// - Returns: Its row id, or `nil` where the id is taken; nothing was written then.
    mutating func addIfNew(_ photo: Photo) throws -> Int64? {
        binding.bind(new: photo, streamID: streamID, order, to: insert)
        do {
            try insert.run()
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
            // OR FAIL leaves what the trigger has logged before: that a row is about to be replaced.
            try RawStatement(
                database,
                "DELETE FROM change WHERE revision = (SELECT max(revision) FROM change) AND kind = 3"
            ).run()
            return nil
        }
        return database.lastInsertedRowID
    }

    /// Writes what a stored photo became, unless that is what it was.
    ///
    /// - Returns: Whether anything was written.
    mutating func replace(_ stored: StoredPhoto, with photo: Photo) throws -> Bool {
        guard !photo.isStoredAlike(stored.photo) else { return false }
        let endsMove = order != .manual && photo.takenAt != stored.photo.takenAt
        let statement = endsMove ? updateEndingMove : update
        binding.bind(changed: photo, rowID: stored.rowID, to: statement)
        try statement.run()
        return true
    }
}

extension Photo {
    /// Whether both are stored as the same bytes.
    ///
    /// Swift's strings are equal where Unicode calls them equivalent; a path in another normal form is another path.
    func isStoredAlike(_ other: Photo) -> Bool {
        func alike(_ left: String?, _ right: String?) -> Bool {
            (left ?? "").utf8.elementsEqual((right ?? "").utf8)
        }
        return self == other && alike(caption, other.caption) && alike(alt, other.alt)
            && alike(location, other.location) && alike(contentHash, other.contentHash)
            && alike(placeholder, other.placeholder) && zip(tags, other.tags).allSatisfy { alike($0, $1) }
    }
}
