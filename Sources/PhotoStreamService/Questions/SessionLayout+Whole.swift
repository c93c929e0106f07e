public import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

extension SessionLayout {
    /// Returns the content size, the counts and the sections.
    ///
    /// - Parameters:
    ///   - first: The position of the first section to return, from 0.
    ///   - limit: The maximum number of sections, positive; `nil` for all.
    /// - Returns: The counts of the whole layout, and the requested sections; none after the last.
    /// - Throws: The errors of computing the layout.
    /// - Complexity: O(1) if the layout is cached at this revision, O(chunks) if it is stored, else O(photos); in
    ///   addition O(limit).
    public func summary(sectionsFrom first: Int = 0, sectionLimit limit: Int? = nil) throws -> LayoutAnswer {
        LayoutAnswer(try placed(), sectionsFrom: first, limit: limit)
    }

    /// Returns the summary and the first page: all data that a client needs to show the layout for the first time.
    ///
    /// - Parameters:
    ///   - first: The position of the first section to return, from 0.
    ///   - sectionLimit: The maximum number of sections, positive.
    ///   - limit: The maximum number of items of the page, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The summary and the page.
    /// - Throws: The errors of ``page(_:limit:withPhotos:)``.
    /// - Complexity: That of the summary and of the page.
    public func firstPaint(
        sectionsFrom first: Int = 0, sectionLimit: Int = PhotoStreamService.defaultLimit,
        limit: Int = PhotoStreamService.defaultLimit
    ) throws -> FirstPaintAnswer {
        try session.checkLimit(limit)
        return FirstPaintAnswer(
            layout: try summary(sectionsFrom: first, sectionLimit: sectionLimit), page: try page(limit: limit))
    }

    /// Returns the place at which scrolling comes to rest.
    ///
    /// - Parameters:
    ///   - proposed: The origin of the visible bounds without snapping, in points.
    ///   - velocity: The velocity along the scroll axis, positive towards greater offsets; only its sign matters.
    ///   - viewport: The size of the visible bounds, in points.
    ///   - snapping: The places where scrolling may come to rest.
    /// - Returns: The content offset, which lies in the content; across the scroll axis, it is the nearest to the
    ///   proposed one.
    /// - Throws: `LayoutError` for NaN, infinite or negative values.
    /// - Complexity: O(log photos), and reading the chunks around the result, if the layout is cached.
    public func target(
        forProposed proposed: Point, velocity: Double, viewport: Size, snapping: ScrollSnapping
    ) throws -> TargetAnswer {
        // The size is converted at the origin, because far out both ends would be the same number.
        let bounds = try key.displayScale.pixels(
            covering: Rect(x: 0, y: 0, width: viewport.width, height: viewport.height))
        let origin = try key.displayScale.pixel(holding: proposed)
        let placed = try placed()
        let target = try placed.targetContentOffset(
            forProposed: origin, velocity: velocity,
            viewport: PixelExtent(width: bounds.width, height: bounds.height), snapping: snapping)
        return TargetAnswer(context: placed.context, contentOffset: target)
    }

    /// Returns stops at even distances of the content with their dates, for a scroll bar that shows dates.
    ///
    /// - Parameter steps: The number of stops, 1 to ``PhotoStreamService/maximumScrubberSteps``; a single stop is the
    ///   start of the content.
    /// - Returns: The stops. Their sections are read from the section table, the photo and its date from the chunk at
    ///   the stop.
    /// - Throws: ``StreamServiceError/invalidSteps(_:maximum:)``.
    /// - Complexity: O(steps × (log sections + log photos)), and reading at most one chunk for each stop, if the layout
    ///   is cached.
    public func scrubber(steps: Int) throws -> ScrubberAnswer {
        let maximum = PhotoStreamService.maximumScrubberSteps
        guard (1...maximum).contains(steps) else {
            throw StreamServiceError.invalidSteps(steps, maximum: maximum)
        }
        let placed = try placed()
        let sections = placed.directory.sections
        var dates = OrderDates(placed)
        let stops = try placed.scrubberPlaces(steps).map { place in
            ScrubberStop(
                offset: place.offset, section: place.section,
                sectionID: sections[place.section].mark.id(placed.laidOut.engine.key.sections.sectioning),
                index: place.index, date: try dates.date(at: place.index))
        }
        return ScrubberAnswer(context: placed.context, stops: stops)
    }
}

extension PhotoStreamService {
    /// The maximum number of stops of a scrubber.
    public static let maximumScrubberSteps = 1_000
}

/// The dates of photos by their positions, which must be ascending.
private struct OrderDates {
    private let placed: PlacedStream
    private var open: (items: Range<Int>, metrics: PackedMetrics)?

    init(_ placed: PlacedStream) {
        self.placed = placed
    }

    mutating func date(at index: Int) throws -> OrderDate {
        if open?.items.contains(index) != true, let chunk = placed.directory.chunk(containing: index) {
            let metrics = try placed.reader.metrics(of: placed.laidOut.chunks.chunks[chunk])
            open = (placed.directory.chunks[chunk].items, metrics)
        }
        guard let open else { return .undated }
        return open.metrics[index - open.items.lowerBound].orderDate
    }
}

extension LayoutAnswer {
    init(_ placed: PlacedStream, sectionsFrom first: Int = 0, limit: Int? = nil) {
        let directory = placed.directory
        let sections = directory.sections.dropFirst(max(0, first)).prefix(limit ?? .max)
        self.init(
            context: placed.context, count: directory.itemCount, positions: PositionsAnswer(directory),
            sectionCount: directory.sections.count,
            sections: sections.map { SectionAnswer($0, in: directory) })
    }
}

extension SectionAnswer {
    fileprivate init(_ section: LayoutSection, in directory: LayoutDirectory) {
        self.init(
            section: section.position, id: section.mark.id(directory.engine.key.sections.sectioning),
            firstIndex: section.items.lowerBound, count: section.items.count, frame: directory.frame(of: section))
    }
}

extension LayoutDirectory {
    /// Returns the sections of headers among elements, by their positions.
    func headedSections(of elements: [LayoutAttributes]) -> [Int: HeadedSection] {
        var found: [Int: HeadedSection] = [:]
        for element in elements where element.elementKind == .sectionHeader {
            let section = sections[element.indexPath.section]
            found[element.indexPath.section] = HeadedSection(
                id: section.mark.id(engine.key.sections.sectioning), count: section.items.count)
        }
        return found
    }
}
