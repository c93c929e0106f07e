extension LayoutKey {
    /// Checks a configuration and resolves it to device pixels.
    ///
    /// - Throws: ``LayoutError/outOfRange(option:value:allowed:)`` naming the first option outside its range,
    ///   ``LayoutError/columnsTooNarrow(columns:availablePixels:)``, ``LayoutError/insetsTooWide(containerPixels:)`` or
    ///   ``LayoutError/invalidLayoutName(_:)``.
    public init(_ configuration: LayoutConfiguration) throws(LayoutError) {
        let scale = try DisplayScale(configuration.displayScale)
        let isVertical = configuration.scrollDirection == .vertical
        displayScale = scale
        containerLength = try scale.pixels(
            isVertical ? "container width" : "container height", points: configuration.containerLength,
            in: LayoutRange.containerLength)
        scrollDirection = configuration.scrollDirection
        layoutDirection = configuration.layoutDirection
        contentInset = try PixelInsets("content inset", insets: configuration.contentInset, scale: scale)
        interitemSpacing = try scale.pixels("interitem spacing", points: configuration.interitemSpacing)
        lineSpacing = try scale.pixels("line spacing", points: configuration.lineSpacing)
        captionExtent = try scale.pixels("caption extent", points: configuration.captionExtent)
        sections = try Sections(configuration.sections, scale: scale)
        let badge = PixelExtent(
            width: try scale.pixels("badge width", points: configuration.badgeSize.width),
            height: try scale.pixels("badge height", points: configuration.badgeSize.height))
        // Invisible elements are not part of the key.
        badgeSize = badge.width > 0 && badge.height > 0 ? badge : PixelExtent(width: 0, height: 0)
        // Replaced once its parameters are resolved, which depend on the other options.
        algorithm = .flow(.own)
        try complete(with: try Algorithm(configuration.algorithm, in: self))
    }
}

extension LayoutKey.PixelInsets {
    fileprivate init(_ name: String, insets: EdgeInsets, scale: DisplayScale) throws(LayoutError) {
        top = try scale.pixels("top " + name, points: insets.top)
        left = try scale.pixels("left " + name, points: insets.left)
        bottom = try scale.pixels("bottom " + name, points: insets.bottom)
        right = try scale.pixels("right " + name, points: insets.right)
    }
}

extension LayoutKey.Sections {
    fileprivate init(_ parameters: SectionParameters, scale: DisplayScale) throws(LayoutError) {
        sectioning = parameters.sectioning
        inset = try LayoutKey.PixelInsets("section inset", insets: parameters.inset, scale: scale)
        headerExtent = try scale.pixels("header reference size", points: parameters.headerReferenceSize)
        footerExtent = try scale.pixels("footer reference size", points: parameters.footerReferenceSize)
        pinsHeaders = parameters.headersPinToVisibleBounds && headerExtent > 0
        pinsFooters = parameters.footersPinToVisibleBounds && footerExtent > 0
        hasBackground = parameters.hasBackground
        separatorThickness = try scale.pixels("separator thickness", points: parameters.separatorThickness)
    }
}

extension DisplayScale {
    /// Checks an item's size in points and rounds it to device pixels.
    func pixels(ofItem size: Size) throws(LayoutError) -> PixelExtent {
        PixelExtent(
            width: max(1, try pixels("item width", points: size.width, in: LayoutRange.itemLength)),
            height: max(1, try pixels("item height", points: size.height, in: LayoutRange.itemLength)))
    }

    /// Checks a length in points and rounds it to device pixels.
    func pixels(
        _ option: String, points: Double, in range: ClosedRange<Double> = LayoutRange.length
    ) throws(LayoutError) -> Int64 {
        pixels(try range.checked(points, option: option))
    }
}
