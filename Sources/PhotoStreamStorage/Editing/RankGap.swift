import PhotoStreamModel

/// A rank of a photo among those with its order time, in arithmetic that never overflows.
///
/// A row may have any rank of 64 bits: those of row ids come near both ends of the range, and another program may write
/// the ends themselves.
struct Rank: Hashable, Comparable {
    /// The rank.
    let value: Int64

    /// Creates a rank from a stored number.
    init(_ value: Int64) {
        self.value = value
    }

    /// Returns the rank of a photo that was never moved: the least one for a row id beyond those of files.
    static func ofRow(_ id: Int64) -> Rank {
        let (rank, isOver) = id.multipliedReportingOverflow(by: -OrderKey.rankStep)
        return Rank(isOver ? (id > 0 ? .min : .max) : rank)
    }

    /// Whether it may be given to a moved photo.
    ///
    /// Multiples of `OrderKey.rankStep` are reserved for photos that were never moved, including future ones.
    var isFree: Bool { value % OrderKey.rankStep != 0 }

    /// Returns the rank at a distance; `nil` beyond the range.
    func adding(_ distance: Int64) -> Rank? {
        let (sum, isOver) = value.addingReportingOverflow(distance)
        return isOver ? nil : Rank(sum)
    }

    /// Returns the distance to a greater rank, at most the greatest number.
    func distance(to other: Rank) -> Int64 {
        let (distance, isOver) = other.value.subtractingReportingOverflow(value)
        return isOver ? .max : distance
    }

    /// Returns the rank halfway to a greater one, rounded down.
    func middle(to other: Rank) -> Rank {
        // Halved first: the sum of two ranks may exceed 64 bits.
        Rank((value >> 1) + (other.value >> 1) + (value & other.value & 1))
    }

    /// Whether one rank is less than the other.
    static func < (left: Rank, right: Rank) -> Bool { left.value < right.value }
}

/// The ranks strictly between two others; one or both may be absent.
///
/// Its ranks are free: see ``Rank/isFree``.
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
        let middle = low.middle(to: high)
        return [0, 1, -1].compactMap(middle.adding).first { $0 > low && $0 < high && $0.isFree }?.value
    }

    /// Returns `count` evenly spread ranks in rising order, none of them `taken`.
    ///
    /// - Returns: `nil` if their distance would be less than `minimumStride`, which must exceed 3.
    func spread(_ count: Int, minimumStride: Int64, avoiding taken: Int64?) -> [Int64]? {
        let (low, high) = ends(count: Int64(count))
        let stride = low.distance(to: high) / Int64(count + 1)
        guard stride >= minimumStride else { return nil }
        var ranks: [Int64] = []
        for index in 1...Int64(count) {
            guard let rank = low.adding(stride * index) else { return nil }
            // At most one of three consecutive ranks is a multiple, and at most one is taken.
            ranks.append(
                ([0, -1, -2].compactMap(rank.adding).first { $0.isFree && $0.value != taken } ?? rank).value)
        }
        return ranks
    }

    /// Returns the ends of the gap.
    ///
    /// A missing end is replaced by half a step of room for each of `count` ranks and one more, or by the end of the
    /// range of ranks.
    private func ends(count: Int64) -> (low: Rank, high: Rank) {
        let room = (count + 1) * (OrderKey.rankStep / 2)
        switch (below.map { Rank($0) }, above.map { Rank($0) }) {
        case (nil, nil): return (Rank(0), Rank(room))
        case (let below?, nil): return (below, below.adding(room) ?? Rank(.max))
        case (nil, let above?): return (above.adding(-room) ?? Rank(.min), above)
        case (let below?, let above?): return (below, above)
        }
    }
}
