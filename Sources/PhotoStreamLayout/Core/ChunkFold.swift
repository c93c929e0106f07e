import PhotoStreamModel

/// One pass of an algorithm over the photos of a chunk, section by section.
///
/// Lengths along the scroll axis are device pixels from the run's base, one line spacing above the origin of its
/// initial state. No frame begins above it.
protocol PlacementRun {
    associatedtype State: AlgorithmState
    associatedtype Frames: AlgorithmFrames

    /// The number of photos between two checks for cancellation; all of them if photos take nanoseconds.
    static var stepLength: Int { get }
    /// Begins a section with items from `origin`.
    mutating func openSection(at origin: Int64)
    /// Places consecutive photos of the open section.
    mutating func place(_ items: Range<Int>)
    /// Ends the open section.
    ///
    /// - Returns: The end of its items, or their start if it has none.
    mutating func closeSection() -> Int64
    /// The result of the run, at its end.
    mutating func result() -> PlacementResult<State, Frames>
}

extension PlacementRun {
    static var stepLength: Int { .max }
}

/// The result of a run.
struct PlacementResult<State: AlgorithmState, Frames: AlgorithmFrames> {
    /// The algorithm's own part.
    var state: State
    /// Whether the open section has an item.
    var hasItems: Bool
    /// The origin of the state, from the base.
    var origin: Int64
    /// The frames of the placed photos, including those that were pending before.
    var frames: Frames
    /// An upper bound of all frames, from the base.
    var leastTop: Int64
    /// A lower bound of all frames, from the base.
    var greatestEnd: Int64
    /// An upper bound of the items' lengths.
    var longestItem: Int64
    /// The mark of the open section.
    var sectionMark: SectionMark?
    /// The sections that begin in the run.
    var sections: [SectionStart] = []
}

/// The photos of a run and the borders of its sections: the input of every algorithm's fold.
///
/// Its methods are inlined, because a function that is also generic over the error of a check is not specialized for
/// each run.
struct ChunkFold {
    /// The photos in the order of folding.
    let items: PackedMetrics
    /// The photos in stream order; differs from ``items`` only if the layout folds backward.
    let streamItems: PackedMetrics
    /// The borders of sections, in the order of folding.
    let borders: SectionBorders
    /// The mark of the section that is open before the run.
    let sectionMark: SectionMark?
    /// Whether that section has an item.
    let hasItems: Bool
    let lineSpacing: Int64
    /// The bands before and after a section's items, in the direction of the fold.
    let bands: (before: Int64, after: Int64)
    /// Whether the stream is one section.
    let isUndivided: Bool

    /// Folds the photos with a run, calling `check` after each step.
    ///
    /// - Throws: Any error that `check` throws.
    @inline(__always)
    func result<Run: PlacementRun, Failure>(
        of run: consuming Run, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> PlacementResult<Run.State, Run.Frames> {
        var mark = sectionMark
        var starts: [SectionStart] = []
        var placed = 0
        for border in borders.starts {
            try place(placed..<border.position, with: &run, checking: check)
            placed = border.position
            starts.append(open(border, after: mark, with: &run))
            mark = border.mark
        }
        try place(placed..<items.count, with: &run, checking: check)
        var result = run.result()
        (result.sectionMark, result.sections) = (mark, starts)
        return result
    }

    /// Folds the photos with a run; see ``result(of:checking:)``.
    @inline(__always)
    func placement<Failure>(
        of run: consuming some PlacementRun, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        placement(try result(of: run, checking: check))
    }

    /// The result in the form that all layouts share.
    func placement(_ result: PlacementResult<some AlgorithmState, some AlgorithmFrames>) -> ChunkPlacement {
        ChunkPlacement(
            exitState: LayoutState(
                sectionMark: result.sectionMark, hasItems: result.hasItems, algorithm: result.state),
            extents: ChunkExtents(result, lineSpacing: lineSpacing), frames: PackedFrames(result.frames),
            sections: result.sections)
    }

    /// Ends a layout with a run that has only pending photos.
    func ending(of run: consuming some PlacementRun) -> LayoutEnding {
        var mark = sectionMark
        var starts: [SectionStart] = []
        // An undivided stream is one section even if it has no photos.
        if mark == nil, borders.starts.isEmpty, isUndivided {
            let only = (position: 0, mark: SectionMark(rawValue: 0))
            starts.append(open(only, after: nil, with: &run))
            mark = only.mark
        }
        for border in borders.starts {
            starts.append(open(border, after: mark, with: &run))
            mark = border.mark
        }
        let end = mark == nil ? lineSpacing : run.closeSection() + bands.after
        let result = run.result()
        return LayoutEnding(
            extents: ChunkExtents(result, lineSpacing: lineSpacing), frames: PackedFrames(result.frames),
            sections: starts, end: end)
    }

    /// Places photos of the open section, step by step.
    @inline(__always)
    private func place<Run: PlacementRun, Failure>(
        _ range: Range<Int>, with run: inout Run, checking check: () throws(Failure) -> Void
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

    /// Ends the open section and begins the next.
    private func open(
        _ border: (position: Int, mark: SectionMark), after mark: SectionMark?, with run: inout some PlacementRun
    ) -> SectionStart {
        let origin = mark == nil ? lineSpacing : run.closeSection() + bands.after
        run.openSection(at: origin + bands.before)
        return SectionStart(position: border.position, mark: border.mark, origin: origin)
    }
}

extension ChunkExtents {
    fileprivate init(_ result: PlacementResult<some AlgorithmState, some AlgorithmFrames>, lineSpacing: Int64) {
        self.init(
            advance: result.origin - lineSpacing, placedCount: result.frames.count, leastTop: result.leastTop,
            greatestEnd: result.greatestEnd, longestItem: result.longestItem)
    }
}
