import GRDB
import PhotoStreamModel

/// The records of one import transaction, one after the other.
struct ImportBatch: ~Copyable {
    /// How many records go between two looks at the clock.
    private static let recordsPerLook = 256

    /// After so many new photos in a row the next is taken for new too.
    private static let confidence = 64

    private var rows: PhotoRowWriter
    private var newInARow = 0
    private(set) var result = ImportBatchResult()

    init(writer: PhotoWriter, streamID: Int64) throws {
        rows = try PhotoRowWriter(database: writer.database, streamID: streamID)
    }

    /// Applies records until there are no more or the time is over.
    mutating func apply(
        _ records: ArraySlice<PhotoRecord>,
        seen: inout RowIDSet,
        until deadline: ContinuousClock.Instant
    ) throws {
        result.outcomes.reserveCapacity(records.count)
        for record in records {
            result.outcomes.append(try apply(record, seen: &seen))
            if result.outcomes.count % Self.recordsPerLook == 0, ContinuousClock.now >= deadline { return }
        }
    }

    private mutating func apply(_ record: PhotoRecord, seen: inout RowIDSet) throws -> ImportOutcome {
        if newInARow >= Self.confidence {
            let photo = Photo.applying(record, to: nil, by: .importer)
            if let rowID = try rows.addIfNew(photo) { return inserted(photo, rowID, seen: &seen) }
        }
        guard let stored = try rows.find(record.id) else {
            let photo = Photo.applying(record, to: nil, by: .importer)
            return inserted(photo, try rows.add(photo), seen: &seen)
        }
        newInARow = 0
        guard seen.insert(stored.rowID) else { return .duplicate }
        let photo = Photo.applying(record, to: stored.photo, by: .importer)
        count(photo)
        return try rows.replace(stored, with: photo) ? .updated : .unchanged
    }

    private mutating func inserted(_ photo: Photo, _ rowID: Int64, seen: inout RowIDSet) -> ImportOutcome {
        seen.insert(rowID)
        newInARow += 1
        count(photo)
        return .inserted
    }

    private mutating func count(_ photo: Photo) {
        if photo.metricsSource == .assumed { result.assumedCount += 1 }
    }
}
