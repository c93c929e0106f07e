/// What a masonry layout is told, in points.
public struct MasonryParameters: Hashable, Sendable {
    /// How the number of columns is found.
    public enum Columns: Hashable, Sendable {
        /// So many, 1 to 128.
        case count(Int)
        /// As many as fit at this width or more, at least one, at most 128; 1 to 100,000 points.
        case minimumWidth(Double)
    }

    /// Which column takes the next item.
    public enum ColumnChoice: String, Hashable, Sendable, CaseIterable {
        /// The one that ends highest; of equals the first.
        case shortest
        /// One after the other, as in the well-known Pinterest layout tutorial: item i stands in column i mod count.
        case roundRobin = "round-robin"
    }

    /// How the number of columns is found.
    public var columns: Columns
    /// Which column takes the next item.
    public var columnChoice: ColumnChoice
    /// The space between columns, 0 to 10,000 points.
    public var interitemSpacing: Double
    /// The space between an item and the one under it, 0 to 10,000 points; none follows the last.
    public var lineSpacing: Double
    /// The height of the caption under a picture that has one, 0 to 10,000 points.
    public var captionExtent: Double

    /// Creates parameters.
    public init(
        columns: Columns = .count(4),
        columnChoice: ColumnChoice = .shortest,
        interitemSpacing: Double = 0,
        lineSpacing: Double = 0,
        captionExtent: Double = 0
    ) {
        self.columns = columns
        self.columnChoice = columnChoice
        self.interitemSpacing = interitemSpacing
        self.lineSpacing = lineSpacing
        self.captionExtent = captionExtent
    }
}
