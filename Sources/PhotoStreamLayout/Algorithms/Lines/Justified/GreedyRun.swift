import PhotoStreamModel

/// A run of a justified layout whose lines are broken one after the other.
struct JustifiedRun: PlacementRun {
    private let kernel: JustifiedRule
    private let items: PackedMetrics
    private let ratios: Ratios
    private var run: LineRun

    init(_ kernel: JustifiedRule, in fold: ChunkFold, from state: OpenLine) {
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

    /// Places photos without captions: only ratios matter, and a line takes items while their sum stays small.
    ///
    /// Neither the compiler nor the processor can predict whether the item that fills a line stays in it, so both
    /// outcomes are computed and one is selected without a branch.
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
                    // The first item of a line, one too many for its pixels, or one that fills a line alone.
                    (run.open.length, run.open.count) = (length, count)
                    add(ratio, isCaptioned: false)
                    (length, count) = (run.open.length, run.open.count)
                    continue
                }
                let (next, room) = (length &+ ratio, kernel.room(count: count, captionCount: 0))
                let nextRoom = room &- kernel.interitemSpacing
                let isRejected =
                    kernel.isTooMuch(ratios: length, room: room, next: next, nextRoom: nextRoom) && next > greatest
                close(
                    isRejected ? length : next, room: isRejected ? room : nextRoom,
                    count: isRejected ? count : count &+ 1)
                length = isRejected ? ratio : 0
                count = isRejected ? 1 : 0
            }
            (run.open.length, run.open.count) = (length, count)
        }
    }

    /// Closes a full line of photos without captions that is not a breakout.
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

    /// Adds an item to the open line, or closes that line and begins the next with the item.
    private mutating func add(_ ratio: UInt64, isCaptioned: Bool) {
        if run.open.count > 0 {
            guard !leavesRoom(isCaptioned) || goesTooFar(ratio, isCaptioned: isCaptioned) else {
                take(ratio, isCaptioned: isCaptioned)
                if run.open.length >= kernel.leastRatio { run.closeFull(kernel) }
                return
            }
            run.closeFull(kernel)
        }
        // A line always takes its first item, which closes it if it fills it or is a breakout.
        let isBreakout = kernel.isBreakout(run.open, firstRatio: ratio)
        take(ratio, isCaptioned: isCaptioned)
        if isBreakout || run.open.length >= kernel.leastRatio { run.closeFull(kernel, isBreakout: isBreakout) }
    }

    private mutating func take(_ ratio: UInt64, isCaptioned: Bool) {
        run.open.count += 1
        run.open.length += ratio
        run.open.captionCount += isCaptioned ? 1 : 0
    }

    /// Whether each item still gets a pixel after another one is added.
    @inline(__always)
    private func leavesRoom(_ isCaptioned: Bool) -> Bool {
        kernel.room(count: run.open.count + 1, captionCount: run.open.captionCount + (isCaptioned ? 1 : 0))
            > Int64(run.open.count)
    }

    /// Whether the line is closer to the target without another item.
    private func goesTooFar(_ ratio: UInt64, isCaptioned: Bool) -> Bool {
        let open = run.open
        let next = open.length + ratio
        guard next > kernel.greatestRatio else { return false }
        return kernel.isTooMuch(
            ratios: open.length, room: kernel.room(count: open.count, captionCount: open.captionCount), next: next,
            nextRoom: kernel.room(
                count: open.count + 1, captionCount: open.captionCount + (isCaptioned ? 1 : 0)))
    }
}

/// Closes the open line of a justified layout, for both ways of finding breaks.
extension LineRun {
    /// Closes a full line.
    mutating func closeFull(_ kernel: JustifiedRule, isBreakout: Bool = false, flags: LineRecord.Flags = []) {
        let room = kernel.room(count: open.count, captionCount: open.captionCount)
        let fitting = kernel.extent(filling: max(1, room), open.length)
        let parameters = kernel.parameters
        let extent =
            isBreakout
            ? max(1, fitting) : min(max(fitting, parameters.minimumLineHeight), parameters.maximumLineHeight)
        close(kernel, extent: extent, flags: flags)
    }

    /// Closes the last line of a section, which is not full.
    mutating func closeWidow(_ kernel: JustifiedRule) {
        let parameters = kernel.parameters
        let room = kernel.room(count: open.count, captionCount: open.captionCount)
        // At this extent, the line would be full.
        let fitting = kernel.extent(filling: room, open.length)
        switch parameters.widows {
        case .hide: hide()
        case .justify where fitting <= parameters.maximumLineHeight:
            close(kernel, extent: max(fitting, parameters.minimumLineHeight), flags: .last)
        case .justify: close(kernel, extent: parameters.maximumLineHeight, flags: [.last, .natural])
        case .natural:
            let wanted = open.previousExtent > 0 ? open.previousExtent : parameters.targetLineHeight
            close(kernel, extent: max(1, min(wanted, fitting)), flags: [.last, .natural])
        }
    }

    private mutating func close(_ kernel: JustifiedRule, extent: Int64, flags: LineRecord.Flags) {
        let captionCount = open.captionCount
        let next = kernel.open(afterExtent: extent, count: open.count, ratios: open.length, from: open)
        close(
            extent: extent, thickness: kernel.thickness(extent, captionCount: captionCount),
            flags: captionCount > 0 ? flags.union(.caption) : flags)
        open = next
    }

    /// Hides the last line of a section: it takes no room, and neither does the spacing before it.
    private mutating func hide() {
        hasItems = open.previousExtent > 0
        hideLine(at: sectionEnd)
    }
}

/// The length of a picture across the scroll axis per pixel of extent along it, in units of 2^-32, to the nearest, ties
/// to even.
///
/// A sum of ratios is exact in any order, and below 2^53 for every possible line: 800,000 pixels of container at the
/// minimum extent of one. So every quotient of it that a layout computes in `Double` rounds like the true quotient.
enum RatioUnit {
    static let one: UInt64 = 1 << 32

    /// The ratio, at least 1, of an item whose sides across and along the scroll axis are 1 to 1,000,000.
    @inline(__always)
    static func ratio(across: UInt64, along: UInt64) -> UInt64 {
        let width = Double(bitPattern: 0x4330_0000_0000_0000 | across) - 0x1p52
        let height = Double(bitPattern: 0x4330_0000_0000_0000 | along) - 0x1p52
        // The ratio is below 2^52, so adding 2^52 rounds to a whole number: the low bits of the mantissa.
        return (width * 0x1p32 / height + 0x1p52).bitPattern & (1 << 52 - 1)
    }
}

/// The ratios of a run of photos.
struct Ratios {
    private(set) var values: [UInt64]

    @inline(never)
    init(_ items: PackedMetrics, isHorizontal: Bool) {
        let mask = PackedMetrics.sideMask
        let sideBits = UInt64(PackedMetrics.sideBitCount)
        let (acrossShift, alongShift) = isHorizontal ? (sideBits, 0) : (0, sideBits)
        values = [UInt64](unsafeUninitializedCapacity: items.count) { values, count in
            items.words.withUnsafeBufferPointer { words in
                for index in words.indices {
                    values[index] = RatioUnit.ratio(
                        across: words[index] &>> acrossShift & mask, along: words[index] &>> alongShift & mask)
                }
            }
            count = items.count
        }
    }
}
