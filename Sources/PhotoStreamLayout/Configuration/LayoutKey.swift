/// A layout configuration in device pixels, checked: equal keys give equal layouts, to the bit.
///
/// Its canonical text names a layout in files, cursors and requests. A minimum column width becomes a column count and
/// every length becomes device pixels, so configurations that cannot be told apart share one key.
public struct LayoutKey: Hashable, Sendable, CustomStringConvertible {
    /// Raised whenever any result of the engine changes, so that nothing older is ever mistaken for current.
    public static let engineVersion = 1

    /// Device pixels across the scroll axis, insets included.
    public let containerWidth: Int64
    /// Device pixels in a point.
    public let displayScale: DisplayScale
    /// The margin around all content.
    public let contentInset: PixelInsets
    /// The columns, in device pixels.
    public let masonry: Masonry

    /// Distances in from the four edges, in device pixels.
    public struct PixelInsets: Hashable, Sendable {
        /// The distance from the top edge.
        public let top: Int64
        /// The distance from the left edge.
        public let left: Int64
        /// The distance from the bottom edge.
        public let bottom: Int64
        /// The distance from the right edge.
        public let right: Int64
    }

    /// A masonry's parameters in device pixels.
    public struct Masonry: Hashable, Sendable {
        /// The number of columns, 1 to 128.
        public let columnCount: Int
        /// Which column takes the next item.
        public let columnChoice: MasonryParameters.ColumnChoice
        /// The space between columns.
        public let interitemSpacing: Int64
        /// The space between an item and the one under it.
        public let lineSpacing: Int64
        /// The height of a caption.
        public let captionExtent: Int64
    }

    /// Checks a configuration and resolves it to device pixels.
    ///
    /// - Throws: ``LayoutError/outOfRange(option:value:allowed:)`` naming the first option outside its range, or
    ///   ``LayoutError/columnsTooNarrow(columns:availablePixels:)``.
    public init(_ configuration: LayoutConfiguration) throws(LayoutError) {
        let scale = try DisplayScale(configuration.displayScale)
        let width = try scale.pixels("container width", configuration.containerWidth, in: 1...100_000)
        let inset = configuration.contentInset
        let insets = PixelInsets(
            top: try scale.pixels("top content inset", inset.top),
            left: try scale.pixels("left content inset", inset.left),
            bottom: try scale.pixels("bottom content inset", inset.bottom),
            right: try scale.pixels("right content inset", inset.right)
        )
        switch configuration.algorithm {
        case .masonry(let parameters):
            try self.init(
                containerWidth: width,
                displayScale: scale,
                contentInset: insets,
                masonry: Masonry(parameters, contentWidth: width - insets.left - insets.right, scale: scale)
            )
        }
    }

    init(
        containerWidth: Int64, displayScale: DisplayScale, contentInset: PixelInsets, masonry: Masonry
    ) throws(LayoutError) {
        self.containerWidth = containerWidth
        self.displayScale = displayScale
        self.contentInset = contentInset
        self.masonry = masonry
        guard availableWidth >= Int64(masonry.columnCount) else {
            throw .columnsTooNarrow(columns: masonry.columnCount, availablePixels: max(0, availableWidth))
        }
    }

    /// Device pixels that the columns share: what insets and interitem spacing leave.
    public var availableWidth: Int64 {
        containerWidth - contentInset.left - contentInset.right
            - Int64(masonry.columnCount - 1) * masonry.interitemSpacing
    }
}

extension LayoutKey.Masonry {
    fileprivate init(_ parameters: MasonryParameters, contentWidth: Int64, scale: DisplayScale) throws(LayoutError) {
        interitemSpacing = try scale.pixels("interitem spacing", parameters.interitemSpacing)
        lineSpacing = try scale.pixels("line spacing", parameters.lineSpacing)
        captionExtent = try scale.pixels("caption extent", parameters.captionExtent)
        columnChoice = parameters.columnChoice
        switch parameters.columns {
        case .count(let count):
            guard (1...128).contains(count) else {
                throw .outOfRange(option: "columns", value: Double(count), allowed: 1...128)
            }
            columnCount = count
        case .minimumWidth(let minimum):
            let pixels = max(1, try scale.pixels("minimum column width", minimum, in: 1...100_000))
            let fitting = (contentWidth + interitemSpacing) / (pixels + interitemSpacing)
            columnCount = Int(min(max(fitting, 1), 128))
        }
    }
}

extension DisplayScale {
    /// Checks a length in points and rounds it to device pixels.
    fileprivate func pixels(
        _ option: String, _ points: Double, in range: ClosedRange<Double> = 0...10_000
    ) throws(LayoutError) -> Int64 {
        guard range.contains(points) else { throw .outOfRange(option: option, value: points, allowed: range) }
        return pixels(points)
    }
}
