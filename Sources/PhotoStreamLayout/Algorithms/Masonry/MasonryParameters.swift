import PhotoStreamModel

/// The options of a masonry layout, in points.
public struct MasonryParameters: Hashable, Sendable {
    /// The rule that chooses the column of the next item.
    public enum ColumnChoice: String, Hashable, Sendable, CaseIterable {
        /// The column that ends first; in a tie, the first of them.
        case shortest
        /// One after the other, as in the well-known Pinterest layout tutorial: item i is in column i mod count.
        case roundRobin = "round-robin"
    }

    /// The end of the stream at which packing begins.
    public enum Anchor: String, Hashable, Sendable, CaseIterable {
        /// The first photo: sections are packed from the start down, and their end is ragged.
        case start
        /// The last photo: sections are packed from the end up, and their start is ragged; a photo inserted before all
        /// others moves none of them relative to another.
        case end
    }

    /// The rule for the number of columns.
    public var columns: ColumnCount
    /// The rule that chooses the column of the next item.
    public var columnChoice: ColumnChoice

    /// The maximum distance below the end of the shortest column at which another column may end to take the item, 0 to
    /// 10,000 points; 0 for the shortest.
    ///
    /// The first of these columns in reading order takes it. A greater tolerance preserves the reading order better and
    /// leaves a more ragged end.
    public var orderTolerance: Double
    /// Items whose width is more than this multiple of their height take two columns, 0.001 to 1,000; `nil` for none.
    ///
    /// If content scrolls sideways, items that are more than that many times higher than wide take two lanes. An item's
    /// own `ItemMetrics.columnSpan` is used if it is greater.
    public var spanWiderThan: Double?
    /// The end of the stream at which packing begins.
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

extension LayoutKey {
    /// A masonry's parameters.
    public struct Masonry: Hashable, Sendable {
        /// The number of columns, 1 to 128.
        public let columnCount: Int
        /// The rule that chooses the column of the next item.
        public let columnChoice: MasonryParameters.ColumnChoice
        /// The maximum distance below the end of the shortest column at which another may end to take the item, in
        /// device pixels.
        public let orderTolerance: Int64
        /// The ratio, in millionths, above which an item takes two columns; 0 for none.
        public let spanRatio: Int64
        /// The end of the stream at which packing begins.
        public let anchor: MasonryParameters.Anchor
    }
}

extension LayoutKey.Masonry {
    init(_ parameters: MasonryParameters, in key: LayoutKey) throws(LayoutError) {
        columnCount = try parameters.columns.resolved(in: key)
        columnChoice = parameters.columnChoice
        let tolerance = try key.displayScale.pixels("order tolerance", points: parameters.orderTolerance)
        let ratio = try parameters.spanWiderThan.map { ratio throws(LayoutError) in
            try LayoutRange.ratio.checked(ratio, option: "span ratio")
        }
        // Values without an effect are not part of the key.
        orderTolerance = columnCount == 1 || columnChoice == .roundRobin ? 0 : tolerance
        spanRatio = columnCount == 1 ? 0 : ratio?.inMillionths ?? 0
        // A single column is full from both ends.
        anchor = columnCount == 1 ? .start : parameters.anchor
    }
}

extension LayoutKey.Masonry: AlgorithmParameters {
    static let name = "masonry"

    /// The number of columns that have to fit.
    var columnCountThatFits: Int? { columnCount }

    var fields: [String] {
        ["columns=\(columnCount)", "choice=\(columnChoice.rawValue)"]
            + (orderTolerance == 0 ? [] : ["tolerance=\(orderTolerance)"])
            + (spanRatio == 0 ? [] : ["span=\(spanRatio)"])
            + (anchor == .start ? [] : ["anchor=\(anchor.rawValue)"])
    }

    init(_ fields: inout LayoutKeyFields) throws(LayoutError) {
        columnCount = try fields.columnCount()
        columnChoice = try fields.choice("choice")
        orderTolerance = fields.has("tolerance") ? try fields.number("tolerance") : 0
        spanRatio = fields.has("span") ? try fields.number("span") : 0
        anchor = try fields.choice("anchor", or: .start)
    }

    func isWithin(longest: Int64, container: Int64) -> Bool {
        let ratios = LayoutRange.ratio.lowerBound.inMillionths...LayoutRange.ratio.upperBound.inMillionths
        return isCanonical && (0...longest).contains(orderTolerance)
            && (spanRatio == 0 || ratios.contains(spanRatio))
    }

    /// Whether it has no values without an effect.
    private var isCanonical: Bool {
        (columnCount > 1 || spanRatio == 0 && orderTolerance == 0 && anchor == .start)
            && (columnChoice == .shortest || orderTolerance == 0)
    }

    func layoutAlgorithm(of key: LayoutKey) -> any LayoutAlgorithm { MasonryAlgorithm(key, masonry: self) }
}
