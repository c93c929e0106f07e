/// How many of some photos have a position, and the least box around those: all that a map has to know of a chunk to
/// say where everything stands.
public struct PositionSummary: Hashable, Sendable {
    /// How many have one.
    public let count: Int
    /// The least box around them; `nil` where there are none.
    public let box: WorldBox?

    /// Counts packed positions.
    package init(packed positions: ArraySlice<UInt64>) {
        var (count, box) = (0, WorldBox?.none)
        for position in positions {
            guard let position = WorldPosition(packed: position) else { continue }
            count += 1
            box =
                box?.union(position) ?? WorldBox(minX: position.x, maxX: position.x, minY: position.y, maxY: position.y)
        }
        (self.count, self.box) = (count, box)
    }

    /// What was counted before.
    ///
    /// - Returns: `nil` where there are positions without a box or a box without positions.
    package init?(count: Int, box: WorldBox?) {
        guard count >= 0, (count > 0) == (box != nil) else { return nil }
        (self.count, self.box) = (count, box)
    }

    /// No photo with a position.
    public static let none = PositionSummary(packed: [])
}

/// A box of the map; all four sides belong to it.
public struct WorldBox: Hashable, Sendable {
    /// The least x.
    public let minX: UInt32
    /// The greatest x.
    public let maxX: UInt32
    /// The least y.
    public let minY: UInt32
    /// The greatest y.
    public let maxY: UInt32

    /// Creates a box.
    package init(minX: UInt32, maxX: UInt32, minY: UInt32, maxY: UInt32) {
        (self.minX, self.maxX, self.minY, self.maxY) = (minX, maxX, minY, maxY)
    }

    /// The least box that holds both.
    package func union(_ other: WorldBox) -> WorldBox {
        WorldBox(
            minX: min(minX, other.minX), maxX: max(maxX, other.maxX), minY: min(minY, other.minY),
            maxY: max(maxY, other.maxY))
    }

    /// The least box that holds a position too.
    func union(_ position: WorldPosition) -> WorldBox {
        WorldBox(
            minX: min(minX, position.x), maxX: max(maxX, position.x), minY: min(minY, position.y),
            maxY: max(maxY, position.y))
    }
}
