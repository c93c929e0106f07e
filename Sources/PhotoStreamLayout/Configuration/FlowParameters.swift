/// What only a flow layout is told, in points.
public struct FlowParameters: Hashable, Sendable {
    /// How large items are, caption not included.
    public enum ItemSize: Hashable, Sendable {
        /// All alike; each side 1 to 10,000 points.
        case uniform(Size)
        /// All of one height, 1 to 10,000 points, and as wide as their ratio makes them.
        case height(Double)
        /// Each as its metrics say, a pixel of the picture to a point.
        case own
    }

    /// How large items are.
    public var itemSize: ItemSize

    /// Creates parameters.
    public init(itemSize: ItemSize = .uniform(Size(width: 50, height: 50))) {
        self.itemSize = itemSize
    }
}
