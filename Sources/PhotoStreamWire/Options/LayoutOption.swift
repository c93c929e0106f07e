/// An option of a layout, with its name on the command line and over HTTP.
public enum LayoutOption: String, CaseIterable, Hashable, Sendable {
    case width
    case height
    case algorithm
    case columns
    case minimumColumnWidth = "minimum-column-width"
    case columnChoice = "column-choice"
    case orderTolerance = "order-tolerance"
    case spanWiderThan = "span-wider-than"
    case anchor
    case aspectRatio = "aspect-ratio"
    case itemSize = "item-size"
    case itemHeight = "item-height"
    case ownSizes = "own-sizes"
    case targetLineHeight = "target-line-height"
    case tolerance
    case minimumLineHeight = "minimum-line-height"
    case maximumLineHeight = "maximum-line-height"
    case widows
    case breaks
    case breakoutEvery = "breakout-every"
    case zoom
    case interitemSpacing = "interitem-spacing"
    case lineSpacing = "line-spacing"
    case contentInset = "content-inset"
    case cellPadding = "cell-padding"
    case displayScale = "display-scale"
    case captionExtent = "caption-extent"
    case badgeSize = "badge-size"
    case scrollDirection = "scroll-direction"
    case layoutDirection = "layout-direction"
    case sectionBy = "section-by"
    case sectionInset = "section-inset"
    case headerSize = "header-size"
    case footerSize = "footer-size"
    case pinHeaders = "pin-headers"
    case pinFooters = "pin-footers"
    case sectionBackground = "section-background"
    case separatorThickness = "separator-thickness"
    case layoutKey = "layout-key"

    /// The name in an address, and after two hyphens on a command line.
    public var name: String { rawValue }
}
