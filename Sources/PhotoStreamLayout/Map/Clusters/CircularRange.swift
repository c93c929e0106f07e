/// The shortest range of coordinates on the circle of longitudes that contains all of some coordinates.
struct CircularRange {
    /// Its western end.
    let first: UInt32
    /// Its eastern end, less than `first` if the range contains the antimeridian.
    let last: UInt32

    /// Finds the range: all but the greatest gap between neighbours; in a tie the one at the antimeridian, or else the
    /// westernmost.
    ///
    /// There are at least as many buckets as coordinates, so the greatest gap is not shorter than a bucket, and only the
    /// first and the last coordinate of each are compared.
    ///
    /// - Parameters:
    ///   - coordinates: The coordinates, in any order, at least one.
    ///   - count: Their number.
    /// - Complexity: O(count).
    init(_ coordinates: some Sequence<UInt32>, count: Int) {
        let bits = UInt32(min(32, Int.bitWidth - max(1, count - 1).leadingZeroBitCount))
        var buckets = [(first: UInt32, last: UInt32)](repeating: (.max, .min), count: 1 << Int(bits))
        let shift = 32 - bits
        for coordinate in coordinates {
            let bucket = Int(coordinate >> shift)
            buckets[bucket].first = min(buckets[bucket].first, coordinate)
            buckets[bucket].last = max(buckets[bucket].last, coordinate)
        }
        let filled = buckets.filter { $0.first <= $0.last }
        guard let westernmost = filled.first?.first, let easternmost = filled.last?.last else {
            (first, last) = (0, .max)
            return
        }
        var greatest = UInt64(westernmost) + 1 << 32 - UInt64(easternmost)
        var range = (first: westernmost, last: easternmost)
        for (bucket, next) in zip(filled, filled.dropFirst()) where UInt64(next.first - bucket.last) > greatest {
            greatest = UInt64(next.first - bucket.last)
            range = (next.first, bucket.last)
        }
        (first, last) = range
    }
}
