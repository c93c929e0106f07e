public import PhotoStreamModel

/// What of a layout no longer holds: what UICollectionViewLayoutInvalidationContext is, as a value.
///
/// Contexts of one moment unite: the layout is brought up to date once for all of them.
///
///     var context = InvalidationContext.edits([.insert(photos, at: 0)])
///     context.formUnion(.bounds(containerLength: 800))
///     try layout.invalidate(with: context)
public struct InvalidationContext: Hashable, Sendable {
    /// Whether nothing at all holds, so that every photo is placed again.
    public private(set) var invalidatesEverything = false
    /// The configuration that takes the place of the layout's: a spacing that a gesture drives, another algorithm.
    public private(set) var configuration: LayoutConfiguration?
    /// Points across the scroll axis of the new bounds.
    public private(set) var containerLength: Double?
    /// The supplementary and decoration elements that may look different, beside those of what is placed again.
    public private(set) var elements: [ElementKind: ElementSelection] = [:]
    /// Photos that take the place of all others.
    private(set) var source: Source?
    /// What happened to photos, one thing after the other; after ``source``.
    private(set) var steps: [Step] = []

    /// All photos, and the lengths of their sections where those are a list.
    struct Source: Hashable, Sendable {
        let metrics: PackedMetrics
        let sectionLengths: [Int]?
    }

    /// One thing that happened to photos.
    enum Step: Hashable, Sendable {
        case edit(ItemEdit)
        case items(Range<Int>)
        case sections(Range<Int>)
    }

    /// A context that invalidates nothing.
    public init() {}

    /// Adds what a later context invalidates.
    ///
    /// - Parameter later: A context whose positions are those that this one's edits have left.
    public mutating func formUnion(_ later: InvalidationContext) {
        invalidatesEverything = invalidatesEverything || later.invalidatesEverything
        if later.configuration != nil { (configuration, containerLength) = (later.configuration, nil) }
        containerLength = later.containerLength ?? containerLength
        if later.source != nil { (source, steps) = (later.source, []) }
        // An edit moves what index paths name.
        if later.changesPositions { elements = elements.mapValues { _ in .all } }
        steps += later.steps
        elements.merge(later.elements) { $0.union($1) }
    }

    /// Whether items may have other positions afterwards.
    var changesPositions: Bool {
        source != nil
            || steps.contains { step in
                if case .edit(.reload) = step { false } else if case .edit = step { true } else { false }
            }
    }
}

extension InvalidationContext {
    /// Everything.
    public static var everything: InvalidationContext {
        var context = InvalidationContext()
        context.invalidatesEverything = true
        return context
    }

    /// The data source's counts: other photos take the place of all.
    ///
    /// - Parameters:
    ///   - metrics: The photos' metrics in stream order.
    ///   - sectionLengths: How many photos each section has, instead of what the configuration says of dates.
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
        context.steps = edits.map { .edit($0) }
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

    /// Items that are to be placed again, though their metrics are the same.
    public static func items(_ ranges: [Range<Int>]) -> InvalidationContext {
        var context = InvalidationContext()
        context.steps = ranges.map { .items($0) }
        return context
    }

    /// Sections whose items are to be placed again.
    public static func sections(_ ranges: [Range<Int>]) -> InvalidationContext {
        var context = InvalidationContext()
        context.steps = ranges.map { .sections($0) }
        return context
    }

    /// Supplementary or decoration elements of a kind: they may look different, and nothing is placed again.
    ///
    /// - Parameters:
    ///   - kind: Their kind.
    ///   - selection: Which of them; index paths are those before any later edit.
    /// - Returns: The context.
    public static func elements(_ kind: ElementKind, _ selection: ElementSelection = .all) -> InvalidationContext {
        var context = InvalidationContext()
        context.elements = [kind: selection]
        return context
    }
}
