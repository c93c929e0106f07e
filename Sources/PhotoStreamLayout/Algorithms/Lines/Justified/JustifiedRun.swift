import PhotoStreamModel

/// A run of a justified layout whose lines are broken one after the other.
struct JustifiedRun: PlacementRun {
    private let kernel: JustifiedRule
    private let items: PackedMetrics
    private let ratios: Ratios
    private var run: LineRun

    init(_ kernel: JustifiedRule, _ fold: ChunkFold, from state: OpenLine) {
        self.kernel = kernel
        items = fold.items
        ratios = Ratios(fold.items, isHorizontal: kernel.isHorizontal)
        run = LineRun(fold, from: state)
    }

    mutating func openSection(at origin: Int64) {
        run.openSection(at: origin)
    }

    mutating func place(_ range: Range<Int>) {
        run.hasItems = true
        if kernel.captionExtent > 0 {
            for index in range { add(ratios.values[index], isCaptioned: items[index].hasCaption) }
        } else {
            placeWithoutCaptions(range)
        }
    }

    /// Without captions only ratios matter, and a line takes items as long as their sum stays small.
    ///
    /// Whether the item that fills a line stays in it is anybody's guess, a processor's too: so both outcomes are
    /// computed and one is chosen, without a branch.
    private mutating func placeWithoutCaptions(_ range: Range<Int>) {
        ratios.values.withUnsafeBufferPointer { ratios in
            let (least, greatest, most) = (kernel.leastRatio, kernel.greatestRatio, kernel.greatestCount)
            var (length, count) = (run.open.length, run.open.count)
            var index = range.lowerBound
            while index < range.upperBound {
                while index < range.upperBound, count < most {
                    let next = length &+ ratios[index]
                    guard next < least else { break }
                    length = next
                    count &+= 1
                    index &+= 1
                }
                guard index < range.upperBound else { break }
                let ratio = ratios[index]
                index &+= 1
                guard count > 0, count < most, ratio < least else {
                    // The first of a line, one too many for its pixels, or one that fills a line alone.
                    (run.open.length, run.open.count) = (length, count)
                    add(ratio, isCaptioned: false)
                    (length, count) = (run.open.length, run.open.count)
                    continue
                }
                let (next, room) = (length &+ ratio, kernel.room(count: count, captionCount: 0))
                let nextRoom = room &- kernel.interitemSpacing
                let isRejected = kernel.isTooMuch(length, room, next, nextRoom) && next > greatest
                close(
                    isRejected ? length : next, room: isRejected ? room : nextRoom,
                    count: isRejected ? count : count &+ 1)
                length = isRejected ? ratio : 0
                count = isRejected ? 1 : 0
            }
            (run.open.length, run.open.count) = (length, count)
        }
    }

    /// Closes a line that is filled, of photos without captions and no breakout.
    @inline(__always)
    private mutating func close(_ ratios: UInt64, room: Int64, count: Int) {
        let fitting = kernel.extent(filling: room, ratios)
        let extent = min(max(fitting, kernel.parameters.minimumLineHeight), kernel.parameters.maximumLineHeight)
        run.open.count = count
        run.close(extent: extent, thickness: extent, flags: [])
        run.open.previousExtent = extent
    }

    mutating func closeSection() -> Int64 {
        if run.open.count > 0 { run.closeWidow(kernel) }
        return run.sectionEnd
    }

    func result() -> PlacementResult<OpenLine, LineFrames> { run.result(run.open) }

    /// Takes an item into the open line, or closes that and begins the next with it.
    private mutating func add(_ ratio: UInt64, isCaptioned: Bool) {
        if run.open.count > 0 {
            guard !leavesRoom(isCaptioned) || goesTooFar(ratio, isCaptioned) else {
                take(ratio, isCaptioned)
                if run.open.length >= kernel.leastRatio { run.closeFull(kernel) }
                return
            }
            run.closeFull(kernel)
        }
        // The first item of a line is always taken, and closes it where it fills it or is to stand alone.
        let isBreakout = kernel.isBreakout(run.open, firstRatio: ratio)
        take(ratio, isCaptioned)
        if isBreakout || run.open.length >= kernel.leastRatio { run.closeFull(kernel, isBreakout: isBreakout) }
    }

    private mutating func take(_ ratio: UInt64, _ isCaptioned: Bool) {
        run.open.count += 1
        run.open.length += ratio
        run.open.captionCount += isCaptioned ? 1 : 0
    }

    /// Whether every item still gets a pixel when another one comes.
    @inline(__always)
    private func leavesRoom(_ isCaptioned: Bool) -> Bool {
        kernel.room(count: run.open.count + 1, captionCount: run.open.captionCount + (isCaptioned ? 1 : 0))
            > Int64(run.open.count)
    }

    /// Whether the line is better without another item.
    private func goesTooFar(_ ratio: UInt64, _ isCaptioned: Bool) -> Bool {
        let open = run.open
        let next = open.length + ratio
        guard next > kernel.greatestRatio else { return false }
        return kernel.isTooMuch(
            open.length, kernel.room(count: open.count, captionCount: open.captionCount), next,
            kernel.room(count: open.count + 1, captionCount: open.captionCount + (isCaptioned ? 1 : 0)))
    }
}
