import PhotoStreamModel

/// The first photo in stream order among some positions, and the box around them, in 24 bytes.
struct PlaceSummary {
    /// The photo's position in stream order.
    private(set) var photo = UInt32.max
    /// Its entry in the index.
    private(set) var entry = UInt32.max
    private var minX = UInt32.max
    private var maxX = UInt32.min
    private var minY = UInt32.max
    private var maxY = UInt32.min

    /// The box around the positions; there must be at least one.
    var box: WorldBox { WorldBox(minX: minX, maxX: maxX, minY: minY, maxY: maxY) }

    /// Adds a position.
    @inline(__always)
    mutating func add(_ place: ZOrder, photo other: UInt32, entry number: Int) {
        let (x, y) = (place.x, place.y)
        (minX, maxX, minY, maxY) = (min(minX, x), max(maxX, x), min(minY, y), max(maxY, y))
        if other < photo { (photo, entry) = (other, UInt32(truncatingIfNeeded: number)) }
    }

    /// Adds the positions of another summary.
    @inline(__always)
    mutating func add(_ other: PlaceSummary) {
        (minX, maxX) = (min(minX, other.minX), max(maxX, other.maxX))
        (minY, maxY) = (min(minY, other.minY), max(maxY, other.maxY))
        if other.photo < photo { (photo, entry) = (other.photo, other.entry) }
    }

    /// The summaries of the complete groups of entries, of those of these groups, and so on.
    static func levels(_ places: [ZOrder], photos: [UInt32]) -> [[PlaceSummary]] {
        let length = PositionIndex.fanOut
        var levels: [[PlaceSummary]] = []
        var level = (0..<places.count / length).map { group in
            var summary = PlaceSummary()
            for entry in group * length..<(group + 1) * length {
                summary.add(places[entry], photo: photos[entry], entry: entry)
            }
            return summary
        }
        while !level.isEmpty {
            levels.append(level)
            level = (0..<level.count / length).map { group in
                level[group * length..<(group + 1) * length].reduce(into: PlaceSummary()) { $0.add($1) }
            }
        }
        return levels
    }
}

extension PositionIndex {
    /// Adds consecutive entries to a summary.
    ///
    /// - Complexity: O(log entries).
    @inline(__always)
    func add(_ entries: Range<Int>, to summary: inout PlaceSummary) {
        var (low, high) = (entries.lowerBound, entries.upperBound)
        while low < high, low % Self.fanOut != 0 {
            summary.add(places[low], photo: photos[low], entry: low)
            low += 1
        }
        while low < high, high % Self.fanOut != 0 {
            high -= 1
            summary.add(places[high], photo: photos[high], entry: high)
        }
        (low, high) = (low / Self.fanOut, high / Self.fanOut)
        for level in levels where low < high {
            while low < high, low % Self.fanOut != 0 {
                summary.add(level[low])
                low += 1
            }
            while low < high, high % Self.fanOut != 0 {
                high -= 1
                summary.add(level[high])
            }
            (low, high) = (low / Self.fanOut, high / Self.fanOut)
        }
    }
}
