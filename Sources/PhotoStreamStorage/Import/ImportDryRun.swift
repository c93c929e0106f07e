import GRDB
package import PhotoStreamModel

/// Reports the outcome each record would have, without writing.
///
/// The ids that it has seen are kept in a private temporary database on disk, which SQLite deletes when the last copy of
/// the value goes. Memory does not grow with the number of records.
package struct ImportDryRun {
    private let database: PhotoDatabase?
    private let streamID: Int64?
    private let memory: DatabaseQueue
    /// How many records would leave a photo whose size is assumed; duplicates do not count.
    package private(set) var assumedCount = 0

    /// Starts a dry run.
    ///
    /// - Parameters:
    ///   - database: The file, or `nil` where it does not exist yet.
    ///   - streamID: The stream's row id, or `nil` where it does not exist yet.
    /// - Throws: ``StorageError`` when the temporary file cannot be made.
    package init(database: PhotoDatabase?, streamID: Int64?) throws {
        self.database = database
        self.streamID = streamID
        do {
            // The empty path is SQLite's word for a private file that is deleted when it is closed.
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

    /// Classifies records exactly as ``PhotoDatabase/importRecords(_:into:seen:budgetMilliseconds:)`` would.
    ///
    /// - Throws: ``StorageError``; with code `notFound` when the stream was deleted.
    /// - Complexity: O(log n) per record.
    package mutating func outcomes(of records: ArraySlice<PhotoRecord>) throws -> [ImportOutcome] {
        let isNew = try remember(records)
        guard let database, let streamID else {
            return classify(records, isNew: isNew) { _ in nil }
        }
        return try database.read { reader in
            guard try reader.stream(id: streamID) != nil else {
                throw StorageError(.notFound, "stream \(streamID) was deleted while an import was running")
            }
            return try classify(records, isNew: isNew) { try reader.photo(streamID: streamID, id: $0)?.photo }
        }
    }

    private mutating func classify(
        _ records: ArraySlice<PhotoRecord>,
        isNew: [Bool],
        stored: (PhotoID) throws -> Photo?
    ) rethrows -> [ImportOutcome] {
        var outcomes: [ImportOutcome] = []
        outcomes.reserveCapacity(records.count)
        for (record, isNew) in zip(records, isNew) {
            guard isNew else {
                outcomes.append(.duplicate)
                continue
            }
            let before = try stored(record.id)
            let photo = Photo.applying(record, to: before, by: .importer)
            if photo.metricsSource == .assumed { assumedCount += 1 }
            outcomes.append(before.map { photo.isStoredAlike($0) ? .unchanged : .updated } ?? .inserted)
        }
        return outcomes
    }

    /// Whether each record is the first of its id.
    private func remember(_ records: ArraySlice<PhotoRecord>) throws -> [Bool] {
        do {
            return try memory.write { database in
                let statement = try RawStatement(database, "INSERT OR IGNORE INTO met (id) VALUES (?1)")
                return try records.map { record in
                    try statement.bind(1, copying: record.id.rawValue)
                    try statement.run()
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
