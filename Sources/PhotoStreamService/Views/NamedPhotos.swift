import PhotoStreamModel
import PhotoStreamStorage

/// The photos that a name addresses: those of a stream, or those that a kept view shows.
struct NamedPhotos {
    /// The row of the name: that of the stream, or of the kept view.
    let row: StreamRow
    /// The stream that has the photos, under the name of the question.
    let stream: StreamRow
    /// The condition that the photos of a kept view meet, with fixed days; `nil` for a stream.
    let rule: Condition?
    /// Whether photos of the stream are archived.
    let hasArchived: Bool
    /// Whether photos of the stream were archived at an earlier revision that the log knows.
    let hadArchived: Bool

    /// Looks a row up.
    ///
    /// - Throws: `StorageError` with code `corrupt` if another program has deleted the source of a kept view, or has written a
    ///   rule that cannot be read.
    init(_ row: StreamRow, in reader: PhotoReader) throws {
        self.row = row
        guard let kept = row.kept else {
            (stream, rule) = (row, nil)
            (hasArchived, hadArchived) = (try reader.hasArchived(in: row.id), try reader.hadArchived(in: row.id))
            return
        }
        guard let source = try reader.stream(id: kept.sourceID), source.kept == nil else {
            throw StorageError(.corrupt, message: "the kept view \"\(row.name)\" has lost its stream")
        }
        guard let condition = try? Condition(parsing: kept.rule), (try? ViewCondition(condition)) != nil else {
            throw StorageError(
                .corrupt,
                message: "the rule of the kept view \"\(row.name)\" cannot be read: \(kept.rule); "
                    + "photostream streams edit sets another")
        }
        (stream, rule) = (source.shown(as: row), condition.resolvedNow())
        (hasArchived, hadArchived) = (try reader.hasArchived(in: source.id), try reader.hadArchived(in: source.id))
    }

    /// Whether a photo of the stream may stand for them: a question without a condition shows it.
    func shows(_ photo: Photo) -> Bool {
        contains(photo) && photo.stack?.isHidden != true && (!photo.isArchived || rule?.includesArchived == true)
    }

    /// Whether a photo of the stream is one of them, even if it is archived.
    func contains(_ photo: Photo) -> Bool {
        guard let rule else { return true }
        // The days of the rule are fixed, so any current day leads to the same answer.
        return rule.matches(ConditionSubject(photo, in: stream.name, today: CivilDate(daysSince1970: 0)))
    }
}

extension PhotoReader {
    /// The row of a stream or of a kept view.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    func rowOfAny(_ name: StreamName) throws -> StreamRow {
        guard let row = try stream(named: name) else { throw StreamServiceError.unknownStream(name.rawValue) }
        return row
    }

    /// The row of a stream.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/keptView(_:)``.
    func row(of name: StreamName) throws -> StreamRow {
        let row = try rowOfAny(name)
        guard row.kept == nil else { throw StreamServiceError.keptView(name.rawValue) }
        return row
    }

    /// The photos of a stream or of a kept view.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    func photos(named name: StreamName) throws -> NamedPhotos { try NamedPhotos(rowOfAny(name), in: self) }

    /// A photo of a stream or of a kept view; `nil` if it has no such photo.
    func photo(_ id: PhotoID, among photos: NamedPhotos) throws -> StoredPhoto? {
        try photo(streamID: photos.stream.id, id: id).flatMap { photos.contains($0.photo) ? $0 : nil }
    }

    /// A photo of a stream or of a kept view.
    ///
    /// - Throws: ``StreamServiceError/unknownPhoto(_:stream:)``.
    func photo(_ id: PhotoID, of photos: NamedPhotos) throws -> StoredPhoto {
        guard let found = try photo(id, among: photos) else {
            throw StreamServiceError.unknownPhoto(id.rawValue, stream: photos.stream.name.rawValue)
        }
        return found
    }
}
