extension LayoutKey {
    /// Checks a configuration and resolves it to device pixels.
    ///
    /// - Throws: ``LayoutError/outOfRange(option:value:allowed:)`` naming the first option outside its range,
    ///   ``LayoutError/columnsTooNarrow(columns:availablePixels:)``, ``LayoutError/insetsTooWide(containerPixels:)`` or
    ///   ``LayoutError/invalidLayoutName(_:)``.
    public init(_ configuration: LayoutConfiguration) throws(LayoutError) {
        let shared = try Shared(configuration)
        try self.init(shared, try Algorithm(configuration.algorithm, shared))
    }
}

extension LayoutKey.Shared {
    init(_ configuration: LayoutConfiguration) throws(LayoutError) {
        let scale = try DisplayScale(configuration.displayScale)
        let isVertical = configuration.scrollDirection == .vertical
        displayScale = scale
        containerLength = try scale.pixels(
            isVertical ? "container width" : "container height", configuration.containerLength, in: 1...100_000)
        scrollDirection = configuration.scrollDirection
        layoutDirection = configuration.layoutDirection
        contentInset = try LayoutKey.PixelInsets("content inset", configuration.contentInset, scale)
        interitemSpacing = try scale.pixels("interitem spacing", configuration.interitemSpacing)
        lineSpacing = try scale.pixels("line spacing", configuration.lineSpacing)
        captionExtent = try scale.pixels("caption extent", configuration.captionExtent)
        sections = try LayoutKey.Sections(configuration.sections, scale)
        let badge = PixelExtent(
            width: try scale.pixels("badge width", configuration.badgeSize.width),
            height: try scale.pixels("badge height", configuration.badgeSize.height))
        // What is not seen is not part of the key.
        badgeSize = badge.width > 0 && badge.height > 0 ? badge : PixelExtent(width: 0, height: 0)
    }

    /// Device pixels across the scroll axis that a section's items share.
    fileprivate var availableLength: Int64 {
        let (content, section) = (contentInset, sections.inset)
        return scrollDirection == .vertical
            ? containerLength - content.left - content.right - section.left - section.right
            : containerLength - content.top - content.bottom - section.top - section.bottom
    }
}

extension LayoutKey.Algorithm {
    fileprivate init(
        _ algorithm: LayoutConfiguration.Algorithm, _ shared: LayoutKey.Shared
    ) throws(LayoutError) {
        switch algorithm {
        case .masonry(let parameters):
            self = .masonry(try LayoutKey.Masonry(parameters, shared))
        case .flow(let parameters): self = .flow(try LayoutKey.Flow(parameters, shared.displayScale))
        case .justified(let parameters): self = .justified(try LayoutKey.Justified(parameters, shared.displayScale))
        case .grid(let parameters): self = .grid(try LayoutKey.Grid(parameters, shared))
        case .map(let parameters): self = .map(try LayoutKey.Map(parameters, shared.displayScale))
        case .custom(let layout):
            guard layout.hasValidName else { throw .invalidLayoutName(layout.base.name) }
            self = .custom(layout)
        }
    }
}

extension LayoutKey.Masonry {
    fileprivate init(_ parameters: MasonryParameters, _ shared: LayoutKey.Shared) throws(LayoutError) {
        columnCount = try parameters.columns.resolved(shared)
        columnChoice = parameters.columnChoice
        let tolerance = try shared.displayScale.pixels("order tolerance", parameters.orderTolerance)
        let ratio = parameters.spanWiderThan ?? 0.001
        guard (0.001...1_000).contains(ratio) else {
            throw .outOfRange(option: "span ratio", value: ratio, allowed: 0.001...1_000)
        }
        // What changes nothing is not part of the key.
        orderTolerance = columnCount == 1 || columnChoice == .roundRobin ? 0 : tolerance
        spanRatio =
            columnCount == 1 || parameters.spanWiderThan == nil
            ? 0 : Int64((ratio * 1_000_000).rounded(.toNearestOrAwayFromZero))
        // One column is full from both ends.
        anchor = columnCount == 1 ? .start : parameters.anchor
    }
}

extension LayoutKey.PixelInsets {
    fileprivate init(_ name: String, _ insets: EdgeInsets, _ scale: DisplayScale) throws(LayoutError) {
        top = try scale.pixels("top " + name, insets.top)
        left = try scale.pixels("left " + name, insets.left)
        bottom = try scale.pixels("bottom " + name, insets.bottom)
        right = try scale.pixels("right " + name, insets.right)
    }
}

extension LayoutKey.Sections {
    fileprivate init(_ parameters: SectionParameters, _ scale: DisplayScale) throws(LayoutError) {
        sectioning = parameters.sectioning
        inset = try LayoutKey.PixelInsets("section inset", parameters.inset, scale)
        headerExtent = try scale.pixels("header reference size", parameters.headerReferenceSize)
        footerExtent = try scale.pixels("footer reference size", parameters.footerReferenceSize)
        pinsHeaders = parameters.headersPinToVisibleBounds && headerExtent > 0
        pinsFooters = parameters.footersPinToVisibleBounds && footerExtent > 0
        hasBackground = parameters.hasBackground
        separatorThickness = try scale.pixels("separator thickness", parameters.separatorThickness)
    }
}

extension LayoutKey.Flow {
    fileprivate init(_ parameters: FlowParameters, _ scale: DisplayScale) throws(LayoutError) {
        switch parameters.itemSize {
        case .uniform(let size):
            self = .uniform(try scale.pixels(ofItem: size))
        case .height(let height): self = .height(max(1, try scale.pixels("item height", height, in: 1...10_000)))
        case .own: self = .own
        }
    }
}

extension LayoutKey.Map {
    fileprivate init(_ parameters: MapParameters, _ scale: DisplayScale) throws(LayoutError) {
        guard Self.zooms.contains(parameters.zoom) else {
            throw .outOfRange(option: "zoom", value: Double(parameters.zoom), allowed: 0...20)
        }
        zoom = parameters.zoom
        itemSize = try scale.pixels(ofItem: parameters.itemSize)
    }
}

extension LayoutKey.Justified {
    fileprivate init(_ parameters: JustifiedParameters, _ scale: DisplayScale) throws(LayoutError) {
        let target = parameters.targetLineHeight
        targetLineHeight = max(1, try scale.pixels("target line height", target, in: 1...10_000))
        guard (0...1).contains(parameters.tolerance) else {
            throw .outOfRange(option: "tolerance", value: parameters.tolerance, allowed: 0...1)
        }
        tolerance = Int64((parameters.tolerance * 1_000_000).rounded(.toNearestOrAwayFromZero))
        let lowest = try parameters.minimumLineHeight.map { height throws(LayoutError) in
            try scale.pixels("minimum line height", height, in: 1...target)
        }
        let highest = try parameters.maximumLineHeight.map { height throws(LayoutError) in
            try scale.pixels("maximum line height", height, in: target...10_000)
        }
        minimumLineHeight = max(1, lowest ?? targetLineHeight / 2)
        maximumLineHeight = max(1, highest ?? 2 * targetLineHeight)
        widows = parameters.widows
        breaks = parameters.breaks
        guard (0...1_000_000).contains(parameters.breakoutEvery) else {
            throw .outOfRange(option: "breakout every", value: Double(parameters.breakoutEvery), allowed: 0...1_000_000)
        }
        breakoutEvery = parameters.breakoutEvery
    }
}

extension LayoutKey.Grid {
    fileprivate init(_ parameters: GridParameters, _ shared: LayoutKey.Shared) throws(LayoutError) {
        columnCount = try parameters.columns.resolved(shared)
        let ratio = parameters.aspectRatio
        guard (0.001...1_000).contains(ratio) else {
            throw .outOfRange(option: "aspect ratio", value: ratio, allowed: 0.001...1_000)
        }
        let columns = shared.availableLength - Int64(columnCount - 1) * shared.interitemSpacing
        let length = Double(max(0, columns) / Int64(columnCount))
        // Across is the width where content scrolls vertically, and the height, caption included, where it does not.
        let extent =
            shared.scrollDirection == .vertical
            ? length / ratio : max(1, length - Double(shared.captionExtent)) * ratio
        cellExtent = max(1, Int64(extent.rounded(.toNearestOrAwayFromZero)))
    }
}

extension ColumnCount {
    /// Finds the number of columns.
    fileprivate func resolved(_ shared: LayoutKey.Shared) throws(LayoutError) -> Int {
        switch self {
        case .count(let count):
            guard (1...128).contains(count) else {
                throw .outOfRange(option: "columns", value: Double(count), allowed: 1...128)
            }
            return count
        case .minimumWidth(let minimum):
            let pixels = max(1, try shared.displayScale.pixels("minimum column width", minimum, in: 1...100_000))
            let fitting = (shared.availableLength + shared.interitemSpacing) / (pixels + shared.interitemSpacing)
            return Int(min(max(fitting, 1), 128))
        }
    }
}

extension DisplayScale {
    /// Checks an item's size in points and rounds it to device pixels.
    fileprivate func pixels(ofItem size: Size) throws(LayoutError) -> PixelExtent {
        PixelExtent(
            width: max(1, try pixels("item width", size.width, in: 1...10_000)),
            height: max(1, try pixels("item height", size.height, in: 1...10_000)))
    }

    /// Checks a length in points and rounds it to device pixels.
    fileprivate func pixels(
        _ option: String, _ points: Double, in range: ClosedRange<Double> = 0...10_000
    ) throws(LayoutError) -> Int64 {
        guard range.contains(points) else { throw .outOfRange(option: option, value: points, allowed: range) }
        return pixels(points)
    }
}
