public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// Writes a photo as a person describes it, all of it: what the record does not name is cleared, and everything
    /// outranks every later import.
    ///
    /// - Parameters:
    ///   - record: The photo.
    ///   - stream: The stream.
    ///   - check: Looks at the photo as it was, `nil` where there was none, in the transaction of the write; what it throws
    ///     prevents it.
    /// - Returns: The photo as it is now, and whether it is new.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, `ModelError` for a text that is too long, and what `check` throws.
    public func put(
        _ record: PhotoRecord, in stream: StreamName, if check: (Photo?) throws -> Void = { _ in }
    ) throws -> (photo: Photo, isNew: Bool) {
        try record.checkTexts()
        return try write { writer in
            let row = try self.stream(stream, writer.reader)
            let stored = try writer.reader.photo(streamID: row.id, id: record.id)
            try check(stored?.photo)
            let whole = record.replacingAll
            if stored != nil, let edited = try writer.edit(streamID: row.id, record: whole) {
                return (edited.photo, false)
            }
            return (try writer.add(streamID: row.id, record: whole).photo, true)
        }
    }
}

extension PhotoRecord {
    /// The record as the whole photo: what it does not name, it clears.
    fileprivate var replacingAll: PhotoRecord {
        func whole<Value>(_ change: FieldChange<Value>) -> FieldChange<Value> { change == .keep ? .clear : change }
        var record = self
        record.size = whole(size)
        record.orientation = whole(orientation)
        record.takenAt = whole(takenAt)
        record.caption = whole(caption)
        record.alt = whole(alt)
        record.tags = whole(tags)
        record.location = whole(location)
        record.coordinate = whole(coordinate)
        record.contentHash = whole(contentHash)
        record.placeholder = whole(placeholder)
        record.color = whole(color)
        return record
    }
}
