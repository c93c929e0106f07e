import GRDB
package import PhotoStreamModel

/// A file of a folder to store: its own row, and the record of its photo if it yields one.
package struct FolderEntry: Sendable {
    /// The row of the file.
    package var row: PictureFileRow
    /// The record of its photo; `nil` if only the row is stored.
    package var record: PhotoRecord?
    /// The vanished file that was moved here.
    package var movedFrom: PictureFileRow?

    /// Creates an entry.
    package init(row: PictureFileRow, record: PhotoRecord? = nil, movedFrom: PictureFileRow? = nil) {
        (self.row, self.record, self.movedFrom) = (row, record, movedFrom)
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
    package fileprivate(set) var outcomes: [FolderOutcome] = []
    /// The number of records that left a photo with an assumed size.
    package fileprivate(set) var assumedCount = 0
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
    ///   - seen: The photos that this run has already imported; updated by the call.
    ///   - budgetMilliseconds: The maximum time of the transaction before its commit, checked every 64 files.
    /// - Returns: The outcomes of the entries processed. The caller passes the rest in the next batch.
    /// - Throws: ``StorageError``; with code `notFound` if the stream was deleted.
    /// - Complexity: O(log n) per file.
    package func importFiles(
        _ entries: ArraySlice<FolderEntry>, into streamID: Int64, run runID: Int64? = nil,
        restoringDeleted restoresDeleted: Bool = false, seen: inout RowIDSet, budgetMilliseconds: Int = 100
    ) throws -> FolderBatchResult {
        guard !entries.isEmpty else { return FolderBatchResult() }
        return try writeBatch(into: streamID, run: runID, seen: &seen) { writer, seen in
            let deadline = ContinuousClock.now.advanced(by: .milliseconds(budgetMilliseconds))
            var transaction = try FolderTransaction(
                writer: writer, streamID: streamID, restoresDeleted: restoresDeleted)
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

    /// Whether a file of another root that has not vanished provides the photo with an id.
    fileprivate func hasFile(streamID: Int64, id: PhotoID, outside rootID: Int64) throws -> Bool {
        guard let place = try place(streamID: streamID, id: id) else { return false }
        let sql = """
            SELECT 1 FROM pictureFile INDEXED BY pictureFilePhoto
            WHERE photoId = ?1 AND rootId <> ?2 AND state <> \(PictureFileRow.State.vanished.rawValue) LIMIT 1
            """
        return try database.exists(sql, with: place.rowID, rootID)
    }
}

/// Stores the files of one transaction.
private struct FolderTransaction: ~Copyable {
    private let writer: PhotoWriter
    private let streamID: Int64
    private let restoresDeleted: Bool
    private var records: ImportTransaction
    private(set) var result = FolderBatchResult()

    init(writer: PhotoWriter, streamID: Int64, restoresDeleted: Bool) throws {
        let records = try ImportTransaction(
            writer: writer, streamID: streamID, author: .file, restoresDeleted: restoresDeleted)
        self.records = records
        self.writer = writer
        (self.streamID, self.restoresDeleted) = (streamID, restoresDeleted)
    }

    /// Stores entries in order; consecutive records together, which is faster.
    mutating func apply(_ entries: ArraySlice<FolderEntry>, seen: inout RowIDSet) throws {
        var waiting: [PhotoRecord] = []
        var rows: [PictureFileRow] = []
        for var entry in entries {
            if var record = entry.record {
                guard try !writer.reader.hasFile(streamID: streamID, id: record.id, outside: entry.row.rootID) else {
                    try write(&waiting, seen: &seen)
                    result.outcomes.append(.takenByOtherRoot)
                    continue
                }
                if let old = entry.movedFrom, try rename(old, to: entry, with: record) {
                    try write(&waiting, seen: &seen)
                    _ = try outcomes(of: [record], seen: &seen)
                    result.outcomes.append(.moved)
                } else if let outcome = try comeBack(&entry, with: &record) {
                    try write(&waiting, seen: &seen)
                    if outcome == .moved { _ = try outcomes(of: [record], seen: &seen) }
                    result.outcomes.append(outcome)
                } else {
                    waiting.append(record)
                }
            } else {
                try write(&waiting, seen: &seen)
                result.outcomes.append(.noted)
            }
            rows.append(entry.row)
        }
        try write(&waiting, seen: &seen)
        // After the photos, which the rows are linked to.
        try writer.savePictureFiles(streamID: streamID, rows)
        result.assumedCount = records.result.assumedCount
    }

    /// Writes records that belong to no moved files.
    private mutating func write(_ waiting: inout [PhotoRecord], seen: inout RowIDSet) throws {
        guard !waiting.isEmpty else { return }
        for outcome in try outcomes(of: waiting, seen: &seen) { result.outcomes.append(.imported(outcome)) }
        waiting = []
    }

    private mutating func outcomes(of all: [PhotoRecord], seen: inout RowIDSet) throws -> [ImportOutcome] {
        let start = records.result.outcomes.count
        // No deadline: the records are few. Only a cancelled task ends it early.
        try records.apply(all[...], seen: &seen, until: .now.advanced(by: .seconds(3_600)))
        let outcomes = Array(records.result.outcomes[start...])
        guard outcomes.count == all.count else { throw CancellationError() }
        return outcomes
    }

    /// Decides about a file whose photo was deleted, regardless of the file's name now.
    ///
    /// A path whose photo a person deleted stays without one, even if the file changes; so does its content, unless a
    /// photo of the stream has it. A photo that was removed because its file had vanished comes back unchanged, under
    /// its new id.
    ///
    /// - Returns: The outcome; `nil` if the record is imported like any other.
    private func comeBack(_ entry: inout FolderEntry, with record: inout PhotoRecord) throws -> FolderOutcome? {
        let (reader, row) = (writer.reader, entry.row)
        guard try reader.place(streamID: streamID, id: record.id) == nil else { return nil }
        let known = try reader.pictureFile(streamID: streamID, rootID: row.rootID, path: row.path)
        let isDeletedPath = known.map { known in
            known.photo == nil
                && (known.state == .read || known.state == .vanished && known.hasContent(of: row))
        }
        var tombstone: Tombstone?
        if let hash = row.contentHash {
            tombstone = try reader.tombstone(streamID: streamID, byteCount: row.byteCount, contentHash: hash)
        }
        for id in [record.id, tombstone?.id] {
            if let id, let photo = try reader.deletedPhoto(streamID: streamID, id: id) {
                entry.row.keepTime(of: photo, in: &record)
            }
        }
        if !restoresDeleted {
            if isDeletedPath == true, try reader.deletion(streamID: streamID, id: record.id) != .fileVanished {
                if let known { try keepDeleted(known, as: row) }
                return .imported(.deleted)
            }
            if tombstone?.isPruned == false { return .imported(.deleted) }
        }
        guard let tombstone, let hash = row.contentHash else { return nil }
        var isRestored = false
        if tombstone.id != record.id, try reader.deletion(streamID: streamID, id: tombstone.id) != nil,
            try reader.place(streamID: streamID, id: tombstone.id) == nil,
            try writer.restorePhoto(streamID: streamID, id: tombstone.id) != nil,
            case .set(let location) = record.location
        {
            isRestored = try writer.renamePhoto(
                streamID: streamID, from: tombstone.id, to: record.id, location: location)
        }
        // The file at the former path is this one; left as a vanished file, it would cause the photo to be pruned.
        if isRestored { try writer.forgetFile(at: tombstone.id, ofPhoto: record.id, streamID: streamID) }
        try writer.removeTombstone(streamID: streamID, byteCount: row.byteCount, contentHash: hash)
        return isRestored ? .moved : nil
    }

    /// Notes the new content of a file whose photo a person deleted, so that it still belongs to that photo.
    private func keepDeleted(_ known: PictureFileRow, as row: PictureFileRow) throws {
        guard let former = known.contentHash, let hash = row.contentHash, !known.hasContent(of: row),
            let tombstone = try writer.reader.tombstone(
                streamID: streamID, byteCount: known.byteCount, contentHash: former)
        else { return }
        try writer.addTombstone(tombstone, streamID: streamID, byteCount: row.byteCount, contentHash: hash)
    }

    /// Gives the photo of a moved file its new id and location.
    ///
    /// - Returns: Whether there was such a photo, and none with the new id.
    private func rename(_ old: PictureFileRow, to entry: FolderEntry, with record: PhotoRecord) throws -> Bool {
        guard let id = old.photo, case .set(let location) = record.location,
            try writer.renamePhoto(streamID: streamID, from: id, to: record.id, location: location)
        else { return false }
        try writer.deletePictureFiles(streamID: streamID, rootID: old.rootID, paths: [old.path])
        return true
    }
}

extension PictureFileRow {
    /// Keeps the earlier time of a deleted photo: a copy of its file, or an edit of its metadata, does not make it
    /// younger.
    fileprivate mutating func keepTime(of photo: Photo, in record: inout PhotoRecord) {
        guard fieldSources[.takenAt] == .fileTime, case .set(let time) = record.takenAt, let earlier = photo.takenAt,
            earlier.milliseconds < time.milliseconds,
            Photo.applying(record, to: nil, by: .file).pixelSize == photo.pixelSize
        else { return }
        record.takenAt = .set(earlier)
        let (difference, isTooFar) = (time.milliseconds - earlier.milliseconds).multipliedReportingOverflow(
            by: 1_000_000)
        guard !isTooFar else { return }
        earliestNanoseconds = min(earliestNanoseconds, earliestNanoseconds &- difference)
    }
}
