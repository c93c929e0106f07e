/// A layout configuration in device pixels, checked: equal keys give equal layouts, to the bit.
///
/// Its canonical text names a layout in files, cursors and requests. A minimum column width becomes a column count and
/// every length becomes device pixels, so configurations that cannot be told apart share one key.
public struct LayoutKey: Hashable, Sendable, CustomStringConvertible {
    /// Raised whenever any result of the engine changes, so that nothing older is ever mistaken for current.
    public static let engineVersion = 3

    /// Device pixels across the scroll axis, insets included.
    public let containerLength: Int64
    /// Device pixels in a point.
    public let displayScale: DisplayScale
    /// The axis along which the content grows.
    public let scrollDirection: ScrollDirection
    /// Where reading begins.
    public let layoutDirection: LayoutDirection
    /// The margin around all content.
    public let contentInset: PixelInsets
    /// The least space between neighbours across the scroll axis.
    public let interitemSpacing: Int64
    /// The space between an item or a line and the next along the scroll axis.
    public let lineSpacing: Int64
    /// The height of a caption.
    public let captionExtent: Int64
    /// The sections and what stands around them.
    public let sections: Sections
    /// The size of every item's badge.
    public let badgeSize: PixelExtent
    /// The algorithm and what only it reads.
    public let algorithm: Algorithm

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

    /// Sections, and what stands around their items, in device pixels.
    public struct Sections: Hashable, Sendable {
        /// What makes a new section.
        public let sectioning: Sectioning
        /// The margin around a section's items.
        public let inset: PixelInsets
        /// The header's extent along the scroll axis.
        public let headerExtent: Int64
        /// The footer's extent along the scroll axis.
        public let footerExtent: Int64
        /// Whether headers stay in the visible bounds.
        public let pinsHeaders: Bool
        /// Whether footers stay in the visible bounds.
        public let pinsFooters: Bool
        /// Whether each section has a background.
        public let hasBackground: Bool
        /// How thick the separator between two lines is.
        public let separatorThickness: Int64
    }

    /// The algorithms, their parameters in device pixels.
    public enum Algorithm: Hashable, Sendable {
        /// Columns of one width, items of any height.
        case masonry(Masonry)
        /// Lines of items that keep their sizes.
        case flow(Flow)
        /// Lines that fill the container exactly.
        case justified(Justified)
        /// Cells of one size.
        case grid(Grid)
        /// Photos at the places where they were taken.
        case map(Map)
        /// A layout of somebody's own.
        case custom(AnyCustomLayout)
    }

    /// A masonry's parameters.
    public struct Masonry: Hashable, Sendable {
        /// The number of columns, 1 to 128.
        public let columnCount: Int
        /// Which column takes the next item.
        public let columnChoice: MasonryParameters.ColumnChoice
        /// How far below the shortest column another's end may lie that takes the item, in device pixels.
        public let orderTolerance: Int64
        /// The ratio, in millionths, above which an item takes two columns; 0 for none.
        public let spanRatio: Int64
        /// Where packing begins.
        public let anchor: MasonryParameters.Anchor
    }

    /// A flow's parameters in device pixels.
    public enum Flow: Hashable, Sendable {
        /// All items alike.
        case uniform(PixelExtent)
        /// All of one height, as wide as their ratio makes them.
        case height(Int64)
        /// Each as its metrics say, a pixel of the picture to a point.
        case own
    }

    /// A justified layout's parameters, in device pixels.
    public struct Justified: Hashable, Sendable {
        /// The height that lines should have.
        public let targetLineHeight: Int64
        /// How far a line may lie from the target without a look at the next item, in millionths of it.
        public let tolerance: Int64
        /// No line is lower.
        public let minimumLineHeight: Int64
        /// No line is higher.
        public let maximumLineHeight: Int64
        /// What becomes of a last line that is not full.
        public let widows: JustifiedParameters.WidowPolicy
        /// How items are divided into lines.
        public let breaks: JustifiedParameters.Breaks
        /// Every so manieth line is one item alone; 0 for never.
        public let breakoutEvery: Int
    }

    /// A grid's parameters.
    public struct Grid: Hashable, Sendable {
        /// The number of columns, 1 to 128.
        public let columnCount: Int
        /// The extent of every picture's cell along the scroll axis, in device pixels, without caption.
        public let cellExtent: Int64
    }

    /// A map's parameters.
    public struct Map: Hashable, Sendable {
        /// How large the world is: its side has `256 × 2^zoom` points.
        public let zoom: Int
        /// The size of every item in device pixels.
        public let itemSize: PixelExtent
    }

    /// Device pixels across the scroll axis that the items of a section share, spacing included: what content insets
    /// and section insets leave, at least 1.
    public var availableLength: Int64 {
        containerLength - acrossInsets(contentInset) - acrossInsets(sections.inset)
    }

    /// Device pixels across the scroll axis that the content has, insets included: as many as the container, or more in
    /// a map whose world does not fit into it.
    public var acrossLength: Int64 {
        guard case .map(let map) = algorithm else { return containerLength }
        let world = map.worldExtent(displayScale) + map.itemSize.width
        return max(containerLength, world + acrossInsets(contentInset) + acrossInsets(sections.inset))
    }

    /// The sum of the two insets across the scroll axis.
    private func acrossInsets(_ insets: PixelInsets) -> Int64 {
        scrollDirection == .vertical ? insets.left + insets.right : insets.top + insets.bottom
    }

    init(_ shared: Shared, _ algorithm: Algorithm) throws(LayoutError) {
        containerLength = shared.containerLength
        displayScale = shared.displayScale
        scrollDirection = shared.scrollDirection
        layoutDirection = shared.layoutDirection
        contentInset = shared.contentInset
        interitemSpacing = shared.interitemSpacing
        lineSpacing = shared.lineSpacing
        // A map shows no captions, and what is not seen is not part of the key.
        captionExtent = if case .map = algorithm { 0 } else { shared.captionExtent }
        sections = shared.sections
        badgeSize = shared.badgeSize
        self.algorithm = algorithm
        let columnCount: Int? =
            switch algorithm {
            case .masonry(let masonry): masonry.columnCount
            case .grid(let grid): grid.columnCount
            case .flow, .justified, .map, .custom: nil
            }
        if case .map = algorithm {
            guard scrollDirection == .vertical else { throw .unsupported(option: "horizontal scrolling", by: "map") }
            guard sections.sectioning == .none else { throw .unsupported(option: "sectioning by dates", by: "map") }
        }
        guard availableLength >= 1 else { throw .insetsTooWide(containerPixels: containerLength) }
        if let columnCount {
            let available = availableLength - Int64(columnCount - 1) * interitemSpacing
            guard available >= Int64(columnCount) else {
                throw .columnsTooNarrow(columns: columnCount, availablePixels: max(0, available))
            }
        }
    }

    /// What every algorithm reads.
    struct Shared {
        var containerLength: Int64
        var displayScale: DisplayScale
        var scrollDirection: ScrollDirection
        var layoutDirection: LayoutDirection
        var contentInset: PixelInsets
        var interitemSpacing: Int64
        var lineSpacing: Int64
        var captionExtent: Int64
        var sections: Sections
        var badgeSize: PixelExtent
    }
}
