public import PhotoStreamLayout
public import PhotoStreamModel

/// The part of a layout that no longer holds: `UICollectionViewLayoutInvalidationContext` as a value.
///
/// Contexts of one moment unite: the layout is brought up to date once for all of them.
///
///     var context = InvalidationContext.edits([.insert(photos, at: 0)])
///     context.formUnion(.bounds(containerLength: 800))
///     try layout.invalidate(with: context)
///
/// The elements that it names (``items``, ``sections``, ``elements``) have the positions after all of its edits:
/// `LayoutUpdates` says that it has to be drawn again. Nothing is placed again for it, since places follow from the
/// photos alone.
public struct InvalidationContext: Hashable, Sendable {
    /// Whether nothing at all holds, so that every photo is placed again.
    public private(set) var invalidatesEverything = false
    /// The configuration that takes the place of the layout's: a spacing that a gesture drives, another algorithm.
    public private(set) var configuration: LayoutConfiguration?
    /// Points across the scroll axis of the new bounds.
    public private(set) var containerLength: Double?
    /// The changes of photos, one after the other.
    public private(set) var edits: [ItemEdit] = []
    /// Items that look different, by their positions in stream order; what lies outside the stream means nothing.
    public private(set) var items: [Range<Int>] = []
    /// Sections that look different, all that belongs to them; what lies outside the stream means nothing.
    public private(set) var sections: [Range<Int>] = []
    /// Other elements that look different.
    public private(set) var elements: [ElementKind: ElementSelection] = [:]
    /// Photos that take the place of all others, before any edit.
    private(set) var source: Source?

    /// All photos, and the lengths of their sections where those are a list.
    struct Source: Hashable, Sendable {
        let metrics: PackedMetrics
        let sectionLengths: [Int]?
    }

    /// A context that invalidates nothing.
    public init() {}

    /// Adds what a later context invalidates.
    ///
    /// The elements that this one names become all of their kind where the later one has edits, which move them.
    ///
    /// - Parameter later: A context whose positions are those that this one's edits have left.
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

    /// The number of photos afterwards.
    ///
    /// - Precondition: All positions of edits are inside the stream.
    func itemCount(from count: Int) -> Int {
        edits.reduce(source?.metrics.count ?? count) { $1.itemCount(from: $0) }
    }

    /// Whether an element of the layout afterwards is named.
    func names(_ element: LayoutAttributes) -> Bool {
        elements[element.elementKind]?.contains(element.indexPath) == true
            || sections.contains { $0.contains(element.indexPath.section) }
            || element.elementKind == .item && items.contains { $0.contains(element.index) }
    }
}

extension InvalidationContext {
    /// Every photo is placed again, at the next question.
    public static var everything: InvalidationContext {
        var context = InvalidationContext()
        context.invalidatesEverything = true
        return context
    }

    /// The data source's counts: other photos take the place of all, and none of them is one that was there before.
    ///
    /// - Parameters:
    ///   - metrics: The photos' metrics in stream order.
    ///   - sectionLengths: The count of photos in each section, instead of what the configuration says of dates.
    /// - Returns: The context.
    /// - Precondition: The lengths are not negative and add up to the photos.
    public static func dataSource(_ metrics: PackedMetrics, sectionLengths: [Int]? = nil) -> InvalidationContext {
        var context = InvalidationContext()
        context.source = Source(metrics: metrics, sectionLengths: sectionLengths)
        return context
    }

    /// Edits of the photos, one after the other.
    public static func edits(_ edits: [ItemEdit]) -> InvalidationContext {
        var context = InvalidationContext()
        context.edits = edits
        return context
    }

    /// New bounds.
    ///
    /// - Parameter containerLength: Points across the scroll axis. How far the content is scrolled is not asked for:
    ///   what is pinned to the visible bounds is computed at the question.
    /// - Returns: The context.
    public static func bounds(containerLength: Double) -> InvalidationContext {
        var context = InvalidationContext()
        context.containerLength = containerLength
        return context
    }

    /// Another configuration, such as one whose spacing follows a gesture.
    public static func configuration(_ configuration: LayoutConfiguration) -> InvalidationContext {
        var context = InvalidationContext()
        context.configuration = configuration
        return context
    }

    /// Items, by their positions in stream order, whose metrics are the same but who look different.
    public static func items(_ ranges: [Range<Int>]) -> InvalidationContext {
        var context = InvalidationContext()
        context.items = ranges
        return context
    }

    /// Sections with all that belongs to them.
    public static func sections(_ ranges: [Range<Int>]) -> InvalidationContext {
        var context = InvalidationContext()
        context.sections = ranges
        return context
    }

    /// Supplementary or decoration elements of a kind.
    public static func elements(_ kind: ElementKind, selection: ElementSelection = .all) -> InvalidationContext {
        var context = InvalidationContext()
        context.elements = [kind: selection]
        return context
    }
}

/// A selection of elements of one kind.
public enum ElementSelection: Hashable, Sendable {
    /// All of them.
    case all
    /// Those at some index paths.
    case at(Set<IndexPath>)

    /// Whether the element at an index path is meant.
    public func contains(_ indexPath: IndexPath) -> Bool {
        switch self {
        case .all: true
        case .at(let paths): paths.contains(indexPath)
        }
    }

    /// Those of both.
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
    ///   - context: The changes in between: of several contexts the union. The sections of a list keep their identity.
    ///   - bounds: The visible part of the layout before, in device pixels.
    ///   - newBounds: The visible part of the layout afterwards; `bounds` if it is `nil`.
    ///   - adjust: Changes the initial and final attributes of an element that appears, disappears or is reloaded.
    /// - Throws: Any error that the sources throw.
    /// - Complexity: That of two queries for the visible elements, and O(sections) if sections have elements.
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
