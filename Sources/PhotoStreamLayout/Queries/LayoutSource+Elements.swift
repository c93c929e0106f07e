public import PhotoStreamModel

extension LayoutSource {
    /// Returns the attributes of all elements that meet a rectangle: items, headers, footers, badges, backgrounds,
    /// separators.
    ///
    /// Pinned headers and footers depend on the visible bounds: they are at their edge while their section is visible,
    /// pushed out by the section's end, and never over the section's other boundary.
    ///
    /// - Parameters:
    ///   - rect: In device pixels of content space, half-open. An empty one, or one outside the content, meets nothing.
    ///   - visibleBounds: The part on the screen, in device pixels; `nil` for `rect`.
    ///   - first: The start of the answer: an item, or a section if the item is its first. Pass ``RectElements/next``
    ///     of an earlier answer to continue it without repeated elements.
    ///   - limit: The maximum number of items of an answer, at least 1. There are at most four times as many other
    ///     elements, which is enough for all that belong to the items; only elements between items can end an answer
    ///     earlier.
    /// - Returns: Each element once, in the order of ``RectElements/attributes``.
    /// - Throws: Any error that the source throws.
    /// - Complexity: O(log items + result + lines and sections in the rectangle); for chunks whose tops may decrease
    ///   (round robin, spans or a tolerance), O(items / 64), plus each 64 items whose box meets the rectangle. Each
    ///   chunk's content is requested once; in a map, once per section.
    public func attributes(
        in rect: PixelRect, visibleBounds: PixelRect? = nil, from first: IndexPath = IndexPath(section: 0, item: 0),
        limit: Int = .max
    ) throws(Failure) -> RectElements {
        let directory = directory
        guard rect.width > 0, rect.height > 0, first.section < directory.sections.count else {
            return RectElements(attributes: [], next: nil)
        }
        let first = directory.clamped(first)
        guard limit > 0 else { return RectElements(attributes: [], next: first) }
        let (engine, contentExtent) = (directory.engine, directory.contentExtent)
        let range = engine.axes.frame(rect, contentExtent: contentExtent)
        let visible = engine.axes.frame(visibleBounds ?? rect, contentExtent: contentExtent).alongRange
        var found = ElementCollector(
            directory, rect: rect, visible: visible, from: first, limit: limit)
        let lines = engine.lineTops(meeting: range)
        let searched = lines.map { min($0.lowerBound, range.along)..<max($0.upperBound, range.alongEnd) }
        let firstIndex = directory.section(at: first.section).items.lowerBound + first.item
        if engine.isMap {
            if engine.hasClusters {
                collectClusters(&found, in: range, from: first)
            } else {
                try collect(&found, in: range, from: first)
            }
            return found.answer()
        }
        try forEachChunk(meeting: searched ?? range.alongRange, from: firstIndex) { chunk, position in
            let entry = directory.chunks[position]
            let tops = lines.map {
                directory.lines(
                    startingIn: $0, of: chunk, entry, from: firstIndex, most: found.separatorCapacity)
            }
            var separators = (tops ?? [])[...]
            let goesOn = engine.algorithm.forEachItem(
                in: range, of: chunk, at: entry, in: directory
            ) { position, frame in
                let index = entry.placed.lowerBound + position
                guard index >= firstIndex else { return true }
                while let line = separators.first, line.index <= index {
                    separators.removeFirst()
                    guard found.addSeparator(beforeLineOf: line.index, at: line.top) else { return false }
                }
                return found.add(
                    index, ordinal: index, captionExtent: engine.captionExtent(of: chunk.metrics[position]),
                    frame: engine.axes.rect(frame, contentExtent: contentExtent))
            }
            return goesOn && separators.allSatisfy { found.addSeparator(beforeLineOf: $0.index, at: $0.top) }
        }
        return found.answer()
    }

    /// Returns the attributes of a supplementary element.
    ///
    /// - Parameters:
    ///   - kind: Its kind.
    ///   - indexPath: For a header or a footer, its section and 0; for a badge, the item.
    ///   - visibleBounds: The bounds of pinned headers and footers, in device pixels; `nil` for their frames if they
    ///     are not pinned.
    /// - Throws: Any error that the source throws.
    /// - Returns: `nil` if there is none.
    /// - Complexity: O(1); for a badge, that of `attributes(forItemAt:)`.
    public func attributes(
        forSupplementary kind: ElementKind, at indexPath: IndexPath, visibleBounds: PixelRect? = nil
    ) throws(Failure) -> LayoutAttributes? {
        let directory = directory
        let engine = directory.engine
        guard kind == .sectionHeader || kind == .sectionFooter else {
            guard kind == .badge, engine.hasBadges, let index = try index(of: indexPath),
                let frame = try self.frame(forItemAt: index)
            else { return nil }
            return engine.badge(ofItem: index, at: indexPath, frame: frame)
        }
        let visible = visibleBounds.map { engine.axes.frame($0, contentExtent: directory.contentExtent).alongRange }
        return directory.section(at: indexPath).flatMap { directory.element(kind, of: $0, visible: visible) }
    }

    /// Returns the attributes of a decoration element.
    ///
    /// - Parameters:
    ///   - kind: Its kind.
    ///   - indexPath: For a background, its section and 0; for a separator, the first item of the line after it.
    /// - Throws: Any error that the source throws.
    /// - Returns: `nil` if there is none.
    /// - Complexity: O(1); for a separator, O(log chunks + log lines) plus the cost of one chunk's content.
    public func attributes(
        forDecoration kind: ElementKind, at indexPath: IndexPath
    ) throws(Failure) -> LayoutAttributes? {
        let directory = directory
        if kind == .sectionBackground {
            return directory.section(at: indexPath).flatMap { directory.element(kind, of: $0, visible: nil) }
        }
        guard kind == .separator, directory.engine.hasSeparators, indexPath.item > 0,
            let index = directory.index(of: indexPath), let position = directory.chunk(placing: index)
        else { return nil }
        let entry = directory.chunks[position]
        let chunk = try placedChunk(at: position)
        return directory.engine.top(ofLineStartingAt: index, of: chunk, at: entry, in: directory).map {
            directory.separator(beforeLineOf: index, at: indexPath, top: $0)
        }
    }
}

extension LayoutSource where Failure == Never {
    /// Returns the attributes of all elements that meet a rectangle in points.
    ///
    /// - Parameters:
    ///   - rect: In points of content space, half-open; an empty one meets nothing, a huge one is clamped.
    ///   - visibleBounds: The part on the screen, in points; `nil` for `rect`.
    ///   - first: The start of the answer.
    ///   - limit: The maximum number of items of an answer.
    /// - Returns: The same as for device pixels.
    /// - Throws: ``LayoutError/invalidRect(_:)`` for NaN, infinite or negative values.
    public func attributes(
        in rect: Rect, visibleBounds: Rect? = nil, from first: IndexPath = IndexPath(section: 0, item: 0),
        limit: Int = .max
    ) throws(LayoutError) -> RectElements {
        let scale = directory.engine.key.displayScale
        let visible = try visibleBounds.map { bounds throws(LayoutError) in try scale.pixels(covering: bounds) }
        return attributes(in: try scale.pixels(covering: rect), visibleBounds: visible, from: first, limit: limit)
    }
}

extension LayoutSource {
    /// Calls `body` with the chunks that may have an item in a range along the scroll axis, in order, until it returns
    /// `false`.
    ///
    /// - Parameters:
    ///   - range: Device pixels along the scroll axis.
    ///   - first: Chunks that placed only items before this position are skipped.
    ///   - body: Receives the content that a chunk's run placed and the chunk's position; returns whether to continue.
    /// - Throws: Any error that the source throws.
    func forEachChunk(
        meeting range: Range<Int64>, from first: Int = 0, _ body: (PlacedChunk, Int) -> Bool
    ) throws(Failure) {
        let directory = directory
        guard !range.isEmpty else { return }
        let query = directory.mapQuery(AxisFrame(along: range, across: AxisFrame.everythingAcross))
        for position in directory.chunks(meeting: range) {
            let entry = directory.chunks[position]
            guard !entry.placed.isEmpty, entry.placed.upperBound > first else { continue }
            if let query, !directory.mayMeet(query, chunk: position) { continue }
            guard body(try placedChunk(at: position), position) else { return }
        }
    }
}

extension LayoutDirectory {
    /// The nearest position at which an answer can begin: an item of an existing section, or the section's end.
    fileprivate func clamped(_ path: IndexPath) -> IndexPath {
        let section = max(0, path.section)
        return IndexPath(section: section, item: min(max(0, path.item), sections[section].items.count))
    }

    /// The section of an element that belongs to a section as a whole.
    fileprivate func section(at indexPath: IndexPath) -> LayoutSection? {
        indexPath.item == 0 && sections.indices.contains(indexPath.section) ? sections[indexPath.section] : nil
    }

    /// The lines of a chunk that begin in a range, from an item on, with at most `most` separators.
    fileprivate func lines(
        startingIn range: Range<Int64>, of chunk: PlacedChunk, _ entry: ChunkEntry, from first: Int, most: Int
    ) -> [(index: Int, top: Int64)] {
        var found: [(index: Int, top: Int64)] = []
        var taken = 0
        _ = engine.algorithm.forEachLine(startingIn: range, of: chunk, at: entry, in: self) { index, top in
            guard index >= first else { return true }
            found.append((index, top))
            // The first line of a section has no separator.
            taken += section(at: section(containing: index)).items.lowerBound < index ? 1 : 0
            return taken <= most
        }
        return found
    }
}

extension LayoutEngine {
    /// The tops of the lines whose separators meet a frame; `nil` if there are none.
    fileprivate func lineTops(meeting range: AxisFrame) -> Range<Int64>? {
        guard hasSeparators else { return nil }
        let line = separatorFrame(beforeLineAt: 0)
        guard line.across < range.acrossEnd, range.across < line.acrossEnd else { return nil }
        return lineTops(ofSeparatorsMeeting: range.alongRange)
    }

    /// The start of the line that begins with an item.
    ///
    /// - Returns: `nil` for an item that is not the first of a line, or is hidden.
    fileprivate func top(
        ofLineStartingAt index: Int, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory
    ) -> Int64? {
        let items = algorithm.line(holding: index, of: chunk, at: entry, in: directory)
        guard items.lowerBound == index else { return nil }
        return algorithm.frames(ofLine: items, of: chunk, at: entry, in: directory).map(\.along).min()
    }
}

extension AxisFrame {
    /// The range along the scroll axis.
    var alongRange: Range<Int64> { along..<max(along, alongEnd) }
}

/// The elements that meet a rectangle, up to a limit.
public struct RectElements: Hashable, Sendable {
    /// The elements, each once: section by section the background, the header, the items, each followed by its badge,
    /// the separators and the footer.
    public let attributes: [LayoutAttributes]
    /// The photos of each item's cluster, in a map with clusters; empty otherwise.
    public let clusters: [PositionSummary]
    /// The start of the next answer, or `nil` if nothing is missing: the next item, or a section's start or end.
    public let next: IndexPath?

    /// Creates an answer.
    public init(attributes: [LayoutAttributes], clusters: [PositionSummary] = [], next: IndexPath?) {
        self.attributes = attributes
        self.clusters = clusters
        self.next = next
    }

    /// Whether the limit left elements out.
    public var isTruncated: Bool { next != nil }

    /// Returns the beginning of the answer, with at most a number of items: the answer with this limit.
    ///
    /// - Precondition: The number is at least 1.
    package func cut(toItems count: Int) -> RectElements {
        let items = attributes.filter { $0.elementKind == .item }
        guard items.count > count else { return self }
        // A section whose first item is left out has not begun.
        let (last, left) = (items[count - 1].indexPath, items[count].indexPath)
        let next = last.section == left.section ? left : IndexPath(section: left.section, item: 0)
        let kept = attributes.filter { element in
            element.indexPath < next
                && (element.elementKind != .sectionFooter || element.indexPath.section < next.section)
        }
        return RectElements(attributes: kept, clusters: Array(clusters.prefix(count)), next: next)
    }
}
