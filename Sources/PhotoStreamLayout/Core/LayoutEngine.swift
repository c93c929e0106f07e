public import PhotoStreamModel

/// A layout as a fold: a pure function of (state, item metrics) to (state, frames).
///
/// Same input, same output, on every platform: extents are computed in `Double` from whole numbers and rounded once,
/// everything else is integers.
///
///     state ──▶ place(chunk 0) ──▶ state ──▶ place(chunk 1) ──▶ … ──▶ close(state) ──▶ content size
///                    │                           │                        │
///                    ▼                           ▼                        ▼
///                 frames                      frames             what was still open
///
/// A layout that is packed from the end of the stream is the same fold from the last photo to the first: see
/// ``foldsBackward``.
public struct LayoutEngine: Hashable, Sendable {
    /// The configuration that it follows.
    public let key: LayoutKey
    let axes: LayoutAxes
    let kernel: Kernel
    /// The layout of somebody's own, where it is one; apart, so that the kernel stays plain.
    let custom: CustomKernel?
    let bands: SectionBands
    /// What changes elements on their way out, from the innermost.
    var adjustments: [AnyLayoutAdjustment] = []

    /// Creates the layout of a key.
    public init(_ key: LayoutKey) {
        self.key = key
        axes = LayoutAxes(key)
        kernel = Kernel(key)
        custom = if case .custom(let layout) = key.algorithm { CustomKernel(key, layout) } else { nil }
        bands = SectionBands(key)
    }

    /// The state before the first photo; its origin is the start of the content, behind the content inset.
    public var initialState: LayoutState {
        LayoutState(sectionMark: nil, hasItems: false, algorithm: initialAlgorithmState)
    }

    /// Places consecutive photos.
    ///
    /// - Parameters:
    ///   - items: The photos behind `state`, in stream order; those before it where the layout folds backward.
    ///   - state: What an earlier call left, or ``initialState``.
    /// - Returns: Frames relative to the origin of `state`.
    /// - Complexity: O(items); O(items × log columns) for masonry in more than eight columns, O(items × open breaks) for
    ///   optimal breaks, of which at most 1,024 are open.
    public func place(_ items: PackedMetrics, from state: LayoutState) -> ChunkPlacement {
        place(items, from: state, checking: {})
    }

    /// Places consecutive photos, unless that is not wanted any more.
    ///
    /// - Parameters:
    ///   - items: As for ``place(_:from:)``.
    ///   - state: As for ``place(_:from:)``.
    ///   - check: Called every 64 photos where a photo takes longer than some nanoseconds: with optimal breaks. What it
    ///     throws ends the work.
    /// - Returns: As ``place(_:from:)``.
    /// - Throws: What `check` throws.
    /// - Complexity: As ``place(_:from:)``.
    public func place<Failure>(
        _ items: PackedMetrics, from state: LayoutState, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        let folded = foldsBackward ? items.reversed : items
        let borders = SectionBorders(folded, key.sections.sectioning, open: state.sectionMark)
        return turned(try fold(folded, borders, from: state, check), items)
    }

    /// Ends what is still open behind the last photo: a line that is not full, the section, the content.
    ///
    /// - Parameter state: The state behind the last photo.
    /// - Returns: What was placed, with the extent of the rest of the content.
    public func close(_ state: LayoutState) -> LayoutEnding {
        close(state, SectionBorders(starts: []))
    }

    /// Places consecutive photos.
    ///
    /// - Parameters:
    ///   - items: The photos in stream order.
    ///   - borders: Where sections begin, in the order of folding.
    ///   - state: What an earlier call left.
    /// - Returns: As ``place(_:from:)``.
    func place(_ items: PackedMetrics, _ borders: SectionBorders, from state: LayoutState) -> ChunkPlacement {
        turned(fold(foldsBackward ? items.reversed : items, borders, from: state, {}), items)
    }

    /// Places photos in the order of folding.
    private func fold<Failure>(
        _ items: PackedMetrics, _ borders: SectionBorders, from state: LayoutState,
        _ check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        switch kernel {
        case .masonry(let masonry) where masonry.isPlain(items):
            return try fold(masonry.run(items, from: state), items, borders, state, check)
        case .masonry(let masonry):
            return try fold(masonry.spanningRun(items, from: state), items, borders, state, check)
        case .uniform(let cells): return try fold(cells.run(from: state), items, borders, state, check)
        case .flow(let flow): return try fold(flow.run(items, from: state), items, borders, state, check)
        case .justified(let justified) where justified.parameters.breaks == .optimal:
            var run = OptimalRun(justified, items, from: state)
            try run.goPastOpenItems(check)
            return try fold(run, items, borders, state, check)
        case .justified(let justified):
            return try fold(justified.run(items, from: state), items, borders, state, check)
        case .map(let map): return map.placement(items, from: state)
        case .custom: return try fold(customKernel.run(items, from: state), items, borders, state, check)
        }
    }

    func close(_ state: LayoutState, _ borders: SectionBorders) -> LayoutEnding {
        // Nothing is left to place but what is pending, so an empty run ends it all.
        let nothing = PackedMetrics(words: EmptyCollection())
        switch kernel {
        case .masonry(let masonry): return ending(masonry.run(nothing, from: state), borders, state)
        case .uniform(let cells): return ending(cells.run(from: state), borders, state)
        case .flow(let flow): return ending(flow.run(nothing, from: state), borders, state)
        case .justified(let justified) where justified.parameters.breaks == .optimal:
            var run = OptimalRun(justified, nothing, from: state)
            run.goPastOpenItems {}
            return ending(run, borders, state)
        case .justified(let justified): return ending(justified.run(nothing, from: state), borders, state)
        case .map(let map): return map.ending
        case .custom: return ending(customKernel.run(nothing, from: state), borders, state)
        }
    }

    private func fold<Run: PlacementRun, Failure>(
        _ run: consuming Run, _ items: PackedMetrics, _ borders: SectionBorders, _ state: LayoutState,
        _ check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        var mark = state.sectionMark
        var starts: [SectionStart] = []
        var placed = 0
        for border in borders.starts {
            try place(placed..<border.position, &run, check)
            placed = border.position
            starts.append(open(border, after: mark, &run))
            mark = border.mark
        }
        try place(placed..<items.count, &run, check)
        let result = run.result()
        return ChunkPlacement(
            exitState: LayoutState(sectionMark: mark, hasItems: result.hasItems, algorithm: result.state),
            extents: ChunkExtents(result, lineSpacing: key.lineSpacing), frames: result.frames, sections: starts)
    }

    /// Places photos of the open section, step by step.
    private func place<Run: PlacementRun, Failure>(
        _ range: Range<Int>, _ run: inout Run, _ check: () throws(Failure) -> Void
    ) throws(Failure) {
        guard Run.stepLength < .max else {
            if !range.isEmpty { run.place(range) }
            return
        }
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Run.stepLength) {
            run.place(start..<min(start + Run.stepLength, range.upperBound))
            try check()
        }
    }

    private func ending(
        _ run: consuming some PlacementRun, _ borders: SectionBorders, _ state: LayoutState
    ) -> LayoutEnding {
        var mark = state.sectionMark
        var starts: [SectionStart] = []
        // An undivided stream is one section even without photos.
        if mark == nil, borders.starts.isEmpty, key.sections.sectioning == .none {
            let only = (position: 0, mark: SectionMark(rawValue: 0))
            starts.append(open(only, after: nil, &run))
            mark = only.mark
        }
        for border in borders.starts {
            starts.append(open(border, after: mark, &run))
            mark = border.mark
        }
        let end = mark == nil ? key.lineSpacing : run.closeSection() + foldedBands.after
        let result = run.result()
        return LayoutEnding(
            extents: ChunkExtents(result, lineSpacing: key.lineSpacing), frames: result.frames, sections: starts,
            end: end)
    }

    /// Ends the open section and begins the next.
    private func open(
        _ border: (position: Int, mark: SectionMark), after mark: SectionMark?, _ run: inout some PlacementRun
    ) -> SectionStart {
        let origin = mark == nil ? key.lineSpacing : run.closeSection() + foldedBands.after
        run.openSection(at: origin + foldedBands.before)
        return SectionStart(position: border.position, mark: border.mark, origin: origin)
    }
}

/// What ends a layout: behind the last photo, or before the first where the layout folds backward.
public struct LayoutEnding: Hashable, Sendable {
    /// Where the items that were still pending stand; the advance means nothing.
    public let extents: ChunkExtents
    /// Their frames.
    public let frames: PackedFrames
    /// Sections that begin behind the last photo that was folded: empty ones.
    public let sections: [SectionStart]
    /// Where the last section ends, from the base, in device pixels along the scroll axis.
    public let end: Int64
}

/// What stands before and after the items of every section, in device pixels along the scroll axis.
struct SectionBands: Hashable, Sendable {
    let header: Int64
    let footer: Int64
    let inset: AxisInsets

    init(_ key: LayoutKey) {
        header = key.sections.headerExtent
        footer = key.sections.footerExtent
        inset = LayoutAxes(key).insets(key.sections.inset)
    }

    /// From a section's origin to its items.
    var before: Int64 { header + inset.before }
    /// From the end of its items to the section's.
    var after: Int64 { inset.after + footer }
}

extension ChunkExtents {
    fileprivate init(_ result: PlacementResult, lineSpacing: Int64) {
        self.init(
            advance: result.origin - lineSpacing, placedCount: result.placedCount, leastTop: result.leastTop,
            greatestEnd: result.greatestEnd, longestItem: result.longestItem)
    }
}
