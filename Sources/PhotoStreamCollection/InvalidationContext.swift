public import PhotoStreamLayout
public import PhotoStreamModel

/// The invalid part of a layout: `UICollectionViewLayoutInvalidationContext` as a value.
///
/// Simultaneous contexts can be united, and the layout is updated once for all of them.
///
///     var context = InvalidationContext.edits([.insert(photos, at: 0)])
///     context.formUnion(.bounds(containerLength: 800))
///     try layout.invalidate(with: context)
///
/// The elements that it names (``items``, ``sections``, ``elements``) have the positions after all of its edits, and
/// `LayoutUpdates` reloads them. They are not placed again, because frames depend on the photos only.
public struct InvalidationContext: Hashable, Sendable {
    /// Whether everything is invalid, so that every photo is placed again.
    public private(set) var invalidatesEverything = false
    /// The new configuration of the layout: a spacing that follows a gesture, another algorithm.
    public private(set) var configuration: LayoutConfiguration?
    /// The length of the new bounds across the scroll axis, in points.
    public private(set) var containerLength: Double?
    /// The changes of photos, in order.
    public private(set) var edits: [ItemEdit] = []
    /// Items that look different, by their positions in stream order; positions outside the stream are ignored.
    public private(set) var items: [Range<Int>] = []
    /// Sections whose elements all look different; positions outside the stream are ignored.
    public private(set) var sections: [Range<Int>] = []
    /// Other elements that look different.
    public private(set) var elements: [ElementKind: ElementSelection] = [:]
    /// Photos that replace all others, before any edit.
    private(set) var source: Source?

    /// All photos, and the lengths of their sections if those are a list.
    struct Source: Hashable, Sendable {
        let metrics: PackedMetrics
        let sectionLengths: [Int]?
    }

    /// A context that invalidates nothing.
    public init() {}

    private init(_ change: (inout InvalidationContext) -> Void) {
        change(&self)
    }

    /// Adds the changes of a later context.
    ///
    /// If the later context has edits, which move elements, the elements that this one names become all elements of
    /// their kinds.
    ///
    /// - Parameter later: A context whose positions are those after the edits of this one.
    public mutating func formUnion(_ later: InvalidationContext) {
        invalidatesEverything = invalidatesEverything || later.invalidatesEverything
        if later.configuration != nil { (configuration, containerLength) = (later.configuration, nil) }
        containerLength = later.containerLength ?? containerLength
        if later.source != nil { (source, edits) = (later.source, []) }
        if later.source != nil || !later.edits.isEmpty {
            items = items.isEmpty ? [] : [0..<Int.max]
            sections = sections.isEmpty ? [] : [0..<Int.max]
            elements = elements.mapValues { _ in .all }
        }
        edits += later.edits
        items += later.items
        sections += later.sections
        elements.merge(later.elements) { $0.union($1) }
    }

    /// Returns the number of photos afterwards.
    ///
    /// - Precondition: All positions of edits are inside the stream.
    func itemCount(from count: Int) -> Int {
        edits.reduce(source?.metrics.count ?? count) { $1.itemCount(from: $0) }
    }

    /// Whether the context names an element of the layout afterwards.
    func names(_ element: LayoutAttributes) -> Bool {
        elements[element.elementKind]?.contains(element.indexPath) == true
            || sections.contains { $0.contains(element.indexPath.section) }
            || element.elementKind == .item && items.contains { $0.contains(element.index) }
    }
}

extension InvalidationContext {
    /// Places every photo again at the next query.
    public static var everything: InvalidationContext {
        InvalidationContext { $0.invalidatesEverything = true }
    }

    /// Replaces all photos; none of the new ones is an earlier photo.
    ///
    /// - Parameters:
    ///   - metrics: The photos' metrics in stream order.
    ///   - sectionLengths: The number of photos in each section; replaces the configuration's sections by date.
    /// - Returns: The context.
    /// - Precondition: The lengths are not negative and their sum is the number of photos.
    public static func dataSource(_ metrics: PackedMetrics, sectionLengths: [Int]? = nil) -> InvalidationContext {
        InvalidationContext { $0.source = Source(metrics: metrics, sectionLengths: sectionLengths) }
    }

    /// Edits the photos, in order.
    public static func edits(_ edits: [ItemEdit]) -> InvalidationContext {
        InvalidationContext { $0.edits = edits }
    }

    /// Sets new bounds, by their length across the scroll axis in points.
    ///
    /// The offset along the scroll axis is not part of it: pinned elements are computed by each query.
    public static func bounds(containerLength: Double) -> InvalidationContext {
        InvalidationContext { $0.containerLength = containerLength }
    }

    /// Sets another configuration, such as one whose spacing follows a gesture.
    public static func configuration(_ configuration: LayoutConfiguration) -> InvalidationContext {
        InvalidationContext { $0.configuration = configuration }
    }

    /// Reloads items, by their positions in stream order, whose metrics have not changed.
    public static func items(_ ranges: [Range<Int>]) -> InvalidationContext {
        InvalidationContext { $0.items = ranges }
    }

    /// Reloads sections with all their elements.
    public static func sections(_ ranges: [Range<Int>]) -> InvalidationContext {
        InvalidationContext { $0.sections = ranges }
    }

    /// Reloads supplementary or decoration elements of a kind.
    public static func elements(_ kind: ElementKind, selection: ElementSelection = .all) -> InvalidationContext {
        InvalidationContext { $0.elements = [kind: selection] }
    }
}

/// A selection of elements of one kind.
public enum ElementSelection: Hashable, Sendable {
    /// All of them.
    case all
    /// The elements at some index paths.
    case at(Set<IndexPath>)

    /// Whether the element at an index path is selected.
    public func contains(_ indexPath: IndexPath) -> Bool {
        switch self {
        case .all: true
        case .at(let paths): paths.contains(indexPath)
        }
    }

    /// Returns the union of two selections.
    func union(_ other: ElementSelection) -> ElementSelection {
        guard case .at(let left) = self, case .at(let right) = other else { return .all }
        return .at(left.union(right))
    }
}

extension LayoutUpdates {
    /// Compares two layouts between which a context was invalidated.
    ///
    /// - Parameters:
    ///   - old: The layout before.
    ///   - new: The layout afterwards.
    ///   - context: The changes in between; of several contexts the union. The sections of a list keep their identity.
    ///   - bounds: The visible part of the layout before, in device pixels.
    ///   - newBounds: The visible part of the layout afterwards; `nil` for `bounds`.
    ///   - adjust: Changes the initial and final attributes of an element that appears, disappears or is reloaded.
    /// - Throws: Any error that the sources throw.
    /// - Complexity: That of two queries for the visible elements, plus O(sections) if sections have elements.
    public init<Old: ElementSource, New: ElementSource>(
        from old: Old, to new: New, with context: InvalidationContext, in bounds: PixelRect,
        now newBounds: PixelRect? = nil, adjusting adjust: (inout ElementUpdate) -> Void = { _ in }
    ) throws(Old.Failure) where Old.Failure == New.Failure {
        let mapping =
            context.source == nil
            ? ItemMapping(context.edits, itemCount: old.directory.itemCount)
            : ItemMapping(runs: [ItemRun(old: nil, count: context.itemCount(from: 0))])
        try self.init(
            from: old, to: new, with: mapping, matchingSections: context.source == nil, reloading: context.names,
            in: bounds, now: newBounds, adjusting: adjust)
    }
}
