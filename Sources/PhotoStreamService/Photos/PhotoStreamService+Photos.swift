public import PhotoStreamModel
import PhotoStreamStorage

/// Where a moved photo goes, in stream order.
public enum MoveDestination: Hashable, Sendable {
    /// Right before another photo.
    case before(PhotoID)
    /// Right behind another photo.
    case after(PhotoID)
}

/// Photos in stream order, without a layout.
public struct PhotoListAnswer: Hashable, Sendable {
    /// The photos.
    public let photos: [Photo]
    /// Whether there are more behind them.
    public let isTruncated: Bool
}

extension PhotoStreamService {
    /// The photos behind another in stream order.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - id: The photo to go on behind; `nil` begins at the head.
    ///   - limit: The most photos to answer, 1 to ``maximumLimit``.
    /// - Returns: The photos in stream order.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(limit + log photos), wherever the place is.
    public func photos(
        of stream: StreamName, after id: PhotoID? = nil, limit: Int = defaultLimit
    ) throws -> PhotoListAnswer {
        try photosAndState(of: stream, after: id, limit: limit).answer
    }

    /// The photos behind another in stream order, and the state of the stream that they are of.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - id: The photo to go on behind; `nil` begins at the head.
    ///   - limit: The most photos to answer, 1 to ``maximumLimit``.
    /// - Returns: Both.
    /// - Throws: What ``photos(of:after:limit:)`` throws.
    package func photosAndState(
        of stream: StreamName, after id: PhotoID?, limit: Int
    ) throws -> (answer: PhotoListAnswer, state: StreamState) {
        try checkLimit(limit)
        return try read { reader in
            let row = try self.stream(stream, reader)
            let place = try id.map { id in
                guard let key = try reader.orderKey(streamID: row.id, id: id) else {
                    throw StreamServiceError.unknownPhoto(id.rawValue, stream: stream.rawValue)
                }
                return key
            }
            let (found, isCut) = try reader.photos(
                streamID: row.id, after: place, limit: limit + 1, within: Self.maximumByteCount)
            let shown = found.prefix(isCut ? min(limit, found.count - 1) : limit)
            return (
                PhotoListAnswer(photos: shown.map(\.photo), isTruncated: found.count > shown.count),
                StreamState(streamID: row.id, revision: try mark(of: row, reader).revision)
            )
        }
    }

    /// Passes every photo of a stream to `body` in stream order, as an export is written: of photos of one time the one
    /// imported first comes first, so an import of what comes out gives the order of this stream.
    ///
    /// All of it is one state of the stream, and no more than ``maximumLimit`` photos are in memory at once.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - body: Takes a photo.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, and what `body` throws.
    public func forEachPhoto(of stream: StreamName, _ body: (Photo) throws -> Void) throws {
        try read { reader in
            let row = try self.stream(stream, reader)
            var place: OrderKey?
            repeat {
                let found = try reader.photos(streamID: row.id, after: place, limit: Self.maximumLimit)
                for photo in found { try body(photo.photo) }
                place = found.count < Self.maximumLimit ? nil : found.last?.key
            } while place != nil
        }
    }

    /// One photo.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``.
    public func photo(_ id: PhotoID, of stream: StreamName) throws -> Photo {
        try read { reader in
            guard let found = try reader.photo(streamID: try self.stream(stream, reader).id, id: id) else {
                throw StreamServiceError.unknownPhoto(id.rawValue, stream: stream.rawValue)
            }
            return found.photo
        }
    }

    /// Changes a photo as a person does: what is named is marked as edited and outranks every later import.
    ///
    /// - Parameters:
    ///   - record: The photo's id and what is to change; width and height are the file's own.
    ///   - stream: The stream.
    /// - Returns: The photo as it is now.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``.
    @discardableResult
    public func edit(_ record: PhotoRecord, in stream: StreamName) throws -> Photo {
        try edit(record.id, in: stream) { _ in record }
    }

    /// Changes a photo as a person does, by what it is: what is named is marked as edited and outranks every later
    /// import.
    ///
    /// - Parameters:
    ///   - id: The photo.
    ///   - stream: The stream.
    ///   - change: Makes the record of the photo as it was, in the transaction of the write; what it throws prevents it.
    /// - Returns: The photo as it is now.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``, `ModelError` for
    ///   a text that is too long, and what `change` throws.
    @discardableResult
    public func edit(
        _ id: PhotoID, in stream: StreamName, _ change: (Photo) throws -> PhotoRecord
    ) throws -> Photo {
        try write { writer in
            let row = try self.stream(stream, writer.reader)
            guard let stored = try writer.reader.photo(streamID: row.id, id: id) else {
                throw StreamServiceError.unknownPhoto(id.rawValue, stream: stream.rawValue)
            }
            var record = try change(stored.photo)
            try record.checkTexts()
            record.id = id
            return try writer.edit(streamID: row.id, record: record)?.photo ?? stored.photo
        }
    }

    /// Deletes photos: all of those named, or none where one is unknown.
    ///
    /// - Parameters:
    ///   - ids: The photos.
    ///   - stream: The stream.
    ///   - check: Looks at each photo, in the transaction of the write; what it throws prevents it.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``, and what
    ///   `check` throws.
    public func deletePhotos(
        _ ids: [PhotoID], from stream: StreamName, if check: (Photo) throws -> Void = { _ in }
    ) throws {
        try write { writer in
            let row = try self.stream(stream, writer.reader)
            for id in ids {
                guard let stored = try writer.reader.photo(streamID: row.id, id: id) else {
                    throw StreamServiceError.unknownPhoto(id.rawValue, stream: stream.rawValue)
                }
                try check(stored.photo)
            }
            _ = try writer.deletePhotos(streamID: row.id, ids: ids)
        }
    }

    /// Deletes those of many photos that the stream has, in transactions under 250 ms, so that no other writer waits
    /// long.
    ///
    /// Killed at any moment and called again, it ends in the same state.
    ///
    /// - Parameters:
    ///   - ids: The photos; one that comes twice is unknown the second time.
    ///   - stream: The stream.
    /// - Returns: The ids that the stream did not have, in the order of `ids`.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``; what was deleted before it throws stays deleted.
    /// - Complexity: O(log photos) per id.
    public func deleteKnownPhotos(_ ids: [PhotoID], from stream: StreamName) throws -> [PhotoID] {
        let streamID = try read { try self.stream(stream, $0).id }
        var (rest, unknown): (ArraySlice<PhotoID>, [PhotoID]) = (ids[...], [])
        while !rest.isEmpty {
            let wereKnown = try translatingStorageErrors { try database.deletePhotos(rest, from: streamID) }
            unknown += zip(rest, wereKnown).lazy.filter { !$1 }.map(\.0)
            rest = rest.dropFirst(wereKnown.count)
            try Task.checkCancellation()
            if !rest.isEmpty { database.pauseForOtherWriters() }
        }
        return unknown
    }

    /// Moves a photo next to another: it takes that photo's date in the order, to the same precision.
    ///
    /// - Returns: Whether it was elsewhere before.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``, or
    ///   ``StreamServiceError/repeatedPhoto(_:)`` when it is to be moved next to itself.
    @discardableResult
    public func movePhoto(_ id: PhotoID, _ destination: MoveDestination, in stream: StreamName) throws -> Bool {
        try movePhotos([id], destination, in: stream) == 1
    }

    /// Moves photos next to another, in the order in which they are given: they take that photo's date in the order, to the
    /// same precision.
    ///
    /// - Parameters:
    ///   - ids: The photos, each once, and not the one that they are put next to.
    ///   - destination: Where to.
    ///   - stream: The stream.
    ///   - check: Looks at the first of the photos, in the transaction of the write; what it throws prevents it.
    /// - Returns: How many of them were elsewhere before.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``,
    ///   ``StreamServiceError/repeatedPhoto(_:)`` when one is to be moved next to itself or twice, and what `check`
    ///   throws; none is moved then.
    /// - Complexity: O(log photos) each, amortised.
    @discardableResult
    public func movePhotos(
        _ ids: [PhotoID], _ destination: MoveDestination, in stream: StreamName,
        if check: (Photo) throws -> Void = { _ in }
    ) throws -> Int {
        var named: Set<PhotoID> = [destination.neighbour]
        for id in ids where !named.insert(id).inserted { throw StreamServiceError.repeatedPhoto(id.rawValue) }
        return try write { writer in
            let row = try self.stream(stream, writer.reader)
            for id in ids + [destination.neighbour] where try writer.reader.orderKey(streamID: row.id, id: id) == nil {
                throw StreamServiceError.unknownPhoto(id.rawValue, stream: stream.rawValue)
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

    /// The moves, one after the other, nearest first: a photo that stands where it should stays there.
    fileprivate func steps(for ids: [PhotoID]) -> [(PhotoID, MoveTarget)] {
        switch self {
        case .before(let neighbour):
            zip(ids.reversed(), [neighbour] + ids.reversed()).map { ($0, .before($1)) }
        case .after(let neighbour):
            zip(ids, [neighbour] + ids).map { ($0, .after($1)) }
        }
    }
}
