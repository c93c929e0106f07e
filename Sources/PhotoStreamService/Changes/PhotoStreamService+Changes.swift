public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// The most changed photos that are told of one by one; of more the answer is to read the stream anew.
    public static let maximumChangeCount = 10_000

    /// What became of a stream's photos since a revision: each changed photo once, however often it was changed.
    ///
    /// A photo is known by its external id: one that was deleted and came again is updated or moved, and one that came and
    /// went again, or was moved and has its old place again, is not in the answer.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - revision: What an earlier answer about this stream gave; 0 is before the first photo.
    /// - Returns: Everything up to the revision that the answer names, or that it cannot be told.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/invalidRevision(_:)``.
    /// - Complexity: O(rows of the log since the revision × log photos): the log keeps 100,000.
    public func changes(
        of stream: StreamName, since revision: Revision
    ) throws -> ChangesOrReload<ChangesAnswer> {
        try read { reader in
            let row = try self.stream(stream, reader)
            let (changes, now): ([NetChange], Revision)
            switch try self.changes(of: row, since: revision, reader) {
            case .reload(let reload): return .reload(reload)
            case .changes(let found): (changes, now) = found
            }
            let present = changes.compactMap { $0.present?.rowID }
            let photos = try self.photos(present, reader)
            guard photos.count == present.count else {
                return .reload(
                    ReloadAnswer(stream: row.name, since: revision, revision: now, reason: .tooMany(photos.count)))
            }
            return .changes(
                ChangesAnswer(
                    stream: row.name, since: revision, revision: now, changes: photoChanges(changes, photos)))
        }
    }

    /// The photos of rows, as many as an answer may hold.
    private func photos(_ rowIDs: [Int64], _ reader: PhotoReader) throws -> [StoredPhoto] {
        var photos: [StoredPhoto] = []
        var byteCount = 0
        for rowID in rowIDs {
            guard let photo = try reader.photos(rowIDs: [rowID]).first else { break }
            byteCount += photo.photo.textByteCount
            guard byteCount <= Self.maximumByteCount else { break }
            photos.append(photo)
        }
        return photos
    }

    /// What became of a stream's photos since a revision, as of the reader's transaction.
    func changes(
        of row: StreamRow, since revision: Revision, _ reader: PhotoReader
    ) throws -> ChangesOrReload<(changes: [NetChange], now: Revision)> {
        guard revision.rawValue >= 0 else { throw StreamServiceError.invalidRevision(revision.rawValue) }
        let now = try reader.version(of: row.id, since: layouts.mark(of: row.id)).revision
        func reload(_ reason: ReloadAnswer.Reason) -> ChangesOrReload<(changes: [NetChange], now: Revision)> {
            .reload(ReloadAnswer(stream: row.name, since: revision, revision: now, reason: reason))
        }
        guard revision <= now else { return reload(.ahead) }
        guard try reader.hasAllChanges(streamID: row.id, after: revision.rawValue) else { return reload(.trimmed) }
        let owner = try reader.streamID(ofRevision: revision.rawValue)
        guard owner == nil || owner == row.id else { return reload(.otherStream) }
        let maximum = Self.maximumChangeCount
        let changes = try reader.netChanges(streamID: row.id, after: revision.rawValue)
        guard changes.count <= maximum else { return reload(.tooMany(maximum)) }
        return .changes((changes, now))
    }

    private func photoChanges(_ changes: [NetChange], _ photos: [StoredPhoto]) -> [PhotoChange] {
        var rest = photos[...]
        return changes.map { change in
            PhotoChange(
                kind: change.kind, id: change.id,
                isUpdated: change.kind == .updated || change.kind == .moved && change.isUpdated,
                photo: change.present.flatMap { _ in rest.popFirst()?.photo })
        }
    }
}

extension ChangesOrReload {
    /// The same with another answer.
    func map<Other>(_ body: (Answer) throws -> Other) rethrows -> ChangesOrReload<Other> {
        switch self {
        case .changes(let answer): .changes(try body(answer))
        case .reload(let reload): .reload(reload)
        }
    }
}

extension NetChange {
    /// What happened to it, all in all.
    var kind: PhotoChange.Kind {
        guard present != nil else { return .deleted }
        guard let past else { return .inserted }
        return past.key == present?.key ? .updated : .moved
    }
}
