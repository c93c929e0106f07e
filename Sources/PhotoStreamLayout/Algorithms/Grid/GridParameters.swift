/// The options of a grid layout, in points.
public struct GridParameters: Hashable, Sendable {
    /// The rule for the number of columns; they fill the container.
    public var columns: ColumnCount
    /// The width of every picture's cell divided by its height, 0.001 to 1000.
    ///
    /// The caption's extent is added to every cell.
    public var aspectRatio: Double

    /// Creates parameters.
    public init(columns: ColumnCount = MasonryParameters().columns, aspectRatio: Double = 1) {
        self.columns = columns
        self.aspectRatio = aspectRatio
    }
}

extension LayoutKey {
    /// A grid's parameters.
    public struct Grid: Hashable, Sendable {
        /// The number of columns, 1 to 128.
        public let columnCount: Int
        /// The extent of every picture's cell along the scroll axis, in device pixels, without caption.
        public let cellExtent: Int64
    }
}

extension LayoutKey.Grid {
    init(_ parameters: GridParameters, in key: LayoutKey) throws(LayoutError) {
        columnCount = try parameters.columns.resolved(in: key)
        let ratio = try LayoutRange.ratio.checked(parameters.aspectRatio, option: "aspect ratio")
        let columns = key.availableLength - Int64(columnCount - 1) * key.interitemSpacing
        let length = Double(max(0, columns) / Int64(columnCount))
        // The length across is the width if content scrolls vertically, else the height, caption included.
        let extent =
            key.scrollDirection == .vertical
            ? length / ratio : max(1, length - Double(key.captionExtent)) * ratio
        cellExtent = max(1, Int64(extent.rounded(.toNearestOrAwayFromZero)))
    }
}

extension LayoutKey.Grid: AlgorithmParameters {
    static let name = "grid"

    /// The number of columns that have to fit.
    var columnCountThatFits: Int? { columnCount }

    var fields: [String] { ["columns=\(columnCount)", "cell=\(cellExtent)"] }

    init(_ fields: inout LayoutKeyFields) throws(LayoutError) {
        columnCount = try fields.columnCount()
        cellExtent = try fields.number("cell")
    }

    func isWithin(longest: Int64, container: Int64) -> Bool {
        (1...Int64(LayoutRange.ratio.upperBound) * container).contains(cellExtent)
    }

    func layoutAlgorithm(of key: LayoutKey) -> any LayoutAlgorithm { UniformCells(key, grid: self) }
}
