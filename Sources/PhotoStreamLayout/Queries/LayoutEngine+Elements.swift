/// The frames of elements that are not items. They are not stored, because they follow from the frames of sections,
/// lines and items.
///
///     |<-inset->|<---- header ---------------------->|<-inset->|
///     |         |<-section inset->| items |<-inset-->|         |      background: all of the section,
///     |         |                 ---------          |         |      as wide as the header
///     |         |                 | items |   separator between two lines: as wide as the space for items
///     |<-inset->|<---- footer ---------------------->|<-inset->|
extension LayoutEngine {
    /// The frame of a section's header.
    ///
    /// - Parameters:
    ///   - section: The section.
    ///   - visible: The visible bounds along the scroll axis, in which a pinned header stays while its section meets
    ///     them; `nil` for its frame if it is not pinned.
    /// - Returns: `nil` if sections have no headers.
    func headerFrame(of section: LayoutSection, visible: Range<Int64>?) -> AxisFrame? {
        guard bands.header > 0 else { return nil }
        var along = section.origin
        if key.sections.pinsHeaders, let visible, section.meets(visible) {
            along = min(max(along, visible.lowerBound), section.end - bands.footer - bands.header)
        }
        return boundaryFrame(along: along, extent: bands.header)
    }

    /// The frame of a section's footer.
    ///
    /// - Parameters:
    ///   - section: The section.
    ///   - visible: See ``headerFrame(of:visible:)``. If the bounds are too short for both, the header keeps its frame
    ///     and the footer follows it.
    /// - Returns: `nil` if sections have no footers.
    func footerFrame(of section: LayoutSection, visible: Range<Int64>?) -> AxisFrame? {
        guard bands.footer > 0 else { return nil }
        var along = section.end - bands.footer
        if key.sections.pinsFooters, let visible, section.meets(visible) {
            let least = headerFrame(of: section, visible: visible)?.alongEnd ?? section.origin
            along = max(min(along, visible.upperBound - bands.footer), least)
        }
        return boundaryFrame(along: along, extent: bands.footer)
    }

    /// The frame of a section's background.
    ///
    /// - Returns: `nil` if sections have none, and for a section without an extent.
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
    /// over both lines equally if it is thicker.
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

    /// The maximum distance that a separator extends beyond its section.
    var separatorOverhang: Int64 {
        hasSeparators ? max(0, separatorLead - key.lineSpacing) : 0
    }

    /// The distance from the start of a separator to the top of the line after it.
    ///
    /// If the remaining spacing is odd, the larger part lies after the separator.
    private var separatorLead: Int64 { (key.lineSpacing + key.sections.separatorThickness + 1) / 2 }
}

extension LayoutEngine {
    /// The badge of an item: in the top trailing corner of its cell, and never outside it.
    ///
    /// - Parameters:
    ///   - index: The item's position in stream order.
    ///   - path: Its index path.
    ///   - item: Its frame on the screen.
    /// - Returns: `nil` if items have no badges.
    func badge(ofItem index: Int, at path: IndexPath, frame item: PixelRect) -> LayoutAttributes? {
        guard hasBadges else { return nil }
        let (width, height) = (min(key.badgeSize.width, item.width), min(key.badgeSize.height, item.height))
        let x = axes.isMirrored ? item.x : item.maxX - width
        return LayoutAttributes(
            elementKind: .badge, index: index, indexPath: path,
            frame: PixelRect(x: x, y: item.y, width: width, height: height),
            zIndex: level(ofItem: index, at: path, otherwise: ElementLevel.badge))
    }

    /// The maximum number of elements that come with an item: background, header, separator, badge.
    static var mostElementsPerItem: Int { 4 }

    /// Whether items have badges.
    var hasBadges: Bool { key.badgeSize.width > 0 && key.badgeSize.height > 0 }
}

extension LayoutDirectory {
    /// A section's background, header or footer.
    ///
    /// - Parameters:
    ///   - kind: The kind of the element.
    ///   - section: The section.
    ///   - visible: See ``LayoutEngine/headerFrame(of:visible:)``.
    /// - Returns: `nil` if the section has no such element.
    func element(_ kind: ElementKind, of section: LayoutSection, visible: Range<Int64>?) -> LayoutAttributes? {
        let (frame, level): (AxisFrame?, Int) =
            switch kind {
            case .sectionHeader: (engine.headerFrame(of: section, visible: visible), engine.boundaryLevel)
            case .sectionFooter: (engine.footerFrame(of: section, visible: visible), engine.boundaryLevel)
            default: (engine.backgroundFrame(of: section), ElementLevel.background)
            }
        return frame.map {
            LayoutAttributes(
                elementKind: kind, index: section.items.lowerBound,
                indexPath: IndexPath(section: section.position, item: 0),
                frame: engine.axes.rect($0, contentExtent: contentExtent), zIndex: level)
        }
    }

    /// The separator before a line.
    func separator(beforeLineOf index: Int, at path: IndexPath, top: Int64) -> LayoutAttributes {
        let frame = engine.axes.rect(engine.separatorFrame(beforeLineAt: top), contentExtent: contentExtent)
        return LayoutAttributes(
            elementKind: .separator, index: index, indexPath: path, frame: frame, zIndex: ElementLevel.separator)
    }
}

extension LayoutSection {
    /// Whether any of it lies in a range along the scroll axis.
    func meets(_ range: Range<Int64>) -> Bool {
        !range.isEmpty && origin < range.upperBound && range.lowerBound < end
    }
}
