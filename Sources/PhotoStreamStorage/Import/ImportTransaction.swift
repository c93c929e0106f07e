import GRDB
import PhotoStreamModel

/// One transaction of an import, which applies records one after the other.
///
/// Runs of new photos go in without triggers, and their part of the change log is written in one statement behind them:
/// the rows of the log are the same, at half the price. What changes a stored photo goes by the triggers.
struct ImportTransaction: ~Copyable {
    /// How many records go between two looks at the clock.
    private static let recordsPerLook = 256

    /// After so many new photos in a row the next is taken for new too.
    private static let confidence = 64

    private let writer: PhotoWriter
    private let canOmitTriggers: Bool
    private var rows: PhotoRowWriter
    private var newInARow = 0
    private(set) var result = ImportBatchResult()

    init(writer: PhotoWriter, streamID: Int64) throws {
        // What can fail comes first: a value with a deinit is initialised wholly or not at all.
        let canOmitTriggers = try writer.canInsertWithoutTriggers()
        rows = try PhotoRowWriter(writer, streamID: streamID)
        self.canOmitTriggers = canOmitTriggers
        self.writer = writer
    }

    /// Applies records until there are no more or the time is over.
    mutating func apply(
        _ records: ArraySlice<PhotoRecord>,
        seen: inout RowIDSet,
        until deadline: ContinuousClock.Instant
    ) throws {
        result.outcomes.reserveCapacity(records.count)
        var position = records.startIndex
        while position < records.endIndex, !isOver(deadline) {
            if canOmitTriggers, newInARow >= Self.confidence {
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

    /// Applies one record, with the triggers on.
    private mutating func apply(_ record: PhotoRecord, seen: inout RowIDSet) throws -> ImportOutcome {
        let stored: StoredPhoto
        switch try insertOrFind(record, seen: &seen) {
        case .inserted: return .inserted
        case .found(let photo): stored = photo
        }
        guard seen.insert(stored.rowID) else { return .duplicate }
        let photo = Photo.applying(record, to: stored.photo, by: .importer)
        count(photo)
        return try rows.replace(stored, with: photo) ? .updated : .unchanged
    }

    /// Applies records with the triggers off, up to the first that would change a stored photo.
    private mutating func applyWithoutTriggers(
        _ records: ArraySlice<PhotoRecord>,
        from position: inout Int,
        seen: inout RowIDSet,
        until deadline: ContinuousClock.Instant
    ) throws {
        let writer = writer
        try writer.insertingWithoutTriggers {
            var inserted: ClosedRange<Int64>?
            repeat {
                let record = records[position]
                switch try insertOrFind(record, seen: &seen) {
                case .inserted(let rowID):
                    inserted = (inserted?.lowerBound ?? rowID)...rowID
                    result.outcomes.append(.inserted)
                case .found(let stored):
                    guard let outcome = leaveAsItIs(stored, record, seen: &seen) else { return inserted }
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
    }

    /// Adds a photo that the stream does not have, else says what it has.
    private mutating func insertOrFind(_ record: PhotoRecord, seen: inout RowIDSet) throws -> Place {
        if newInARow >= Self.confidence {
            let photo = Photo.applying(record, to: nil, by: .importer)
            if let rowID = try rows.addIfNew(photo) { return inserted(photo, rowID, seen: &seen) }
        }
        guard let stored = try rows.find(record.id) else {
            let photo = Photo.applying(record, to: nil, by: .importer)
            return inserted(photo, try rows.add(photo), seen: &seen)
        }
        newInARow = 0
        return .found(stored)
    }

    private mutating func inserted(_ photo: Photo, _ rowID: Int64, seen: inout RowIDSet) -> Place {
        seen.insert(rowID)
        newInARow += 1
        count(photo)
        return .inserted(rowID: rowID)
    }

    /// What becomes of a record that changes nothing; `nil` for one that does, of which no note is taken.
    private mutating func leaveAsItIs(
        _ stored: StoredPhoto, _ record: PhotoRecord, seen: inout RowIDSet
    ) -> ImportOutcome? {
        guard !seen.contains(stored.rowID) else { return .duplicate }
        let photo = Photo.applying(record, to: stored.photo, by: .importer)
        guard photo.isStoredAlike(stored.photo) else { return nil }
        seen.insert(stored.rowID)
        count(photo)
        return .unchanged
    }

    private mutating func count(_ photo: Photo) {
        if photo.metricsSource == .assumed { result.assumedCount += 1 }
    }
}
