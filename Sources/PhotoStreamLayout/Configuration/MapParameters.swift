/// What only a map layout is told, in points.
public struct MapParameters: Hashable, Sendable {
    /// How large the world is: its side has `256 × 2^zoom` points; 0 to 20.
    public var zoom: Int
    /// The size of every item, each side 1 to 10,000 points.
    public var itemSize: Size

    /// Creates parameters.
    public init(zoom: Int = 2, itemSize: Size = Size(width: 44, height: 44)) {
        self.zoom = zoom
        self.itemSize = itemSize
    }
}
