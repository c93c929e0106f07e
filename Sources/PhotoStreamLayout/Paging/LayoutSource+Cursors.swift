public import PhotoStreamModel

extension LayoutSource {
    /// Returns a cursor whose page contains an item at its position in the layout, and continues from there.
    ///
    /// The page begins with the item, or, in a layout of lines, with the start of the item's line, unless the item
    /// would then lie beyond the limit.
    ///
    /// - Parameters:
    ///   - index: The item's position in stream order, inside the stream.
    ///   - limit: The maximum number of items on the page, at least 1.
    ///   - entryState: Returns the layout's state before the chunk at a position; not called for a map or a layout that
    ///     folds backward.
    ///   - metrics: Returns the photos in a range of positions; not called for these either.
    /// - Returns: The cursor, whose index is the position of the page's first item.
    /// - Throws: Any error that the source or a closure throws.
    /// - Precondition: The sections result from dates.
    /// - Complexity: O(photos of a chunk).
    public func cursor(
        toPageWith index: Int, limit: Int, entryState: (Int) throws(Failure) -> LayoutState,
        metrics: (Range<Int>) throws(Failure) -> PackedMetrics
    ) throws(Failure) -> LayoutCursor {
        let directory = directory
        let engine = directory.engine
        guard !engine.foldsBackward else { return directory.cursor(towardEndFrom: index) }
        guard !engine.readsPositions else {
            let unlocated = try itemCount(before: index, inMapSection: MapSection.unlocated.rawValue)
            return directory.cursor(onMapFrom: index, unlocatedCount: unlocated)
        }
        let first = engine.algorithm.firstItem(ofPageWith: index, limit: limit, in: directory)
        guard let position = directory.chunk(containing: first), let placing = directory.chunk(placing: index)
        else { preconditionFailure("no such item") }
        let start = directory.cursor(before: position, try entryState(position))
        guard let algorithm = engine.algorithm.lines else {
            return directory.cursor(from: start, to: first, try metrics(start.index..<first))
        }
        // Only the photos of its run determine the line's end.
        let known = start.index..<directory.chunks[placing].items.upperBound
        let items = try metrics(known)
        let isEnd = known.upperBound == directory.itemCount
        var builder = PageBuilder(engine, from: start)
        _ = builder.addLines(
            items, of: algorithm, isEnd: isEnd, limit: index - start.index, isPassing: true, checking: {})
        let line = builder.page.next
        guard index - line.index >= limit else { return line }
        let rest = items[line.index - start.index..<items.count]
        return engine.page(after: line, rest, isEnd: isEnd, limit: index - line.index)?.next ?? line
    }
}

extension LayoutDirectory {
    /// The cursor at an item, towards the end, of a layout that folds backward; it needs no state.
    fileprivate func cursor(towardEndFrom index: Int) -> LayoutCursor {
        let first = engine.firstCursor(contentExtent: contentExtent)
        guard index > 0 else { return first }
        let open = section(at: section(containing: index - 1))
        return LayoutCursor(
            index: index, origin: first.origin,
            state: engine.algorithm.layoutState(sectionMark: open.mark),
            section: CursorSection(
                position: open.position, firstIndex: open.items.lowerBound, origin: first.origin),
            line: nil, contentExtent: contentExtent)
    }

    /// The cursor at an item of a map, which needs only a count.
    fileprivate func cursor(onMapFrom index: Int, unlocatedCount: Int) -> LayoutCursor {
        let first = engine.firstCursor(contentExtent: neededContentExtent)
        var state = first.state
        state.set(MapState(unlocatedCount: unlocatedCount))
        return LayoutCursor(
            index: index, origin: first.origin, state: state, section: nil, line: nil,
            contentExtent: neededContentExtent)
    }

    /// The cursor before the first item that a chunk's run places, with the items that were open there still to come.
    fileprivate func cursor(before position: Int, _ entryState: LayoutState) -> LayoutCursor {
        let chunk = chunks[position]
        let pendingCount = entryState.pendingCount
        let index = chunk.items.lowerBound - pendingCount
        var (state, open): (LayoutState, CursorSection?) = (entryState, nil)
        if state.sectionMark != nil {
            // Pending items belong to the open section.
            let section = section(at: section(containing: pendingCount > 0 ? index : index - 1))
            open = CursorSection(
                position: section.position, firstIndex: section.items.lowerBound, origin: section.origin)
            if pendingCount > 0 {
                state.hasItems = index > section.items.lowerBound
                state.dropPending()
            }
        }
        return LayoutCursor(
            index: index, origin: chunk.base + engine.key.lineSpacing, state: state, section: open, line: nil,
            contentExtent: neededContentExtent)
    }

    /// The cursor some items later, in a layout that places each item immediately.
    fileprivate func cursor(from start: LayoutCursor, to index: Int, _ items: PackedMetrics) -> LayoutCursor {
        guard index > start.index else { return start }
        let placement = engine.place(items, from: start.state)
        let open = section(at: section(containing: index - 1))
        return LayoutCursor(
            index: index, origin: start.origin + placement.extents.advance, state: placement.exitState,
            section: CursorSection(
                position: open.position, firstIndex: open.items.lowerBound, origin: open.origin),
            line: nil, contentExtent: start.contentExtent)
    }

    /// The content's extent as stored in a cursor.
    private var neededContentExtent: Int64 { engine.framesNeedContentExtent ? contentExtent : 0 }
}
