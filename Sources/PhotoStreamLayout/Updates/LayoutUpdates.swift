/// The updates from one layout to another: the elements that appear, disappear, move or are drawn again within
/// the bounds that are visible, and nothing of all the rest.
///
///     let mapping = ItemMapping([.insert(newPhotos, at: 0), .delete(7..<9)], itemCount: before.itemCount)
///     let updates = LayoutUpdates(from: before, to: after, with: mapping, in: bounds) { update in
///         update.initial?.transform = .scale(x: 0.5, y: 0.5)
///     }
///
/// An element is the same in both layouts by:
/// - an item: its position in both, by the ``ItemMapping``;
/// - a badge: its item; a separator: the item that begins the line after it;
/// - a header, a footer, a background: the section's mark, its date; of several sections of one date the first is the
///   first, and so on.
///
/// An item that a layout leaves out counts as not there. In a map a level is a photo's place in the stream, which every
/// photo before it changes: of a photo that only lies at another level nothing is said.
public struct LayoutUpdates: Hashable, Sendable {
    /// Elements that were not there before, in the order of an answer.
    public private(set) var insertions: [ElementUpdate] = []
    /// Elements that are not there any more, in the order of an answer.
    public private(set) var deletions: [ElementUpdate] = []
    /// Elements that stand elsewhere or look different: those that are visible afterwards, then those that were.
    public private(set) var moves: [ElementUpdate] = []
    /// Elements that are drawn again, moved or not: items that were replaced, and other elements that are reloaded.
    public private(set) var reloads: [ElementUpdate] = []
    /// The correspondence of items, visible or not.
    public let mapping: ItemMapping

    /// Compares two layouts, given which items correspond.
    ///
    /// - Parameters:
    ///   - old: The layout before.
    ///   - new: The layout afterwards.
    ///   - mapping: The mapping from items before to items afterwards; those that it calls replaced are reloaded.
    ///   - bounds: The visible part of the layout before, in device pixels.
    ///   - newBounds: The visible part of the layout afterwards; `bounds` where it is `nil`.
    ///   - adjust: Changes the initial and final attributes of an element that appears, disappears or is reloaded.
    /// - Throws: Any error that the sources throw.
    /// - Complexity: That of two questions for the visible elements, and O(sections) where sections have elements.
    public init<Old: ElementSource, New: ElementSource>(
        from old: Old, to new: New, with mapping: ItemMapping, in bounds: PixelRect, now newBounds: PixelRect? = nil,
        adjusting adjust: (inout ElementUpdate) -> Void = { _ in }
    ) throws(Old.Failure) where Old.Failure == New.Failure {
        try self.init(
            from: old, to: new, with: mapping, matchingSections: true, reloading: { _ in false }, in: bounds,
            now: newBounds, adjusting: adjust)
    }

    /// Compares two layouts, given which items correspond and which elements look different.
    ///
    /// - Parameters:
    ///   - old: The layout before.
    ///   - new: The layout afterwards.
    ///   - mapping: The mapping from items before to items afterwards; those that it calls replaced are reloaded.
    ///   - matchesSections: Whether sections of one mark are the same section in both layouts.
    ///   - isReloaded: Whether an element of the layout afterwards is drawn again.
    ///   - bounds: The visible part of the layout before, in device pixels.
    ///   - newBounds: The visible part of the layout afterwards; `bounds` where it is `nil`.
    ///   - adjust: Changes the initial and final attributes of an element that appears, disappears or is reloaded.
    /// - Throws: Any error that the sources throw.
    /// - Complexity: That of two questions for the visible elements, and O(sections) where sections have elements.
    public init<Old: ElementSource, New: ElementSource>(
        from old: Old, to new: New, with mapping: ItemMapping, matchingSections matchesSections: Bool,
        reloading isReloaded: (LayoutAttributes) -> Bool, in bounds: PixelRect, now newBounds: PixelRect? = nil,
        adjusting adjust: (inout ElementUpdate) -> Void
    ) throws(Old.Failure) where Old.Failure == New.Failure {
        let newBounds = newBounds ?? bounds
        self.mapping = mapping
        // In a map they count photos: one that comes at the head raises all, and none above another.
        let ignoresLevels = new.directory.engine.isMap
        let before = try old.elements(in: bounds)
        let after = try new.elements(in: newBounds)
        let identity = ElementIdentity(
            items: mapping,
            sections: matchesSections
                ? SectionMapping(from: old.directory, to: new.directory, of: before + after) : SectionMapping())
        for element in after {
            let counterpart = try identity.counterpart(of: element, in: old, bounds: bounds, isOld: true)
            add(from: counterpart, to: element, reloading: isReloaded, ignoresLevels: ignoresLevels)
        }
        for element in before {
            let counterpart = try identity.counterpart(of: element, in: new, bounds: newBounds, isOld: false)
            if counterpart?.frame.intersects(newBounds) != true {
                add(from: element, to: counterpart, reloading: isReloaded, ignoresLevels: ignoresLevels)
            }
        }
        for position in insertions.indices { adjust(&insertions[position]) }
        for position in deletions.indices { adjust(&deletions[position]) }
        for position in reloads.indices { adjust(&reloads[position]) }
    }

    private mutating func add(
        from old: LayoutAttributes?, to new: LayoutAttributes?, reloading isReloaded: (LayoutAttributes) -> Bool,
        ignoresLevels: Bool
    ) {
        guard let old, let new else {
            if new != nil { insertions.append(.change(from: nil, to: new)) }
            if old != nil { deletions.append(.change(from: old, to: nil)) }
            return
        }
        if isReloaded(new) || new.elementKind == .item && mapping.isReplaced(new.index) {
            reloads.append(.change(from: old, to: new))
        } else if !old.looksLike(new, ignoringLevel: ignoresLevels) {
            moves.append(.move(from: old, to: new))
        }
    }
}

/// The identity of an element in two layouts.
private struct ElementIdentity {
    let items: ItemMapping
    let sections: SectionMapping

    /// The same element in the other layout.
    ///
    /// - Parameters:
    ///   - element: An element of one layout.
    ///   - source: The other layout.
    ///   - bounds: The visible part of the other layout.
    ///   - isOld: Whether the other layout is the one before.
    /// - Returns: Its attributes there; `nil` where it is not there.
    /// - Throws: Any error that the source throws.
    func counterpart<Source: ElementSource>(
        of element: LayoutAttributes, in source: Source, bounds: PixelRect, isOld: Bool
    ) throws(Source.Failure) -> LayoutAttributes? {
        switch element.elementKind {
        case .sectionHeader, .sectionFooter, .sectionBackground:
            let section = element.indexPath.section
            guard let position = isOld ? sections.oldPositions[section] : sections.newPositions[section]
            else { return nil }
            let path = IndexPath(section: position, item: 0)
            return element.elementKind == .sectionBackground
                ? try source.attributes(forDecoration: .sectionBackground, at: path)
                : try source.attributes(forSupplementary: element.elementKind, at: path, visibleBounds: bounds)
        default:
            guard let index = isOld ? items.oldIndex(of: element.index) : items.newIndex(of: element.index)
            else { return nil }
            if element.elementKind == .item {
                return try source.frame(forItemAt: index) == nil ? nil : source.attributes(forItemAt: index)
            }
            let path = try source.indexPath(of: index)
            return element.elementKind == .separator
                ? try source.attributes(forDecoration: .separator, at: path)
                : try source.attributes(forSupplementary: element.elementKind, at: path, visibleBounds: nil)
        }
    }
}

/// The sections of one layout and their counterparts in another, of those that elements are seen of.
private struct SectionMapping {
    /// The positions before of sections afterwards, and the other way round.
    private(set) var oldPositions: [Int: Int] = [:]
    private(set) var newPositions: [Int: Int] = [:]

    /// No counterparts.
    init() {}

    /// Looks for sections of the same mark.
    ///
    /// - Parameters:
    ///   - old: The layout before.
    ///   - new: The layout afterwards.
    ///   - elements: The visible elements of both.
    init(from old: LayoutDirectory, to new: LayoutDirectory, of elements: [LayoutAttributes]) {
        guard old.engine.key.sections.sectioning == new.engine.key.sections.sectioning else { return }
        let sections = Set(
            elements.lazy.filter { Self.kinds.contains($0.elementKind) }.map(\.indexPath.section))
        guard !sections.isEmpty else { return }
        let marks = Set(
            [old, new].flatMap { directory in
                sections.filter { $0 < directory.sections.count }.map { directory.sections[$0].mark }
            })
        let (before, after) = (Self.positions(of: marks, in: old), Self.positions(of: marks, in: new))
        for (mark, positions) in before {
            for (old, new) in zip(positions, after[mark] ?? []) {
                oldPositions[new] = old
                newPositions[old] = new
            }
        }
    }

    private static let kinds: Set<ElementKind> = [.sectionHeader, .sectionFooter, .sectionBackground]

    private static func positions(
        of marks: Set<SectionMark>, in directory: LayoutDirectory
    ) -> [SectionMark: [Int]] {
        var found: [SectionMark: [Int]] = [:]
        for (position, entry) in directory.sectionEntries.enumerated() where marks.contains(entry.mark) {
            found[entry.mark, default: []].append(position)
        }
        return found
    }
}

/// The change of one element between two layouts.
public struct ElementUpdate: Hashable, Sendable {
    /// The place where it stood in the layout before; `nil` for one that was not there.
    public let old: LayoutAttributes?
    /// The place where it stands in the layout afterwards; `nil` for one that is not there any more.
    public let new: LayoutAttributes?
    /// The attributes that its view appears with, before it takes on ``new``: those with an alpha of 0, unless the
    /// layout changes them.
    ///
    /// Only where a view appears: of an element that is inserted or reloaded.
    public var initial: LayoutAttributes?
    /// The attributes that its view disappears with, coming from ``old``: those with an alpha of 0, unless the layout
    /// changes them.
    ///
    /// Only where a view disappears: of an element that is deleted or reloaded.
    public var final: LayoutAttributes?

    /// An element that stands elsewhere, or looks different.
    static func move(from old: LayoutAttributes, to new: LayoutAttributes) -> ElementUpdate {
        ElementUpdate(old: old, new: new, initial: nil, final: nil)
    }

    /// An element of which a view disappears, another appears, or both.
    static func change(from old: LayoutAttributes?, to new: LayoutAttributes?) -> ElementUpdate {
        ElementUpdate(old: old, new: new, initial: new?.faded, final: old?.faded)
    }
}

extension LayoutAttributes {
    /// The same where nothing is seen of it.
    fileprivate var faded: LayoutAttributes {
        var attributes = self
        attributes.alpha = 0
        return attributes
    }

    /// Whether it looks the same at the same place, whatever its index path.
    func looksLike(_ other: LayoutAttributes, ignoringLevel: Bool) -> Bool {
        var other = other
        if ignoringLevel { other.zIndex = zIndex }
        (other.index, other.indexPath) = (index, indexPath)
        return self == other
    }
}
