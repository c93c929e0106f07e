/// The places of elements that are not items. None of it is stored: all follows from the places of sections, lines
/// and items.
///
///     |<-inset->|<---- header ---------------------->|<-inset->|
///     |         |<-section inset->| items |<-inset-->|         |      background: all of the section,
///     |         |                 ---------          |         |      as wide as the header
///     |         |                 | items |   separator between two lines: as wide as the room of the items
///     |<-inset->|<---- footer ---------------------->|<-inset->|
extension LayoutEngine {
    /// The place where a section's header stands.
    ///
    /// - Parameters:
    ///   - section: The section.
    ///   - visible: The visible bounds along the scroll axis, which a pinned header stays in while its section meets
    ///     them; `nil` for its place without any.
    /// - Returns: `nil` where sections have no headers.
    func headerFrame(of section: LayoutSection, visible: Range<Int64>?) -> AxisFrame? {
        guard bands.header > 0 else { return nil }
        var along = section.origin
        if key.sections.pinsHeaders, let visible, section.meets(visible) {
            along = min(max(along, visible.lowerBound), section.end - bands.footer - bands.header)
        }
        return boundaryFrame(along: along, extent: bands.header)
    }

    /// The place where a section's footer stands.
    ///
    /// - Parameters:
    ///   - section: The section.
    ///   - visible: As for ``headerFrame(of:visible:)``. Where the bounds are too short for both, the header keeps its
    ///     place and the footer stands after it.
    /// - Returns: `nil` where sections have no footers.
    func footerFrame(of section: LayoutSection, visible: Range<Int64>?) -> AxisFrame? {
        guard bands.footer > 0 else { return nil }
        var along = section.end - bands.footer
        if key.sections.pinsFooters, let visible, section.meets(visible) {
            let least = headerFrame(of: section, visible: visible)?.alongEnd ?? section.origin
            along = max(min(along, visible.upperBound - bands.footer), least)
        }
        return boundaryFrame(along: along, extent: bands.footer)
    }

    /// The place where a section's background lies.
    ///
    /// - Returns: `nil` where sections have none, and for a section without an extent.
    func backgroundFrame(of section: LayoutSection) -> AxisFrame? {
        guard key.sections.hasBackground, section.end > section.origin else { return nil }
        return boundaryFrame(along: section.origin, extent: section.end - section.origin)
    }

    private func boundaryFrame(along: Int64, extent: Int64) -> AxisFrame {
        let inset = axes.insets(key.contentInset)
        return AxisFrame(
            along: along, across: inset.leading, alongExtent: extent,
            acrossExtent: axes.acrossLength - inset.leading - inset.trailing)
    }
}

extension LayoutEngine {
    /// Whether lines have separators between them.
    var hasSeparators: Bool { key.sections.separatorThickness > 0 && algorithm.standsInLines }

    /// The frame of the separator before a line that is not the first of its section: in the middle of the spacing, or
    /// over both lines alike where it is thicker.
    func separatorFrame(beforeLineAt top: Int64) -> AxisFrame {
        AxisFrame(
            along: top - separatorLead,
            across: axes.insets(key.contentInset).leading + axes.insets(key.sections.inset).leading,
            alongExtent: key.sections.separatorThickness, acrossExtent: key.availableLength)
    }

    /// The tops of the lines whose separators meet a range along the scroll axis.
    func lineTops(ofSeparatorsMeeting range: Range<Int64>) -> Range<Int64> {
        let first = range.lowerBound + separatorLead - key.sections.separatorThickness + 1
        return first..<max(first, range.upperBound + separatorLead)
    }

    /// The distance that a separator may reach out of its section.
    var separatorOverhang: Int64 {
        hasSeparators ? max(0, separatorLead - key.lineSpacing) : 0
    }

    /// From the start of a separator to the top of the line after it.
    ///
    /// Of an odd rest of the spacing the larger part lies after the separator.
    private var separatorLead: Int64 { (key.lineSpacing + key.sections.separatorThickness + 1) / 2 }
}

extension LayoutEngine {
    /// The place where the badge of an item stands: in the top trailing corner of its cell, and never outside it.
    ///
    /// - Parameter item: The item's frame on the screen.
    /// - Returns: `nil` where items have no badges.
    func badgeFrame(of item: PixelRect) -> PixelRect? {
        guard hasBadges else { return nil }
        let (width, height) = (min(key.badgeSize.width, item.width), min(key.badgeSize.height, item.height))
        let x = axes.isMirrored ? item.x : item.maxX - width
        return PixelRect(x: x, y: item.y, width: width, height: height)
    }

    /// The greatest number of elements that come with an item: background, header, separator, badge.
    static var mostElementsPerItem: Int { 4 }

    /// The badge of an item; `nil` if items have none.
    func badge(ofItem index: Int, at path: IndexPath, frame: PixelRect) -> LayoutAttributes? {
        badgeFrame(of: frame).map { .badge(index, at: path, frame: $0, level: badgeLevel(ofItem: index, at: path)) }
    }

    /// Whether items have badges.
    var hasBadges: Bool { key.badgeSize.width > 0 && key.badgeSize.height > 0 }

    /// Whether what visible bounds show depends on more than their place.
    var pinsAnything: Bool {
        key.sections.pinsHeaders && bands.header > 0 || key.sections.pinsFooters && bands.footer > 0
    }

    /// Whether attributes have to be asked for again when the visible bounds change.
    ///
    /// - Parameters:
    ///   - old: The bounds that were visible, in device pixels.
    ///   - new: The bounds that are visible now.
    /// - Returns: True when their extent across the scroll axis changes, which asks for another layout; for scrolling
    ///   only where headers or footers are pinned.
    public func shouldInvalidate(forBoundsChange old: PixelRect, new: PixelRect) -> Bool {
        let (before, after) = (axes.frame(old, contentExtent: 0), axes.frame(new, contentExtent: 0))
        if before.acrossExtent != after.acrossExtent { return true }
        return pinsAnything && (before.along != after.along || before.alongExtent != after.alongExtent)
    }
}

extension LayoutSection {
    /// Whether any of it lies in a range along the scroll axis.
    func meets(_ range: Range<Int64>) -> Bool {
        !range.isEmpty && origin < range.upperBound && range.lowerBound < end
    }
}
