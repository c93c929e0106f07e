import PhotoStreamModel

/// What only a masonry layout is told, in points.
public struct MasonryParameters: Hashable, Sendable {
    /// Which column takes the next item.
    public enum ColumnChoice: String, Hashable, Sendable, CaseIterable {
        /// The one that ends first; of equals the first.
        case shortest
        /// One after the other, as in the well-known Pinterest layout tutorial: item i stands in column i mod count.
        case roundRobin = "round-robin"
    }

    /// Where packing begins.
    public enum Anchor: String, Hashable, Sendable, CaseIterable {
        /// With the first photo, from the start of each section down: the ragged edge is the section's end.
        case start
        /// With the last photo, from the end of each section up: the ragged edge is the section's start, and a photo
        /// that is put before all others moves none of them relative to another.
        case end
    }

    /// How the number of columns is found.
    public var columns: ColumnCount
    /// Which column takes the next item.
    public var columnChoice: ColumnChoice

    /// How far below the shortest column another may end to take the item, 0 to 10,000 points; 0 for none but the
    /// shortest.
    ///
    /// Of the columns that may, the first in reading order does. A greater tolerance keeps that order better and leaves
    /// a more ragged end.
    public var orderTolerance: Double
    /// Items that are more than so many times wider than high take two columns, 0.001 to 1,000; `nil` for none.
    ///
    /// Where content scrolls sideways, items that are more than so many times higher than wide take two lanes. An
    /// item's own ``ItemMetrics/columnSpan`` counts where it is greater.
    public var spanWiderThan: Double?
    /// Where packing begins.
    public var anchor: Anchor

    /// Creates parameters.
    public init(
        columns: ColumnCount = .count(4),
        columnChoice: ColumnChoice = .shortest,
        orderTolerance: Double = 0,
        spanWiderThan: Double? = nil,
        anchor: Anchor = .start
    ) {
        self.columns = columns
        self.columnChoice = columnChoice
        self.orderTolerance = orderTolerance
        self.spanWiderThan = spanWiderThan
        self.anchor = anchor
    }
}

/// How the number of columns, or of lanes where content scrolls horizontally, is found.
public enum ColumnCount: Hashable, Sendable {
    /// So many, 1 to 128.
    case count(Int)
    /// As many as fit at this width or more, at least one, at most 128; 1 to 100,000 points.
    case minimumWidth(Double)
}
