import GRDB
package import PhotoStreamModel

/// A dry run of an import: reports the outcome that each record would have, without writing to the file.
///
/// The ids seen so far are kept in a private temporary database on disk, which SQLite deletes when the last copy of the
/// value is released. Memory does not grow with the number of records.
package struct ImportDryRun {
    private let database: PhotoDatabase?
    private let streamID: Int64?
    private let restoresDeleted: Bool
    private let memory: DatabaseQueue
    /// The number of records that would leave a photo with an assumed size, without duplicates.
    package private(set) var assumedCount = 0

    /// Starts a dry run.
    ///
    /// - Parameters:
    ///   - database: The file; `nil` if it does not exist yet.
    ///   - streamID: The stream's row id; `nil` if it does not exist yet.
    ///   - restoresDeleted: Whether photos that a person deleted come back.
    /// - Throws: ``StorageError`` if the temporary file cannot be created.
    package init(database: PhotoDatabase?, streamID: Int64?, restoringDeleted restoresDeleted: Bool = false) throws {
        self.restoresDeleted = restoresDeleted
        self.database = database
        self.streamID = streamID
        do {
            // SQLite creates a private temporary file for an empty path.
            memory = try DatabaseQueue(path: "")
            try memory.writeWithoutTransaction { database in
                try database.execute(
                    sql: """
                        PRAGMA journal_mode = OFF;
                        PRAGMA synchronous = OFF;
                        PRAGMA cache_size = -16384;
                        CREATE TABLE met (id TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID
                        """
                )
            }
        } catch let error as DatabaseError {
            throw Self.storageError(error)
        }
    }

    /// Classifies records exactly as ``PhotoDatabase/importRecords(_:into:by:run:seen:budgetMilliseconds:)`` would.
    ///
    /// - Throws: ``StorageError``; with code `notFound` if the stream was deleted.
    /// - Complexity: O(log n) per record.
    package mutating func outcomes(
        of records: ArraySlice<PhotoRecord>, by author: Photo.Author = .importer
    ) throws -> [ImportOutcome] {
        let isNew = try remember(records)
        guard let database, let streamID else {
            return classify(records, isNew: isNew, author: author) { _ in (nil, false) }
        }
        return try database.read { reader in
            guard try reader.stream(id: streamID) != nil else {
                throw StorageError(.notFound, message: "stream \(streamID) was deleted while an import was running")
            }
            let mayBeDeleted = try reader.hasDeletedPhotos(streamID: streamID) && !restoresDeleted
            return try classify(records, isNew: isNew, author: author) { id in
                let photo = try reader.photo(streamID: streamID, id: id)?.photo
                return (photo, try photo == nil && mayBeDeleted && reader.isDeleted(streamID: streamID, id: id))
            }
        }
    }

    private mutating func classify(
        _ records: ArraySlice<PhotoRecord>,
        isNew: [Bool],
        author: Photo.Author,
        stored: (PhotoID) throws -> (photo: Photo?, isDeleted: Bool)
    ) rethrows -> [ImportOutcome] {
        var outcomes: [ImportOutcome] = []
        outcomes.reserveCapacity(records.count)
        for (record, isNew) in zip(records, isNew) {
            let (before, isDeleted) = try stored(record.id)
            guard isNew, !isDeleted else {
                outcomes.append(isDeleted ? .deleted : .duplicate)
                continue
            }
            let photo = Photo.applying(record, to: before, by: author)
            if photo.metricsSource == .assumed { assumedCount += 1 }
            outcomes.append(before.map { photo.isStoredAlike($0) ? .unchanged : .updated } ?? .inserted)
        }
        return outcomes
    }

    /// Whether each record is the first of its id.
    private func remember(_ records: ArraySlice<PhotoRecord>) throws -> [Bool] {
        do {
            return try memory.write { database in
                let statement = try RawStatement(database, sql: "INSERT OR IGNORE INTO met (id) VALUES (?1)")
                return try records.map { record in
                    try statement.run(with: record.id.rawValue)
                    return database.changesCount == 1
                }
            }
        } catch let error as DatabaseError {
            throw Self.storageError(error)
        }
    }

    private static func storageError(_ error: DatabaseError) -> StorageError {
        StorageError(error, path: "the temporary file of the dry run", busyTimeoutMilliseconds: 0)
    }
}
