public import PhotoStreamLayout

/// The values of the option `algorithm`.
public enum AlgorithmName: String, CaseIterable, Hashable, Sendable {
    /// Columns of cells that keep their ratio.
    case masonry
    /// Lines as `UICollectionViewFlowLayout` breaks them.
    case flow
    /// Lines that fill the width.
    case justified
    /// Cells of one size.
    case grid
    /// Photos at their coordinates on a map of the world.
    case map

    /// The layout if no option names one.
    static let standard = AlgorithmName.masonry
}

/// The values of layout options, before they are checked together.
public struct LayoutOptionValues: Hashable, Sendable {
    /// See ``LayoutOption/width``.
    public var width: Double?
    /// See ``LayoutOption/height``.
    public var height: Double?
    /// See ``LayoutOption/algorithm``.
    public var algorithm: AlgorithmName?
    /// See ``LayoutOption/columns``.
    public var columns: Int?
    /// See ``LayoutOption/minimumColumnWidth``.
    public var minimumColumnWidth: Double?
    /// See ``LayoutOption/columnChoice``.
    public var columnChoice: MasonryParameters.ColumnChoice?
    /// See ``LayoutOption/orderTolerance``.
    public var orderTolerance: Double?
    /// See ``LayoutOption/spanWiderThan``.
    public var spanWiderThan: Double?
    /// See ``LayoutOption/anchor``.
    public var anchor: MasonryParameters.Anchor?
    /// See ``LayoutOption/aspectRatio``.
    public var aspectRatio: Double?
    /// See ``LayoutOption/itemSize``.
    public var itemSize: Size?
    /// See ``LayoutOption/itemHeight``.
    public var itemHeight: Double?
    /// See ``LayoutOption/ownSizes``.
    public var ownSizes = false
    /// See ``LayoutOption/targetLineHeight``.
    public var targetLineHeight: Double?
    /// See ``LayoutOption/tolerance``.
    public var tolerance: Double?
    /// See ``LayoutOption/minimumLineHeight``.
    public var minimumLineHeight: Double?
    /// See ``LayoutOption/maximumLineHeight``.
    public var maximumLineHeight: Double?
    /// See ``LayoutOption/widows``.
    public var widows: JustifiedParameters.WidowPolicy?
    /// See ``LayoutOption/breaks``.
    public var breaks: JustifiedParameters.Breaks?
    /// See ``LayoutOption/breakoutEvery``.
    public var breakoutEvery: Int?
    /// See ``LayoutOption/zoom``.
    public var zoom: Int?
    /// See ``LayoutOption/cluster``.
    public var cluster: Double?
    /// See ``LayoutOption/interitemSpacing``.
    public var interitemSpacing: Double?
    /// See ``LayoutOption/lineSpacing``.
    public var lineSpacing: Double?
    /// See ``LayoutOption/contentInset``.
    public var contentInset: EdgeInsets?
    /// See ``LayoutOption/cellPadding``.
    public var cellPadding: Double?
    /// See ``LayoutOption/displayScale``.
    public var displayScale: Double?
    /// See ``LayoutOption/captionExtent``.
    public var captionExtent: Double?
    /// See ``LayoutOption/badgeSize``.
    public var badgeSize: Size?
    /// See ``LayoutOption/scrollDirection``.
    public var scrollDirection: ScrollDirection?
    /// See ``LayoutOption/layoutDirection``.
    public var layoutDirection: LayoutDirection?
    /// See ``LayoutOption/sectionBy``.
    public var sectionBy: Sectioning?
    /// See ``LayoutOption/sectionInset``.
    public var sectionInset: EdgeInsets?
    /// See ``LayoutOption/headerSize``.
    public var headerSize: Double?
    /// See ``LayoutOption/footerSize``.
    public var footerSize: Double?
    /// See ``LayoutOption/pinHeaders``.
    public var pinHeaders = false
    /// See ``LayoutOption/pinFooters``.
    public var pinFooters = false
    /// See ``LayoutOption/sectionBackground``.
    public var sectionBackground = false
    /// See ``LayoutOption/separatorThickness``.
    public var separatorThickness: Double?
    /// See ``LayoutOption/layoutKey``.
    public var layoutKey: LayoutKey?

    /// Creates values without any option.
    public init() {}

    /// The options that were given, in the order of the help.
    public var given: [LayoutOption] { LayoutOption.allCases.filter(isGiven) }

    private func isGiven(_ option: LayoutOption) -> Bool {
        switch option.kind {
        case .number(let path): self[keyPath: path] != nil
        case .count(let path): self[keyPath: path] != nil
        case .flag(let path): self[keyPath: path]
        case .size(let path): self[keyPath: path] != nil
        case .insets(let path): self[keyPath: path] != nil
        case .choice(let choice): choice.isSet(self)
        case .key: layoutKey != nil
        }
    }
}
