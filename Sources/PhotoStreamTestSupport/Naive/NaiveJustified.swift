import PhotoStreamLayout
import PhotoStreamModel

/// A naive justified layout, with greedy or optimal breaks and exact fractions.
///
/// A ratio is an integer number of 2^-32, as the engine documents; everything else follows from ratios in integers.
struct NaiveJustified: NaiveAlgorithm {
    let measures: NaiveMeasures
    let parameters: JustifiedParameters
    /// The maximum number of undecided items, with optimal breaks.
    let undecidedLimit: Int

    /// The values that determine a line's height.
    private struct Sum {
        var count: Int64 = 0
        var ratios: Int64 = 0
        var captions: Int64 = 0

        static func + (sum: Sum, item: NaiveJustifiedItem) -> Sum {
            Sum(
                count: sum.count + 1, ratios: sum.ratios + item.ratio,
                captions: sum.captions + (item.hasCaption ? 1 : 0))
        }
    }

    private struct Line {
        var items: [NaiveJustifiedItem] = []
        var sum = Sum()
        /// Whether it is a breakout: a single item, because it is its turn.
        var isBreakout = false
        /// Whether the section ended before the line was full.
        var isWidow = false
    }

    func place(_ items: [ItemMetrics]) -> NaiveBlock {
        let read = items.map { NaiveJustifiedItem($0, isHorizontal: measures.isHorizontal) }
        let lines = parameters.breaks == .greedy ? lines(of: read) : optimalLines(of: read)
        var block = NaiveBlock()
        var top: Int64 = 0
        var before: Int64?
        for line in lines {
            let fitting = height(filling: line.sum)
            var height = min(max(fitting, lowest), highest)
            var isNatural = false
            if line.isBreakout { height = max(1, fitting) }
            if line.isWidow {
                switch parameters.widows {
                case .hide:
                    block.frames += line.items.map { _ in nil }
                    continue
                case .justify where fitting <= highest: height = max(fitting, lowest)
                case .justify: (height, isNatural) = (highest, true)
                case .natural: (height, isNatural) = (max(1, min(before ?? target, fitting)), true)
                }
            }
            let widths = widths(line, height: isNatural ? height : nil)
            var x = measures.leading
            for (item, width) in zip(line.items, widths) {
                let caption = item.hasCaption ? caption : 0
                let (along, across) = measures.isHorizontal ? (0, caption) : (caption, 0)
                block.frames.append(
                    NaiveFrame(
                        along: top, across: x, alongExtent: height + along, acrossExtent: width + across,
                        caption: caption))
                block.end = max(block.end, top + height + along)
                x += width + across + measures.interitem
            }
            top = block.end + measures.line
            // The height of a breakout does not apply to the next line.
            before = line.isBreakout ? nil : height
        }
        return block
    }

    // MARK: Heights

    private var target: Int64 { max(1, measures.pixels(parameters.targetLineHeight)) }

    private var lowest: Int64 { parameters.minimumLineHeight.map { max(1, measures.pixels($0)) } ?? max(1, target / 2) }

    private var highest: Int64 { parameters.maximumLineHeight.map { max(1, measures.pixels($0)) } ?? 2 * target }

    private var millionths: Int64 { NaiveNumbers.roundedHalfUp(parameters.tolerance * 1_000_000) }

    private var caption: Int64 { measures.caption(inLaneOf: measures.available) }

    /// Returns the length that a line's pictures share, without spacing and without captions that are placed across.
    private func room(_ line: Sum) -> Int64 {
        measures.available - (line.count - 1) * measures.interitem
            - (measures.isHorizontal ? line.captions * caption : 0)
    }

    /// Returns the height at which pictures fill a line.
    private func height(filling line: Sum) -> Int64 {
        NaiveNumbers.roundedHalfUp(UInt128(room(line)) << 32, over: UInt128(line.ratios))
    }

    // MARK: Breaks

    private func lines(of items: [NaiveJustifiedItem]) -> [Line] {
        var lines: [Line] = []
        var rest = items[...]
        while !rest.isEmpty {
            var line = Line()
            let isBreakoutTurn = parameters.breakoutEvery > 0 && (lines.count + 1) % parameters.breakoutEvery == 0
            var isFull = false
            while !isFull, let item = rest.first {
                if line.items.isEmpty {
                    line.isBreakout = isBreakoutTurn && item.ratio >= 1 << 32
                } else if !hasRoom(line.sum + item) || goesTooFar(line.sum, adding: item) {
                    isFull = true
                    break
                }
                line.items.append(item)
                line.sum = line.sum + item
                rest = rest.dropFirst()
                isFull = line.isBreakout || !isBelowTolerance(line.sum)
            }
            line.isWidow = !isFull
            lines.append(line)
        }
        return lines
    }

    private func optimalLines(of items: [NaiveJustifiedItem]) -> [Line] {
        let isFull = { (items: ArraySlice<NaiveJustifiedItem>) in !isBelowTolerance(items.reduce(Sum()) { $0 + $1 }) }
        let breaks = NaiveBreaks(
            parameters: parameters, target: target, lowest: lowest, highest: highest, isFull: isFull,
            room: { room($0.reduce(Sum()) { $0 + $1 }) }, limit: undecidedLimit)
        var lines: [Line] = []
        var start = 0
        for end in breaks.ends(items) {
            var line = Line(items: Array(items[start..<end]))
            line.sum = line.items.reduce(Sum()) { $0 + $1 }
            let isBreakoutTurn = parameters.breakoutEvery > 0 && (lines.count + 1) % parameters.breakoutEvery == 0
            line.isBreakout = isBreakoutTurn && line.items[0].ratio >= 1 << 32
            line.isWidow = end == items.count && !line.isBreakout && !isFull(items[start..<end])
            lines.append(line)
            start = end
        }
        return lines
    }

    /// Whether every picture gets at least a pixel.
    private func hasRoom(_ line: Sum) -> Bool { room(line) >= line.count }

    /// Whether a line is still higher than the target and its tolerance, ignoring spacing.
    ///
    /// In other words: sum × target < available × (1 - tolerance).
    private func isBelowTolerance(_ line: Sum) -> Bool {
        UInt128(line.ratios) * UInt128(target) * 1_000_000
            < UInt128(measures.available) << 32 * UInt128(1_000_000 - millionths)
    }

    private func isAboveTolerance(_ line: Sum) -> Bool {
        UInt128(line.ratios) * UInt128(target) * 1_000_000
            > UInt128(measures.available) << 32 * UInt128(1_000_000 + millionths)
    }

    /// Whether an item takes a line further from the target and may move to the next line.
    private func goesTooFar(_ line: Sum, adding item: NaiveJustifiedItem) -> Bool {
        guard isAboveTolerance(line + item), !isHigherThanHighest(line) else { return false }
        return distance(line + item) > distance(line)
    }

    /// Whether a filled line exceeds the maximum height before rounding: room / sum > highest.
    private func isHigherThanHighest(_ line: Sum) -> Bool {
        Int128(room(line)) << 32 > Int128(highest) * Int128(line.ratios)
    }

    /// Returns the difference between a line's ratio sum and the one that fills it at the target height, times that
    /// height.
    private func distance(_ line: Sum) -> Int128 {
        abs(Int128(line.ratios) * Int128(target) - Int128(room(line)) << 32)
    }

    // MARK: Widths

    /// Returns the widths of a line's pictures.
    ///
    /// Edges are at the exact ratios, rounded half up; each is at least a pixel after the previous one and leaves a
    /// pixel for each of the next.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - height: The height of a line that is not stretched.
    /// - Returns: Widths in device pixels.
    private func widths(_ line: Line, height: Int64?) -> [Int64] {
        let room = room(line.sum)
        var (edge, sum): (Int64, Int64) = (0, 0)
        return line.items.indices.map { position in
            sum += line.items[position].ratio
            let ideal =
                height.map { NaiveNumbers.roundedHalfUp(UInt128($0) * UInt128(sum), over: 1 << 32) }
                ?? NaiveNumbers.roundedHalfUp(UInt128(room) * UInt128(sum), over: UInt128(line.sum.ratios))
            let latest = room - Int64(line.items.count - position - 1)
            let next = max(edge + 1, min(ideal, latest))
            defer { edge = next }
            return next - edge
        }
    }
}

/// The properties of an item that a justified layout uses.
struct NaiveJustifiedItem {
    /// Across divided by along, in units of 2^-32, rounded to the nearest integer, ties to even.
    let ratio: Int64
    let hasCaption: Bool

    init(_ item: ItemMetrics, isHorizontal: Bool) {
        let (width, height) = (Int64(item.pixelSize.width), Int64(item.pixelSize.height))
        let (across, along) = isHorizontal ? (height, width) : (width, height)
        let (whole, rest) = (across << 32).quotientAndRemainder(dividingBy: along)
        let isUp = 2 * rest > along || 2 * rest == along && whole % 2 == 1
        ratio = whole + (isUp ? 1 : 0)
        hasCaption = item.hasCaption
    }
}
