public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// The maximum number of changed photos in an answer; if there are more, the stream has to be read again.
    public static let maximumChangeCount = 10_000

    /// The maximum number of bytes of photos in an answer for clients that follow a stream.
    static let followedByteCount = 256 << 10
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
        // All of them are at the current revision, so their rows are known.
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
                isUpdated: change.isUpdatedInPlace,
                photo: change.present.flatMap { _ in rest.popFirst()?.photo })
        }
        return .changes(
            ChangesAnswer(stream: row.name, since: revision, revision: now, isComplete: true, changes: photoChanges))
    }

    /// Returns a page of the changes of a stream's photos since a revision: the net effect of the next rows of the log.
    ///
    /// Ask again with the answer's ``ChangesAnswer/revision`` until ``ChangesAnswer/isComplete``. Each change is then in one
    /// page, whatever is written between the questions, and the changes of a page fit to what the pages before it left: a
    /// photo is inserted only where it was not, and deleted only where it was. So a large import needs no reload while the
    /// log has its rows. Reads much, so it needs a session that may block.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - revision: The revision of an earlier answer about this stream; 0 is before the first photo.
    ///   - limit: The maximum number of changes, 1 to ``PhotoStreamService/maximumChangeCount``. There are fewer if their
    ///     photos would take more than ``PhotoStreamService/maximumByteCount``. Two changes that one row of the log makes
    ///     are never divided.
    /// - Returns: The changes up to the revision that the answer names, or the reason to read the stream again.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/invalidRevision(_:)``,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(rows of the log since the revision), of which those after the page are only passed over, and
    ///   O(rows of the page × log photos).
    public func changes(
        of stream: StreamName, since revision: Revision, limit: Int
    ) throws -> ChangesOrReload<ChangesAnswer> {
        let maximum = PhotoStreamService.maximumChangeCount
        guard (1...maximum).contains(limit) else {
            throw StreamServiceError.invalidLimit(limit, maximum: maximum)
        }
        let row = try row(of: stream)
        let now: Revision
        switch try currentRevision(of: row, since: revision) {
        case .reload(let reload): return .reload(reload)
        case .changes(let found): now = found
        }
        var rowCount = limit
        while true {
            // The row that the page ends with; after fewer rows there is nothing more.
            let end = try reader.revision(ofChange: rowCount, streamID: row.id, after: revision.rawValue)
            let changes = try reader.netChanges(streamID: row.id, after: revision.rawValue, through: end)
            let byteLimit = rowCount == 1 ? .max : PhotoStreamService.maximumByteCount
            guard changes.count <= limit || rowCount == 1,
                let found = try photoChanges(changes, of: row, within: byteLimit)
            else {
                rowCount /= 2
                continue
            }
            let last = try end.map { try reader.tagged($0) } ?? now
            return .changes(
                ChangesAnswer(
                    stream: row.name, since: revision, revision: last, isComplete: last >= now, changes: found))
        }
    }

    /// Returns the changes of a stream's photos since a revision if they are few, for clients that follow the stream.
    ///
    /// In contrast to ``changes(of:since:)`` it gives up early: if the log has more than ten times as many rows, they are not
    /// read.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - revision: The revision that the clients have seen.
    ///   - limit: The maximum number of changes.
    /// - Returns: All changes up to the current revision, or the reason to read the stream again.
    /// - Throws: As ``changes(of:since:)``.
    package func changes(
        of stream: StreamName, since revision: Revision, atMost limit: Int
    ) throws -> ChangesOrReload<ChangesAnswer> {
        let row = try row(of: stream)
        return try currentRevision(of: row, since: revision).flatMap { now in
            let rowAfter = try reader.revision(ofChange: 10 * limit + 1, streamID: row.id, after: revision.rawValue)
            if rowAfter == nil {
                let changes = try reader.netChanges(streamID: row.id, after: revision.rawValue)
                if changes.count <= limit,
                    let found = try photoChanges(changes, of: row, within: PhotoStreamService.followedByteCount)
                {
                    return .changes(
                        ChangesAnswer(
                            stream: row.name, since: revision, revision: now, isComplete: true, changes: found))
                }
            }
            return .reload(ReloadAnswer(stream: row.name, since: revision, revision: now, reason: .tooMany(limit)))
        }
    }

    /// The changes with the photos as they are; `nil` if these would take too many bytes.
    private func photoChanges(
        _ changes: [NetChange], of row: StreamRow, within limit: Int
    ) throws -> [PhotoChange]? {
        var byteCount = 0
        var result: [PhotoChange] = []
        result.reserveCapacity(changes.count)
        for change in changes {
            let photo = change.present == nil ? nil : try reader.photo(streamID: row.id, id: change.id)?.photo
            byteCount += photo?.textByteCount ?? 0
            guard byteCount <= limit else { return nil }
            result.append(
                PhotoChange(kind: change.kind, id: change.id, isUpdated: change.isUpdatedInPlace, photo: photo))
        }
        return result
    }

    /// The changes of a stream's photos since a revision, without the photos.
    func netChanges(
        of row: StreamRow, since revision: Revision
    ) throws -> ChangesOrReload<(changes: [NetChange], now: Revision)> {
        try currentRevision(of: row, since: revision).flatMap { now in
            let changes = try reader.netChanges(streamID: row.id, after: revision.rawValue)
            let maximum = PhotoStreamService.maximumChangeCount
            guard changes.count <= maximum else {
                return .reload(
                    ReloadAnswer(stream: row.name, since: revision, revision: now, reason: .tooMany(maximum)))
            }
            return .changes((changes, now))
        }
    }

    /// The stream's revision, if the log has all changes since another.
    private func currentRevision(of stream: StreamRow, since revision: Revision) throws -> ChangesOrReload<Revision> {
        try requireBlocking()
        guard revision.rawValue >= 0 else { throw StreamServiceError.invalidRevision(revision.rawValue) }
        let now = try mark(of: stream).revision
        func reload(_ reason: ReloadAnswer.Reason) -> ChangesOrReload<Revision> {
            .reload(ReloadAnswer(stream: stream.name, since: revision, revision: now, reason: reason))
        }
        // The stream as it is, or as it was before its first photo, whose whole log is there.
        if revision == now { return .changes(now) }
        guard revision.rawValue <= now.rawValue else { return reload(.ahead) }
        guard try reader.isKept(revision: revision.rawValue) else { return reload(.trimmed) }
        guard revision.rawValue > 0 else { return .changes(now) }
        guard let row = try reader.loggedRow(revision.rawValue), row.tag == revision.tag else { return reload(.lost) }
        guard row.streamID == stream.id else { return reload(.otherStream) }
        return .changes(now)
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
        try flatMap { .changes(try body($0)) }
    }

    /// Returns the same with another answer, or the reason why there is none.
    fileprivate func flatMap<Other>(
        _ body: (Answer) throws -> ChangesOrReload<Other>
    ) rethrows -> ChangesOrReload<Other> {
        switch self {
        case .changes(let answer): try body(answer)
        case .reload(let reload): .reload(reload)
        }
    }
}

extension NetChange {
    /// Whether the fields of a photo were written that was there and still is.
    fileprivate var isUpdatedInPlace: Bool { kind == .updated || kind == .moved && isUpdated }

    /// The net kind of change.
    var kind: PhotoChange.Kind {
        guard present != nil else { return .deleted }
        guard let past else { return .inserted }
        return past.key == present?.key ? .updated : .moved
    }
}
