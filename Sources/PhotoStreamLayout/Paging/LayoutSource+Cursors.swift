public import PhotoStreamModel

extension LayoutSource {
    /// A cursor whose page holds an item where the layout puts it, and goes on from there.
    ///
    /// The page begins with the item; in a layout of lines with the line that the item stands in, unless the item would
    /// then lie beyond the limit.
    ///
    /// - Parameters:
    ///   - index: The item's position in stream order, inside the stream.
    ///   - limit: The most items on the page, at least 1.
    ///   - entryState: The layout's state before a chunk, given by its position; not asked of a layout that
    ///     folds backward, nor of a map.
    ///   - metrics: The photos of a range of positions; not asked of these either.
    /// - Returns: The cursor; its index is the position of the page's first item.
    /// - Throws: Any error that the source or a closure throws.
    /// - Precondition: The sections are those that dates make.
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
        // The line's end is known only from what its run was given.
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
    /// The cursor of a place towards the end, of a layout that folds backward: it needs no state.
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

    /// The cursor of a place of a map, where all that is remembered is a count.
    fileprivate func cursor(onMapFrom index: Int, unlocatedCount: Int) -> LayoutCursor {
        let first = engine.firstCursor(contentExtent: neededContentExtent)
        var state = first.state
        state.set(MapState(unlocatedCount: unlocatedCount))
        return LayoutCursor(
            index: index, origin: first.origin, state: state, section: nil, line: nil,
            contentExtent: neededContentExtent)
    }

    /// The cursor before the first item that a chunk's run places, with what was open there still to come.
    fileprivate func cursor(before position: Int, _ entryState: LayoutState) -> LayoutCursor {
        let chunk = chunks[position]
        let pendingCount = entryState.pendingCount
        let index = chunk.items.lowerBound - pendingCount
        var (state, open): (LayoutState, CursorSection?) = (entryState, nil)
        if state.sectionMark != nil {
            // What is pending belongs to the open section.
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

    /// The cursor some items further on, where each is placed as it comes.
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

    /// The content's extent as a cursor holds it.
    private var neededContentExtent: Int64 { engine.framesNeedContentExtent ? contentExtent : 0 }
}
