public import PhotoStreamModel

/// A page of a chain: items, and where to go on.
///
///     let cursor = engine.firstCursor(contentExtent: 0)
///     let page = engine.page(after: cursor, photos[0..<101], isEnd: false, limit: 100)
///     let frames = page?.items.map(\.frame) ?? []
///     let next = page?.next
public struct LayoutPage: Hashable, Sendable {
    /// The items in stream order; those that the layout leaves out are hidden and have no extent.
    public let items: [LayoutAttributes]
    /// The place where the next page begins.
    public let next: LayoutCursor
}

extension LayoutEngine {
    /// The page after a cursor.
    ///
    /// A page of lines ends with a line; where one line alone is longer than the limit, the cursor carries what was
    /// decided of it. No frame that was served is revised later in its chain.
    ///
    /// - Parameters:
    ///   - cursor: The cursor at which the page begins.
    ///   - items: The photos after it, in stream order: more than `limit`, or all that there are.
    ///   - isEnd: Whether no photo follows `items`.
    ///   - limit: The most items on the page, at least 1.
    /// - Returns: `nil` where more photos are needed to know where the first line ends.
    /// - Precondition: The layout does not fold backward: then it is ``LayoutSource/page(after:from:limit:)`` that
    ///   knows.
    /// - Complexity: As ``place(_:from:)``.
    public func page(
        after cursor: LayoutCursor, _ items: PackedMetrics, isEnd: Bool, limit: Int
    ) -> LayoutPage? {
        page(after: cursor, items, isEnd: isEnd, limit: limit, checking: {})
    }

    /// The page after a cursor, unless it is not wanted any more.
    ///
    /// - Parameters:
    ///   - cursor: As for ``page(after:_:isEnd:limit:)``.
    ///   - items: As for ``page(after:_:isEnd:limit:)``.
    ///   - isEnd: As for ``page(after:_:isEnd:limit:)``.
    ///   - limit: As for ``page(after:_:isEnd:limit:)``.
    ///   - check: As for ``place(_:from:checking:)``.
    /// - Returns: As ``page(after:_:isEnd:limit:)``.
    /// - Throws: Any error that `check` throws.
    /// - Precondition: As for ``page(after:_:isEnd:limit:)``.
    /// - Complexity: As ``place(_:from:)``.
    public func page<Failure>(
        after cursor: LayoutCursor, _ items: PackedMetrics, isEnd: Bool, limit: Int,
        checking check: () throws(Failure) -> Void
    ) throws(Failure) -> LayoutPage? {
        precondition(!foldsBackward, "what stands before the end is not known from what lies before it")
        var builder = PageBuilder(self, from: cursor)
        return try algorithm.addPage(to: &builder, items, isEnd: isEnd, limit: limit, checking: check)
            ? builder.page : nil
    }
}

extension LayoutSource {
    /// The page after a cursor, of a layout that folds backward.
    ///
    /// A fold that comes from the end cannot go on from a place towards it. So the page is taken from the layout as it
    /// is now, and moved so that each item is as far from the end of the content as it is now in the content that the
    /// chain began with. What was added before the place since then moves nothing.
    ///
    /// - Parameters:
    ///   - cursor: The cursor at which the page begins.
    ///   - first: The position in stream order of the first item after it.
    ///   - limit: The most items on the page, at least 1.
    /// - Returns: The page; its sections are those that dates make.
    /// - Throws: Any error that the source throws.
    /// - Precondition: The layout folds backward.
    /// - Complexity: O(limit) plus the cost of the chunks' content.
    public func page(
        after cursor: LayoutCursor, from first: Int, limit: Int
    ) throws(Failure) -> LayoutPage {
        let directory = directory
        let engine = directory.engine
        precondition(engine.foldsBackward, "a page of this layout is a fold")
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
