import GRDB
import PhotoStreamModel

/// Applies the records of one import transaction.
///
/// Consecutive new photos are inserted without triggers, and their rows of the change log are written in one statement
/// afterwards: the same rows at half the cost. Changes of stored photos use the triggers.
struct ImportTransaction: ~Copyable {
    /// The number of records between two checks of the time.
    private static let recordsPerLook = 256

    /// The number of consecutive new photos after which the next is expected to be new as well.
    private static let fastPathThreshold = 64

    private let writer: PhotoWriter
    private let author: Photo.Author
    private let canOmitTriggers: Bool
    private let streamID: Int64
    /// Whether a record may be that of a photo that is kept as deleted.
    private let mayBeDeleted: Bool
    private let restoresDeleted: Bool
    private var rows: PhotoRowWriter
    private var newInARow = 0
    private(set) var result = ImportBatchResult()

    init(
        writer: PhotoWriter, streamID: Int64, author: Photo.Author = .importer, restoresDeleted: Bool = false
    ) throws {
        // Everything that can fail comes first: a value with a deinit must be initialised completely or not at all.
        let mayBeDeleted = try writer.reader.hasDeletedPhotos(streamID: streamID)
        let mayRestore = try mayBeDeleted && (restoresDeleted || writer.reader.hasPrunedPhotos(streamID: streamID))
        let canOmitTriggers = try !mayRestore && writer.canInsertWithoutTriggers()
        rows = try PhotoRowWriter(writer, streamID: streamID)
        (self.streamID, self.mayBeDeleted, self.restoresDeleted) = (streamID, mayBeDeleted, restoresDeleted)
        self.canOmitTriggers = canOmitTriggers
        self.writer = writer
        self.author = author
    }

    /// Applies records until the last one or the deadline.
    mutating func apply(
        _ records: ArraySlice<PhotoRecord>,
        seen: inout RowIDSet,
        until deadline: ContinuousClock.Instant
    ) throws {
        result.outcomes.reserveCapacity(records.count)
        writer.newRowIDs?.expect(records.count)
        var position = records.startIndex
        while position < records.endIndex, !isOver(deadline) {
            if canOmitTriggers, newInARow >= Self.fastPathThreshold {
                try applyWithoutTriggers(records, from: &position, seen: &seen, until: deadline)
            } else {
                result.outcomes.append(try apply(records[position], seen: &seen))
                position += 1
            }
        }
    }

    private func isOver(_ deadline: ContinuousClock.Instant) -> Bool {
        let count = result.outcomes.count
        guard count > 0, count % Self.recordsPerLook == 0 else { return false }
        return ContinuousClock.now >= deadline || Task.isCancelled
    }

    /// Applies one record with the triggers enabled.
    private mutating func apply(_ record: PhotoRecord, seen: inout RowIDSet) throws -> ImportOutcome {
        let stored: StoredPhoto
        switch try insertOrFind(record, seen: &seen) {
        case .inserted: return .inserted
        case .deleted: return .deleted
        case .restored(let photo):
            seen.insert(photo.rowID)
            _ = try rows.replace(photo, with: Photo.applying(record, to: photo.photo, by: author), by: author)
            return .inserted
        case .found(let photo): stored = photo
        }
        guard seen.insert(stored.rowID) else { return .duplicate }
        let photo = Photo.applying(record, to: stored.photo, by: author)
        count(photo)
        return try rows.replace(stored, with: photo, by: author) ? .updated : .unchanged
    }

    /// Applies records with the triggers disabled, up to the first that would change a stored photo.
    private mutating func applyWithoutTriggers(
        _ records: ArraySlice<PhotoRecord>,
        from position: inout Int,
        seen: inout RowIDSet,
        until deadline: ContinuousClock.Instant
    ) throws {
        let writer = writer
        try writer.insertingWithoutTriggers {
            var inserted: (rowIDs: ClosedRange<Int64>, count: Int)?
            repeat {
                let record = records[position]
                switch try insertOrFind(record, seen: &seen) {
                case .inserted(let rowID):
                    inserted = ((inserted?.rowIDs.lowerBound ?? rowID)...rowID, (inserted?.count ?? 0) + 1)
                    result.outcomes.append(.inserted)
                case .deleted: result.outcomes.append(.deleted)
                // Photos are never restored without triggers.
                case .restored: return inserted
                case .found(let stored):
                    guard let outcome = unchangedOutcome(for: record, stored: stored, seen: &seen) else {
                        return inserted
                    }
                    result.outcomes.append(outcome)
                }
                position += 1
            } while position < records.endIndex && !isOver(deadline)
            return inserted
        }
    }

    private enum Place {
        case inserted(rowID: Int64)
        case found(StoredPhoto)
        case deleted
        case restored(StoredPhoto)
    }

    /// Inserts a photo unless the stream has it; otherwise returns the stored one.
    private mutating func insertOrFind(_ record: PhotoRecord, seen: inout RowIDSet) throws -> Place {
        if mayBeDeleted, let reason = try writer.reader.deletion(streamID: streamID, id: record.id),
            try rows.find(record.id) == nil
        {
            guard restoresDeleted || reason == .fileVanished else { return .deleted }
            if let photo = try writer.restorePhoto(streamID: streamID, id: record.id) { return .restored(photo) }
        }
        if newInARow >= Self.fastPathThreshold {
            let photo = Photo.applying(record, to: nil, by: author)
            if let rowID = try rows.addIfNew(photo) {
                return try inserted(photo, from: record, rowID: rowID, seen: &seen)
            }
        }
        guard let stored = try rows.find(record.id) else {
            let photo = Photo.applying(record, to: nil, by: author)
            return try inserted(photo, from: record, rowID: try rows.add(photo), seen: &seen)
        }
        newInARow = 0
        return .found(stored)
    }

    private mutating func inserted(
        _ photo: Photo, from record: PhotoRecord, rowID: Int64, seen: inout RowIDSet
    ) throws -> Place {
        if let move = record.exported?.move { try rows.restore(move, of: rowID) }
        seen.insert(rowID)
        newInARow += 1
        count(photo)
        return .inserted(rowID: rowID)
    }

    /// Returns the outcome of a record that changes nothing; `nil`, without recording anything, for any other.
    private mutating func unchangedOutcome(
        for record: PhotoRecord, stored: StoredPhoto, seen: inout RowIDSet
    ) -> ImportOutcome? {
        guard !seen.contains(stored.rowID) else { return .duplicate }
        let photo = Photo.applying(record, to: stored.photo, by: author)
        guard photo.isStoredAlike(stored.photo) else { return nil }
        seen.insert(stored.rowID)
        count(photo)
        return .unchanged
    }

    private mutating func count(_ photo: Photo) {
        if photo.metricsSource == .assumed { result.assumedCount += 1 }
    }
}
