public import PhotoStreamLayout
public import PhotoStreamModel
import Synchronization

/// A stream with a layout that follows every change: a UICollectionViewLayout as a value.
///
/// Invalidation only records changes, any number of them; the next query applies all of them once. Everything that an
/// edit does not affect is kept: chunks of photos are placed again from the one with the edit on, until the state after
/// a chunk is the one from which the next was placed.
///
///     var layout = try CollectionLayout(configuration, items: photos)
///     let before = layout.current
///     let context = InvalidationContext.edits([.insert(newPhotos, at: 0)])
///     try layout.invalidate(with: context)
///     let visible = try layout.attributes(in: bounds)  // brings the layout up to date, once
///     let updates = LayoutUpdates(from: before, to: layout.current, with: context, in: pixels)
///
/// Copies are independent of each other and share their common parts.
public struct CollectionLayout: LayoutSource, Sendable {
    private var storage: Storage

    /// A query changes only this: it updates the content, which does not change any answer.
    private final class Storage: Sendable {
        let content: Mutex<Content>

        init(_ content: Content) {
            self.content = Mutex(content)
        }
    }

    private struct Content {
        var placed: PlacedLayout
        var configuration: LayoutConfiguration
        var engine: LayoutEngine
        /// The number of photos after the pending update.
        var itemCount: Int
        /// Whether sections are a list of lengths.
        var hasList: Bool
        var pending: InvalidationContext?
        var work = LayoutWork()

        /// Applies all pending changes.
        mutating func settle() {
            guard let context = pending else { return }
            pending = nil
            placed.update(context, engine: engine, work: &work)
        }
    }

    /// Creates the layout of a stream, which is placed by the first query.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the layout.
    ///   - items: The photos' metrics in stream order.
    ///   - sectionLengths: The number of photos in each section, empty ones included; replaces the configuration's
    ///     sections by date.
    /// - Throws: Any error of `LayoutKey/init(_:)`; `LayoutError/unsupported(option:by:)` for section lengths of a
    ///   map, which has its own sections.
    /// - Precondition: The lengths are not negative and their sum is the number of photos.
    public init(
        _ configuration: LayoutConfiguration, items: PackedMetrics = PackedMetrics([]), sectionLengths: [Int]? = nil
    ) throws(LayoutError) {
        try self.init(configuration, items: items, sectionLengths: sectionLengths, chunkSizes: .standard)
    }

    /// Creates the layout of a stream with given chunk sizes.
    package init(
        _ configuration: LayoutConfiguration, items: PackedMetrics, sectionLengths: [Int]?, chunkSizes: ChunkSizes
    ) throws(LayoutError) {
        let engine = LayoutEngine(try LayoutKey(configuration))
        guard !engine.isMap || sectionLengths == nil else { throw .sectionLengthsOfMap }
        let source = InvalidationContext.Source(metrics: items, sectionLengths: sectionLengths)
        storage = Storage(
            Content(
                placed: PlacedLayout(engine, source: source, sizes: chunkSizes), configuration: configuration,
                engine: engine,
                itemCount: items.count, hasList: sectionLengths != nil, pending: .everything))
    }

    /// Records a change, which the next query applies.
    ///
    /// - Parameter context: The change. Its positions are those after all earlier edits.
    /// - Throws: Any error of `LayoutKey/init(_:)` for a configuration, and `LayoutError/unsupported(option:by:)`
    ///   for a map with a list of sections; nothing is recorded then.
    /// - Precondition: Positions of edits are inside the stream. Edits of a list of sections are checked when they are
    ///   applied.
    /// - Complexity: O(1) for each edit.
    public mutating func invalidate(with context: InvalidationContext) throws(LayoutError) {
        var change: (LayoutConfiguration, LayoutEngine)?
        if context.configuration != nil || context.containerLength != nil {
            var configuration = context.configuration ?? configuration
            configuration.containerLength = context.containerLength ?? configuration.containerLength
            change = (configuration, LayoutEngine(try LayoutKey(configuration)))
        }
        let hasList = context.source.map { $0.sectionLengths != nil } ?? storage.content.withLock { $0.hasList }
        let isMap = change?.1.isMap ?? storage.content.withLock { $0.engine.isMap }
        guard !isMap || !hasList else { throw .sectionLengthsOfMap }
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.content.withLock { $0 }) }
        storage.content.withLock { content in
            if let change { (content.configuration, content.engine) = change }
            content.hasList = hasList
            content.itemCount = context.itemCount(from: content.itemCount)
            if content.pending == nil { content.pending = context } else { content.pending?.formUnion(context) }
        }
    }

    /// The invalidation that a change of the visible bounds requires.
    ///
    /// - Parameters:
    ///   - old: The previous visible bounds, in points.
    ///   - new: The new visible bounds.
    /// - Returns: The new container length if it has changed, and the pinned elements if there are any; `nil` if
    ///   nothing is invalid, as for scrolling in most layouts.
    /// - Throws: `LayoutError/invalidRect(_:)` for NaN, infinite or negative values.
    public func invalidationContext(
        forBoundsChange old: Rect, new: Rect
    ) throws(LayoutError) -> InvalidationContext? {
        let (engine, configuration) = storage.content.withLock { ($0.engine, $0.configuration) }
        let scale = engine.key.displayScale
        for bounds in [old, new] { _ = try scale.pixels(covering: bounds) }
        let isVertical = configuration.scrollDirection == .vertical
        let length = isVertical ? new.width : new.height
        var context: InvalidationContext?
        // Lengths are compared after rounding, because a change of less than a pixel may or may not matter.
        if scale.pixels(min(length, 1_000_000)) != engine.key.containerLength {
            context = .bounds(containerLength: length)
        }
        let hasScrolled =
            isVertical ? (old.y, old.height) != (new.y, new.height) : (old.x, old.width) != (new.x, new.width)
        let sections = engine.key.sections
        if sections.pinsHeaders || sections.pinsFooters, context != nil || hasScrolled {
            var pinned = context ?? InvalidationContext()
            if sections.pinsHeaders { pinned.formUnion(.elements(.sectionHeader)) }
            if sections.pinsFooters { pinned.formUnion(.elements(.sectionFooter)) }
            context = pinned
        }
        return context
    }

    /// The latest configuration, including new bounds, whether or not it has been applied.
    public var configuration: LayoutConfiguration { storage.content.withLock { $0.configuration } }

    /// The up-to-date layout as a value, for many queries at once, or to keep while this one changes.
    public var current: PlacedLayout { settled { $0.placed } }

    /// The index of chunks and sections.
    public var directory: LayoutDirectory { settled { $0.placed.directory } }

    /// The photos and frames that the run of a chunk placed.
    public func placedChunk(at position: Int) -> PlacedChunk { settled { $0.placed.placedChunk(at: position) } }

    /// The number of photos; reading it does not update the layout.
    public var itemCount: Int { storage.content.withLock { $0.itemCount } }

    /// The extent of the whole layout, insets included, in points.
    public var contentSize: Size { settled { $0.placed.contentSize } }

    /// The work that the layout has done so far; reading it does not update the layout.
    public var work: LayoutWork { storage.content.withLock { $0.work } }

    private func settled<Answer: Sendable>(_ body: (borrowing Content) -> Answer) -> Answer {
        storage.content.withLock { content in
            content.settle()
            return body(content)
        }
    }
}

/// The work of a layout since it was created, as counts, which show the cost of an edit without a clock.
public struct LayoutWork: Hashable, Sendable {
    /// The number of updates: one for all invalidations before a query.
    public internal(set) var passes = 0
    /// The number of chunks that were placed.
    public internal(set) var chunksFolded = 0
    /// The number of photos that were placed.
    public internal(set) var itemsFolded = 0
    /// The number of chunks that were kept, summed over the updates.
    public internal(set) var chunksReused = 0
}
