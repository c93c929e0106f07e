import PhotoStreamModel

extension PlacedLayout {
    /// Brings the layout up to date.
    ///
    /// - Parameters:
    ///   - context: What no longer holds.
    ///   - newEngine: The layout to follow.
    ///   - work: Counts what is done.
    /// - Returns: The elements that may stand elsewhere.
    mutating func update(
        _ context: InvalidationContext, _ newEngine: LayoutEngine, _ work: inout LayoutWork
    ) -> InvalidatedElements {
        let (contentExtent, sectionsEnd) = (directory.contentExtent, directory.sectionsEnd)
        let isAnother = newEngine.key != engine.key
        let isWhole = context.source != nil || context.invalidatesEverything || !newEngine.placesLike(engine)
        var session = EditSession()
        if let source = context.source {
            self = PlacedLayout(newEngine, source)
            session = EditSession(chunks)
        } else if isWhole {
            chunks = chunks.map(\.unfolded)
        }
        engine = newEngine
        context.steps.forEach { apply($0, &session) }
        var invalidated = InvalidatedElements()
        invalidated.elements = context.elements
        guard isWhole || isAnother || !context.steps.isEmpty else { return invalidated }

        let touched = session.touched.count > 1 ? Array(Set(session.touched)).sorted() : session.touched
        let isRegrouped = regroup(touched)
        let runs = fold(isWhole || isRegrouped ? Array(chunks.indices) : touched, &work)
        let isEndingNew = close(isForced: isWhole)
        if isWhole || isAnother {
            rebuildDirectory()
            invalidated.everything = true
        } else if isRegrouped {
            rebuildDirectory()
            let first = min(touched.first ?? 0, runs.first?.lowerBound ?? .max)
            invalidated.add([directory.chunks[first].placed.lowerBound..<itemCount], directory)
        } else {
            invalidated.add(
                directory.update(runs, chunks, ending.result, isEndingNew: isEndingNew), directory)
        }
        let movesAll =
            (engine.axes.isHorizontal && engine.axes.isMirrored && directory.contentExtent != contentExtent)
            || (engine.hidesItems && directory.sectionsEnd != sectionsEnd)
        invalidated.everything = invalidated.everything || movesAll
        return invalidated
    }

    private mutating func rebuildDirectory() {
        directory = LayoutDirectory(engine)
        for chunk in chunks {
            guard let placement = chunk.fold?.placement else { continue }
            directory.append(count: chunk.count, placement.extents, placement.sections)
        }
        directory.finish(ending.result)
    }

    /// Places chunks anew until the state behind them is the one that the next was made from.
    ///
    /// - Parameters:
    ///   - candidates: Positions of all chunks that may not hold of themselves, ascending.
    ///   - work: Counts the chunks.
    /// - Returns: The runs of chunks that were placed.
    private mutating func fold(_ candidates: [Int], _ work: inout LayoutWork) -> [Range<Int>] {
        let borders = list.map { ListBorders($0, chunks) }
        var runs: [Range<Int>] = []
        var end = 0
        for first in candidates where first >= end {
            var state = first == 0 ? nil : chunks[first - 1].fold?.placement.exitState
            end = first
            while end < chunks.count, !holds(end, after: state ?? engine.initialState) {
                state = place(end, from: state ?? engine.initialState, borders, &work)
                end += 1
            }
            if end > first { runs.append(first..<end) }
        }
        work.passes += 1
        work.chunksReused += chunks.count - runs.reduce(0) { $0 + $1.count }
        return runs
    }

    /// Whether a chunk's frames hold where it follows a state.
    private func holds(_ position: Int, after state: LayoutState) -> Bool {
        guard let fold = chunks[position].fold, fold.entry == state else { return false }
        guard state.pendingCount > 0 else { return true }
        // The state says how long the open line is, not which photos stand in it.
        return fold.lentCount > 0 && chunks[position].holds(pending(state.pendingCount, before: position))
    }

    private mutating func place(
        _ position: Int, from state: LayoutState, _ borders: ListBorders?, _ work: inout LayoutWork
    ) -> LayoutState {
        let chunk = chunks[position]
        let lent = pending(state.pendingCount, before: position)
        let found = placement(of: chunk, from: state, lent) { range, mark in
            borders?.borders(of: position, range)
                ?? SectionBorders(chunk.own[range], engine.key.sections.sectioning, open: mark)
        }
        chunks[position] = chunk.folded(StreamChunk.Fold(entry: state, placement: found.placement), lent: lent)
        work.chunksFolded += 1
        work.itemsFolded += found.count
        return found.placement.exitState
    }

    /// Places a chunk: the sections of it that are not as they were, or all.
    private func placement(
        of chunk: StreamChunk, from state: LayoutState, _ lent: PackedMetrics,
        _ borders: (Range<Int>, SectionMark?) -> SectionBorders
    ) -> (placement: ChunkPlacement, count: Int) {
        let own = chunk.own
        if let draft = chunk.draft {
            let keepsStart = draft.fold.entry == state && (draft.fold.lentCount == 0 || chunk.holds(lent))
            let found = engine.place(own, revising: draft, from: state, keepsStart: keepsStart, borders)
            if let found { return found }
        }
        return (engine.place(own, borders(0..<own.count, state.sectionMark), from: state), own.count)
    }

    /// The last photos before a chunk.
    private func pending(_ count: Int, before position: Int) -> PackedMetrics {
        var position = position
        var words: [UInt64] = []
        while words.count < count, position > 0 {
            position -= 1
            let own = chunks[position].own
            let part = own[max(0, own.count - (count - words.count))..<own.count]
            if part.count == count { return part }
            words = part.words + words
        }
        return PackedMetrics(words: words)
    }

    /// Ends the layout behind the last chunk.
    ///
    /// - Parameter isForced: Whether to do so where nothing has changed before it too.
    /// - Returns: Whether that was necessary.
    private mutating func close(isForced: Bool) -> Bool {
        let state = chunks.last?.fold?.placement.exitState ?? engine.initialState
        let pending = pending(state.pendingCount, before: chunks.count)
        guard isForced || list != nil || state != ending.entry || pending != ending.pending else { return false }
        let result =
            list.map { engine.close(state, ListBorders($0, chunks).bordersBehind) } ?? engine.close(state)
        ending = StreamEnding(entry: state, pending: pending, result: result)
        return true
    }
}

/// Where the sections of a list begin in each chunk.
private struct ListBorders {
    private let list: SectionList
    private let firsts: [Int]
    /// The position of each chunk's first item, and behind all.
    private let starts: [Int]

    init(_ list: SectionList, _ chunks: [StreamChunk]) {
        self.list = list
        firsts = list.firsts
        starts = chunks.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    }

    /// The borders in a part of a chunk.
    func borders(of chunk: Int, _ range: Range<Int>) -> SectionBorders {
        let start = starts[chunk]
        return SectionBorders(
            list, firsts, run: start + range.lowerBound..<start + range.upperBound, isLast: false)
    }

    /// The borders of empty sections behind the last item.
    var bordersBehind: SectionBorders {
        let end = starts[starts.count - 1]
        return SectionBorders(list, firsts, run: end..<end, isLast: true)
    }
}

extension LayoutEngine {
    /// Whether it places photos as another does, so that frames hold for both: what is pinned, drawn behind items or
    /// mirrored may differ.
    func placesLike(_ other: LayoutEngine) -> Bool {
        kernel == other.kernel && bands == other.bands && key.lineSpacing == other.key.lineSpacing
            && key.sections.sectioning == other.key.sections.sectioning
    }

    /// Whether it leaves items out, which stand nowhere but at the content's end.
    var hidesItems: Bool {
        if case .justified(let justified) = key.algorithm { justified.widows == .hide } else { false }
    }
}

extension InvalidatedElements {
    /// Adds items and the sections that they, or the items before them, are in.
    mutating func add(_ ranges: [Range<Int>], _ directory: LayoutDirectory) {
        let sections = directory.sections
        items = items.united(with: ranges)
        guard directory.itemCount > 0, !sections.isEmpty else {
            everything = everything || !ranges.isEmpty
            return
        }
        self.sections = self.sections.united(
            with: ranges.map { range in
                let first = directory.section(containing: max(0, min(range.lowerBound, directory.itemCount) - 1))
                let isLast = range.upperBound == directory.itemCount
                let end = isLast ? sections.count : directory.section(containing: range.upperBound - 1) + 1
                return first..<max(first + 1, end)
            })
    }
}
