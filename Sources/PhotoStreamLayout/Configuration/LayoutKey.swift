/// A checked layout configuration in device pixels: equal keys give equal layouts, to the bit.
///
///     let key = try LayoutKey(
///         LayoutConfiguration(containerLength: 900, algorithm: .grid(GridParameters(columns: .count(6)))))
///     let text = key.description  // grid-4,length=900,scale=1,inset=0:0:0:0,…,cell=150
///     let isSame = try LayoutKey(parsing: text) == key
///
/// Its canonical text identifies a layout in files, cursors and requests. A minimum column width becomes a column count
/// and every length becomes device pixels, so configurations without a visible difference share one key.
public struct LayoutKey: Hashable, Sendable, CustomStringConvertible {
    /// The engine's version, raised whenever any of its results changes, so that no outdated data is used.
    public static let engineVersion = 4

    /// The length across the scroll axis, insets included, in device pixels.
    public let containerLength: Int64
    /// The number of device pixels per point.
    public let displayScale: DisplayScale
    /// The axis along which the content grows.
    public let scrollDirection: ScrollDirection
    /// The side where reading begins.
    public let layoutDirection: LayoutDirection
    /// The margin around all content.
    public let contentInset: PixelInsets
    /// The minimum space between neighbours across the scroll axis.
    public internal(set) var interitemSpacing: Int64
    /// The space between an item or a line and the next along the scroll axis.
    public internal(set) var lineSpacing: Int64
    /// The height of a caption.
    public internal(set) var captionExtent: Int64
    /// The sections and the elements around them.
    public let sections: Sections
    /// The size of every item's badge.
    public let badgeSize: PixelExtent
    /// The algorithm and its own options.
    public internal(set) var algorithm: Algorithm

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

    /// The options of sections and of the elements around their items, in device pixels.
    public struct Sections: Hashable, Sendable {
        /// The unit of the dates that divide the stream.
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
        /// The thickness of the separator between two lines.
        public let separatorThickness: Int64
    }

    /// The device pixels across the scroll axis that a section's items and their spacing share, after content insets
    /// and section insets; at least 1.
    public var availableLength: Int64 {
        containerLength - acrossInsets(contentInset) - acrossInsets(sections.inset)
    }

    /// The length of the content across the scroll axis, insets included, in device pixels: that of the container, or
    /// more for a map whose world does not fit into it.
    public var acrossLength: Int64 {
        guard let content = algorithm.parameters.contentLength(at: displayScale) else { return containerLength }
        return max(containerLength, content + acrossInsets(contentInset) + acrossInsets(sections.inset))
    }

    /// The sum of the two insets across the scroll axis.
    private func acrossInsets(_ insets: PixelInsets) -> Int64 {
        scrollDirection == .vertical ? insets.left + insets.right : insets.top + insets.bottom
    }

    /// Completes a key whose other options are resolved, and checks that they suit the algorithm.
    mutating func complete(with algorithm: Algorithm) throws(LayoutError) {
        self.algorithm = algorithm
        let parameters = algorithm.parameters
        // Invisible captions are not part of the key.
        if !parameters.showsCaptions { captionExtent = 0 }
        if !parameters.hasSpacing { (interitemSpacing, lineSpacing) = (0, 0) }
        try parameters.check(self)
        guard availableLength >= 1 else { throw .insetsTooWide(containerPixels: containerLength) }
        if let columnCount = parameters.columnCountThatFits {
            let available = availableLength - Int64(columnCount - 1) * interitemSpacing
            guard available >= Int64(columnCount) else {
                throw .columnsTooNarrow(columns: columnCount, availablePixels: max(0, available))
            }
        }
    }
}
