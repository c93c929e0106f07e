/// What only a masonry layout is told, in points.
public struct MasonryParameters: Hashable, Sendable {
    /// Which column takes the next item.
    public enum ColumnChoice: String, Hashable, Sendable, CaseIterable {
        /// The one that ends first; of equals the first.
        case shortest
        /// One after the other, as in the well-known Pinterest layout tutorial: item i stands in column i mod count.
        case roundRobin = "round-robin"
    }

    /// How the number of columns is found.
    public var columns: ColumnCount
    /// Which column takes the next item.
    public var columnChoice: ColumnChoice

    /// Creates parameters.
    public init(columns: ColumnCount = .count(4), columnChoice: ColumnChoice = .shortest) {
        self.columns = columns
        self.columnChoice = columnChoice
    }
}

/// How the number of columns, or of lanes where content scrolls horizontally, is found.
public enum ColumnCount: Hashable, Sendable {
    /// So many, 1 to 128.
    case count(Int)
    /// As many as fit at this width or more, at least one, at most 128; 1 to 100,000 points.
    case minimumWidth(Double)
}
