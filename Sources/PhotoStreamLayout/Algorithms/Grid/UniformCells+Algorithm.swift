import PhotoStreamModel

/// The state of uniform cells between two photos: the number of items in the open line.
struct CellState: AlgorithmState {
    let openCount: Int

    var content: StateContent { .cells(self) }

    func encode(into bytes: inout [UInt8]) { bytes.appendVariableLength(UInt64(openCount)) }
}

// Grids, and flows of items of one size: frames follow from positions in a section.
extension UniformCells: ImmediateAlgorithm {
    var initialState: CellState { CellState(openCount: 0) }
    // Cells have one size, so each reserves space for a caption.
    var captions: CaptionRule { CaptionRule(extent: captionExtent, isForEveryItem: true) }
    var standsInLines: Bool { true }
    var readsNothing: Bool { true }
    var dropRule: DropRule { .inLine }

    func place<Failure>(
        from state: CellState, in fold: ChunkFold, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        try fold.placement(of: UniformRun(self, in: fold, from: state), checking: check)
    }

    func close(_ state: CellState, in fold: ChunkFold) -> LayoutEnding {
        fold.ending(of: UniformRun(self, in: fold, from: state))
    }

    func state(decoding rest: inout ArraySlice<UInt8>) throws(LayoutError) -> CellState {
        guard let count = rest.popVariableLength(), count < UInt64(lineLength) else { throw .invalidState }
        return CellState(openCount: Int(count))
    }

    func frames(decoding bytes: [UInt8], count: Int) -> ComputedFrames? {
        bytes.isEmpty ? ComputedFrames(count: count) : nil
    }

    func frame(
        at position: Int, of chunk: PlacedChunk, index: Int, base: Int64, in directory: LayoutDirectory
    ) -> AxisFrame? {
        let section = directory.sectionEntries[directory.section(containing: index)]
        return frame(at: index - section.firstIndex, origin: section.origin + directory.engine.bands.before)
    }

    func frame(
        at position: Int, in frames: ComputedFrames, of item: ItemMetrics, base: Int64, place: PagePlace
    ) -> AxisFrame {
        frame(at: place.item, origin: place.itemsOrigin)
    }

    func forEachItem(
        in range: AxisFrame, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        let meeting = directory.sections(meeting: range.along..<range.alongEnd)
        // Avoids walking through hundreds of thousands of one-item sections again for every chunk.
        let firstSection = max(meeting.lowerBound, directory.section(containing: entry.placed.lowerBound))
        for position in firstSection..<max(firstSection, meeting.upperBound) {
            let section = directory.section(at: position)
            guard section.items.lowerBound < entry.placed.upperBound else { return true }
            let origin = section.origin + directory.engine.bands.before
            let found = positions(
                meeting: range.along - origin..<range.alongEnd - origin, count: section.items.count)
            let first = max(found.lowerBound, entry.placed.lowerBound - section.items.lowerBound)
            let end = min(found.upperBound, entry.placed.upperBound - section.items.lowerBound)
            guard first < end else { continue }
            for item in first..<end {
                let frame = frame(at: item, origin: origin)
                let index = section.items.lowerBound + item
                if frame.intersects(range), !body(index - entry.placed.lowerBound, frame) { return false }
            }
        }
        return true
    }

    func forEachLine(
        startingIn range: Range<Int64>, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, Int64) -> Bool
    ) -> Bool {
        guard !entry.placed.isEmpty else { return true }
        let found = directory.sections(meeting: range)
        let firstSection = max(found.lowerBound, directory.section(containing: entry.placed.lowerBound))
        for position in firstSection..<max(firstSection, found.upperBound) {
            let section = directory.section(at: position)
            guard section.items.lowerBound < entry.placed.upperBound else { return true }
            let origin = section.origin + directory.engine.bands.before
            let placed = section.items.clamped(to: entry.placed)
            // Rounded up: the first line that begins in the range and in the chunk.
            let lineOfRange = max(0, (range.lowerBound - origin + pitch - 1) / pitch)
            let lineOfChunk = (placed.lowerBound - section.items.lowerBound + lineLength - 1) / lineLength
            var line = max(lineOfRange, Int64(lineOfChunk))
            while true {
                let (first, isBehind) = Int(line).multipliedReportingOverflow(by: lineLength)
                let top = origin + line * pitch
                guard !isBehind, first < placed.upperBound - section.items.lowerBound, top < range.upperBound
                else { break }
                guard body(section.items.lowerBound + first, top) else { return false }
                line += 1
            }
        }
        return true
    }

    func line(
        holding index: Int, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory
    ) -> Range<Int> {
        let section = directory.section(at: directory.section(containing: index)).items
        let first = index - (index - section.lowerBound) % lineLength
        return first..<min(first + lineLength, section.upperBound)
    }

    func frames(
        ofLine items: Range<Int>, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory
    ) -> [AxisFrame] {
        // The line may end in another chunk.
        let section = directory.section(at: directory.section(containing: items.lowerBound))
        let origin = section.origin + directory.engine.bands.before
        return items.map { frame(at: $0 - section.items.lowerBound, origin: origin) }
    }

    func firstItem(ofPageWith index: Int, limit: Int, in directory: LayoutDirectory) -> Int {
        let section = directory.section(at: directory.section(containing: index))
        let place = (index - section.items.lowerBound) % lineLength
        return place < limit ? index - place : index
    }
}

/// A run over uniform cells, which only counts.
struct UniformRun: PlacementRun {
    private let cells: UniformCells
    /// The top of the open line, or of the next one if none is open.
    private var top: Int64
    /// The number of items in the open line.
    private var count: Int
    private var placedCount = 0
    private var leastTop: Int64?
    private var hasItems: Bool

    init(_ cells: UniformCells, in fold: ChunkFold, from state: CellState) {
        self.cells = cells
        top = cells.lineSpacing
        count = state.openCount
        hasItems = fold.hasItems
    }

    mutating func openSection(at origin: Int64) {
        (top, count, hasItems) = (origin, 0, false)
    }

    mutating func place(_ items: Range<Int>) {
        if leastTop == nil { leastTop = top }
        hasItems = true
        placedCount += items.count
        let (lines, rest) = (count + items.count).quotientAndRemainder(dividingBy: cells.lineLength)
        top += Int64(lines) * cells.pitch
        count = rest
    }

    mutating func closeSection() -> Int64 {
        guard hasItems else { return top }
        return count == 0 ? top - cells.lineSpacing : top + cells.cellExtent
    }

    func result() -> PlacementResult<CellState, ComputedFrames> {
        // If a section has begun after the last item, nothing ends below its start.
        let end = !hasItems ? top : count == 0 ? top - cells.lineSpacing : top + cells.cellExtent
        return PlacementResult(
            state: CellState(openCount: count), hasItems: hasItems, origin: top,
            frames: ComputedFrames(count: placedCount), leastTop: leastTop ?? top,
            greatestEnd: leastTop == nil ? top : end, longestItem: cells.cellExtent)
    }
}
