/// The rule for optimal breaks: those whose lines deviate least from the target.
///
/// Every allowed line has a cost, and a section is broken such that the sum over its lines is minimal. The cost is the
/// square of the deviation from the target, in device pixels, of the extent at which the pictures fill the line, plus
/// 1/128 for the line itself, so that fewer lines win among equal deviations. In a tie, the line that begins earlier is
/// chosen, from the last line backwards. `Double` holds all sums exactly, so they are the same on every machine.
///
/// A line should be no lower than the minimum and no higher than the maximum. If there is no such path, forced lines
/// are allowed, which are drawn at that bound and cost 2^40 more: any line that is too high, and a line that is too low
/// if it is a single item or was too high without its last. Each item of a line gets at least one pixel. So every item
/// ends a line, every break can be continued, and whether a line is allowed depends on its own items alone.
///
/// The cost of a section's last line, if the greedy rule does not consider it full, is that of the extent at which it
/// is drawn: nothing at its natural extent, unless that is below the target; that of a forced line if it is left out.
/// Breakouts are not searched for.
///
/// Source: Donald Knuth and Michael Plass, "Breaking Paragraphs into Lines", Software: Practice and Experience 11
/// (1981), doi:10.1002/spe.4380111102: a shortest path over the positions at which lines may end, with a list of those
/// at which a line may still begin. This search differs in the cost of a line, and decides early, so that a layout can
/// stop after any item and continue: see ``BreakSearch``.
struct BreakRule {
    /// The cost of a line in addition to its deviation.
    static let line = 0x1p-7
    /// The additional cost of a forced line.
    static let penalty = 0x1p40
    /// The maximum deviation that counts for a forced line.
    private static let greatestDeviation = 0x1p17

    let target: Double
    let minimum: Double
    let maximum: Double
    /// The bounds of twice the room divided by the ratios: a rounded extent lies from the minimum to the maximum if `2
    /// × room / ratios` lies from the first up to the second.
    let leastQuotient: Int64
    let greatestQuotient: Int64
    // Rooms are device pixels times 2^32, like ratios.
    /// The room of an empty line, with spacing before its first item.
    let emptyRoom: Int64
    let spacing: Int64
    /// The room of a caption across the scroll axis.
    let captionAcross: Int64
    /// Every *n*th line is a breakout; 0 for never.
    let period: Int
    /// Whether a ``BreakLoop`` can do the work.
    let hasFastLoop: Bool
    private let fullRatio: Int64
    private let widows: JustifiedParameters.WidowPolicy

    init(_ kernel: JustifiedRule) {
        let parameters = kernel.parameters
        target = Double(parameters.targetLineHeight)
        minimum = Double(parameters.minimumLineHeight)
        maximum = Double(parameters.maximumLineHeight)
        leastQuotient = 2 * parameters.minimumLineHeight - 1
        greatestQuotient = 2 * parameters.maximumLineHeight + 1
        emptyRoom = (kernel.available + kernel.interitemSpacing) << 32
        spacing = kernel.interitemSpacing << 32
        captionAcross = kernel.isHorizontal ? kernel.captionExtent << 32 : 0
        period = parameters.breakoutEvery
        // No product overflows: an item has at most 2^42, and the rest of its line was not too low.
        let greatestLine = 2 * emptyRoom / leastQuotient + 1 << 42
        hasFastLoop = !greatestLine.multipliedReportingOverflow(by: greatestQuotient).overflow
        fullRatio = Int64(clamping: kernel.leastRatio)
        widows = parameters.widows
    }

    /// The extent at which pictures fill a room, rounded half up.
    @inline(__always)
    static func extent(filling room: Int64, _ ratios: Int64) -> Double {
        // The same as the kernel's; 2^52 leaves no bits for a fraction.
        let wanted = Double(room) / Double(ratios) + 0.5
        let nearest = wanted + 0x1p52 - 0x1p52
        return nearest > wanted ? nearest - 1 : nearest
    }

    /// The cost of a line without its own 1/128, from the fronts at its ends and before its last item.
    ///
    /// - Returns: `nil` if the line is not allowed; then no longer line is allowed, either.
    func cost(from start: OpenBreak, to end: BreakFront, _ before: BreakFront) -> Double? {
        let count = end.position - start.position
        let (room, ratios) = (start.room(to: end, self), end.ratios &- start.ratios)
        guard count == 1 || room >> 32 >= count else { return nil }
        let extent = Self.extent(filling: room, ratios)
        if extent < minimum, count > 1 {
            let shorter = Self.extent(filling: start.room(to: before, self), before.ratios &- start.ratios)
            guard shorter > maximum else { return nil }
        }
        return cost(extent)
    }

    /// The cost of a section's last line without its own 1/128, from the break at its start and the front at its end.
    func lastCost(from start: OpenBreak, to end: BreakFront) -> Double {
        let (room, ratios) = (start.room(to: end, self), end.ratios &- start.ratios)
        let extent = Self.extent(filling: room, ratios)
        guard ratios < fullRatio else { return cost(extent) }
        return switch widows {
        case .natural: square(max(0, target - extent))
        case .justify: cost(min(extent, maximum))
        case .hide: Self.penalty
        }
    }

    /// The record of a decided line between two breaks.
    ///
    /// - Parameters:
    ///   - start: The break at its start.
    ///   - end: The break at its end.
    ///   - isLast: Whether it is a section's last line, which may not be full.
    ///   - isBreakout: Whether it is a single item because of ``period``.
    ///   - isBound: Whether it was decided together with the line before it.
    /// - Returns: The record.
    func line(
        from start: OpenBreak, to end: BreakFront, isLast: Bool = false, isBreakout: Bool = false,
        isBound: Bool = false
    ) -> DecidedLine {
        let (itemCount, ratios) = (Int(end.position - start.position), end.ratios &- start.ratios)
        return DecidedLine(
            itemCount: itemCount, ratios: ratios, captionCount: Int(end.captionCount &- start.captionCount),
            isBreakout: isBreakout, isWidow: isLast && ratios < fullRatio, isBound: isBound)
    }

    private func cost(_ extent: Double) -> Double {
        let isForced = extent < minimum || extent > maximum
        return isForced
            ? Self.penalty + square(min((extent - target).magnitude, Self.greatestDeviation))
            : square(extent - target)
    }

    private func square(_ deviation: Double) -> Double { deviation * deviation }
}

/// The progress of a search; its sums may begin at any item, because only differences matter.
struct BreakFront {
    var ratios: Int64 = 0
    /// The room of a line that items take in addition to their pictures.
    var taken: Int64 = 0
    var position: Int32 = 0
    var captionCount: Int32 = 0

    /// Adds an item, given as twice its ratio plus one for a caption.
    @inline(__always)
    mutating func take(_ item: UInt64, by rule: BreakRule) {
        let caption = Int64(bitPattern: item & 1)
        ratios &+= Int64(bitPattern: item >> 1)
        taken &+= rule.spacing &+ caption &* rule.captionAcross
        position &+= 1
        captionCount &+= Int32(truncatingIfNeeded: caption)
    }
}

/// A position at which a line ends on the best path to it, and at which the next line may begin.
struct OpenBreak {
    // The front when the break was made.
    var ratios: Int64 = 0
    var taken: Int64 = 0
    /// The cost of the best path to it, or infinity if no line may begin at it any more.
    var cost = 0.0
    var position: Int32 = 0
    var captionCount: Int32 = 0
    /// The break at which its line begins.
    var parent: Int32 = 0

    /// Creates a break at the front, without a path to it.
    init(at front: BreakFront) {
        (ratios, taken) = (front.ratios, front.taken)
        (position, captionCount) = (front.position, front.captionCount)
    }

    init() {}

    /// The front when it was made.
    var front: BreakFront {
        BreakFront(ratios: ratios, taken: taken, position: position, captionCount: captionCount)
    }

    /// The room of a line that begins here.
    @inline(__always)
    func room(to end: BreakFront, _ rule: BreakRule) -> Int64 {
        rule.emptyRoom &+ taken &- end.taken
    }
}
