import GRDB
package import PhotoStreamModel

extension PhotoWriter {
    /// Moves a photo next to another one of its stream.
    ///
    /// The photo takes its neighbour's order time, and with it the section, and a rank between that neighbour and the
    /// one beyond. If no rank is free, the nearest ranks are spread, changing as few photos as possible. A photo that
    /// is already there is left alone. Unless the order is manual, the move ends when the photo's capture time changes.
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
            try spread(moved, into: gap, among: neighbours)
        }
        return true
    }

    /// The minimum distance of spread ranks: room for ten more moves into the same gap.
    private static var minimumStride: Int64 { 1_024 }

    /// Widens a full gap by one photo on either side at a time, until these photos and the moved one can be spread.
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
                throw StorageError(
                    .constraint, message: "there is no rank left for a photo at order time \(neighbours.time)")
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
            try RawStatement(database, sql: "SELECT coalesce(max(id), 0) FROM photo").first { $0.integer(0) } ?? 0
        return last >= Int64.max / OrderKey.rankStep ? .min : (last + 1) * -OrderKey.rankStep
    }

    private func place(_ rowID: Int64, at key: OrderKey) throws {
        let statement = try RawStatement(database, sql: PhotoSQL.move)
        try statement.bind(rowID, key.time, key.rank)
        try statement.run()
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
        let statement = try RawStatement(reader.database, sql: sql)
        // One more if the moved photo may be among them, so that skipping it does not look like the end.
        try statement.bind(streamID, time, rank, includingMoved ? limit : limit + 1)
        var places: [PhotoPlace] = []
        try statement.forEach { row in
            let place = PhotoPlace(rowID: try row.rowID(0), key: try row.orderKey(1))
            if includingMoved || place.rowID != moved.rowID { places.append(place) }
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

/// The ranks strictly between two others, either of which may be absent.
///
/// Multiples of `OrderKey.rankStep` are reserved for photos that were never moved, including future ones, and are never
/// given to a moved photo.
struct RankGap {
    /// The greatest rank below the gap.
    let below: Int64?
    /// The least rank above the gap.
    let above: Int64?

    /// Returns a rank as far as possible from both ends, or half a step from the only end.
    ///
    /// - Returns: `nil` if no rank is free.
    func middle() -> Int64? {
        let (low, high) = ends(count: 1)
        // Halve first: the sum of two ranks may exceed 64 bits.
        let middle = (low >> 1) + (high >> 1) + (low & high & 1)
        return [middle, middle + 1, middle - 1].first { $0 > low && $0 < high && Self.isFree($0) }
    }

    /// Returns `count` evenly spread ranks in rising order, none of them `taken`.
    ///
    /// - Returns: `nil` if their distance would be less than `minimumStride`, which must exceed 3.
    func spread(_ count: Int, minimumStride: Int64, avoiding taken: Int64?) -> [Int64]? {
        let (low, high) = ends(count: Int64(count))
        let (width, overflow) = high.subtractingReportingOverflow(low)
        let stride = (overflow ? Int64.max : width) / Int64(count + 1)
        guard stride >= minimumStride else { return nil }
        return (1...Int64(count)).map { index in
            let rank = low + stride * index
            // Of three consecutive ranks, at most one is a multiple and at most one is taken.
            return [rank, rank - 1, rank - 2].first { Self.isFree($0) && $0 != taken } ?? rank
        }
    }

    /// Returns the ends of the gap.
    ///
    /// A missing end is replaced by half a step of room for each of `count` ranks and one more.
    private func ends(count: Int64) -> (low: Int64, high: Int64) {
        let room = (count + 1) * (OrderKey.rankStep / 2)
        switch (below, above) {
        case (nil, nil): return (0, room)
        case (let below?, nil):
            let (high, overflow) = below.addingReportingOverflow(room)
            return (below, overflow ? Int64.max : high)
        case (nil, let above?):
            let (low, overflow) = above.subtractingReportingOverflow(room)
            return (overflow ? Int64.min : low, above)
        case (let below?, let above?): return (below, above)
        }
    }

    private static func isFree(_ rank: Int64) -> Bool {
        rank % OrderKey.rankStep != 0
    }
}
