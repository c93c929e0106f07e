public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// The maximum number of changed photos in an answer; if there are more, the stream has to be read again.
    public static let maximumChangeCount = 10_000

    /// The maximum number of bytes of photos in an answer for clients that follow a stream.
    static let followedByteCount = 256 << 10
}

extension Session {
    /// Returns the changes of a stream's photos since a revision, one for each changed photo.
    ///
    /// Photos are identified by their external ids. A photo that was deleted and added again is updated or moved. A
    /// photo that was added and deleted again, or moved and moved back, is not in the answer.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - condition: If given, the changes are those of the photos that meet it: one that meets it only now is inserted.
    ///   - revision: The revision of an earlier answer about this stream; 0 is before the first photo.
    /// - Returns: All changes up to the revision of the answer, or the reason to read the stream again.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/invalidRevision(_:)``,
    ///   ``StreamServiceError/unansweredCondition(_:)``.
    /// - Complexity: O(rows of the log since the revision × log photos). The log keeps 100,000 rows.
    public func changes(
        of stream: StreamName, where condition: Condition? = nil, since revision: Revision
    ) throws -> ChangesOrReload<ChangesAnswer> {
        let (row, view) = try selection(of: stream, where: condition)
        return try netChanges(of: row, among: view, since: revision).flatMap { changes, now in
            let found = try photoChanges(changes, among: view, of: row, within: PhotoStreamService.maximumByteCount)
            guard found.count == changes.count else {
                let photoCount = found.count { $0.photo != nil }
                return .reload(
                    ReloadAnswer(stream: row.name, since: revision, revision: now, reason: .tooMany(photoCount)))
            }
            return .changes(
                ChangesAnswer(
                    stream: row.name, condition: view.asked, since: revision, revision: now, isComplete: true,
                    changes: found))
        }
    }

    /// Returns a page of the changes of a stream's photos since a revision: the net effect of the next rows of the log.
    ///
    /// Repeat the query with the answer's ``ChangesAnswer/revision`` until ``ChangesAnswer/isComplete``. Each change is
    /// then in one page, even if the stream is written between the queries. The changes of a page apply to the result
    /// of the earlier pages: no page inserts a photo that exists there, or deletes one that does not. So a large import
    /// needs no reload as long as the log has its rows.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - condition: If given, the changes are those of the photos that meet it.
    ///   - revision: The revision of an earlier answer about this stream; 0 is before the first photo.
    ///   - limit: The maximum number of changes, 1 to ``PhotoStreamService/maximumChangeCount``. There are fewer if
    ///     their photos would take more than ``PhotoStreamService/maximumByteCount``. Two changes of one row of the log
    ///     are never divided.
    /// - Returns: The changes up to the revision of the answer, or the reason to read the stream again.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/invalidRevision(_:)``,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``, ``StreamServiceError/unansweredCondition(_:)``.
    /// - Complexity: O(rows of the page × log photos), and O(rows of the log after the page) to skip those.
    public func changes(
        of stream: StreamName, where condition: Condition? = nil, since revision: Revision, limit: Int
    ) throws -> ChangesOrReload<ChangesAnswer> {
        let maximum = PhotoStreamService.maximumChangeCount
        guard (1...maximum).contains(limit) else {
            throw StreamServiceError.invalidLimit(limit, maximum: maximum)
        }
        let (row, view) = try selection(of: stream, where: condition)
        let now: Revision
        switch try currentRevision(of: row, among: view, since: revision) {
        case .reload(let reload): return .reload(reload)
        case .changes(let found): now = found
        }
        var rowCount = limit
        while true {
            // The last row of the page; `nil` if fewer rows are left.
            let end = try reader.revision(ofChange: rowCount, streamID: row.id, after: revision.rawValue)
            let changes = try self.changes(
                reader.netChanges(streamID: row.id, after: revision.rawValue, through: end), among: view, of: row,
                since: revision, through: end)
            let byteLimit = rowCount == 1 ? .max : PhotoStreamService.maximumByteCount
            guard changes.count <= limit || rowCount == 1,
                case let found = try photoChanges(changes, among: view, of: row, within: byteLimit),
                found.count == changes.count
            else {
                rowCount /= 2
                continue
            }
            let last = try end.map { try reader.tagged($0) } ?? now
            return .changes(
                ChangesAnswer(
                    stream: row.name, condition: view.asked, since: revision, revision: last,
                    isComplete: last >= now, changes: found))
        }
    }

    /// Returns the changes of a stream's photos since a revision if there are few, for clients that follow the stream.
    ///
    /// Unlike ``changes(of:where:since:)``, it stops early: if the log has more than ten times as many rows, it does not read
    /// them.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - revision: The last revision that the clients have seen.
    ///   - limit: The maximum number of changes.
    /// - Returns: All changes up to the current revision, or the reason to read the stream again.
    /// - Throws: As ``changes(of:where:since:)``.
    package func changes(
        of stream: StreamName, since revision: Revision, atMost limit: Int
    ) throws -> ChangesOrReload<ChangesAnswer> {
        let (row, view) = try selection(of: stream, where: nil)
        return try currentRevision(of: row, among: view, since: revision).flatMap { now in
            let rowAfter = try reader.revision(ofChange: 10 * limit + 1, streamID: row.id, after: revision.rawValue)
            if rowAfter == nil {
                let changes = try self.changes(
                    reader.netChanges(streamID: row.id, after: revision.rawValue), among: view, of: row,
                    since: revision)
                if changes.count <= limit,
                    case let found = try photoChanges(
                        changes, among: view, of: row, within: PhotoStreamService.followedByteCount),
                    found.count == changes.count
                {
                    return .changes(
                        ChangesAnswer(
                            stream: row.name, condition: nil, since: revision, revision: now, isComplete: true,
                            changes: found))
                }
            }
            return .reload(ReloadAnswer(stream: row.name, since: revision, revision: now, reason: .tooMany(limit)))
        }
    }

    /// Returns the reason to read the stream again, to readers who may not know which photos met a condition before.
    ///
    /// - Throws: As ``changes(of:where:since:)``.
    package func refusedChanges<Answer>(
        of stream: StreamName, since revision: Revision
    ) throws -> ChangesOrReload<Answer> {
        let (row, _) = try selection(of: stream, where: nil)
        return try currentRevision(of: row, since: revision).flatMap { now in
            .reload(ReloadAnswer(stream: row.name, since: revision, revision: now, reason: .condition))
        }
    }

    /// Returns the stream with the photos that a name addresses, and which of them meet a condition.
    func selection(
        of name: StreamName, where condition: Condition?
    ) throws -> (stream: StreamRow, view: ViewCondition) {
        let photos = try photos(named: name)
        return (photos.stream, try ViewCondition(condition, among: photos))
    }

    /// Returns the changes with the current photos, without those that a later change removes from the view: fewer if they
    /// would take too many bytes.
    private func photoChanges(
        _ changes: [NetChange], among view: ViewCondition, of row: StreamRow, within limit: Int
    ) throws -> [PhotoChange] {
        var byteCount = 0
        var result: [PhotoChange] = []
        result.reserveCapacity(changes.count)
        for change in changes {
            let current = change.present == nil ? nil : try reader.photo(streamID: row.id, id: change.id)?.photo
            let photo = current.flatMap { view.contains($0, of: row.name) ? $0 : nil }
            byteCount += photo?.textByteCount ?? 0
            guard byteCount <= limit else { break }
            result.append(
                PhotoChange(kind: change.kind, id: change.id, isUpdated: change.isUpdatedInPlace, photo: photo))
        }
        return result
    }

    /// Returns the changes of the photos of a view since a revision, without the photos.
    func netChanges(
        of row: StreamRow, among view: ViewCondition, since revision: Revision
    ) throws -> ChangesOrReload<(changes: [NetChange], now: Revision)> {
        try currentRevision(of: row, among: view, since: revision).flatMap { now in
            let changes = try reader.netChanges(streamID: row.id, after: revision.rawValue)
            let maximum = PhotoStreamService.maximumChangeCount
            guard changes.count <= maximum else {
                return .reload(
                    ReloadAnswer(stream: row.name, since: revision, revision: now, reason: .tooMany(maximum)))
            }
            return .changes((try self.changes(changes, among: view, of: row, since: revision), now))
        }
    }

    /// Returns the stream's current revision if the log has all changes since `revision`, and tells those of the view.
    private func currentRevision(
        of row: StreamRow, among view: ViewCondition, since revision: Revision
    ) throws -> ChangesOrReload<Revision> {
        try currentRevision(of: row, since: revision).flatMap { now in
            view.tellsChanges(since: revision)
                ? .changes(now)
                : .reload(ReloadAnswer(stream: row.name, since: revision, revision: now, reason: .condition))
        }
    }

    /// Returns the stream's current revision if the log has all changes since `revision`.
    func currentRevision(of stream: StreamRow, since revision: Revision) throws -> ChangesOrReload<Revision> {
        guard revision.rawValue >= 0 else { throw StreamServiceError.invalidRevision(revision.rawValue) }
        let now = try mark(of: stream).revision
        func reload(_ reason: ReloadAnswer.Reason) -> ChangesOrReload<Revision> {
            .reload(ReloadAnswer(stream: stream.name, since: revision, revision: now, reason: reason))
        }
        // The current revision needs no log. Revision 0, before the first photo, needs all of it, but has no row.
        if revision == now { return .changes(now) }
        guard revision.rawValue <= now.rawValue else { return reload(.ahead) }
        guard try reader.isKept(revision: revision.rawValue) else { return reload(.trimmed) }
        guard revision.rawValue > 0 else { return .changes(now) }
        guard let row = try reader.loggedRow(revision.rawValue), row.tag == revision.tag else { return reload(.lost) }
        guard row.streamID == stream.id else { return reload(.otherStream) }
        return .changes(now)
    }
}

extension ChangesOrReload {
    /// Returns the result with a transformed answer.
    func map<Other>(_ body: (Answer) throws -> Other) rethrows -> ChangesOrReload<Other> {
        try flatMap { .changes(try body($0)) }
    }

    /// Returns the result with a transformed answer, or the reason why there is none.
    func flatMap<Other>(
        _ body: (Answer) throws -> ChangesOrReload<Other>
    ) rethrows -> ChangesOrReload<Other> {
        switch self {
        case .changes(let answer): try body(answer)
        case .reload(let reload): .reload(reload)
        }
    }
}

extension NetChange {
    /// Whether the photo existed before and still exists, and its fields were written.
    fileprivate var isUpdatedInPlace: Bool { kind == .updated || kind == .moved && isUpdated }

    /// The net kind of change.
    var kind: PhotoChange.Kind {
        guard present != nil else { return .deleted }
        guard let past else { return .inserted }
        return past.key == present ? .updated : .moved
    }
}
