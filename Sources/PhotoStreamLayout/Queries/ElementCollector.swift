import PhotoStreamModel

/// Orders the elements that meet a rectangle while items and lines arrive in stream order, and ends the answer at a
/// limit.
///
/// An answer ends before an item, a section, or a section's footer. It contains all elements of the section before that
/// point (its background and header, the earlier items, the separators above their lines), so the next answer begins
/// exactly there. Sections without items in the rectangle are checked as they are passed.
struct ElementCollector {
    private let directory: LayoutDirectory
    private let engine: LayoutEngine
    /// The rectangle, on the screen and along and across the scroll axis.
    private let rect: PixelRect
    private let range: AxisFrame
    private let visible: Range<Int64>
    private let first: IndexPath
    private let limits: (items: Int, others: Int)
    private var counts = (items: 0, others: 0)
    private var attributes: [LayoutAttributes] = []
    /// The clusters of the added items, in a layout with clusters.
    private var clusters: [PositionSummary] = []
    /// The sections without an added element so far.
    private var coming: Range<Int>
    /// The section whose elements are being added.
    private var open: LayoutSection?
    /// Its separators; they follow its items.
    private var separators: [LayoutAttributes] = []
    private var next: IndexPath?

    init(
        _ directory: LayoutDirectory, rect: PixelRect, visible: Range<Int64>, from first: IndexPath, limit: Int
    ) {
        self.directory = directory
        engine = directory.engine
        self.rect = rect
        range = engine.axes.frame(rect, contentExtent: directory.contentExtent)
        self.visible = visible
        self.first = first
        let (others, isMore) = limit.multipliedReportingOverflow(by: LayoutEngine.mostElementsPerItem)
        limits = (limit, isMore ? .max : others)
        let overhang = engine.separatorOverhang
        let sections = directory.sections(meeting: range.along - overhang..<range.alongEnd + overhang)
        coming = sections.clamped(to: min(first.section, sections.upperBound)..<sections.upperBound)
    }

    /// The number of separators that can still be taken.
    var separatorCapacity: Int { limits.others - counts.others }

    /// Adds an item that meets the rectangle.
    ///
    /// - Parameters:
    ///   - index: Its position in stream order.
    ///   - ordinal: Its position in the order of the sections, after all earlier ones; `index` except in a map.
    ///   - captionExtent: The extent of its caption.
    ///   - frame: Its frame.
    ///   - cluster: The photos of the cluster that the item stands for.
    /// - Returns: Whether to continue.
    mutating func add(
        _ index: Int, ordinal: Int, captionExtent: Int64, frame: PixelRect, cluster: PositionSummary? = nil
    ) -> Bool {
        let path = directory.indexPath(of: ordinal, in: section(of: ordinal))
        let badge = engine.badge(ofItem: index, at: path, frame: frame).flatMap { $0.frame.intersects(rect) ? $0 : nil }
        let badgeCount = badge == nil ? 0 : 1
        let isRoom = counts.items < limits.items
        guard reach(ordinal, opening: isRoom ? badgeCount : nil) != nil else { return false }
        guard isRoom, counts.others + badgeCount <= limits.others else { return end(at: path) }
        attributes.append(
            LayoutAttributes(
                index: index, indexPath: path, frame: frame, captionExtent: captionExtent,
                zIndex: engine.level(ofItem: index, at: path)))
        if let cluster { clusters.append(cluster) }
        counts.items += 1
        if let badge { append([badge]) }
        return true
    }

    /// Adds the separator before a line, unless the line is the first of its section.
    ///
    /// - Parameters:
    ///   - index: The position in stream order of the line's first item, not before any added item.
    ///   - top: The top of the line.
    /// - Returns: Whether to continue.
    mutating func addSeparator(beforeLineOf index: Int, at top: Int64) -> Bool {
        let path = directory.indexPath(of: index, in: section(of: index))
        guard path.item > 0 else { return true }
        let separator = directory.separator(beforeLineOf: index, at: path, top: top)
        guard separator.frame.intersects(rect) else { return true }
        guard reach(index, opening: 1) != nil else { return false }
        guard counts.others < limits.others else { return end(at: path) }
        separators.append(separator)
        counts.others += 1
        return true
    }

    /// Ends the answer if it has not ended before.
    consuming func answer() -> RectElements {
        if next == nil, close() { _ = pass(all: coming) }
        return RectElements(attributes: attributes, clusters: clusters, next: next)
    }

    private func section(of index: Int) -> Int {
        if let open, open.items.contains(index) { return open.position }
        return directory.section(containing: index)
    }

    /// Makes the section of an item the open one.
    ///
    /// - Parameters:
    ///   - index: The item's position in the order of the sections.
    ///   - others: The number of elements to add together with the section's background and header; `nil` if none can
    ///     be added.
    /// - Returns: The section, or `nil` if the answer ended before it.
    private mutating func reach(_ index: Int, opening others: Int?) -> LayoutSection? {
        let position = section(of: index)
        if let open, open.position == position { return open }
        // An item may reach into the rectangle from a section that does not meet it.
        guard close(), pass(all: coming.clamped(to: 0..<position)) else { return nil }
        let section = directory.section(at: position)
        let elements = startElements(of: section)
        guard let others, counts.others + elements.count + others <= limits.others else {
            _ = end(at: IndexPath(section: position, item: position == first.section ? first.item : 0))
            return nil
        }
        append(elements)
        open = section
        let first = max(position + 1, coming.lowerBound)
        coming = first..<max(first, coming.upperBound)
        return section
    }

    /// Ends the open section with its separators and its footer.
    ///
    /// - Returns: Whether to continue.
    private mutating func close() -> Bool {
        guard let section = open else { return true }
        attributes += separators
        separators = []
        guard let footer = footer(of: section) else {
            open = nil
            return true
        }
        guard counts.others < limits.others else {
            return end(at: IndexPath(section: section.position, item: section.items.count))
        }
        append([footer])
        open = nil
        return true
    }

    /// Adds the elements of sections that have no item in the rectangle.
    ///
    /// - Returns: Whether to continue.
    private mutating func pass(all positions: Range<Int>) -> Bool {
        for position in positions {
            let section = directory.section(at: position)
            var elements = startElements(of: section)
            if let footer = footer(of: section) { elements.append(footer) }
            guard counts.others + elements.count <= limits.others else {
                return end(at: IndexPath(section: position, item: position == first.section ? first.item : 0))
            }
            append(elements)
        }
        coming = coming.clamped(to: positions.upperBound..<max(positions.upperBound, coming.upperBound))
        return true
    }

    private mutating func append(_ elements: [LayoutAttributes]) {
        attributes += elements
        counts.others += elements.count
    }

    /// Ends the answer.
    ///
    /// - Returns: `false`, to stop.
    private mutating func end(at path: IndexPath) -> Bool {
        // The separator above a line is returned with the line's first item.
        attributes += separators.filter { $0.indexPath < path }
        separators = []
        open = nil
        next = path
        return false
    }

    /// A section's background and header, if they meet the rectangle and were not in an earlier answer.
    private func startElements(of section: LayoutSection) -> [LayoutAttributes] {
        guard section.position > first.section || first.item == 0 else { return [] }
        var found: [LayoutAttributes] = []
        if let background = element(.sectionBackground, of: section) { found.append(background) }
        if let header = element(.sectionHeader, of: section) { found.append(header) }
        return found
    }

    private func footer(of section: LayoutSection) -> LayoutAttributes? { element(.sectionFooter, of: section) }

    /// A section's element, if it meets the rectangle.
    private func element(_ kind: ElementKind, of section: LayoutSection) -> LayoutAttributes? {
        directory.element(kind, of: section, visible: visible).flatMap { $0.frame.intersects(rect) ? $0 : nil }
    }
}
