import PhotoStreamLayout
import PhotoStreamModel

extension PlacedLayout {
    /// Updates the layout.
    ///
    /// - Parameters:
    ///   - context: The changes since the last update.
    ///   - newEngine: The new layout.
    ///   - work: Receives the counts of the work.
    mutating func update(_ context: InvalidationContext, engine newEngine: LayoutEngine, work: inout LayoutWork) {
        let isWhole = context.source != nil || context.invalidatesEverything || !newEngine.placesItemsLike(engine)
        let isAnother = newEngine.key != engine.key
        if let source = context.source { self = PlacedLayout(newEngine, source: source, sizes: sizes) }
        engine = newEngine
        var touched: [Int] = []
        // Compared only if there are no photos: with a second reference, an edit would copy the list.
        let oldList = chunks.isEmpty ? list : nil
        for edit in context.edits { apply(edit, touched: &touched) }
        // The sections of a stream without photos are in no chunk.
        let isBareListNew = chunks.isEmpty && list != oldList
        if isWhole {
            chunks = chunks.map(\.unfolded)
            touched = Array(chunks.indices)
        }
        guard isWhole || isAnother || isBareListNew || !touched.isEmpty else { return }
        if touched.count > 1 { touched = Set(touched).sorted() }
        let isRegrouped = regroup(touched) || chunks.count + 1 != directory.chunks.count
        let runs = fold(isRegrouped ? Array(chunks.indices) : touched, work: &work)
        let isEndingNew = close(isForced: isWhole || isBareListNew)
        // If content that is measured from its end grows, it moves as a whole; a map counts its chunks again.
        if isWhole || isAnother || isRegrouped || isBareListNew || engine.foldsBackward || engine.isMap {
            rebuildDirectory()
        } else {
            let chunks = chunks
            for run in runs { directory.replace(run) { (chunks[$0].count, chunks[$0].result.placement) } }
            if isEndingNew { directory.replaceEnding(with: ending.result) }
        }
    }

    private mutating func rebuildDirectory() {
        directory = LayoutDirectory(engine)
        for position in engine.foldOrder(ofChunks: chunks.count) {
            let placement = chunks[position].result.placement
            directory.append(count: chunks[position].count, extents: placement.extents, sections: placement.sections)
        }
        directory.finish(
            ending.result, positions: engine.hasClusters ? .indexing(chunks.map(\.own)) : nil)
    }

    /// Places chunks again until the state after them is the one from which the next was placed.
    ///
    /// - Parameters:
    ///   - touched: The positions of all chunks whose own photos may have changed, ascending.
    ///   - work: Receives the number of chunks.
    /// - Returns: The runs of chunks that were placed, as steps of the walk.
    private mutating func fold(_ touched: [Int], work: inout LayoutWork) -> [Range<Int>] {
        let walk = walk
        var turns: [Int] = []
        for turn in walk.turns(ofPositions: touched) {
            // The chunk before ends with the section that begins after it; nothing else of it can have changed.
            if turn > 0, !hasBorders(walk.position(ofTurn: turn - 1)) { turns.append(turn - 1) }
            turns.append(turn)
        }
        let runs = walk.run(turns) { turn in
            // Not a method, because calling one would copy the whole layout here.
            turn == 0 ? engine.initialState : chunks[walk.position(ofTurn: turn - 1)].result.placement.exitState
        } reuse: { position, state in
            holds(position, after: state) ? chunks[position].result.placement.exitState : nil
        } fold: { position, state in
            place(position, from: state, work: &work)
        }
        work.passes += 1
        work.chunksReused += chunks.count - runs.reduce(0) { $0 + $1.count }
        return runs
    }

    private var walk: ChunkWalk { ChunkWalk(count: chunks.count, isBackward: engine.foldsBackward) }

    /// Whether a chunk was placed with the sections that now begin right after it.
    private func hasBorders(_ position: Int) -> Bool {
        chunks[position].fold?.borders == borders(behind: position)
    }

    /// Whether a chunk's frames are valid after a state.
    private func holds(_ position: Int, after state: LayoutState) -> Bool {
        guard hasBorders(position), let fold = chunks[position].fold, fold.entry == state else { return false }
        guard state.pendingCount > 0 else { return true }
        // The state contains the length of the open line, but not its photos.
        return fold.lentCount > 0 && chunks[position].holds(pending(state.pendingCount, before: position))
    }

    private mutating func place(
        _ position: Int, from state: LayoutState, work: inout LayoutWork
    ) -> LayoutState {
        let chunk = chunks[position]
        let behind = borders(behind: position)
        var starts = borders(in: position, after: state)
        for mark in behind { starts.append((chunk.count, mark)) }
        let placement = engine.place(chunk.own, borders: SectionBorders(starts: starts), from: state)
        chunks[position] = chunk.folded(
            StreamChunk.Fold(entry: state, borders: behind, placement: placement),
            lent: pending(state.pendingCount, before: position))
        work.chunksFolded += 1
        work.itemsFolded += chunk.count
        return placement.exitState
    }

    /// The sections that begin in a chunk, in the order of folding; the chunk before has begun those at its start.
    private func borders(in position: Int, after state: LayoutState) -> [(position: Int, mark: SectionMark)] {
        guard let list else {
            let own = engine.foldsBackward ? chunks[position].own.reversed : chunks[position].own
            return SectionBorders(own, sectioning: engine.key.sections.sectioning, open: state.sectionMark).starts
        }
        let start = starts[position]
        if engine.foldsBackward {
            let end = starts[position + 1]
            let last = position + 1 == chunks.count ? end : end - 1
            guard start < last else { return [] }
            return list.sections(endingIn: start + 1...last).reversed().map { section in
                (end - list.items(of: section).upperBound, list.marks[section])
            }
        }
        let first = position == 0 ? start : start + 1
        guard first < starts[position + 1] else { return [] }
        return list.sections(beginningIn: first...starts[position + 1] - 1).map { section in
            (list.firsts[section] - start, list.marks[section])
        }
    }

    /// The sections that begin right after a chunk, in the order of folding.
    private func borders(behind position: Int) -> [SectionMark] {
        if let list {
            let (start, end) = (starts[position], starts[position + 1])
            return engine.foldsBackward
                ? list.marks[list.sections(endingIn: start...start)].reversed()
                : Array(list.marks[list.sections(beginningIn: end...end)])
        }
        let sectioning = engine.key.sections.sectioning
        let neighbour = engine.foldsBackward ? position - 1 : position + 1
        guard sectioning != .none, chunks.indices.contains(neighbour),
            let last = engine.foldsBackward ? chunks[position].firstDate : chunks[position].lastDate,
            let next = engine.foldsBackward ? chunks[neighbour].lastDate : chunks[neighbour].firstDate, last != next
        else { return [] }
        let mark = SectionMark(next, sectioning: sectioning)
        return mark == SectionMark(last, sectioning: sectioning) ? [] : [mark]
    }

    /// The last photos before a chunk.
    private func pending(_ count: Int, before position: Int) -> PackedMetrics {
        guard count > 0 else { return .none }
        var (parts, rest, position) = ([PackedMetrics](), count, position)
        while rest > 0, position > 0 {
            position -= 1
            let own = chunks[position].own
            parts.insert(own[max(0, own.count - rest)..<own.count], at: 0)
            rest -= min(rest, own.count)
        }
        return parts.count == 1 ? parts[0] : PackedMetrics(joining: parts)
    }

    /// Ends the layout after the last chunk.
    ///
    /// - Parameter isForced: Whether to do so even if nothing has changed before it.
    /// - Returns: Whether the layout was ended again.
    private mutating func close(isForced: Bool) -> Bool {
        let last = walk.position(ofTurn: chunks.count - 1)
        let state = chunks.isEmpty ? engine.initialState : chunks[last].result.placement.exitState
        let pending = pending(state.pendingCount, before: chunks.count)
        guard isForced || chunks.isEmpty || state != ending.entry || pending != ending.pending else { return false }
        // If there are photos, the sections of a list begin in their chunks or right after them.
        let marks = chunks.isEmpty ? list?.marks ?? [] : []
        let folded = engine.foldsBackward ? marks.reversed() : marks
        let result = engine.close(state, borders: SectionBorders(starts: folded.map { (0, $0) }))
        ending = StreamEnding(entry: state, pending: pending, result: result)
        return true
    }
}
