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
        /// Its row id; `nil` if an undone row put it there.
        let rowID: Int64?
    }

    private var occupants: [OrderKey: Occupant] = [:]
    /// Current photos that are removed or changed once everything is undone.
    private var taken: [(key: OrderKey, occupant: Occupant)] = []
    private var updated: Set<PhotoID> = []

    /// Starts with the current occupants of the places that rows name.
    init(_ rows: [ChangeRow], now occupant: (OrderKey) throws -> Occupant?) throws {
        for key in Set(rows.lazy.flatMap { [$0.old, $0.new] }.compactMap(\.self)) {
            occupants[key] = try occupant(key)
        }
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
            if row.old == row.new || row.new?.isOwnPlace == true { updated.insert(id) }
            // With another id it is another photo, with other fields.
            if let other = after?.id, other != id { updated.insert(other) }
        case .possiblyReplaced:
            // If the photo is still there, it was not replaced.
            if let key = row.old, occupants[key] == nil { putBack(row) }
        }
    }

    @discardableResult
    private mutating func take(_ key: OrderKey?) -> Occupant? {
        guard let key, let occupant = occupants.removeValue(forKey: key) else { return nil }
        if occupant.rowID != nil { taken.append((key, occupant)) }
        return occupant
    }

    private mutating func putBack(_ row: ChangeRow) {
        guard let key = row.old, let id = row.oldID, let metrics = row.oldMetrics else { return }
        take(key)
        occupants[key] = Occupant(id: id, metrics: metrics, rowID: nil)
    }

    /// Returns the net effect of all undone rows: each changed photo once, without photos that were added and removed,
    /// or moved back.
    func netChanges() -> [NetChange] {
        var past: [PhotoID: (key: OrderKey, occupant: Occupant)] = [:]
        for (key, occupant) in occupants where occupant.rowID == nil { past[occupant.id] = (key, occupant) }
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
                    present: now.rowID.map { NetChange.Present(key: key, rowID: $0) },
                    isUpdated: isUpdated))
        }
        for (id, before) in past {
            changes.append(
                NetChange(
                    id: id, past: NetChange.Past(key: before.key, metrics: before.occupant.metrics), present: nil,
                    isUpdated: false))
        }
        // Where a photo has taken the place of a deleted one, the deleted one comes first.
        return changes.sorted { $0.place == $1.place ? $0.present == nil : $0.place > $1.place }
    }
}

extension NetChange {
    /// The current place, or the last one of a removed photo.
    fileprivate var place: OrderKey {
        present?.key ?? past?.key ?? OrderKey(time: .min, rank: .min)
    }
}

extension OrderKey {
    /// Whether this place follows from a capture time, not from a move.
    fileprivate var isOwnPlace: Bool { rank % Self.rankStep == 0 }
}

extension PhotoReader {
    /// Returns the net change of each photo of a stream after a revision, in stream order of their current or former
    /// places.
    ///
    /// - Precondition: The log is complete since then: ``hasAllChanges(streamID:after:)``.
    /// - Complexity: O(rows of the log after the revision, of all streams), with one look-up for each place that they
    ///   name.
    package func netChanges(streamID: Int64, after revision: Int64) throws -> [NetChange] {
        let rows = try changes(streamID: streamID, after: revision)
        let order = try stream(id: streamID)?.order ?? .newest
        let statement = try RawStatement(database, sql: PhotoSQL.occupant)
        var undo = try LogUndo(rows) { key in
            try statement.bind(streamID, key.time, key.rank)
            return try statement.first { row in
                LogUndo.Occupant(
                    id: PhotoID(stored: row.text(1)),
                    metrics: ItemMetrics(
                        pixelSize: try row.pixelSize(2), hasCaption: row.integer(4) != 0,
                        orderDate: order.date(ofOrderTime: key.time), position: row.position(5)),
                    rowID: try row.rowID(0))
            }
        }
        for row in rows.reversed() { undo.undo(row) }
        return undo.netChanges()
    }
}

extension PhotoSQL {
    /// The photo at a place: stream, time, rank.
    package static let occupant = """
        SELECT id, externalId, width, height, hasCaption, latitude, longitude FROM photo INDEXED BY photoPlace
        WHERE streamId = ?1 AND orderTime = ?2 AND orderRank = ?3
        """

    /// The place of a photo: row id.
    package static let keyByRowID = "SELECT orderTime, orderRank FROM photo WHERE id = ?1"
}

/// The net change of one photo, identified by its external id, between a revision and now.
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

    /// The current state of a photo.
    package struct Present: Hashable, Sendable {
        /// Its place in the order.
        package let key: OrderKey
        /// Its row id.
        package let rowID: Int64
    }

    /// The external id.
    package let id: PhotoID
    /// The former state; `nil` if the photo was not in the stream.
    package let past: Past?
    /// The current state; `nil` if the photo is no longer in the stream.
    package let present: Present?
    /// Whether its fields were written to, not only its place: its size, caption state or position differs, it was
    /// written to in place, it was given another date, or it was deleted and added again.
    package let isUpdated: Bool
}
