public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

/// Consecutive photos of a layout.
public struct ItemsAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The photos in stream order; fewer than were asked for where the stream ends.
    public let items: [PlacedPhoto]
    /// How many photos the stream has.
    public let count: Int
}

/// Elements of one kind that are no photos.
public struct ElementsAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The elements, in stream order.
    public let elements: [LayoutAttributes]
    /// Where to go on: a section where the kind belongs to sections, else an item of the section; `nil` where nothing
    /// is left.
    public let next: Int?
}

/// Where scrolling is to come to rest.
public struct TargetAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// Where the visible bounds begin, in device pixels.
    public let contentOffset: PixelPoint
}

extension PhotoStreamService {
    /// Consecutive photos of a layout.
    ///
    /// - Parameters:
    ///   - first: The position in stream order of the first; at most the stream's count, where no photo is left.
    ///   - count: How many, 1 to ``maximumLimit``.
    ///   - stream: The stream.
    ///   - key: The layout.
    /// - Returns: The photos where the layout as it is now puts them; fewer than `count` at the stream's end, and where
    ///   they would take more than ``maximumByteCount``.
    /// - Throws: ``StreamServiceError/startOutOfRange(_:count:)`` behind the stream's end or before its start,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``, ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(count + log photos) and the chunks that they lie in when the layout is at hand.
    public func items(
        from first: Int, count: Int, of stream: StreamName, _ key: LayoutKey
    ) throws -> ItemsAnswer {
        try checkLimit(count)
        return try withLayout(of: stream, key) { row, placed in
            let total = placed.directory.itemCount
            guard (0...total).contains(first) else {
                throw StreamServiceError.startOutOfRange(first, count: total)
            }
            let asked = first..<min(total, first + count)
            let rows = try placed.reader.packedRows(try placed.rowIDs(of: asked), within: Self.maximumByteCount)
            let range = first..<first + rows.count
            let source = SteppingSource(placed)
            let items = try range.compactMap { index in
                try source.attributes(forItemAt: index).map { PlacedPhoto(attributes: $0, rows[index - first]) }
            }
            return ItemsAnswer(context: LayoutContext(row, placed.laidOut), items: items, count: total)
        }
    }

    /// Elements of one kind that are no photos.
    ///
    /// - Parameters:
    ///   - kind: The kind: what stands around a section or behind it, or what belongs to items and lines.
    ///   - section: The section; `nil` for all of them, which is possible only for what stands around a section.
    ///   - first: Where to begin: a section, or an item of the section; what an earlier answer gave as its `next`.
    ///   - limit: The most elements, 1 to ``maximumLimit``.
    ///   - stream: The stream.
    ///   - key: The layout.
    /// - Returns: The elements where they stand when they are not pinned; none where the layout has none.
    /// - Throws: ``StreamServiceError/sectionOutOfRange(_:count:)``, ``StreamServiceError/missingSection(_:)``,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``, ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(limit × log photos) and the chunks that they lie in when the layout is at hand.
    public func elements(
        ofKind kind: ElementKind, section: Int? = nil, from first: Int = 0, limit: Int = defaultLimit,
        of stream: StreamName, _ key: LayoutKey
    ) throws -> ElementsAnswer {
        try checkLimit(limit)
        return try withLayout(of: stream, key) { row, placed in
            let count = placed.directory.sections.count
            if let section, !(0..<count).contains(section) {
                throw StreamServiceError.sectionOutOfRange(section, count: count)
            }
            let found: (elements: [LayoutAttributes], next: Int?)
            if kind.belongsToSection {
                found = try placed.sectionElements(kind, section.map { $0..<$0 + 1 } ?? 0..<count, first, limit)
            } else {
                guard let section else { throw StreamServiceError.missingSection(kind.name) }
                found = try placed.itemElements(kind, section: section, first, limit)
            }
            return ElementsAnswer(
                context: LayoutContext(row, placed.laidOut), elements: found.elements, next: found.next)
        }
    }

    /// Where scrolling is to come to rest.
    ///
    /// - Parameters:
    ///   - proposed: Where the visible bounds would begin by themselves, in points.
    ///   - velocity: How fast content scrolls along the scroll axis, positive towards greater offsets; its sign counts.
    ///   - viewport: The visible bounds, in points.
    ///   - snapping: Where it may come to rest.
    ///   - stream: The stream.
    ///   - key: The layout.
    /// - Returns: The content offset: never outside the content, across the scroll axis the nearest to the proposed one.
    /// - Throws: `LayoutError` for NaN, infinite or negative values, ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(log photos) and the chunks around the answer when the layout is at hand.
    public func targetContentOffset(
        forProposed proposed: Point, velocity: Double, viewport: Size, snapping: ScrollSnapping, of stream: StreamName,
        _ key: LayoutKey
    ) throws -> TargetAnswer {
        // Not where they stand: far out their ends are the same number.
        let bounds = try key.displayScale.pixels(
            covering: Rect(x: 0, y: 0, width: viewport.width, height: viewport.height))
        let origin = try key.displayScale.pixel(holding: proposed)
        return try withLayout(of: stream, key) { row, placed in
            let target = try placed.targetContentOffset(
                forProposed: origin, velocity: velocity,
                viewport: PixelExtent(width: bounds.width, height: bounds.height), snapping: snapping)
            return TargetAnswer(context: LayoutContext(row, placed.laidOut), contentOffset: target)
        }
    }
}

extension ElementKind {
    /// Whether there is at most one to a section.
    fileprivate var belongsToSection: Bool {
        self == .sectionHeader || self == .sectionFooter || self == .sectionBackground
    }
}

extension PlacedStream {
    fileprivate func sectionElements(
        _ kind: ElementKind, _ sections: Range<Int>, _ first: Int, _ limit: Int
    ) throws -> (elements: [LayoutAttributes], next: Int?) {
        let range = max(first, sections.lowerBound)..<max(first, sections.upperBound)
        let elements = try range.prefix(limit).compactMap { section in
            let indexPath = IndexPath(section: section, item: 0)
            return kind == .sectionBackground
                ? try attributes(forDecoration: kind, at: indexPath)
                : try attributes(forSupplementary: kind, at: indexPath)
        }
        return (elements, range.count > limit ? range.lowerBound + limit : nil)
    }

    /// The elements of a run of a section's items: as many items as a limit allows are looked at.
    fileprivate func itemElements(
        _ kind: ElementKind, section: Int, _ first: Int, _ limit: Int
    ) throws -> (elements: [LayoutAttributes], next: Int?) {
        let count = directory.sections[section].items.count
        let range = max(0, first)..<max(0, first, count)
        let source = SteppingSource(self)
        let elements = try range.prefix(limit).compactMap { item in
            let indexPath = IndexPath(section: section, item: item)
            return kind == .separator
                ? try source.attributes(forDecoration: kind, at: indexPath)
                : try source.attributes(forSupplementary: kind, at: indexPath)
        }
        return (elements, range.count > limit ? range.lowerBound + limit : nil)
    }
}
