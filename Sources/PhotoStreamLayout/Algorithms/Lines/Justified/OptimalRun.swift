import PhotoStreamModel

/// A run of a justified layout whose lines are broken together.
struct OptimalRun: PlacementRun {
    // A photo takes up to a few microseconds.
    static let stepLength = 64

    private let kernel: JustifiedRule
    /// The number of items that were open before.
    private let openCount: Int
    private var search: BreakSearch
    private var run: LineRun

    init(_ kernel: JustifiedRule, in fold: ChunkFold, from open: OpenBreaks) {
        self.kernel = kernel
        openCount = open.items.count
        search = BreakSearch(kernel, from: open, items: Self.searched(fold.items, behind: open.items, by: kernel))
        run = LineRun(fold, from: open.line)
    }

    /// Reads the items that were open before again, calling `check` after every step; call it first.
    ///
    /// - Throws: Any error that `check` throws.
    mutating func goPastOpenItems<Failure>(_ check: () throws(Failure) -> Void) throws(Failure) {
        for start in stride(from: 0, to: openCount, by: Self.stepLength) {
            search.add(through: min(start + Self.stepLength, openCount))
            try check()
        }
    }

    mutating func openSection(at origin: Int64) {
        search.begin()
        run.openSection(at: origin)
    }

    mutating func place(_ range: Range<Int>) {
        run.hasItems = true
        search.add(through: openCount + range.upperBound)
    }

    mutating func closeSection() -> Int64 {
        let last = search.finish()
        closeDecided()
        if let last { close(last) }
        return run.sectionEnd
    }

    mutating func result() -> PlacementResult<OpenBreaks, LineFrames> {
        var open = search.open()
        closeDecided()
        open.line = run.open
        return run.result(open)
    }

    /// The numbers that a search reads of items: twice the ratio, plus one for a caption.
    private static func searched(
        _ items: PackedMetrics, behind open: [UInt64], by kernel: JustifiedRule
    ) -> [UInt64] {
        let mask = PackedMetrics.sideMask
        let sideBits = UInt64(PackedMetrics.sideBitCount)
        let (acrossShift, alongShift) = kernel.isHorizontal ? (sideBits, 0) : (0, sideBits)
        let captionMask: UInt64 = kernel.captionExtent > 0 ? 1 : 0
        return [UInt64](unsafeUninitializedCapacity: open.count + items.count) { values, count in
            for position in open.indices { values[position] = open[position] }
            items.words.withUnsafeBufferPointer { words in
                for position in words.indices {
                    let word = words[position]
                    let ratio = RatioUnit.ratio(across: word &>> acrossShift & mask, along: word &>> alongShift & mask)
                    values[open.count + position] =
                        ratio << 1 | word &>> UInt64(PackedMetrics.captionBit) & captionMask
                }
            }
            count = open.count + items.count
        }
    }

    private mutating func closeDecided() {
        for line in search.decided { close(line) }
        search.decided.removeAll(keepingCapacity: true)
    }

    private mutating func close(_ line: DecidedLine) {
        run.open.count = line.itemCount
        run.open.length = UInt64(line.ratios)
        run.open.captionCount = line.captionCount
        if line.isWidow {
            run.closeWidow(kernel)
        } else {
            run.closeFull(kernel, isBreakout: line.isBreakout, flags: line.isBound ? .bound : [])
        }
    }
}
