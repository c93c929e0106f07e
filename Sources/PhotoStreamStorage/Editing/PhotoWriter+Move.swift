import GRDB
package import PhotoStreamModel

extension PhotoWriter {
    /// Moves a photo next to another one of its stream.
    ///
    /// The photo takes its neighbour's order time, and with it the section, and a rank between that neighbour and the
    /// one beyond. If no rank is free, the nearest ranks are spread, changing as few photos as possible. A photo that
    /// is already there is left alone. Unless the order is manual, the move ends when a person changes the photo's capture time.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - id: The photo to move.
    ///   - target: The destination.
    /// - Returns: Whether anything was written.
    /// - Throws: ``StorageError`` with code `notFound` for an id that the stream does not have, and `constraint` if the
    ///   photo is its own neighbour.
    /// - Complexity: O(log n), amortised over many moves to one place.
    @discardableResult
    package func move(streamID: Int64, id: PhotoID, to target: MoveTarget) throws -> Bool {
        let moved = try requirePlace(streamID: streamID, id: id)
        let anchor = try requirePlace(streamID: streamID, id: target.neighbour)
        guard moved.rowID != anchor.rowID else {
            throw StorageError(.constraint, message: "photo \"\(id)\" cannot be moved next to itself")
        }
        let neighbours = MoveNeighbours(
            reader: reader, streamID: streamID, time: anchor.key.time, moved: moved, floor: try nextRank())
        // In descending order, earlier photos have greater ranks.
        let beyond: PhotoPlace?
        let gap: RankGap
        switch target {
        case .before:
            beyond = try neighbours.above(anchor.key.rank, limit: 1, includingMoved: true).first
            gap = RankGap(below: anchor.key.rank, above: beyond?.key.rank)
        case .after:
            beyond = try neighbours.below(anchor.key.rank, limit: 1, includingMoved: true).first
            gap = RankGap(below: neighbours.floor(of: beyond, under: anchor.key.rank), above: anchor.key.rank)
        }
        guard beyond?.rowID != moved.rowID else { return false }
        if let rank = gap.middle() {
            try place(moved.rowID, at: OrderKey(time: anchor.key.time, rank: rank))
        } else {
            try spread(moved, next: target, at: anchor, among: neighbours)
        }
        return true
    }

    /// The minimum distance of spread ranks: room for ten more moves into the same gap.
    private static var minimumStride: Int64 { 1_024 }

    /// Widens a full gap by one photo on either side at a time, until these photos and the moved one can be spread.
    ///
    /// At an end of the range of ranks, the photos there are spread towards its middle.
    private func spread(
        _ moved: PhotoPlace, next target: MoveTarget, at anchor: PhotoPlace, among neighbours: MoveNeighbours
    ) throws {
        var limit = 16
        while true {
            // Nearest first. The neighbour itself may be widened, too.
            var above = try neighbours.above(anchor.key.rank, limit: limit, includingMoved: false)
            var below = try neighbours.below(anchor.key.rank, limit: limit, includingMoved: false)
            let isWhole = above.count < limit && below.count < limit
            switch target {
            case .before: below.insert(anchor, at: 0)
            case .after: above.insert(anchor, at: 0)
            }
            for reach in 1...(isWhole ? max(above.count, below.count) : limit - 1) {
                // From low to high: the photos below the gap, the moved one, the photos above it.
                let low = below.prefix(reach).reversed()
                let high = above.prefix(reach)
                let lowest = (low + high).map(\.key.rank).min() ?? anchor.key.rank
                let window = RankGap(
                    below: neighbours.floor(of: below.dropFirst(reach).first, under: lowest),
                    above: above.dropFirst(reach).first?.key.rank)
                let count = low.count + 1 + high.count
                let taken = moved.key.time == neighbours.time ? moved.key.rank : nil
                guard let ranks = window.spread(count, minimumStride: Self.minimumStride, avoiding: taken) else {
                    continue
                }
                return try assign(ranks, to: low + [moved] + high, moved: moved, time: neighbours.time)
            }
            guard !isWhole else {
                throw StorageError(
                    .noRank,
                    message: """
                        there is no place left next to photo "\(target.neighbour)"; move the photo next to one of \
                        another date
                        """)
            }
            limit *= 2
        }
    }

    /// Assigns rising ranks to photos in rising order, without two photos ever sharing a rank on the way.
    private func assign(_ ranks: [Int64], to places: [PhotoPlace], moved: PhotoPlace, time: Int64) throws {
        let pairs = zip(places, ranks).filter { place, rank in place.key.rank != rank && place.rowID != moved.rowID }
        // Photos that rise are assigned from the top and photos that sink from the bottom, so each finds its new rank
        // free. The moved photo comes last, since the others avoid the rank that it still has.
        let rising = pairs.filter { place, rank in rank > place.key.rank }.reversed()
        let sinking = pairs.filter { place, rank in rank < place.key.rank }
        for (neighbour, rank) in rising + sinking {
            try place(neighbour.rowID, at: OrderKey(time: time, rank: rank))
        }
        for (place, rank) in zip(places, ranks) where place.rowID == moved.rowID {
            try self.place(moved.rowID, at: OrderKey(time: time, rank: rank))
        }
    }

    /// Returns the rank of the next imported photo, which must come after the photos of its time that are moved now.
    private func nextRank() throws -> Int64 {
        let last =
            try database.number("SELECT coalesce(max(id), 0) FROM photo")
        let (next, isOver) = last.addingReportingOverflow(1)
        return Rank.ofRow(isOver ? last : next).value
    }

    private func place(_ rowID: Int64, at key: OrderKey) throws {
        try database.run(PhotoSQL.move, with: rowID, key.time, key.rank)
    }

    private func requirePlace(streamID: Int64, id: PhotoID) throws -> PhotoPlace {
        guard let place = try reader.place(streamID: streamID, id: id) else {
            throw StorageError(.notFound, message: "there is no photo \"\(id)\" in the stream")
        }
        return place
    }
}

/// The photos with one order time around a rank.
private struct MoveNeighbours {
    let reader: PhotoReader
    let streamID: Int64
    let time: Int64
    let moved: PhotoPlace
    /// The rank of the next imported photo.
    let floor: Int64

    /// Returns the lower end of a gap: the photo there or, after the last photo of the time, the place of the next
    /// imported one.
    func floor(of beyond: PhotoPlace?, under rank: Int64) -> Int64? {
        beyond?.key.rank ?? (floor < rank ? floor : nil)
    }

    /// Returns the photos with a greater rank, nearest first.
    func above(_ rank: Int64, limit: Int, includingMoved: Bool) throws -> [PhotoPlace] {
        try fetch(PhotoSQL.neighboursAbove, rank: rank, limit: limit, includingMoved: includingMoved)
    }

    /// Returns the photos with a smaller rank, nearest first.
    func below(_ rank: Int64, limit: Int, includingMoved: Bool) throws -> [PhotoPlace] {
        try fetch(PhotoSQL.neighboursBelow, rank: rank, limit: limit, includingMoved: includingMoved)
    }

    private func fetch(_ sql: String, rank: Int64, limit: Int, includingMoved: Bool) throws -> [PhotoPlace] {
        // One more if the moved photo may be among them, so that skipping it does not look like the end.
        let fetched = includingMoved ? limit : limit + 1
        let places: [PhotoPlace] = try reader.database.rows(sql, with: streamID, time, rank, fetched) { row in
            let place = PhotoPlace(rowID: try row.rowID(0), key: try row.orderKey(1))
            return includingMoved || place.rowID != moved.rowID ? place : nil
        }
        return Array(places.prefix(limit))
    }
}

/// The destination of a moved photo.
package enum MoveTarget: Hashable, Sendable {
    /// Directly before a photo in stream order.
    case before(PhotoID)
    /// Directly after a photo in stream order.
    case after(PhotoID)

    /// The photo next to the destination.
    package var neighbour: PhotoID {
        switch self {
        case .before(let id), .after(let id): id
        }
    }
}
