/// The sections of a laid-out stream.
///
/// A collection whose values are computed on access.
public struct LayoutSections: RandomAccessCollection, Sendable {
    fileprivate let directory: LayoutDirectory

    /// The position of the first section.
    public var startIndex: Int { 0 }
    /// The number of sections.
    public var endIndex: Int { directory.sectionEntries.count }

    /// The section at a position.
    ///
    /// - Complexity: O(1).
    public subscript(position: Int) -> LayoutSection { directory.section(at: position) }
}

extension LayoutDirectory {
    /// The sections in order.
    public var sections: LayoutSections { LayoutSections(directory: self) }

    /// The section at a position, computed from the index.
    func section(at position: Int) -> LayoutSection {
        let (entry, isLast) = (sectionEntries[position], position + 1 == sectionEntries.count)
        return LayoutSection(
            position: position, mark: entry.mark,
            items: entry.firstIndex..<(isLast ? itemCount : sectionEntries[position + 1].firstIndex),
            origin: entry.origin, end: isLast ? sectionsEnd : sectionEntries[position + 1].origin)
    }

    /// The section that contains an item.
    ///
    /// - Parameter index: The item's position in stream order, inside the stream; in a map, in the order of the
    ///   sections.
    /// - Returns: The section's position.
    /// - Complexity: O(log sections).
    public func section(containing index: Int) -> Int {
        sectionEntries.count == 1 ? 0 : sectionEntries.partitioningIndex { $0.firstIndex > index } - 1
    }

    /// Whether a section contains an item.
    @inline(__always)
    func holds(section position: Int, _ index: Int) -> Bool {
        sectionEntries[position].firstIndex <= index
            && (position + 1 == sectionEntries.count || index < sectionEntries[position + 1].firstIndex)
    }

    /// The frame of a section in device pixels, with header and footer, between the content insets across the scroll
    /// axis.
    public func frame(of section: LayoutSection) -> PixelRect {
        let inset = engine.axes.insets(engine.key.contentInset)
        let frame = AxisFrame(
            along: section.origin, across: inset.leading, alongExtent: section.end - section.origin,
            acrossExtent: engine.axes.acrossLength - inset.leading - inset.trailing)
        return engine.axes.rect(frame, contentExtent: contentExtent)
    }

    /// The sections that meet a range along the scroll axis.
    ///
    /// - Complexity: O(log sections).
    func sections(meeting range: Range<Int64>) -> Range<Int> {
        guard !range.isEmpty, !sectionEntries.isEmpty else { return 0..<0 }
        let first = Swift.max(0, sectionEntries.partitioningIndex { $0.origin > range.lowerBound } - 1)
        let end = sectionEntries.partitioningIndex { $0.origin >= range.upperBound }
        return first..<Swift.max(first, end)
    }
}

/// A placed section, in device pixels along the scroll axis.
public struct LayoutSection: Hashable, Sendable {
    /// Its position, from 0.
    public let position: Int
    /// The key of the section.
    public let mark: SectionMark
    /// The positions of its photos in stream order.
    ///
    /// In a map, whose sections are not contiguous in the stream, positions are in the order of the sections, so only
    /// their count is useful.
    public let items: Range<Int>
    /// The start of its header.
    public let origin: Int64
    /// The end of its footer.
    public let end: Int64
}
