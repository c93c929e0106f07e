public import PhotoStreamModel
import Synchronization

/// A stream and its layout, which follows every change: what UICollectionViewLayout is to a collection view, as a value.
///
/// Invalidating only marks, any number of times; the next question pays for all of it once. What an edit does not reach
/// is kept: chunks of photos are placed anew from the one that holds the edit on until the state behind one is the state
/// that the next was made from.
///
///     var layout = try CollectionLayout(configuration, items: photos)
///     let before = layout.current
///     try layout.invalidate(with: .edits([.insert(newPhotos, at: 0)]))
///     let visible = layout.items(in: rect)             // brings the layout up to date, once
///     let after = layout.current
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
        var pending: InvalidationContext?
        var invalidated = InvalidatedElements()
        var work = LayoutWork()

        /// Brings everything up to date.
        mutating func settle() {
            guard let context = pending else { return }
            pending = nil
            let found = placed.update(context, engine, &work)
            invalidated.formUnion(found, keepingPositions: !context.changesPositions)
        }
    }

    /// Creates the layout of a stream; it is placed at the first question.
    ///
    /// - Parameters:
    ///   - configuration: How it is laid out.
    ///   - items: The photos' metrics in stream order.
    ///   - sectionLengths: How many photos each section has, empty ones included; instead of what the configuration says
    ///     of dates.
    /// - Throws: What ``LayoutKey/init(_:)`` throws.
    /// - Precondition: The lengths are not negative and add up to the photos.
    public init(
        _ configuration: LayoutConfiguration, items: PackedMetrics = PackedMetrics([]), sectionLengths: [Int]? = nil
    ) throws(LayoutError) {
        let engine = LayoutEngine(try LayoutKey(configuration))
        let source = InvalidationContext.Source(metrics: items, sectionLengths: sectionLengths)
        storage = Storage(
            Content(
                placed: PlacedLayout(engine, source), configuration: configuration, engine: engine,
                pending: .everything))
    }

    /// Marks what no longer holds; the next question pays.
    ///
    /// - Parameter context: What it is. Its positions are those that all edits before have left.
    /// - Throws: What ``LayoutKey/init(_:)`` throws for a configuration; nothing is marked then.
    /// - Precondition: Its positions are inside the stream; found out when the layout is brought up to date.
    /// - Complexity: O(1) for each edit.
    public mutating func invalidate(with context: InvalidationContext) throws(LayoutError) {
        let old = storage.content.withLock { ($0.configuration, $0.engine) }
        var configuration = context.configuration ?? old.0
        configuration.containerLength = context.containerLength ?? configuration.containerLength
        let engine = configuration == old.0 ? old.1 : LayoutEngine(try LayoutKey(configuration))
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.content.withLock { $0 }) }
        storage.content.withLock { content in
            (content.configuration, content.engine) = (configuration, engine)
            if content.pending == nil { content.pending = context } else { content.pending?.formUnion(context) }
        }
    }

    /// How the stream is laid out.
    public var configuration: LayoutConfiguration { storage.content.withLock { $0.configuration } }

    /// The layout as it is now, brought up to date: for many questions at once, or to keep while this one changes.
    public var current: PlacedLayout { settled { $0.placed } }

    /// Where chunks and sections stand.
    public var directory: LayoutDirectory { settled { $0.placed.directory } }

    /// What the run of a chunk placed.
    public func placedChunk(at position: Int) -> PlacedChunk { settled { $0.placed.placedChunk(at: position) } }

    /// How many photos there are.
    public var itemCount: Int { settled { $0.placed.itemCount } }

    /// The extent of the whole layout, insets included, in points.
    public var contentSize: Size { settled { $0.placed.contentSize } }

    /// What the layout has done so far; asking does not bring it up to date.
    public var work: LayoutWork { storage.content.withLock { $0.work } }

    /// Brings the layout up to date and tells which elements may have other attributes than when this was last asked.
    ///
    /// - Returns: All elements, the first time.
    public mutating func takeInvalidatedElements() -> InvalidatedElements {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.content.withLock { $0 }) }
        return settled { content in
            defer { content.invalidated = InvalidatedElements() }
            return content.invalidated
        }
    }

    private func settled<Answer: Sendable>(_ body: (inout Content) -> Answer) -> Answer {
        storage.content.withLock { content in
            content.settle()
            return body(&content)
        }
    }
}
