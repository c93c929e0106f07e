import GRDB
package import PhotoStreamModel

extension PhotoWriter {
    /// Puts a photo next to another one of its stream.
    ///
    /// It takes that photo's order time, and with it the section, and a rank between that photo and the one beyond.
    /// Where no rank is left, the ranks nearest to it are spread; no more photos are touched than that takes. A photo
    /// that is there already is left alone. The move ends when the photo's capture time changes, but in manual order.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - id: The photo that is moved.
    ///   - target: Where to.
    /// - Returns: Whether anything was written.
    /// - Throws: ``StorageError`` with code `notFound` for an id that the stream does not have, and `constraint` for a
    ///   photo that is moved next to itself.
    /// - Complexity: O(log n), amortised over many moves to one place.
    @discardableResult
    package func move(streamID: Int64, id: PhotoID, _ target: MoveTarget) throws -> Bool {
        let moved = try requirePlace(streamID: streamID, id: id)
        let anchor = try requirePlace(streamID: streamID, id: target.neighbour)
        guard moved.rowID != anchor.rowID else {
            throw StorageError(.constraint, "photo \"\(id)\" cannot be moved next to itself")
        }
        let neighbours = MoveNeighbours(
            reader: reader, streamID: streamID, time: anchor.key.time, moved: moved, floor: try nextRank())
        // Descending order: what comes before has the greater rank.
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
            try spread(moved, into: gap, among: neighbours)
        }
        return true
    }

    /// The least distance that spread ranks get: room for ten more moves into the same gap.
    private static var minimumStride: Int64 { 1_024 }

    /// Takes in the photos around a full gap, one more on either side each time, until they and the moved photo can
    /// be spread.
    private func spread(_ moved: PhotoPlace, into gap: RankGap, among neighbours: MoveNeighbours) throws {
        var limit = 16
        while true {
            let above = try neighbours.above(gap.below ?? Int64.min, limit: limit, includingMoved: false)
            let below = try neighbours.below(gap.above ?? Int64.max, limit: limit, includingMoved: false)
            let isWhole = above.count < limit && below.count < limit
            let most = max(above.count, below.count)
            for reach in 1...max(1, isWhole ? most : limit - 1) {
                // From low to high: the photos below the gap, the moved one, the photos above it.
                let low = below.prefix(reach).reversed()
                let high = above.prefix(reach)
                let beyond = below.dropFirst(reach).first
                let window = RankGap(
                    below: low.first.map { neighbours.floor(of: beyond, under: $0.key.rank) } ?? gap.below,
                    above: above.dropFirst(reach).first?.key.rank)
                let count = low.count + 1 + high.count
                let taken = moved.key.time == neighbours.time ? moved.key.rank : nil
                guard let ranks = window.spread(count, minimumStride: Self.minimumStride, avoiding: taken) else {
                    continue
                }
                return try assign(ranks, to: low + [moved] + high, moved: moved, time: neighbours.time)
            }
            guard !isWhole else {
                throw StorageError(.constraint, "there is no rank left for a photo at order time \(neighbours.time)")
            }
            limit *= 2
        }
    }

    /// Gives photos in rising order rising ranks without two of them sharing one on the way.
    private func assign(_ ranks: [Int64], to places: [PhotoPlace], moved: PhotoPlace, time: Int64) throws {
        let pairs = zip(places, ranks).filter { place, rank in place.key.rank != rank && place.rowID != moved.rowID }
        // Those that rise go from the top, those that sink from the bottom: each finds its rank already left. The moved
        // photo goes last: the others avoid the rank that it still has.
        let rising = pairs.filter { place, rank in rank > place.key.rank }.reversed()
        let sinking = pairs.filter { place, rank in rank < place.key.rank }
        for (neighbour, rank) in rising + sinking {
            try place(neighbour.rowID, at: OrderKey(time: time, rank: rank))
        }
        for (place, rank) in zip(places, ranks) where place.rowID == moved.rowID {
            try self.place(moved.rowID, at: OrderKey(time: time, rank: rank))
        }
    }

    /// The rank of the next photo that comes, which is to stand below those of its time that are moved now.
    private func nextRank() throws -> Int64 {
        let last = try RawStatement(database, "SELECT coalesce(max(id), 0) FROM photo").first { $0.integer(0) } ?? 0
        return last >= Int64.max / OrderKey.rankStep ? .min : (last + 1) * -OrderKey.rankStep
    }

    private func place(_ rowID: Int64, at key: OrderKey) throws {
        let statement = try RawStatement(database, PhotoSQL.move)
        statement.bind(1, rowID)
        statement.bind(2, key.time)
        statement.bind(3, key.rank)
        try statement.run()
    }

    private func requirePlace(streamID: Int64, id: PhotoID) throws -> PhotoPlace {
        guard let place = try reader.place(streamID: streamID, id: id) else {
            throw StorageError(.notFound, "there is no photo \"\(id)\" in the stream")
        }
        return place
    }
}

/// The photos of one order time around a rank.
private struct MoveNeighbours {
    let reader: PhotoReader
    let streamID: Int64
    let time: Int64
    let moved: PhotoPlace
    /// The rank of the next photo that comes.
    let floor: Int64

    /// The lower end of a gap: the photo there or, at the end of the time's photos, the place of the next one that comes.
    func floor(of beyond: PhotoPlace?, under rank: Int64) -> Int64? {
        beyond?.key.rank ?? (floor < rank ? floor : nil)
    }

    /// The photos with a greater rank, nearest first.
    func above(_ rank: Int64, limit: Int, includingMoved: Bool) throws -> [PhotoPlace] {
        try fetch(PhotoSQL.neighboursAbove, rank, limit, includingMoved)
    }

    /// The photos with a smaller rank, nearest first.
    func below(_ rank: Int64, limit: Int, includingMoved: Bool) throws -> [PhotoPlace] {
        try fetch(PhotoSQL.neighboursBelow, rank, limit, includingMoved)
    }

    private func fetch(_ sql: String, _ rank: Int64, _ limit: Int, _ includingMoved: Bool) throws -> [PhotoPlace] {
        let statement = try RawStatement(reader.database, sql)
        statement.bind(1, streamID)
        statement.bind(2, time)
        statement.bind(3, rank)
        // One more where the moved photo may be among them, so that leaving it out does not look like the end.
        statement.bind(4, Int64(includingMoved ? limit : limit + 1))
        var places: [PhotoPlace] = []
        try statement.forEach { row in
            let place = PhotoPlace(rowID: try row.rowID(0), key: try PhotoRow.key(row))
            if includingMoved || place.rowID != moved.rowID { places.append(place) }
        }
        return Array(places.prefix(limit))
    }
}
