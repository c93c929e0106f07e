import PhotoStreamModel

/// An algorithm that folds lines: items wait until their line is full, and the run that closes it places them.
protocol LineAlgorithm: LayoutAlgorithm where Frames == LineFrames, State: LineState {
    /// The sums that the frames of a line's items depend on.
    func totals(_ items: PackedMetrics) -> LineTotals

    /// Calls `body` with the frames of a line until it returns `false`.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - totals: The sums over its items.
    ///   - progress: The items to skip, from the first; advances with each item that is passed to `body`.
    ///   - items: The metrics of the items after those.
    ///   - base: The base of the line's run.
    ///   - body: Receives a position in `items` and the cell's frame; returns whether to continue.
    /// - Returns: Whether `body` never returned `false`.
    /// - Complexity: O(items).
    func forEachFrame(
        in line: LineRecord, totals: LineTotals, from progress: inout LineProgress, of items: PackedMetrics,
        base: Int64, _ body: (Int, AxisFrame) -> Bool
    ) -> Bool

    /// The thickness of a line along the scroll axis, in device pixels.
    func thickness(of line: LineRecord) -> Int64

    /// The state after a line is closed and before the next has begun.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - totals: The sums over its items.
    ///   - state: The algorithm's state when the line was empty.
    /// - Returns: The state, in which nothing is pending.
    func state(after line: LineRecord, _ totals: LineTotals, from state: State) -> State

    /// The state of a cursor if bound lines begin after its page.
    ///
    /// - Parameters:
    ///   - itemCounts: The item counts of these lines, if their items were read.
    ///   - rest: The state after the items that were read; `nil` if the stream ends with them.
    ///   - state: The state at the end of the page.
    /// - Returns: The cursor's state.
    func binding(_ itemCounts: some Sequence<Int>, rest: State?, in state: State) -> State

    /// Whether a line's items can have these sums.
    func mayHold(_ totals: LineTotals) -> Bool
}

/// The state of a line algorithm: a line that is open or empty, and perhaps more.
protocol LineState: AlgorithmState {
    var line: OpenLine { get }
}

extension LineAlgorithm {
    var lines: (any LineAlgorithm)? { self }
    var standsInLines: Bool { true }
    var dropRule: DropRule { .inLine }

    func thickness(of line: LineRecord) -> Int64 { Int64(line.extent) }

    func state(after line: LineRecord, _ totals: LineTotals, from state: State) -> State { initialState }

    func binding(_ itemCounts: some Sequence<Int>, rest: State?, in state: State) -> State { state }

    func mayHold(_ totals: LineTotals) -> Bool { true }

    func frames(decoding bytes: [UInt8], count: Int) -> LineFrames? { LineFrames(decoding: bytes, count: count) }

    func resumes(_ state: State, at index: Int, section: CursorSection?, line: CursorLine?) -> Bool {
        (line.map { mayHold($0.totals) } ?? true) && state.pendingCount == 0
    }

    func frame(
        at position: Int, of chunk: PlacedChunk, index: Int, base: Int64, in directory: LayoutDirectory
    ) -> AxisFrame? {
        let frames = frames(of: chunk)
        let line = frames.line(of: position)
        let positions = frames.items(of: line)
        let items = chunk.metrics[positions]
        var progress = LineProgress()
        var found: AxisFrame?
        _ = forEachFrame(in: frames.lines[line], totals: totals(items), from: &progress, of: items, base: base) {
            offset, frame in
            if positions.lowerBound + offset == position { found = frame }
            return found == nil
        }
        return found
    }

    func forEachItem(
        in range: AxisFrame, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        let frames = frames(of: chunk)
        let (top, end) = (range.along - entry.base, range.alongEnd - entry.base)
        // Lines do not overlap, so both ends of the range can be searched by tops.
        let first = max(0, frames.lines.partitioningIndex { $0.top > top } - 1)
        for line in frames.lines[first...].indices {
            guard frames.lines[line].top < end else { return true }
            let positions = frames.items(of: line)
            let items = chunk.metrics[positions]
            var progress = LineProgress()
            let goesOn = forEachFrame(
                in: frames.lines[line], totals: totals(items), from: &progress, of: items, base: entry.base
            ) { offset, frame in
                frame.intersects(range) ? body(positions.lowerBound + offset, frame) : true
            }
            guard goesOn else { return false }
        }
        return true
    }

    func forEachLine(
        startingIn range: Range<Int64>, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, Int64) -> Bool
    ) -> Bool {
        let lines = frames(of: chunk).lines
        let first = lines.partitioningIndex { entry.base + $0.top >= range.lowerBound }
        for line in lines[first...] {
            let top = entry.base + line.top
            guard top < range.upperBound else { return true }
            guard !line.flags.contains(.hidden) else { continue }
            guard body(entry.placed.lowerBound + line.start, top) else { return false }
        }
        return true
    }

    func line(
        holding index: Int, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory
    ) -> Range<Int> {
        let frames = frames(of: chunk)
        let items = frames.items(of: frames.line(of: index - entry.placed.lowerBound))
        return items.lowerBound + entry.placed.lowerBound..<items.upperBound + entry.placed.lowerBound
    }

    func frames(
        ofLine items: Range<Int>, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory
    ) -> [AxisFrame] {
        let frames = frames(of: chunk)
        let positions = items.lowerBound - entry.placed.lowerBound..<items.upperBound - entry.placed.lowerBound
        let (line, metrics) = (frames.lines[frames.line(of: positions.lowerBound)], chunk.metrics[positions])
        var (progress, found) = (LineProgress(), [AxisFrame]())
        _ = forEachFrame(in: line, totals: totals(metrics), from: &progress, of: metrics, base: entry.base) {
            _, frame in
            found.append(frame)
            return true
        }
        return found
    }

    // Inlined, like ChunkFold's methods.
    @inline(__always)
    func addPage<Failure>(
        to builder: inout PageBuilder, _ items: PackedMetrics, isEnd: Bool, limit: Int,
        checking check: () throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        if let line = builder.line {
            let rest = line.totals.count - line.progress.count
            builder.addToLine(items[0..<min(items.count, limit, rest)], of: self)
            return true
        }
        return try builder.addLines(items, of: self, isEnd: isEnd, limit: limit, checking: check)
    }
}
