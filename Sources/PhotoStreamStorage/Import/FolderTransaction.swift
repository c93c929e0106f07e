import PhotoStreamModel

/// Stores the files of one transaction.
struct FolderTransaction: ~Copyable {
    private let writer: PhotoWriter
    private let streamID: Int64
    private let restoresDeleted: Bool
    private var records: ImportTransaction
    private var stacks: FolderStacks
    private(set) var result = FolderBatchResult()

    init(writer: PhotoWriter, streamID: Int64, restoresDeleted: Bool, rules: StackRules) throws {
        let records = try ImportTransaction(
            writer: writer, streamID: streamID, author: .file, restoresDeleted: restoresDeleted)
        self.records = records
        self.writer = writer
        stacks = FolderStacks(writer: writer, streamID: streamID, rules: rules)
        (self.streamID, self.restoresDeleted) = (streamID, restoresDeleted)
    }

    /// Stores entries in order; consecutive records together, which is faster.
    mutating func apply(_ entries: ArraySlice<FolderEntry>, seen: inout RowIDSet) throws {
        var waiting: [PhotoRecord] = []
        var (rows, savedCount): ([PictureFileRow], Int) = ([], 0)
        for var entry in entries {
            if var record = entry.record {
                guard try !writer.reader.hasFile(streamID: streamID, id: record.id, outside: entry.row.rootID) else {
                    try write(&waiting, seen: &seen)
                    result.outcomes.append(.takenByOtherRoot)
                    continue
                }
                if entry.movedFrom != nil {
                    // It may be the former file of one of these.
                    try write(&waiting, seen: &seen)
                    try writer.savePictureFiles(streamID: streamID, rows[savedCount...])
                    savedCount = rows.count
                }
                if let old = entry.movedFrom, try rename(old, to: entry, with: record) {
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
        try writer.savePictureFiles(streamID: streamID, rows[savedCount...])
        try stacks.stack(rows)
        result.hiddenCounts = stacks.hiddenCounts
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
    /// its new id. The photo of another picture that had the file's name loses its id, and nothing else.
    ///
    /// - Returns: The outcome; `nil` if the record is imported like any other.
    private func comeBack(_ entry: inout FolderEntry, with record: inout PhotoRecord) throws -> FolderOutcome? {
        let (reader, row, content) = (writer.reader, entry.row, entry.content)
        let known = try reader.pictureFile(streamID: streamID, rootID: row.rootID, path: row.path)
        let tombstone = try content.flatMap { content in
            try reader.tombstone(streamID: streamID, content: content, byteCount: row.byteCount)
        }
        if try reader.place(streamID: streamID, id: record.id) != nil {
            guard tombstone != nil, let known, let content, known.content?.isOf(content) == false,
                try giveFreeName(to: known, insteadOf: record.id)
            else { return nil }
        }
        let isDeletedPath = known.map { known in
            known.photo == nil
                && (known.state == .read || known.state == .vanished && known.hasContent(content, of: row))
        }
        for id in [record.id, tombstone?.id] {
            if let id, let photo = try reader.deletedPhoto(streamID: streamID, id: id) {
                entry.row.keepTime(of: photo, in: &record)
            }
        }
        if !restoresDeleted {
            if isDeletedPath == true, try reader.deletion(streamID: streamID, id: record.id) != .fileVanished {
                if let known { try keepDeleted(known, as: row, with: content) }
                return .imported(.deleted)
            }
            if let tombstone, let content, !tombstone.isPruned {
                // It may be known by all bytes of its file only, which metadata change.
                try writer.addTombstone(
                    tombstone, streamID: streamID, key: KnownContent(content).tombstoneKey(byteCount: row.byteCount))
                return .imported(.deleted)
            }
        }
        guard let tombstone, let content else { return nil }
        var isRestored = false
        if tombstone.id != record.id, try reader.deletion(streamID: streamID, id: tombstone.id) != nil,
            case .set(let location) = record.location
        {
            try writer.freeDeletedID(record.id, streamID: streamID)
            var id = tombstone.id
            if try reader.place(streamID: streamID, id: id) != nil {
                // Another picture has its name now.
                try writer.renameDeletedPhoto(streamID: streamID, from: id, to: record.id)
                id = record.id
            }
            isRestored =
                try writer.restorePhoto(streamID: streamID, id: id) != nil
                && writer.renamePhoto(streamID: streamID, from: id, to: record.id, location: location)
            // The file at the former path is this one; left as a vanished file, it would cause the photo to be pruned.
            if isRestored { try writer.forgetFile(at: id, ofPhoto: record.id, streamID: streamID) }
        }
        try writer.removeTombstones(streamID: streamID, content.tombstoneKeys(byteCount: row.byteCount))
        return isRestored ? .moved : nil
    }

    /// Notes the new content of a file whose photo a person deleted, so that it still belongs to that photo.
    ///
    /// If the data of its picture were known, another content is that of another picture, whose photo was not deleted.
    private func keepDeleted(_ known: PictureFileRow, as row: PictureFileRow, with content: FileContent?) throws {
        guard let former = known.content, former.kind == .allBytes, let content, former != KnownContent(content),
            let tombstone = try writer.reader.tombstone(
                streamID: streamID, former.tombstoneKey(byteCount: known.byteCount))
        else { return }
        try writer.addTombstone(
            tombstone, streamID: streamID, key: KnownContent(content).tombstoneKey(byteCount: row.byteCount))
    }

    /// Gives the photo of a moved file its new id and location.
    ///
    /// If files have swapped names, the id belongs to the photo of another picture; that one gets a free id until its own file
    /// is stored.
    ///
    /// - Returns: Whether there was such a photo, and no photo of another file with the new id.
    private func rename(_ old: PictureFileRow, to entry: FolderEntry, with record: PhotoRecord) throws -> Bool {
        // An earlier entry may have renamed it, or stored another picture in its place.
        guard let rowID = old.rowID, let now = try writer.reader.pictureFile(rowID: rowID), now.content == old.content,
            let id = now.photo, case .set(let location) = record.location
        else { return false }
        let holder = try writer.reader.pictureFile(
            streamID: streamID, rootID: entry.row.rootID, path: entry.row.path)
        if let holder, holder.rowID != rowID, holder.photo == record.id {
            guard try giveFreeName(to: holder, insteadOf: record.id) else { return false }
        }
        guard try writer.renamePhoto(streamID: streamID, from: id, to: record.id, location: location) else {
            return false
        }
        try writer.freeDeletedID(record.id, streamID: streamID)
        try writer.deletePictureFiles(streamID: streamID, rootID: now.rootID, paths: [now.path])
        return true
    }

    /// Gives the photo of a file whose name belongs to another picture now a free id, and marks the file as vanished under
    /// that name: it is found again by its content.
    ///
    /// - Returns: Whether it was the photo of that file, and a name was free.
    private func giveFreeName(to file: PictureFileRow, insteadOf id: PhotoID) throws -> Bool {
        guard file.photo == id, let rowID = file.rowID,
            let free = try writer.reader.freeName(like: file.path, streamID: streamID),
            try writer.renamePhoto(streamID: streamID, from: id, to: free, location: free.rawValue)
        else { return false }
        try writer.markVanished(rowID: rowID, as: free.rawValue, streamID: streamID)
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
