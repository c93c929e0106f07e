import GRDB
package import PhotoStreamModel

/// A file of a folder to store: its own row, and the record of its photo if it yields one.
package struct FolderEntry: Sendable {
    /// The row of the file.
    package var row: PictureFileRow
    /// The record of its photo; `nil` if only the row is stored.
    package var record: PhotoRecord?
    /// The content, if the file was read as a whole.
    package var content: FileContent?
    /// The file that was moved here: one that has vanished, or whose name belongs to another picture now.
    package var movedFrom: PictureFileRow?

    /// Creates an entry.
    package init(
        row: PictureFileRow, record: PhotoRecord? = nil, content: FileContent? = nil, movedFrom: PictureFileRow? = nil
    ) {
        (self.row, self.record, self.content, self.movedFrom) = (row, record, content, movedFrom)
    }
}

/// The outcome of a ``FolderEntry``.
package enum FolderOutcome: Hashable, Sendable {
    /// The outcome of its record.
    case imported(ImportOutcome)
    /// The file was moved; its photo has a new id.
    case moved
    /// A file of another root provides the photo with that id; nothing was stored.
    case takenByOtherRoot
    /// Only the row was stored.
    case noted
}

/// The result of one write transaction of an import of a folder.
package struct FolderBatchResult: Sendable {
    /// The outcomes of the first entries, as many as fitted into the budget; at least one.
    package internal(set) var outcomes: [FolderOutcome] = []
    /// The number of records that left a photo with an assumed size.
    package internal(set) var assumedCount = 0
    /// The numbers of photos that were hidden in stacks, by kind.
    package internal(set) var hiddenCounts: [StackKind: Int] = [:]
}

extension PhotoDatabase {
    /// The number of files stored between two checks of the time.
    private static var filesPerLook: Int { 64 }

    /// Stores files and the records of their photos in one write transaction, which ends when the budget is spent.
    ///
    /// The rules for records are those of ``Photo/Author/file``. If the call throws, the file and `seen` are unchanged.
    ///
    /// - Parameters:
    ///   - entries: The files, in order.
    ///   - streamID: The row id of the stream.
    ///   - runID: The run, whose row shows other processes that it is still running.
    ///   - restoresDeleted: Whether photos that a person deleted come back; otherwise their files change nothing.
    ///   - rules: The rules of stacks.
    ///   - seen: The photos that this run has already imported; updated by the call.
    ///   - budgetMilliseconds: The maximum time of the transaction before its commit, checked every 64 files.
    /// - Returns: The outcomes of the entries processed. The caller passes the rest in the next batch.
    /// - Throws: ``StorageError``; with code `notFound` if the stream was deleted.
    /// - Complexity: O(log n) per file.
    package func importFiles(
        _ entries: ArraySlice<FolderEntry>, into streamID: Int64, run runID: Int64? = nil,
        restoringDeleted restoresDeleted: Bool = false, stacking rules: StackRules = .pairs, seen: inout RowIDSet,
        budgetMilliseconds: Int = 100
    ) throws -> FolderBatchResult {
        guard !entries.isEmpty else { return FolderBatchResult() }
        return try writeBatch(into: streamID, run: runID, seen: &seen) { writer, seen in
            let deadline = ContinuousClock.now.advanced(by: .milliseconds(budgetMilliseconds))
            var transaction = try FolderTransaction(
                writer: writer, streamID: streamID, restoresDeleted: restoresDeleted, rules: rules)
            var position = entries.startIndex
            repeat {
                let end = min(position + Self.filesPerLook, entries.endIndex)
                try transaction.apply(entries[position..<end], seen: &seen)
                position = end
            } while position < entries.endIndex && ContinuousClock.now < deadline
            return (transaction.result, transaction.result.outcomes.count)
        }
    }

    /// Notes that files have vanished in one write transaction.
    ///
    /// - Parameters:
    ///   - rows: The files, of one root, not more than a few thousand.
    ///   - streamID: The row id of the stream.
    ///   - now: The present time, in milliseconds since 1970.
    ///   - prunes: Whether their photos are removed, and kept for 30 days; otherwise the rows of files with a photo stay, as
    ///     vanished.
    /// - Throws: ``StorageError``.
    package func noteVanished(_ rows: [PictureFileRow], of streamID: Int64, at now: Int64, prunes: Bool) throws {
        guard let rootID = rows.first?.rootID else { return }
        try write { writer in
            // If a person deleted its photo, the file is remembered: it may come back with its disk.
            let isDeleted = { (row: PictureFileRow) in row.photo == nil && [.read, .vanished].contains(row.state) }
            let forgotten = rows.filter { $0.photo == nil ? !isDeleted($0) : prunes }
            if prunes {
                try writer.prunePhotos(streamID: streamID, ids: rows.compactMap(\.photo), now: now)
            }
            try writer.deletePictureFiles(streamID: streamID, rootID: rootID, paths: forgotten.map(\.path))
            if !prunes {
                let kept = rows.filter { ($0.photo != nil || isDeleted($0)) && $0.vanishedAtMilliseconds == nil }
                try writer.markVanished(streamID: streamID, rootID: rootID, paths: kept.map(\.path), at: now)
            }
            try writer.trimLog()
        }
    }
}

extension PhotoReader {
    /// Returns the known file at each of some paths from a root.
    ///
    /// - Complexity: O(log n) for each path.
    package func pictureFiles(
        streamID: Int64, rootID: Int64, paths: some Sequence<String>
    ) throws -> [PictureFileRow?] {
        try paths.map { try pictureFile(streamID: streamID, rootID: rootID, path: $0) }
    }

    /// Returns an id for a photo whose name belongs to another picture: the name with a number.
    ///
    /// - Returns: `nil` if no such id is free, or the name is too long.
    func freeName(like path: String, streamID: Int64) throws -> PhotoID? {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let name = path.dropFirst(folder.count)
        let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
        for number in 2...10_000 {
            guard let id = try? PhotoID("\(folder)\(name[..<dot])-\(number)\(name[dot...])") else { return nil }
            let isTaken =
                try place(streamID: streamID, id: id) != nil || deletion(streamID: streamID, id: id) != nil
                || database.exists(
                    """
                    SELECT 1 FROM pictureFile WHERE streamId = ?1 AND rootId IN (SELECT id FROM root) AND path = ?2
                    """, with: streamID, id.rawValue)
            if !isTaken { return id }
        }
        return nil
    }

    /// Whether a file of another root that has not vanished provides the photo with an id.
    func hasFile(streamID: Int64, id: PhotoID, outside rootID: Int64) throws -> Bool {
        guard let place = try place(streamID: streamID, id: id) else { return false }
        let sql = """
            SELECT 1 FROM pictureFile INDEXED BY pictureFilePhoto
            WHERE photoId = ?1 AND rootId <> ?2 AND state <> \(PictureFileRow.State.vanished.rawValue) LIMIT 1
            """
        return try database.exists(sql, with: place.rowID, rootID)
    }
}
