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
    /// - Complexity: O(items); O(items × log columns) for masonry in more than eight columns.
    public func place(_ items: PackedMetrics, from state: LayoutState) -> ChunkPlacement {
        let folded = foldsBackward ? items.reversed : items
        let borders = SectionBorders(folded, key.sections.sectioning, open: state.sectionMark)
        return turned(fold(folded, borders, from: state), items)
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
        turned(fold(foldsBackward ? items.reversed : items, borders, from: state), items)
    }

    /// Places photos in the order of folding.
    private func fold(
        _ items: PackedMetrics, _ borders: SectionBorders, from state: LayoutState
    ) -> ChunkPlacement {
        switch kernel {
        case .masonry(let masonry) where masonry.isPlain(items):
            fold(masonry.run(items, from: state), items, borders, state)
        case .masonry(let masonry): fold(masonry.spanningRun(items, from: state), items, borders, state)
        case .uniform(let cells): fold(cells.run(from: state), items, borders, state)
        case .flow(let flow): fold(flow.run(items, from: state), items, borders, state)
        case .justified(let justified) where justified.parameters.breaks == .optimal:
            fold(OptimalRun(justified, items, from: state), items, borders, state)
        case .justified(let justified): fold(justified.run(items, from: state), items, borders, state)
        case .map(let map): map.placement(items, from: state)
        case .custom: fold(customKernel.run(items, from: state), items, borders, state)
        }
    }

    func close(_ state: LayoutState, _ borders: SectionBorders) -> LayoutEnding {
        // Nothing is left to place but what is pending, so an empty run ends it all.
        let nothing = PackedMetrics(words: EmptyCollection())
        return switch kernel {
        case .masonry(let masonry): ending(masonry.run(nothing, from: state), borders, state)
        case .uniform(let cells): ending(cells.run(from: state), borders, state)
        case .flow(let flow): ending(flow.run(nothing, from: state), borders, state)
        case .justified(let justified) where justified.parameters.breaks == .optimal:
            ending(OptimalRun(justified, nothing, from: state), borders, state)
        case .justified(let justified): ending(justified.run(nothing, from: state), borders, state)
        case .map(let map): map.ending
        case .custom: ending(customKernel.run(nothing, from: state), borders, state)
        }
    }

    private func fold(
        _ run: consuming some PlacementRun, _ items: PackedMetrics, _ borders: SectionBorders, _ state: LayoutState
    ) -> ChunkPlacement {
        var mark = state.sectionMark
        var starts: [SectionStart] = []
        var placed = 0
        for border in borders.starts {
            if border.position > placed { run.place(placed..<border.position) }
            placed = border.position
            starts.append(open(border, after: mark, &run))
            mark = border.mark
        }
        if placed < items.count { run.place(placed..<items.count) }
        let result = run.result()
        return ChunkPlacement(
            exitState: LayoutState(sectionMark: mark, hasItems: result.hasItems, algorithm: result.state),
            extents: ChunkExtents(result, lineSpacing: key.lineSpacing), frames: result.frames, sections: starts)
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
