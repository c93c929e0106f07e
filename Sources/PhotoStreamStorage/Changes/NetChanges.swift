package import PhotoStreamModel

/// Undoes rows of the change log, newest first, at the places that they name.
///
/// Each place of the order holds at most one photo, so its former occupant follows from the current one and the rows in
/// between.
struct LogUndo {
    /// The photo at a place.
    struct Occupant {
        let id: PhotoID
        let metrics: ItemMetrics
        /// Whether undoing a row put it there.
        var isPutBack = false
    }

    private let named: Set<OrderKey>
    private var occupants: [OrderKey: Occupant] = [:]
    /// Current photos that are removed or changed once everything is undone.
    private var taken: [(key: OrderKey, occupant: Occupant)] = []
    private var updated: Set<PhotoID> = []

    /// Starts with the current occupants of the places that rows name.
    init(_ rows: some Sequence<ChangeRow>, now occupant: (OrderKey) throws -> Occupant?) throws {
        named = Set(rows.lazy.flatMap { [$0.old, $0.new] }.compactMap(\.self))
        for key in named {
            occupants[key] = try occupant(key)
        }
    }

    /// Returns the photo at a place after undoing the rows so far.
    ///
    /// - Parameters:
    ///   - key: The place.
    ///   - lookUp: Returns the current photo at a place that no row names.
    /// - Returns: The photo; `nil` if there was none.
    /// - Throws: The errors of `lookUp`.
    func occupant(at key: OrderKey, orNow lookUp: (OrderKey) throws -> Occupant?) rethrows -> Occupant? {
        guard named.contains(key) else { return try lookUp(key) }
        var occupant = occupants[key]
        occupant?.isPutBack = false
        return occupant
    }

    /// Undoes one row.
    ///
    /// Later rows must have been undone before.
    mutating func undo(_ row: ChangeRow) {
        switch row.kind {
        case .inserted:
            if let id = take(row.new)?.id { updated.insert(id) }
        case .deleted:
            putBack(row)
        case .updated:
            let after = take(row.new)
            putBack(row)
            guard let id = row.oldID else { return }
            if row.old == row.new || row.new?.isOfMove == false || row.changesFields { updated.insert(id) }
            // A different id means another photo, with other fields.
            if let other = after?.id, other != id { updated.insert(other) }
        case .possiblyReplaced:
            // If the photo is still there, it was not replaced.
            if let key = row.old, occupants[key] == nil { putBack(row) }
        }
    }

    @discardableResult
    private mutating func take(_ key: OrderKey?) -> Occupant? {
        guard let key, let occupant = occupants.removeValue(forKey: key) else { return nil }
        if !occupant.isPutBack { taken.append((key, occupant)) }
        return occupant
    }

    private mutating func putBack(_ row: ChangeRow) {
        guard let key = row.old, let id = row.oldID, let metrics = row.oldMetrics else { return }
        take(key)
        occupants[key] = Occupant(id: id, metrics: metrics, isPutBack: true)
    }

    /// Returns the net effect of all undone rows: each changed photo once, without photos that were added and removed,
    /// or moved back.
    func netChanges() -> [NetChange] {
        var past: [PhotoID: (key: OrderKey, occupant: Occupant)] = [:]
        for (key, occupant) in occupants where occupant.isPutBack { past[occupant.id] = (key, occupant) }
        var changes: [NetChange] = []
        changes.reserveCapacity(taken.count + past.count)
        for (key, now) in taken {
            let before = past.removeValue(forKey: now.id)
            let hasOtherMetrics = before.map { before in
                before.occupant.metrics.pixelSize != now.metrics.pixelSize
                    || before.occupant.metrics.hasCaption != now.metrics.hasCaption
                    || before.occupant.metrics.position != now.metrics.position
            }
            let isUpdated = hasOtherMetrics == true || updated.contains(now.id)
            guard isUpdated || before?.key != key else { continue }
            changes.append(
                NetChange(
                    id: now.id, past: before.map { NetChange.Past(key: $0.key, metrics: $0.occupant.metrics) },
                    present: key, isUpdated: isUpdated))
        }
        for (id, before) in past {
            changes.append(
                NetChange(
                    id: id, past: NetChange.Past(key: before.key, metrics: before.occupant.metrics), present: nil,
                    isUpdated: false))
        }
        // If a photo has taken the place of a deleted one, the deleted one comes first.
        return changes.sorted { $0.place == $1.place ? $0.present == nil : $0.place > $1.place }
    }
}

extension NetChange {
    /// The current place, or the last one of a removed photo.
    fileprivate var place: OrderKey {
        present ?? past?.key ?? OrderKey(time: .min, rank: .min)
    }
}

extension PhotoReader {
    /// Returns the net change of each photo of a stream between two revisions, in the order of their places at the
    /// later one, or before it if they were removed.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - revision: The earlier revision.
    ///   - end: The later revision; `nil` for the current one.
    /// - Returns: The changes.
    /// - Throws: The errors of reading.
    /// - Precondition: The log is complete since then: ``hasAllChanges(streamID:after:)``.
    /// - Complexity: O(rows of the log after the earlier revision, of all streams), with one look-up for each place that
    ///   the rows between the two revisions name.
    package func netChanges(
        streamID: Int64, after revision: Int64, through end: Int64? = nil
    ) throws -> [NetChange] {
        let asked = try changes(streamID: streamID, after: revision, through: end ?? .max)
        let order = try stream(id: streamID)?.order ?? .newest
        let statement = try RawStatement(database, sql: PhotoSQL.occupant)
        func now(_ key: OrderKey) throws -> LogUndo.Occupant? {
            try statement.bind(streamID, key.time, key.rank)
            return try statement.first { row in
                LogUndo.Occupant(
                    id: PhotoID(stored: row.text(0)),
                    metrics: ItemMetrics(
                        pixelSize: try row.pixelSize(1), hasCaption: row.integer(3) != 0,
                        orderDate: order.date(ofOrderTime: key.time), position: row.position(4)))
            }
        }
        // Only the rows after the later revision that name one of these places matter, so a page of a long log looks up
        // its own places only.
        let places = Set(asked.lazy.flatMap { [$0.old, $0.new] }.compactMap(\.self))
        let later = try end.map { try changes(streamID: streamID, after: $0, at: places) } ?? []
        // The stream as it was at the later revision, then as it was at the earlier one.
        var stateThen = try LogUndo(later, now: now)
        for row in later.reversed() { stateThen.undo(row) }
        var undo = try LogUndo(asked) { try stateThen.occupant(at: $0, orNow: now) }
        for row in asked.reversed() { undo.undo(row) }
        return undo.netChanges()
    }

    /// Returns the revision of a row of a stream's log, counted from the first after a revision.
    ///
    /// - Parameters:
    ///   - count: The number of rows up to and including the requested one, at least 1.
    ///   - streamID: The stream's row id.
    ///   - revision: The revision before the first row.
    /// - Returns: `nil` if there are fewer rows.
    /// - Throws: The errors of reading.
    /// - Complexity: O(rows of the log up to there, of all streams).
    package func revision(ofChange count: Int, streamID: Int64, after revision: Int64) throws -> Int64? {
        try database.first(PhotoSQL.revisionOfChange, with: streamID, revision, Int64(count - 1)) { try $0.revision(0) }
    }
}

extension PhotoSQL {
    /// The photo at a place: stream, time, rank.
    package static let occupant = """
        SELECT externalId, width, height, hasCaption, latitude, longitude FROM photo INDEXED BY photoPlace
        WHERE stackRank = 0 AND streamId = ?1 AND orderTime = ?2 AND orderRank = ?3
        """

    /// A row of the log: stream, revision before the first, number of rows to skip.
    package static let revisionOfChange =
        "SELECT revision FROM change WHERE revision > ?2 AND streamId = ?1 ORDER BY revision LIMIT 1 OFFSET ?3"

    /// The place of a photo: row id.
    package static let keyByRowID = "SELECT orderTime, orderRank FROM photo WHERE id = ?1"
}

/// The net change of one photo, identified by its external id, between two revisions.
package struct NetChange: Hashable, Sendable {
    /// The former state of a photo.
    package struct Past: Hashable, Sendable {
        /// Its place in the order.
        package let key: OrderKey
        /// Its metrics.
        ///
        /// A blank caption counts as a caption here, since the log does not contain its text.
        package let metrics: ItemMetrics
    }

    /// The external id.
    package let id: PhotoID
    /// The former state; `nil` if the photo was not in the stream.
    package let past: Past?
    /// The later place in the order; `nil` if the photo was no longer in the stream.
    package let present: OrderKey?
    /// Whether its fields were written, not only its place: any of them differs, it was written in place, its date changed,
    /// its move was undone, or it was deleted and added again.
    package let isUpdated: Bool

    /// The change as it looks among the photos that meet a condition.
    ///
    /// - Parameters:
    ///   - wasMet: Whether the photo met the condition before.
    ///   - isMet: Whether it does so at the later revision.
    /// - Returns: An insertion or a deletion if only one of both is so; `nil` if none is.
    package func among(met wasMet: Bool, now isMet: Bool) -> NetChange? {
        let (past, present) = (wasMet ? past : nil, isMet ? present : nil)
        guard past != nil || present != nil else { return nil }
        return NetChange(
            id: id, past: past, present: present, isUpdated: isUpdated && past != nil && present != nil)
    }
}
