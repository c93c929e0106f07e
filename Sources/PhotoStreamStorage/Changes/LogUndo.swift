import PhotoStreamModel

/// Takes back rows of the change log, from the newest to the oldest, at the places that they name and nowhere else.
///
/// Each place of the order holds one photo at most, so who stood there follows from who stands there now and from the
/// rows in between.
struct LogUndo {
    /// Who stands at a place.
    struct Occupant {
        let id: PhotoID
        let metrics: ItemMetrics
        /// Its row, unless it was put there by a row that was taken back.
        let rowID: Int64?
    }

    private var occupants: [OrderKey: Occupant] = [:]
    /// Photos of now that do not stand there, or not as they are, once everything is taken back.
    private var taken: [(key: OrderKey, occupant: Occupant)] = []
    private var updated: Set<PhotoID> = []

    /// Starts with who stands now at the places that rows name.
    init(_ rows: [ChangeRow], now occupant: (OrderKey) throws -> Occupant?) throws {
        for key in Set(rows.lazy.flatMap { [$0.old, $0.new] }.compactMap(\.self)) {
            occupants[key] = try occupant(key)
        }
    }

    /// Takes one row back; those behind it were taken back before.
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
            // Under another id it is another photo, whose fields are not those that it had.
            if let other = after?.id, other != id { updated.insert(other) }
        case .perhapsReplaced:
            // Where it stands by now, nothing had replaced it.
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

    /// What all rows came to, once they are taken back: each photo once, those that came and went again, or were moved and
    /// have their old place again, not at all.
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
        // Where another photo stands by now where one was deleted, the latter comes first.
        return changes.sorted { $0.place == $1.place ? $0.present == nil : $0.place > $1.place }
    }
}

extension NetChange {
    /// Where it stands, or stood where it is gone.
    fileprivate var place: OrderKey {
        present?.key ?? past?.key ?? OrderKey(time: .min, rank: .min)
    }
}

extension OrderKey {
    /// Whether a photo stands here by its capture time, not because somebody moved it.
    fileprivate var isOwnPlace: Bool { rank % Self.rankStep == 0 }
}

extension PhotoReader {
    /// What happened to each photo of a stream behind a revision, in stream order by where it stands or stood.
    ///
    /// - Precondition: The log holds everything since then: ``hasAllChanges(streamID:after:)``.
    /// - Complexity: O(rows of the log behind the revision, of all streams), a look-up for each place that they name.
    package func netChanges(streamID: Int64, after revision: Int64) throws -> [NetChange] {
        let rows = try changes(streamID: streamID, after: revision)
        let order = try stream(id: streamID)?.order ?? .newest
        let statement = try RawStatement(database, PhotoSQL.occupant)
        statement.bind(1, streamID)
        var undo = try LogUndo(rows) { key in
            statement.bind(2, key.time)
            statement.bind(3, key.rank)
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
    /// Who stands at a place: stream, time, rank.
    package static let occupant = """
        SELECT id, externalId, width, height, hasCaption, latitude, longitude FROM photo INDEXED BY photoPlace
        WHERE streamId = ?1 AND orderTime = ?2 AND orderRank = ?3
        """

    /// Where a photo stands: row id.
    package static let keyByRowID = "SELECT orderTime, orderRank FROM photo WHERE id = ?1"
}
