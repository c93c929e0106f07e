public import PhotoStreamModel

/// A page of a chain: its items and the cursor of the next page.
///
///     let cursor = engine.firstCursor(contentExtent: 0)
///     let page = engine.page(after: cursor, photos[0..<101], isEnd: false, limit: 100)
///     let frames = page?.items.map(\.frame) ?? []
///     let next = page?.next
public struct LayoutPage: Hashable, Sendable {
    /// The items in stream order; hidden ones have no extent.
    public let items: [LayoutAttributes]
    /// The cursor of the next page.
    public let next: LayoutCursor
}

extension LayoutEngine {
    /// Returns the page after a cursor.
    ///
    /// A page of lines ends with a line; if a single line is longer than the limit, the cursor carries the decided
    /// part. A chain never changes a frame that it has returned.
    ///
    /// - Parameters:
    ///   - cursor: The cursor at which the page begins.
    ///   - items: The photos after it, in stream order: more than `limit`, or all that remain.
    ///   - isEnd: Whether no photo follows `items`.
    ///   - limit: The maximum number of items on the page, at least 1.
    /// - Returns: `nil` if more photos are needed to find the end of the first line.
    /// - Precondition: Pages do not need the whole layout (``pagesNeedLayout``); otherwise use
    ///   ``LayoutSource/page(after:from:limit:)``.
    /// - Complexity: The same as ``place(_:from:)``.
    public func page(
        after cursor: LayoutCursor, _ items: PackedMetrics, isEnd: Bool, limit: Int
    ) -> LayoutPage? {
        page(after: cursor, items, isEnd: isEnd, limit: limit, checking: {})
    }

    /// Returns the page after a cursor, like ``page(after:_:isEnd:limit:)``; `check` may cancel.
    ///
    /// - Parameters:
    ///   - cursor: The cursor at which the page begins.
    ///   - items: The photos after it: more than `limit`, or all that remain.
    ///   - isEnd: Whether no photo follows `items`.
    ///   - limit: The maximum number of items on the page, at least 1.
    ///   - check: See ``place(_:from:checking:)``.
    /// - Returns: `nil` if more photos are needed to find the end of the first line.
    /// - Throws: Any error that `check` throws.
    /// - Precondition: Pages do not need the whole layout.
    /// - Complexity: The same as ``place(_:from:)``.
    public func page<Failure>(
        after cursor: LayoutCursor, _ items: PackedMetrics, isEnd: Bool, limit: Int,
        checking check: () throws(Failure) -> Void
    ) throws(Failure) -> LayoutPage? {
        precondition(!pagesNeedLayout, "a page of this layout needs the whole layout")
        var builder = PageBuilder(self, from: cursor)
        return try algorithm.addPage(to: &builder, items, isEnd: isEnd, limit: limit, checking: check)
            ? builder.page : nil
    }
}

extension LayoutSource {
    /// Returns the page after a cursor, for a layout whose pages need it as a whole.
    ///
    /// On a map with clusters, the page has the current frames. A fold from the end cannot continue towards the end. So the page is taken from the current layout, and moved
    /// such that each item keeps its current distance from the end in the content with which the chain began. Photos
    /// that were added before the page since then move nothing.
    ///
    /// - Parameters:
    ///   - cursor: The cursor at which the page begins.
    ///   - first: The position in stream order of the first item after it.
    ///   - limit: The maximum number of items on the page, at least 1.
    /// - Returns: The page, with the sections that result from dates.
    /// - Throws: Any error that the source throws.
    /// - Precondition: Pages need the whole layout (``LayoutEngine/pagesNeedLayout``).
    /// - Complexity: O(limit) plus the cost of the chunks' content.
    public func page(
        after cursor: LayoutCursor, from first: Int, limit: Int
    ) throws(Failure) -> LayoutPage {
        let directory = directory
        let engine = directory.engine
        precondition(engine.pagesNeedLayout, "this layout computes pages without a source")
        var builder = PageBuilder(engine, from: cursor)
        let all = 0..<directory.itemCount
        let wanted = (first..<first + min(limit, all.count)).clamped(to: all)
        let distance = cursor.contentExtent - directory.contentExtent
        guard !wanted.isEmpty, var position = directory.chunk(placing: first) else { return builder.page }
        while position < directory.chunks.count, directory.chunks[position].placed.lowerBound < wanted.upperBound {
            let entry = directory.chunks[position]
            let chunk = try placedChunk(at: position)
            for index in entry.placed.clamped(to: wanted) {
                let offset = index - entry.placed.lowerBound
                guard !engine.hasClusters else {
                    builder.add(directory.attributes(at: offset, of: chunk, placedBy: position))
                    continue
                }
                let frame = engine.algorithm.frame(
                    at: offset, of: chunk, index: index, base: entry.base, in: directory)
                let mark = directory.sectionEntries[directory.section(containing: index)].mark
                builder.add(chunk.metrics[offset], frame: frame?.moved(by: distance), ofSection: mark)
            }
            position += 1
        }
        return builder.page
    }
}
