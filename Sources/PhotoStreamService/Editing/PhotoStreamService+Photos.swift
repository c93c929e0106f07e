public import PhotoStreamModel
import PhotoStreamStorage

/// The destination of a moved photo, in stream order.
public enum MoveDestination: Hashable, Sendable {
    /// Right before another photo.
    case before(PhotoID)
    /// Right after another photo.
    case after(PhotoID)
}

extension PhotoStreamService {
    /// Writes a whole photo: fields that the record does not name are cleared.
    ///
    /// A person's record outranks every later import. An importer's record keeps the fields that a person edited.
    ///
    /// - Parameters:
    ///   - record: The photo.
    ///   - stream: The stream.
    ///   - author: The author of the record: a person, or a program that copies photos from elsewhere.
    ///   - check: Receives the photo as it was, `nil` if there was none, in the transaction of the write. An error that it
    ///     throws prevents the write.
    /// - Returns: The photo as it is now, and whether it is new.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/photoDeleted(_:stream:)`` for an importer's
    ///   record of a photo that a person deleted, `ModelError` for a text that is too long, and the errors of `check`.
    public func put(
        _ record: PhotoRecord, in stream: StreamName, by author: Photo.Author = .person,
        if check: (Photo?) throws -> Void = { _ in }
    ) throws -> (photo: Photo, isNew: Bool) {
        try record.check()
        return try write { writer in
            let row = try writer.reader.row(of: stream)
            var stored = try writer.reader.photo(streamID: row.id, id: record.id)
            try check(stored?.photo)
            if stored == nil, author != .person {
                guard try !writer.reader.isDeleted(streamID: row.id, id: record.id) else {
                    throw StreamServiceError.photoDeleted(record.id.rawValue, stream: stream.rawValue)
                }
                stored = try writer.restorePrunedPhoto(streamID: row.id, id: record.id)
            }
            let whole = record.replacingAll
            if stored != nil, let edited = try writer.edit(streamID: row.id, record: whole, by: author) {
                return (edited.photo, false)
            }
            return (try writer.add(streamID: row.id, record: whole, by: author).photo, true)
        }
    }

    /// Changes a photo.
    ///
    /// The fields that a person's record names are marked as edited and outrank every later import. An importer's record
    /// keeps the fields that a person edited.
    ///
    /// - Parameters:
    ///   - record: The photo's id and the fields to change; width and height are those of the encoded picture.
    ///   - stream: The stream.
    ///   - author: The author of the record: a person, or a program that copies photos from elsewhere.
    /// - Returns: The photo as it is now.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``.
    @discardableResult
    public func edit(
        _ record: PhotoRecord, in stream: StreamName, by author: Photo.Author = .person
    ) throws -> Photo {
        try edit(record.id, in: stream, by: author) { _ in record }
    }

    /// Changes a photo, depending on its current state.
    ///
    /// The fields that a person's record names are marked as edited and outrank every later import. An importer's record
    /// keeps the fields that a person edited.
    ///
    /// - Parameters:
    ///   - id: The photo.
    ///   - stream: The stream.
    ///   - author: The author of the record: a person, or a program that copies photos from elsewhere.
    ///   - change: Makes the record from the photo as it was, in the transaction of the write. An error that it throws
    ///     prevents the write.
    /// - Returns: The photo as it is now.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``, `ModelError` for
    ///   a text that is too long, and the errors of `change`.
    @discardableResult
    public func edit(
        _ id: PhotoID, in stream: StreamName, by author: Photo.Author = .person,
        change: (Photo) throws -> PhotoRecord
    ) throws -> Photo {
        try write { writer in
            let photos = try writer.reader.photos(named: stream)
            let stored = try writer.reader.photo(id, of: photos)
            var record = try change(stored.photo)
            try record.check()
            record.id = id
            return try writer.edit(streamID: photos.stream.id, record: record, by: author)?.photo ?? stored.photo
        }
    }

    /// Deletes photos: all of them, or none if one is unknown.
    ///
    /// - Parameters:
    ///   - ids: The photos.
    ///   - stream: The stream.
    ///   - isForever: Whether nothing is kept of them. Otherwise ``restorePhotos(_:in:)`` can restore them for 30 days,
    ///     which no import does.
    ///   - check: Receives each photo, in the transaction of the write. An error that it throws prevents the write.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``, and the errors
    ///   of `check`.
    public func deletePhotos(
        _ ids: [PhotoID], from stream: StreamName, forever isForever: Bool = false,
        if check: (Photo) throws -> Void = { _ in }
    ) throws {
        try noteContent(of: ids, in: stream)
        try write { writer in
            let photos = try writer.reader.photos(named: stream)
            for id in ids {
                try check(try writer.reader.photo(id, of: photos).photo)
            }
            guard !isForever else {
                try writer.deletePhotosForever(streamID: photos.stream.id, ids: ids, now: now())
                return
            }
            try writer.deletePhotos(streamID: photos.stream.id, ids: ids, now: now())
        }
    }

    /// Deletes those of many photos that the stream has, in transactions under 250 ms, so that no other writer waits
    /// long.
    ///
    /// If it is killed at any moment and called again, it ends in the same state.
    ///
    /// - Parameters:
    ///   - ids: The photos; one that is listed twice is unknown the second time.
    ///   - stream: The stream.
    ///   - isForever: Whether nothing is kept of them. Otherwise ``restorePhotos(_:in:)`` can restore them for 30 days,
    ///     which no import does.
    /// - Returns: The ids that the stream did not have, in the order of `ids`.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``. Photos that were deleted before an error stay deleted.
    /// - Complexity: O(log photos) per id.
    public func deleteKnownPhotos(
        _ ids: [PhotoID], from stream: StreamName, forever isForever: Bool = false
    ) throws -> [PhotoID] {
        try noteContent(of: ids, in: stream)
        let (streamID, known) = try transaction { reader in
            let photos = try reader.photos(named: stream)
            guard photos.rule != nil else { return (photos.stream.id, ids) }
            return (photos.stream.id, try ids.filter { try reader.photo($0, among: photos) != nil })
        }
        var (rest, unknown) = (
            known[...], known.count == ids.count ? [] : ids.filter(Set(ids).subtracting(known).contains)
        )
        while !rest.isEmpty {
            let wereKnown = try database.deletePhotos(rest, from: streamID, now: now(), forever: isForever)
            unknown += zip(rest, wereKnown).lazy.filter { !$1 }.map(\.0)
            rest = rest.dropFirst(wereKnown.count)
            try Task.checkCancellation()
            if !rest.isEmpty { database.pauseForOtherWriters() }
        }
        return unknown
    }

    /// Moves a photo next to another one, whose date in the order it takes, to the same precision.
    ///
    /// - Returns: Whether it was elsewhere before.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``, or
    ///   ``StreamServiceError/repeatedPhoto(_:)`` if the photo would be its own neighbour.
    @discardableResult
    public func movePhoto(_ id: PhotoID, to destination: MoveDestination, in stream: StreamName) throws -> Bool {
        try movePhotos([id], to: destination, in: stream) == 1
    }

    /// Moves photos next to another one, in the given order: they take that photo's date in the order, to the same
    /// precision.
    ///
    /// - Parameters:
    ///   - ids: The photos, each once, without the one that they are moved next to.
    ///   - destination: Their new place.
    ///   - stream: The stream.
    ///   - check: Receives the first of the photos, in the transaction of the write. An error that it throws prevents the
    ///     write.
    /// - Returns: The number of photos that were elsewhere before.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``,
    ///   ``StreamServiceError/repeatedPhoto(_:)`` if one would be its own neighbour or is named twice,
    ///   ``StreamServiceError/hiddenPhoto(_:)`` if one is hidden in a stack, and the errors
    ///   of `check`; then no photo is moved.
    /// - Complexity: O(log photos) each, amortised.
    @discardableResult
    public func movePhotos(
        _ ids: [PhotoID], to destination: MoveDestination, in stream: StreamName,
        if check: (Photo) throws -> Void = { _ in }
    ) throws -> Int {
        var named: Set<PhotoID> = [destination.neighbour]
        for id in ids where !named.insert(id).inserted { throw StreamServiceError.repeatedPhoto(id.rawValue) }
        return try write { writer in
            let row = try writer.reader.row(of: stream)
            for id in ids + [destination.neighbour] {
                let stored = try writer.reader.photo(id, of: row)
                guard stored.photo.stack?.isHidden != true else { throw StreamServiceError.hiddenPhoto(id.rawValue) }
            }
            if let first = ids.first, let stored = try writer.reader.photo(streamID: row.id, id: first) {
                try check(stored.photo)
            }
            return try destination.steps(for: ids).count { id, target in
                try writer.move(streamID: row.id, id: id, to: target)
            }
        }
    }
}

extension MoveDestination {
    fileprivate var neighbour: PhotoID {
        switch self {
        case .before(let id), .after(let id): id
        }
    }

    /// The moves, one after the other, nearest first: a photo that is already in place stays there.
    fileprivate func steps(for ids: [PhotoID]) -> [(PhotoID, MoveTarget)] {
        switch self {
        case .before(let neighbour):
            zip(ids.reversed(), [neighbour] + ids.reversed()).map { ($0, .before($1)) }
        case .after(let neighbour):
            zip(ids, [neighbour] + ids).map { ($0, .after($1)) }
        }
    }
}
