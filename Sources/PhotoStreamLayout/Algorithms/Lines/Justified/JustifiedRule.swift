import PhotoStreamModel

/// Justified: all pictures of a line have one extent along the scroll axis, and lines fill the container exactly.
///
/// The greedy rule is that of Flickr's justified-layout (documented in its README and shown by its tests): a line takes
/// items while it is below the tolerance around the target; within the tolerance it is full; beyond it, the last item
/// is kept unless the line is closer to the target without it. This rule differs if Flickr's makes poor lines: an item
/// is kept if the line without it would be higher than the maximum, and never taken if that would leave less than a
/// pixel to each item.
struct JustifiedRule: Hashable, Sendable {
    let parameters: LayoutKey.Justified
    let available: Int64
    let interitemSpacing: Int64
    let lineSpacing: Int64
    let captionExtent: Int64
    let isHorizontal: Bool
    /// A line with a lower ratio sum takes another item unconditionally; one with a higher sum has taken too many.
    let leastRatio: UInt64
    let greatestRatio: UInt64
    /// Without captions, a line with more items has less than a pixel for each.
    let greatestCount: Int
    private let leading: Int64

    init(_ key: LayoutKey, parameters: LayoutKey.Justified) {
        let axes = LayoutAxes(key)
        self.parameters = parameters
        available = key.availableLength
        interitemSpacing = key.interitemSpacing
        lineSpacing = key.lineSpacing
        isHorizontal = axes.isHorizontal
        // A caption that takes space from the line leaves one pixel of it to the picture.
        captionExtent = isHorizontal ? min(key.captionExtent, key.availableLength - 1) : key.captionExtent
        leading = axes.insets(key.contentInset).leading + axes.insets(key.sections.inset).leading
        // Like Flickr's, these two ignore spacing.
        let (length, target) = (UInt128(key.availableLength) << 32, UInt128(parameters.targetLineHeight) * 1_000_000)
        let tolerance = UInt128(parameters.tolerance)
        leastRatio = UInt64((length * (1_000_000 - tolerance) + target - 1) / target)
        // The inner loop stops one item early, so that the full test decides; for breakouts, it must see the first
        // item.
        greatestCount =
            parameters.breakoutEvery > 0
            ? 0 : Int((key.availableLength + key.interitemSpacing) / (key.interitemSpacing + 1))
        greatestRatio = UInt64(length * (1_000_000 + tolerance) / target)
    }

    /// The device pixels that the pictures of a line share.
    @inline(__always)
    func room(count: Int, captionCount: Int) -> Int64 {
        available - Int64(count - 1) * interitemSpacing - (isHorizontal ? Int64(captionCount) * captionExtent : 0)
    }

    /// The extent at which pictures fill a room, rounded half up.
    func extent(filling room: Int64, _ ratios: UInt64) -> Int64 {
        // Exact: see RatioUnit.
        Int64(Double(room) * 0x1p32 / Double(ratios) + 0.5)
    }

    /// Whether a line that is beyond the tolerance with an item is further from the target with it than without, and
    /// not higher than the maximum without it.
    ///
    /// At the target, the line is too long with the item, and without it too short, or too long by less. The sign of
    /// the sum of both differences therefore shows which is further.
    ///
    /// - Parameters:
    ///   - ratios: The sum of ratios without the item.
    ///   - room: The room without the item.
    ///   - next: The sum with the item.
    ///   - nextRoom: The room with the item.
    /// - Returns: Whether the line is closed without the item.
    @inline(__always)
    func isTooMuch(ratios: UInt64, room: Int64, next: UInt64, nextRoom: Int64) -> Bool {
        let (target, maximum) = (UInt64(parameters.targetLineHeight), UInt64(parameters.maximumLineHeight))
        let wanted = target.multipliedFullWidth(by: ratios &+ next)
        let given = UInt64(room &+ nextRoom).multipliedFullWidth(by: RatioUnit.one)
        let highest = maximum.multipliedFullWidth(by: ratios)
        let limit = UInt64(room).multipliedFullWidth(by: RatioUnit.one)
        let isFurther = wanted.high > given.high || (wanted.high == given.high && wanted.low > given.low)
        let isLowEnough = highest.high > limit.high || (highest.high == limit.high && highest.low >= limit.low)
        return isFurther && isLowEnough
    }

    /// The thickness of a line along the scroll axis.
    func thickness(_ extent: Int64, captionCount: Int) -> Int64 {
        extent + (isHorizontal || captionCount == 0 ? 0 : captionExtent)
    }

    /// The empty line after a closed one.
    ///
    /// - Parameters:
    ///   - extent: The extent of the closed line's pictures.
    ///   - count: The number of pictures.
    ///   - ratios: The sum of their ratios.
    ///   - open: The line while it was open.
    /// - Returns: The line from which the next begins.
    func open(afterExtent extent: Int64, count: Int, ratios: UInt64, from open: OpenLine) -> OpenLine {
        let period = parameters.breakoutEvery
        var next = OpenLine()
        // The line after a breakout ignores its extent.
        let wasBreakout = isBreakout(open, firstRatio: ratios) && count == 1
        next.previousExtent = wasBreakout ? parameters.targetLineHeight : extent
        next.closedLines = period > 0 ? (open.closedLines + 1) % period : 0
        return next
    }

    /// Whether an item that begins a line is a breakout.
    func isBreakout(_ open: OpenLine, firstRatio: UInt64) -> Bool {
        parameters.breakoutEvery > 0 && open.closedLines == parameters.breakoutEvery - 1
            && firstRatio >= RatioUnit.one
    }

    /// The sums that the frames of a line's items depend on.
    func totals(_ items: PackedMetrics) -> LineTotals {
        var totals = LineTotals()
        totals.count = items.count
        for position in 0..<items.count {
            let item = items[position]
            totals.length += ratio(of: item)
            totals.captionCount += item.hasCaption ? 1 : 0
        }
        return totals
    }

    /// Calls `body` with the frames of a line until it returns `false`; see ``LineAlgorithm``.
    ///
    /// The edges of the pictures are those of the exact ratios, rounded half up, each at least a pixel after the one
    /// before, so widths add up exactly.
    func forEachFrame(
        in line: LineRecord, totals: LineTotals, from progress: inout LineProgress, of items: PackedMetrics,
        base: Int64, _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        guard !line.flags.contains(.hidden) else { return true }
        let extent = Int64(line.extent)
        let room = max(Int64(totals.count), room(count: totals.count, captionCount: totals.captionCount))
        let edges =
            line.flags.contains(.natural)
            ? LineEdges(count: totals.count, length: extent, unit: RatioUnit.one, greatest: room)
            : LineEdges(count: totals.count, length: room, unit: totals.length, greatest: room)
        for position in 0..<items.count {
            let item = items[position]
            progress.length += ratio(of: item)
            let edge = progress.edge
            let next = edges.edge(behind: progress.count, ratios: progress.length, after: edge)
            let caption = item.hasCaption ? captionExtent : 0
            let (across, along) = isHorizontal ? (caption, 0) : (0, caption)
            let before =
                Int64(progress.count) * interitemSpacing
                + (isHorizontal ? Int64(progress.captionCount) * captionExtent : 0)
            let frame = AxisFrame(
                along: base + line.top, across: leading + edge + before, alongExtent: extent + along,
                acrossExtent: next - edge + across)
            progress.count += 1
            progress.captionCount += item.hasCaption ? 1 : 0
            progress.edge = next
            guard body(position, frame) else { return false }
        }
        return true
    }

    private func ratio(of item: ItemMetrics) -> UInt64 {
        let (width, height) = (UInt64(item.pixelSize.width), UInt64(item.pixelSize.height))
        return isHorizontal
            ? RatioUnit.ratio(across: height, along: width) : RatioUnit.ratio(across: width, along: height)
    }
}

/// The edges of the pictures of a line, without spacing.
private struct LineEdges {
    let count: Int
    /// A ratio sum of `unit` has its edge at `length`.
    let length: Int64
    let unit: UInt64
    /// The maximum of all edges.
    let greatest: Int64

    /// The edge after an item.
    ///
    /// - Parameters:
    ///   - position: The item's position in the line.
    ///   - ratios: The sum of ratios through the item.
    ///   - edge: The edge before it.
    /// - Returns: Device pixels from the first edge.
    func edge(behind position: Int, ratios: UInt64, after edge: Int64) -> Int64 {
        let behind = Int64(count - position - 1)
        return max(edge + 1, min(quotient(ratios), greatest - behind))
    }

    /// `length × ratios / unit`, rounded half up: a quotient in `Double`, corrected by its exact remainder, which fits
    /// in 64 bits even if the product does not.
    private func quotient(_ ratios: UInt64) -> Int64 {
        let estimate = UInt64(Double(length) * Double(ratios) / Double(unit) + 0.5)
        let remainder = Int64(
            bitPattern: 2 &* UInt64(length) &* ratios &- (2 &* estimate &- 1) &* unit)
        if remainder < 0 { return Int64(estimate) - 1 }
        return remainder >= Int64(2 * unit) ? Int64(estimate) + 1 : Int64(estimate)
    }
}
