/// The photos of a stream that have a position: a bit for each photo, and the number of such photos before every 64.
struct LocatedPhotos {
    /// The number of all photos.
    let photoCount: Int
    private var masks: [UInt64]
    private var countsBefore: [UInt32]

    /// Creates the set of the given photos of `count`, in any order.
    init(_ photos: [UInt32], count: Int) {
        photoCount = count
        masks = [UInt64](repeating: 0, count: (count + 63) / 64)
        for photo in photos { masks[Int(photo >> 6)] |= 1 << UInt64(photo & 63) }
        var before: UInt32 = 0
        countsBefore = masks.map { mask in
            defer { before += UInt32(mask.nonzeroBitCount) }
            return before
        }
    }

    var byteCount: Int { 12 * masks.count }

    /// The number of photos with a position before a photo.
    ///
    /// - Complexity: O(1).
    func rank(of photo: Int) -> Int {
        Int(countsBefore[photo >> 6]) + (masks[photo >> 6] & (1 << UInt64(photo & 63) - 1)).nonzeroBitCount
    }

    /// The first photos without a position from one on, in stream order.
    ///
    /// - Complexity: O(photos / 64 + limit).
    func unlocated(from first: Int, limit: Int) -> [Int] {
        var found: [Int] = []
        var first = max(0, first)
        while first < photoCount, found.count < limit {
            // The bits before the photo count as set.
            var others = ~masks[first >> 6] & (~0 << UInt64(first & 63))
            while others != 0, found.count < limit {
                let photo = first & ~63 | others.trailingZeroBitCount
                guard photo < photoCount else { return found }
                found.append(photo)
                others &= others - 1
            }
            first = (first | 63) + 1
        }
        return found
    }
}
