public import PhotoStreamLayout
public import PhotoStreamModel
import Synchronization

/// A stream and its layout, which follows every change: what UICollectionViewLayout is to a collection view, as a
/// value.
///
/// Invalidating only marks, any number of times; the next question pays for all of it once. What an edit does not reach
/// is kept: chunks of photos are placed again from the one that holds the edit on until the state after one is the
/// state that the next was made from.
///
///     var layout = try CollectionLayout(configuration, items: photos)
///     let before = layout.current
///     let context = InvalidationContext.edits([.insert(newPhotos, at: 0)])
///     try layout.invalidate(with: context)
///     let visible = try layout.attributes(in: bounds)  // brings the layout up to date, once
///     let updates = LayoutUpdates(from: before, to: layout.current, with: context, in: pixels)
///
/// Copies are independent of one another and share what they have in common.
public struct CollectionLayout: LayoutSource, Sendable {
    private var storage: Storage

    /// The one place where a question changes something: it brings the content up to date, which changes no answer.
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
        /// The number of photos once it is up to date.
        var itemCount: Int
        /// Whether sections are a list of lengths.
        var hasList: Bool
        var pending: InvalidationContext?
        var work = LayoutWork()

        /// Brings everything up to date.
        mutating func settle() {
            guard let context = pending else { return }
            pending = nil
            placed.update(context, engine: engine, work: &work)
        }
    }

    /// Creates the layout of a stream; it is placed at the first question.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the layout.
    ///   - items: The photos' metrics in stream order.
    ///   - sectionLengths: The count of photos in each section, empty ones included; instead of what the configuration
    ///     says of dates.
    /// - Throws: Any error of `LayoutKey/init(_:)`; `LayoutError/unsupported(option:by:)` for lengths of sections
    ///   of a map, which has its own.
    /// - Precondition: The lengths are not negative and add up to the photos.
    public init(
        _ configuration: LayoutConfiguration, items: PackedMetrics = PackedMetrics([]), sectionLengths: [Int]? = nil
    ) throws(LayoutError) {
        try self.init(configuration, items: items, sectionLengths: sectionLengths, chunkSizes: .standard)
    }

    /// Creates the layout of a stream in chunks of some size.
    package init(
        _ configuration: LayoutConfiguration, items: PackedMetrics, sectionLengths: [Int]?, chunkSizes: ChunkSizes
    ) throws(LayoutError) {
        let engine = LayoutEngine(try LayoutKey(configuration))
        guard !engine.key.isMap || sectionLengths == nil else { throw .sectionLengthsOfMap }
        let source = InvalidationContext.Source(metrics: items, sectionLengths: sectionLengths)
        storage = Storage(
            Content(
                placed: PlacedLayout(engine, source: source, sizes: chunkSizes), configuration: configuration,
                engine: engine,
                itemCount: items.count, hasList: sectionLengths != nil, pending: .everything))
    }

    /// Marks what no longer holds; the next question pays.
    ///
    /// - Parameter context: The change. Its positions are those that all edits before have left.
    /// - Throws: Any error of `LayoutKey/init(_:)` for a configuration, and `LayoutError/unsupported(option:by:)`
    ///   where a map and a list of sections would meet; nothing is marked then.
    /// - Precondition: Positions of edits are inside the stream. What an edit says of the sections of a list is checked
    ///   when the layout is brought up to date.
    /// - Complexity: O(1) for each edit.
    public mutating func invalidate(with context: InvalidationContext) throws(LayoutError) {
        var change: (LayoutConfiguration, LayoutEngine)?
        if context.configuration != nil || context.containerLength != nil {
            var configuration = context.configuration ?? configuration
            configuration.containerLength = context.containerLength ?? configuration.containerLength
            change = (configuration, LayoutEngine(try LayoutKey(configuration)))
        }
        let hasList = context.source.map { $0.sectionLengths != nil } ?? storage.content.withLock { $0.hasList }
        let isMap = change?.1.key.isMap ?? storage.content.withLock { $0.engine.key.isMap }
        guard !isMap || !hasList else { throw .sectionLengthsOfMap }
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.content.withLock { $0 }) }
        storage.content.withLock { content in
            if let change { (content.configuration, content.engine) = change }
            content.hasList = hasList
            content.itemCount = context.itemCount(from: content.itemCount)
            if content.pending == nil { content.pending = context } else { content.pending?.formUnion(context) }
        }
    }

    /// The part that no longer holds when the visible bounds change.
    ///
    /// - Parameters:
    ///   - old: The bounds that were visible, in points.
    ///   - new: The bounds that are visible now.
    /// - Returns: The new container length where that has changed, and what is pinned where anything is; `nil` where
    ///   everything holds, as for scrolling in most layouts.
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
        // Lengths are compared as the layout rounds them: less than a pixel may change nothing, and may change all.
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

    /// The latest configuration, new bounds included, whether or not the layout is up to date.
    public var configuration: LayoutConfiguration { storage.content.withLock { $0.configuration } }

    /// The layout as it is now, brought up to date: for many questions at once, or to keep while this one changes.
    public var current: PlacedLayout { settled { $0.placed } }

    /// The index of chunks and sections.
    public var directory: LayoutDirectory { settled { $0.placed.directory } }

    /// The photos and frames that the run of a chunk placed.
    public func placedChunk(at position: Int) -> PlacedChunk { settled { $0.placed.placedChunk(at: position) } }

    /// The number of photos; asking does not bring the layout up to date.
    public var itemCount: Int { storage.content.withLock { $0.itemCount } }

    /// The extent of the whole layout, insets included, in points.
    public var contentSize: Size { settled { $0.placed.contentSize } }

    /// The work that the layout has done so far; reading it does not bring the layout up to date.
    public var work: LayoutWork { storage.content.withLock { $0.work } }

    private func settled<Answer: Sendable>(_ body: (borrowing Content) -> Answer) -> Answer {
        storage.content.withLock { content in
            content.settle()
            return body(content)
        }
    }
}

extension LayoutKey {
    /// Whether photos stand where they were taken.
    var isMap: Bool { if case .map = algorithm { true } else { false } }
}

/// The work of a layout since it was created, counted, so that the cost of an edit shows without a clock.
public struct LayoutWork: Hashable, Sendable {
    /// The number of times that it was brought up to date: once for all that was invalidated before a question.
    public internal(set) var passes = 0
    /// Chunks that were placed.
    public internal(set) var chunksFolded = 0
    /// Photos that were placed.
    public internal(set) var itemsFolded = 0
    /// Chunks that were kept as they stood, summed over the passes.
    public internal(set) var chunksReused = 0
}
