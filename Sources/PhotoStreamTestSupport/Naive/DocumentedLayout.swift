package import PhotoStreamLayout
package import PhotoStreamModel

/// A layout of the whole stream, written from the pages of `Documentation/Layouts` alone.
///
/// It shares no code with the engine. It supports every algorithm but custom ones, undivided or divided by day.
package struct DocumentedLayout {
    /// An element that is not a photo.
    package struct Element: Hashable, Sendable {
        package let kind: ElementKind
        package let indexPath: IndexPath
        package let frame: PixelRect

        /// Creates an element.
        package init(kind: ElementKind, indexPath: IndexPath, frame: PixelRect) {
            (self.kind, self.indexPath, self.frame) = (kind, indexPath, frame)
        }
    }

    /// The frame of every photo; `nil` for a hidden one.
    package private(set) var frames: [PixelRect?] = []
    /// The content size along the scroll axis.
    package private(set) var extent: Int64 = 0
    /// The number of lines; 0 in a layout without lines.
    package private(set) var lineCount = 0
    /// The elements in no visible bounds.
    package private(set) var elements: Set<Element> = []
    private let lengths: DocumentedLengths
    private let sections: SectionParameters
    /// The start and the end of each section.
    private var bounds: [Range<Int128>] = []

    /// Lays out photos.
    package init?(_ configuration: LayoutConfiguration, items: [ItemMetrics]) {
        lengths = DocumentedLengths(configuration)
        sections = configuration.sections
        if case .map(let parameters) = configuration.algorithm {
            let located = items.indices.filter { items[$0].position != nil }
            let order = located + items.indices.filter { items[$0].position == nil }
            place(DocumentedSection.map(lengths, parameters: parameters, items: items))
            let placed = frames
            for (index, frame) in zip(order, placed) { frames[index] = frame }
            return
        }
        var runs: [Range<Int>] = configuration.sections.sectioning == .none ? [0..<items.count] : []
        if runs.isEmpty {
            for index in items.indices {
                if let last = runs.last, items[last.lowerBound].orderDate == items[index].orderDate {
                    runs[runs.count - 1] = last.lowerBound..<index + 1
                } else {
                    runs.append(index..<index + 1)
                }
            }
        }
        var placed: [DocumentedSection] = []
        for run in runs {
            guard let section = DocumentedSection(configuration, lengths: lengths, items: Array(items[run])) else {
                return nil
            }
            placed.append(section)
        }
        place(placed)
    }

    /// Lays out sections one after the other: header, inset, photos, inset, footer.
    private mutating func place(_ placed: [DocumentedSection]) {
        var end = lengths.before
        for section in placed {
            bounds.append(end..<end + lengths.header + section.extent + lengths.sectionInsets + lengths.footer)
            end = bounds[bounds.count - 1].upperBound
        }
        extent = Int64(end + lengths.after)
        for (position, section) in placed.enumerated() {
            let start = bounds[position].lowerBound + lengths.header + lengths.sectionBefore
            for (item, frame) in section.frames.enumerated() {
                let rect = frame.map { lengths.rect($0, along: start + $0.along, content: Int128(extent)) }
                frames.append(rect)
                if let rect, let badge = lengths.badge(on: rect) {
                    add(.badge, at: IndexPath(section: position, item: item), frame: badge)
                }
            }
            lineCount += section.lines.count
            addSeparators(of: section, position: position, start: start)
            let path = IndexPath(section: position, item: 0)
            if sections.hasBackground, !bounds[position].isEmpty {
                add(.sectionBackground, at: path, frame: band(bounds[position]))
            }
            if let header = header(of: position, visible: nil) { add(.sectionHeader, at: path, frame: header) }
            if let footer = footer(of: position, visible: nil) { add(.sectionFooter, at: path, frame: footer) }
        }
    }

    private mutating func add(_ kind: ElementKind, at path: IndexPath, frame: PixelRect) {
        elements.insert(Element(kind: kind, indexPath: path, frame: frame))
    }

    private mutating func addSeparators(of section: DocumentedSection, position: Int, start: Int128) {
        let thickness = lengths.pixels(sections.separatorThickness)
        guard thickness > 0 else { return }
        for (line, next) in zip(section.lines, section.lines.dropFirst()) {
            let free = lengths.lineSpacing - thickness
            let half = free >= 0 ? free / 2 : -((1 - free) / 2)
            let frame = DocumentedLine.Frame(
                alongExtent: thickness, acrossExtent: lengths.available)
            add(
                .separator, at: IndexPath(section: position, item: next.firstItem),
                frame: lengths.rect(frame, along: start + line.end + half, content: Int128(extent)))
        }
    }

    /// Returns the frame of a section's header in visible bounds along the scroll axis.
    package func header(of section: Int, visible: Range<Int64>?) -> PixelRect? {
        guard lengths.header > 0 else { return nil }
        let start = headerStart(of: section, visible: visible)
        return band(start..<start + lengths.header)
    }

    private func headerStart(of section: Int, visible: Range<Int64>?) -> Int128 {
        let (start, end) = (bounds[section].lowerBound, bounds[section].upperBound)
        guard sections.headersPinToVisibleBounds, let visible = met(visible, by: section) else { return start }
        return min(max(start, visible.lowerBound), end - lengths.footer - lengths.header)
    }

    /// Returns the frame of a section's footer in visible bounds along the scroll axis.
    package func footer(of section: Int, visible: Range<Int64>?) -> PixelRect? {
        guard lengths.footer > 0 else { return nil }
        var start = bounds[section].upperBound - lengths.footer
        if sections.footersPinToVisibleBounds, let met = met(visible, by: section) {
            let headerEnd = headerStart(of: section, visible: visible) + lengths.header
            let least = lengths.header > 0 ? headerEnd : bounds[section].lowerBound
            start = max(min(start, met.upperBound - lengths.footer), least)
        }
        return band(start..<start + lengths.footer)
    }

    /// Returns visible bounds along the scroll axis in reading direction, if a section meets them.
    private func met(_ visible: Range<Int64>?, by section: Int) -> Range<Int128>? {
        guard let visible else { return nil }
        var (first, end) = (Int128(visible.lowerBound), Int128(visible.upperBound))
        if lengths.isSideways, lengths.isMirrored { (first, end) = (Int128(extent) - end, Int128(extent) - first) }
        guard bounds[section].lowerBound < end, first < bounds[section].upperBound else { return nil }
        return first..<end
    }

    private func band(_ range: Range<Int128>) -> PixelRect {
        let frame = DocumentedLine.Frame(
            across: -lengths.sectionLeading, alongExtent: range.upperBound - range.lowerBound,
            acrossExtent: lengths.width)
        return lengths.rect(frame, along: range.lowerBound, content: Int128(extent))
    }
}
