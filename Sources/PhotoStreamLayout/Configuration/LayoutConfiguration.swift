/// The options of a layout, in points, as a client requests it.
///
///     let configuration = LayoutConfiguration(
///         containerLength: 1200, displayScale: 2, interitemSpacing: 8, lineSpacing: 8,
///         sections: SectionParameters(sectioning: .month, headerReferenceSize: 44),
///         algorithm: .justified(JustifiedParameters(targetLineHeight: 300)))
///     let key = try LayoutKey(configuration)
///
/// Resolve it with ``LayoutKey/init(_:)``, which checks every value and converts it to device pixels once.
public struct LayoutConfiguration: Hashable, Sendable {
    /// The length across the scroll axis that content and its insets fill, 1 to 100,000 points: the container's width
    /// if content scrolls vertically, its height if it scrolls horizontally.
    public var containerLength: Double
    /// The number of device pixels per point, 0.5 to 8.
    public var displayScale: Double
    /// The axis along which the content grows.
    public var scrollDirection: ScrollDirection
    /// The side where reading begins; right-to-left is the mirror image of left-to-right, insets included.
    public var layoutDirection: LayoutDirection
    /// The margin around all content, each side 0 to 10,000 points.
    public var contentInset: EdgeInsets
    /// The minimum space between neighbours across the scroll axis, 0 to 10,000 points.
    ///
    /// Masonry and grid use it exactly.
    public var interitemSpacing: Double
    /// The space between an item or a line and the next along the scroll axis, 0 to 10,000 points, not added after the
    /// last.
    public var lineSpacing: Double
    /// The height of the caption under a picture with a caption, 0 to 10,000 points.
    public var captionExtent: Double
    /// The sections of the stream, and the elements around them.
    public var sections: SectionParameters
    /// The size of the badge on every item, each side 0 to 10,000 points; zero for none.
    public var badgeSize: Size
    /// The algorithm and its own options.
    public var algorithm: Algorithm

    /// The algorithms and their parameters.
    public enum Algorithm: Hashable, Sendable {
        /// Columns of one width, items of any height.
        case masonry(MasonryParameters)
        /// Lines of items that keep their sizes, as in UICollectionViewFlowLayout.
        case flow(FlowParameters)
        /// Lines that fill the container exactly.
        case justified(JustifiedParameters)
        /// Cells of one size.
        case grid(GridParameters)
        /// Photos at the places where they were taken.
        case map(MapParameters)
        /// The rule of another module.
        case placed(AnyPlacementRule)
    }

    /// Creates a configuration.
    public init(
        containerLength: Double,
        displayScale: Double = 1,
        scrollDirection: ScrollDirection = .vertical,
        layoutDirection: LayoutDirection = .leftToRight,
        contentInset: EdgeInsets = .zero,
        interitemSpacing: Double = 0,
        lineSpacing: Double = 0,
        captionExtent: Double = 0,
        sections: SectionParameters = SectionParameters(),
        badgeSize: Size = .zero,
        algorithm: Algorithm = .masonry(MasonryParameters())
    ) {
        self.containerLength = containerLength
        self.displayScale = displayScale
        self.scrollDirection = scrollDirection
        self.layoutDirection = layoutDirection
        self.contentInset = contentInset
        self.interitemSpacing = interitemSpacing
        self.lineSpacing = lineSpacing
        self.captionExtent = captionExtent
        self.sections = sections
        self.badgeSize = badgeSize
        self.algorithm = algorithm
    }

    /// Sets the cell padding of the Pinterest tutorial: a content inset of `padding` and spacings of twice that.
    ///
    /// - Parameter padding: The margin on each side of every cell, in points.
    public mutating func setCellPadding(_ padding: Double) {
        contentInset = EdgeInsets(top: padding, left: padding, bottom: padding, right: padding)
        interitemSpacing = 2 * padding
        lineSpacing = 2 * padding
    }
}

/// The axis along which content grows and scrolls.
public enum ScrollDirection: String, Hashable, Sendable, CaseIterable {
    /// Down; lines are rows.
    case vertical
    /// Sideways; lines are columns. The transpose of vertical.
    case horizontal
}

/// The side where reading begins.
public enum LayoutDirection: String, Hashable, Sendable, CaseIterable {
    /// Left.
    case leftToRight = "left-to-right"
    /// Right: the mirror image.
    case rightToLeft = "right-to-left"
}
