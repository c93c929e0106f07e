public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// The maximum number of changed photos in an answer; if there are more, the stream has to be read again.
    public static let maximumChangeCount = 10_000
}

extension Session {
    /// Returns the changes of a stream's photos since a revision: each changed photo once, however often it was changed.
    ///
    /// A photo is known by its external id: one that was deleted and added again is updated or moved, and one that was added
    /// and deleted again, or moved and moved back, is not in the answer. Reads much, so it needs a session that may block.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - revision: The revision of an earlier answer about this stream; 0 is before the first photo.
    /// - Returns: All changes up to the revision that the answer names, or the reason to read the stream again.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/invalidRevision(_:)``.
    /// - Complexity: O(rows of the log since the revision × log photos): the log keeps 100,000.
    public func changes(
        of stream: StreamName, since revision: Revision
    ) throws -> ChangesOrReload<ChangesAnswer> {
        let row = try row(of: stream)
        let (changes, now): ([NetChange], Revision)
        switch try netChanges(of: row, since: revision) {
        case .reload(let reload): return .reload(reload)
        case .changes(let found): (changes, now) = found
        }
        let present = changes.compactMap { $0.present?.rowID }
        let photos = try photos(ofRows: present)
        guard photos.count == present.count else {
            return .reload(
                ReloadAnswer(stream: row.name, since: revision, revision: now, reason: .tooMany(photos.count)))
        }
        var rest = photos[...]
        let photoChanges = changes.map { change in
            PhotoChange(
                kind: change.kind, id: change.id,
                isUpdated: change.kind == .updated || change.kind == .moved && change.isUpdated,
                photo: change.present.flatMap { _ in rest.popFirst()?.photo })
        }
        return .changes(ChangesAnswer(stream: row.name, since: revision, revision: now, changes: photoChanges))
    }

    /// The changes of a stream's photos since a revision, without the photos.
    func netChanges(
        of row: StreamRow, since revision: Revision
    ) throws -> ChangesOrReload<(changes: [NetChange], now: Revision)> {
        try requireBlocking()
        guard revision.rawValue >= 0 else { throw StreamServiceError.invalidRevision(revision.rawValue) }
        let now = try mark(of: row).revision
        func reload(_ reason: ReloadAnswer.Reason) -> ChangesOrReload<(changes: [NetChange], now: Revision)> {
            .reload(ReloadAnswer(stream: row.name, since: revision, revision: now, reason: reason))
        }
        guard revision <= now else { return reload(.ahead) }
        guard try reader.hasAllChanges(streamID: row.id, after: revision.rawValue) else { return reload(.trimmed) }
        let owner = try reader.streamID(ofRevision: revision.rawValue)
        guard owner == nil || owner == row.id else { return reload(.otherStream) }
        let changes = try reader.netChanges(streamID: row.id, after: revision.rawValue)
        let maximum = PhotoStreamService.maximumChangeCount
        guard changes.count <= maximum else { return reload(.tooMany(maximum)) }
        return .changes((changes, now))
    }

    /// The photos of rows, as many as an answer may hold.
    private func photos(ofRows rowIDs: [Int64]) throws -> [StoredPhoto] {
        var photos: [StoredPhoto] = []
        var byteCount = 0
        for rowID in rowIDs {
            guard let photo = try reader.photos(rowIDs: [rowID]).first else { break }
            byteCount += photo.photo.textByteCount
            guard byteCount <= PhotoStreamService.maximumByteCount else { break }
            photos.append(photo)
        }
        return photos
    }
}

extension ChangesOrReload {
    /// Returns the same with another answer.
    func map<Other>(_ body: (Answer) throws -> Other) rethrows -> ChangesOrReload<Other> {
        switch self {
        case .changes(let answer): .changes(try body(answer))
        case .reload(let reload): .reload(reload)
        }
    }
}

extension NetChange {
    /// The net kind of change.
    var kind: PhotoChange.Kind {
        guard present != nil else { return .deleted }
        guard let past else { return .inserted }
        return past.key == present?.key ? .updated : .moved
    }
}
