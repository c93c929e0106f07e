/// The updates from one layout to another: only the elements that appear, disappear, move or are drawn again within the
/// visible bounds.
///
///     let mapping = ItemMapping([.insert(newPhotos, at: 0), .delete(7..<9)], itemCount: before.itemCount)
///     let updates = LayoutUpdates(from: before, to: after, with: mapping, in: bounds) { update in
///         update.initial?.transform = .scale(x: 0.5, y: 0.5)
///     }
///
/// Elements correspond by:
/// - an item: its positions in the ``ItemMapping``;
/// - a badge: its item; a separator: the item that begins the line after it;
/// - a header, a footer, a background: the section's mark, its date; of several sections with one date, the first is
///   the first, and so on.
///
/// A hidden item counts as missing. In a map, a level is a photo's position in the stream, which every photo before it
/// changes, so a change of the level alone is not reported.
public struct LayoutUpdates: Hashable, Sendable {
    /// Elements that are new, in the order of an answer.
    public private(set) var insertions: [ElementUpdate] = []
    /// Elements that are missing afterwards, in the order of an answer.
    public private(set) var deletions: [ElementUpdate] = []
    /// Elements that move or look different: those that are visible afterwards, then those that were visible before.
    public private(set) var moves: [ElementUpdate] = []
    /// Elements that are drawn again, moved or not: replaced items, and other reloaded elements.
    public private(set) var reloads: [ElementUpdate] = []
    /// The correspondence of items, visible or not.
    public let mapping: ItemMapping

    /// Compares two layouts, given which items correspond and which elements look different.
    ///
    /// - Parameters:
    ///   - old: The layout before.
    ///   - new: The layout afterwards.
    ///   - mapping: The mapping from items before to items afterwards; replaced items are reloaded.
    ///   - matchesSections: Whether sections of one mark are the same section in both layouts.
    ///   - isReloaded: Whether an element of the layout afterwards is drawn again.
    ///   - bounds: The visible part of the layout before, in device pixels.
    ///   - newBounds: The visible part of the layout afterwards; `nil` for `bounds`.
    ///   - adjust: Changes the initial and final attributes of an element that appears, disappears or is reloaded.
    /// - Throws: Any error that the sources throw.
    /// - Complexity: That of two queries for the visible elements, plus O(sections) if sections have elements.
    public init<Old: ElementSource, New: ElementSource>(
        from old: Old, to new: New, with mapping: ItemMapping, matchingSections matchesSections: Bool = true,
        reloading isReloaded: (LayoutAttributes) -> Bool = { _ in false }, in bounds: PixelRect,
        now newBounds: PixelRect? = nil, adjusting adjust: (inout ElementUpdate) -> Void = { _ in }
    ) throws(Old.Failure) where Old.Failure == New.Failure {
        let newBounds = newBounds ?? bounds
        self.mapping = mapping
        // In a map, levels count photos: a new first photo raises all, but none above another.
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
            moves.append(ElementUpdate(old: old, new: new))
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
    /// - Returns: Its attributes there; `nil` if it is missing.
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

/// The sections of visible elements in one layout, and their counterparts in another.
private struct SectionMapping {
    /// The old positions of new sections, and the new positions of old ones.
    private(set) var oldPositions: [Int: Int] = [:]
    private(set) var newPositions: [Int: Int] = [:]

    /// Creates an empty mapping.
    init() {}

    /// Creates the mapping of sections with equal marks, for the visible elements of two layouts.
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
    /// The element in the layout before; `nil` if it is new.
    public let old: LayoutAttributes?
    /// The element in the layout afterwards; `nil` if it is removed.
    public let new: LayoutAttributes?
    /// The attributes with which its view appears, before it changes to ``new``: with an alpha of 0, unless the layout
    /// changes them.
    ///
    /// `nil` unless the element is inserted or reloaded.
    public var initial: LayoutAttributes?
    /// The attributes with which its view disappears, after ``old``: with an alpha of 0, unless the layout changes
    /// them.
    ///
    /// `nil` unless the element is deleted or reloaded.
    public var final: LayoutAttributes?

    /// Creates the update of an element that disappears, appears, or both.
    static func change(from old: LayoutAttributes?, to new: LayoutAttributes?) -> ElementUpdate {
        ElementUpdate(old: old, new: new, initial: new?.faded, final: old?.faded)
    }
}

extension LayoutAttributes {
    /// The same attributes, fully transparent.
    fileprivate var faded: LayoutAttributes {
        var attributes = self
        attributes.alpha = 0
        return attributes
    }

    /// Whether it looks the same in the same frame, regardless of its index path.
    func looksLike(_ other: LayoutAttributes, ignoringLevel: Bool) -> Bool {
        var other = other
        if ignoringLevel { other.zIndex = zIndex }
        (other.index, other.indexPath) = (index, indexPath)
        return self == other
    }
}
