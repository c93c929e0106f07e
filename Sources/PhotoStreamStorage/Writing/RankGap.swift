import PhotoStreamModel

/// The ranks strictly between two, either of which may be absent.
///
/// A multiple of `OrderKey.rankStep` belongs to a photo that was never moved, also to one that does not exist yet, and
/// is never given to a moved one.
struct RankGap {
    /// The greatest rank below the gap.
    let below: Int64?
    /// The least rank above the gap.
    let above: Int64?

    /// A rank as far as possible from both ends; half a step beyond the only end there is.
    ///
    /// - Returns: `nil` where there is no room.
    func middle() -> Int64? {
        let (low, high) = ends(count: 1)
        // Halved first: the sum of two ranks may exceed 64 bits.
        let middle = (low >> 1) + (high >> 1) + (low & high & 1)
        return [middle, middle + 1, middle - 1].first { $0 > low && $0 < high && Self.isFree($0) }
    }

    /// `count` ranks in rising order, evenly spread, none of them `taken`.
    ///
    /// - Returns: `nil` where they would come closer to each other than `minimumStride`, which is over 3.
    func spread(_ count: Int, minimumStride: Int64, avoiding taken: Int64?) -> [Int64]? {
        let (low, high) = ends(count: Int64(count))
        let (width, overflow) = high.subtractingReportingOverflow(low)
        let stride = (overflow ? Int64.max : width) / Int64(count + 1)
        guard stride >= minimumStride else { return nil }
        return (1...Int64(count)).map { index in
            let rank = low + stride * index
            // Of three ranks in a row, one is a multiple at most and one is taken at most.
            return [rank, rank - 1, rank - 2].first { Self.isFree($0) && $0 != taken } ?? rank
        }
    }

    /// The ends of the gap; where there is none, half a step of room for each of `count` ranks and the end itself.
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
