public import PhotoStreamLayout

extension LayoutOptionValues {
    /// Returns the layout that the options describe, or `nil` without options.
    ///
    /// - Throws: ``LayoutOptionError`` if options exclude each other, are meaningless together, or are out of range.
    public func key() throws -> LayoutKey? {
        try checkGroups()
        guard layoutKey == nil else {
            try checkKeyStandsAlone()
            return layoutKey
        }
        try checkLength()
        try checkAlgorithm()
        try checkCellPadding()
        guard let length = width ?? height else { return nil }
        do {
            return try LayoutKey(configuration(containerLength: length))
        } catch {
            throw LayoutOptionError(error, of: self)
        }
    }

    /// Returns the layout that the options describe.
    ///
    /// - Throws: ``LayoutOptionError``, also if no layout is given.
    public func requiredKey() throws -> LayoutKey {
        guard let key = try key() else {
            let needed: LayoutOption = isHorizontal ? .height : .width
            throw LayoutOptionError(needed) { "\(needed.name($0)) or \(LayoutOption.layoutKey.name($0)) is missing" }
        }
        return key
    }

    private var isHorizontal: Bool { scrollDirection == .horizontal }

    private func configuration(containerLength: Double) -> LayoutConfiguration {
        let otherwise = LayoutConfiguration(containerLength: containerLength)
        var configuration = LayoutConfiguration(
            containerLength: containerLength, displayScale: displayScale ?? otherwise.displayScale,
            scrollDirection: scrollDirection ?? otherwise.scrollDirection,
            layoutDirection: layoutDirection ?? otherwise.layoutDirection,
            contentInset: contentInset ?? otherwise.contentInset,
            interitemSpacing: interitemSpacing ?? otherwise.interitemSpacing,
            lineSpacing: lineSpacing ?? otherwise.lineSpacing, captionExtent: captionExtent ?? otherwise.captionExtent,
            sections: sections, badgeSize: badgeSize ?? otherwise.badgeSize, algorithm: parameters)
        if let cellPadding { configuration.setCellPadding(cellPadding) }
        return configuration
    }

    private var sections: SectionParameters {
        let otherwise = SectionParameters()
        return SectionParameters(
            sectioning: sectionBy ?? otherwise.sectioning, inset: sectionInset ?? otherwise.inset,
            headerReferenceSize: headerSize ?? otherwise.headerReferenceSize,
            footerReferenceSize: footerSize ?? otherwise.footerReferenceSize, headersPinToVisibleBounds: pinHeaders,
            footersPinToVisibleBounds: pinFooters, hasBackground: sectionBackground,
            separatorThickness: separatorThickness ?? otherwise.separatorThickness)
    }

    private var parameters: LayoutConfiguration.Algorithm {
        switch algorithm ?? .standard {
        case .masonry:
            .masonry(masonry)
        case .flow: .flow(flow)
        case .justified: .justified(justified)
        case .grid: .grid(grid)
        case .map: .map(map)
        }
    }

    private var masonry: MasonryParameters {
        let otherwise = MasonryParameters()
        return MasonryParameters(
            columns: columnCount ?? otherwise.columns, columnChoice: columnChoice ?? otherwise.columnChoice,
            orderTolerance: orderTolerance ?? otherwise.orderTolerance, spanWiderThan: spanWiderThan,
            anchor: anchor ?? otherwise.anchor)
    }

    private var grid: GridParameters {
        let otherwise = GridParameters()
        return GridParameters(
            columns: columnCount ?? otherwise.columns, aspectRatio: aspectRatio ?? otherwise.aspectRatio)
    }

    private var columnCount: ColumnCount? {
        minimumColumnWidth.map { .minimumWidth($0) } ?? columns.map { .count($0) }
    }

    private var flow: FlowParameters {
        if ownSizes { return FlowParameters(itemSize: .own) }
        if let itemHeight { return FlowParameters(itemSize: .height(itemHeight)) }
        return itemSize.map { FlowParameters(itemSize: .uniform($0)) } ?? FlowParameters()
    }

    private var map: MapParameters {
        let otherwise = MapParameters()
        return MapParameters(
            zoom: zoom ?? otherwise.zoom, itemSize: itemSize ?? otherwise.itemSize, cluster: cluster)
    }

    private var justified: JustifiedParameters {
        let otherwise = JustifiedParameters()
        return JustifiedParameters(
            targetLineHeight: targetLineHeight ?? otherwise.targetLineHeight,
            tolerance: tolerance ?? otherwise.tolerance, minimumLineHeight: minimumLineHeight,
            maximumLineHeight: maximumLineHeight, widows: widows ?? otherwise.widows,
            breaks: breaks ?? otherwise.breaks, breakoutEvery: breakoutEvery ?? otherwise.breakoutEvery)
    }
}

extension LayoutOptionValues {
    /// Checks options that depend on each other.
    private func checkGroups() throws {
        if columns != nil, minimumColumnWidth != nil { throw Self.exclusion(of: .columns, and: .minimumColumnWidth) }
        if columnChoice == .roundRobin, orderTolerance != nil {
            throw LayoutOptionError(.orderTolerance) {
                let names = [LayoutOption.orderTolerance.name($0), LayoutOption.columnChoice.name($0)]
                return "\(names[0]) has no meaning with \(names[1]) round-robin"
            }
        }
        let sizes: [LayoutOption] =
            (itemSize == nil ? [] : [.itemSize]) + (itemHeight == nil ? [] : [.itemHeight])
            + (ownSizes ? [.ownSizes] : [])
        if sizes.count > 1 { throw Self.exclusion(of: sizes[0], and: sizes[1]) }
        if pinHeaders, headerSize ?? 0 == 0 { throw Self.missing(.headerSize, for: .pinHeaders) }
        if pinFooters, footerSize ?? 0 == 0 { throw Self.missing(.footerSize, for: .pinFooters) }
    }

    private func checkKeyStandsAlone() throws {
        let others = given.dropLast()
        guard let first = others.first else { return }
        throw LayoutOptionError(first) { spelling in
            let names = others.map { $0.name(spelling) }.joined(separator: ", ")
            let key = LayoutOption.layoutKey.name(spelling)
            return "\(key) stands for all layout options, so \(names) cannot be given with it"
        }
    }

    /// Checks that only the side across the scroll axis is given.
    private func checkLength() throws {
        let (needed, wrong): (LayoutOption, LayoutOption) = isHorizontal ? (.height, .width) : (.width, .height)
        let (isThere, isWrong) = isHorizontal ? (height != nil, width != nil) : (width != nil, height != nil)
        guard !isWrong else {
            let direction = isHorizontal ? "horizontally" : "vertically"
            throw LayoutOptionError(wrong) {
                "content scrolls \(direction), so it fills \(needed.name($0)); leave out \(wrong.name($0))"
            }
        }
        if !isThere, let first = given.first { throw Self.missing(needed, for: first) }
    }

    /// Checks that no option of another algorithm is given.
    private func checkAlgorithm() throws {
        let algorithm = algorithm ?? .standard
        if let foreign = LayoutOption.foreign[algorithm]?.first(where: given.contains) {
            throw LayoutOptionError(foreign) {
                "\(foreign.name($0)) means nothing to \(LayoutOption.algorithm.name($0)) \(algorithm.rawValue)"
            }
        }
        if algorithm == .masonry || algorithm == .map, separatorThickness != nil {
            throw LayoutOptionError(.separatorThickness) {
                let names = [LayoutOption.separatorThickness.name($0), LayoutOption.algorithm.name($0)]
                return "\(names[0]) means nothing to \(names[1]) \(algorithm.rawValue), which has no lines"
            }
        }
    }

    private func checkCellPadding() throws {
        guard cellPadding != nil else { return }
        let replaced: [LayoutOption] = [.contentInset, .interitemSpacing, .lineSpacing]
        if let first = replaced.first(where: given.contains) {
            throw LayoutOptionError(first) {
                let names = [LayoutOption.cellPadding.name($0), first.name($0)]
                return "\(names[0]) stands for inset and spacings, so \(names[1]) cannot be given with it"
            }
        }
    }

    private static func exclusion(of one: LayoutOption, and other: LayoutOption) -> LayoutOptionError {
        LayoutOptionError(other) { "\(one.name($0)) and \(other.name($0)) exclude each other" }
    }

    private static func missing(_ needed: LayoutOption, for option: LayoutOption) -> LayoutOptionError {
        LayoutOptionError(needed) { "\(option.name($0)) is given without \(needed.name($0))" }
    }
}

extension LayoutOption {
    /// For each algorithm, the options that belong to others only.
    fileprivate static let foreign = Dictionary(
        uniqueKeysWithValues: AlgorithmName.allCases.map { algorithm in
            let ownOptions = Set(own(of: algorithm))
            let all = Set(AlgorithmName.allCases.flatMap(own(of:)))
            return (algorithm, allCases.filter { all.contains($0) && !ownOptions.contains($0) })
        })

    /// The options that apply to an algorithm, but not to every other one.
    private static func own(of algorithm: AlgorithmName) -> [LayoutOption] {
        switch algorithm {
        case .masonry:
            [
                .columns, .minimumColumnWidth, .columnChoice, .orderTolerance, .spanWiderThan, .anchor, .captionExtent,
            ]
        case .flow: [.itemSize, .itemHeight, .ownSizes, .captionExtent]
        case .justified:
            [
                .targetLineHeight, .tolerance, .minimumLineHeight, .maximumLineHeight, .widows, .breaks, .breakoutEvery,
                .captionExtent,
            ]
        case .grid: [.columns, .minimumColumnWidth, .aspectRatio, .captionExtent]
        case .map: [.itemSize, .zoom, .cluster]
        }
    }
}
