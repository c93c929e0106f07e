import GRDB
import PhotoStreamModel

/// The records of one import transaction, one after the other.
struct ImportBatch: ~Copyable {
    /// How many records go between two looks at the clock.
    private static let recordsPerLook = 256

    private var rows: PhotoRowWriter
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
        guard let stored = try rows.find(record.id) else {
            let photo = Photo.applying(record, to: nil, by: .importer)
            seen.insert(try rows.add(photo))
            count(photo)
            return .inserted
        }
        guard seen.insert(stored.rowID) else { return .duplicate }
        let photo = Photo.applying(record, to: stored.photo, by: .importer)
        count(photo)
        return try rows.replace(stored, with: photo) ? .updated : .unchanged
    }

    private mutating func count(_ photo: Photo) {
        if photo.metricsSource == .assumed { result.assumedCount += 1 }
    }
}
