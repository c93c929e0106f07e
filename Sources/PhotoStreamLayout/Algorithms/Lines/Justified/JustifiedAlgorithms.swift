import PhotoStreamModel

/// A justified layout, for both ways of finding breaks.
protocol JustifiedAlgorithm: LineAlgorithm {
    var rule: JustifiedRule { get }
}

extension JustifiedAlgorithm {
    var captions: CaptionRule { CaptionRule(extent: rule.captionExtent) }

    func totals(_ items: PackedMetrics) -> LineTotals { rule.totals(items) }

    @inline(__always)
    func forEachFrame(
        in line: LineRecord, totals: LineTotals, from progress: inout LineProgress, of items: PackedMetrics,
        base: Int64, _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        rule.forEachFrame(in: line, totals: totals, from: &progress, of: items, base: base, body)
    }

    func thickness(of line: LineRecord) -> Int64 {
        rule.thickness(Int64(line.extent), captionCount: line.flags.contains(.caption) ? 1 : 0)
    }

    /// Pictures are divided by the sum of their ratios, which must be the sum of the items' own.
    func mayHold(_ totals: LineTotals) -> Bool {
        totals.length >= UInt64(totals.count) * (RatioUnit.one / UInt64(PixelSize.maximumRatio))
    }

    /// The empty line after a closed one.
    fileprivate func open(after line: LineRecord, _ totals: LineTotals, from open: OpenLine) -> OpenLine {
        rule.open(afterExtent: Int64(line.extent), count: totals.count, ratios: totals.length, from: open)
    }
}

/// Justified lines that are broken one after the other.
struct GreedyAlgorithm: JustifiedAlgorithm {
    let rule: JustifiedRule

    var initialState: OpenLine { OpenLine() }

    func place<Failure>(
        from state: OpenLine, in fold: ChunkFold, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        try fold.placement(of: JustifiedRun(rule, in: fold, from: state), checking: check)
    }

    func close(_ state: OpenLine, in fold: ChunkFold) -> LayoutEnding {
        fold.ending(of: JustifiedRun(rule, in: fold, from: state))
    }

    func state(decoding rest: inout ArraySlice<UInt8>) throws(LayoutError) -> OpenLine {
        try OpenLine(decoding: &rest)
    }

    func state(after line: LineRecord, _ totals: LineTotals, from state: OpenLine) -> OpenLine {
        line.flags.contains(.hidden) ? initialState : open(after: line, totals, from: state)
    }
}

/// Justified lines that are broken together, so that they deviate least from the target.
struct OptimalAlgorithm: JustifiedAlgorithm {
    let rule: JustifiedRule

    var initialState: OpenBreaks { OpenBreaks() }
    func place<Failure>(
        from state: OpenBreaks, in fold: ChunkFold, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        var run = OptimalRun(rule, in: fold, from: state)
        try run.goPastOpenItems(check)
        return try fold.placement(of: run, checking: check)
    }

    func close(_ state: OpenBreaks, in fold: ChunkFold) -> LayoutEnding {
        var run = OptimalRun(rule, in: fold, from: state)
        run.goPastOpenItems {}
        return fold.ending(of: run)
    }

    func state(decoding rest: inout ArraySlice<UInt8>) throws(LayoutError) -> OpenBreaks {
        try OpenBreaks(decoding: &rest)
    }

    func state(after line: LineRecord, _ totals: LineTotals, from state: OpenBreaks) -> OpenBreaks {
        guard !line.flags.contains(.hidden) else { return initialState }
        return OpenBreaks(line: open(after: line, totals, from: state.line), bound: state.bound)
    }

    func binding(_ itemCounts: some Sequence<Int>, rest: OpenBreaks?, in state: OpenBreaks) -> OpenBreaks {
        OpenBreaks(line: state.line, bound: Array(itemCounts) + (rest?.bound ?? []))
    }
}
