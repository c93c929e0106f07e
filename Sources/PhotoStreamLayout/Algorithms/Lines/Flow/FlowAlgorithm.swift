import PhotoStreamModel

/// Flow: items keep their sizes, and each line takes as many as fit with the minimum spacing.
///
/// Behaves as UICollectionViewFlowLayout is documented to: the remaining space of a full line is spread between its
/// items. On a section's last line, items of one size keep the spacing of a full line, others the minimum spacing. A
/// single item is centred; an item longer than the line has a line of its own and keeps its size. Pictures are centred
/// on the thickest one, with their captions below them.
struct FlowAlgorithm: LineAlgorithm {
    let sizes: FlowSizes
    let available: Int64
    let interitemSpacing: Int64
    let lineSpacing: Int64
    private let leading: Int64

    init(_ key: LayoutKey, flow: LayoutKey.Flow) {
        let axes = LayoutAxes(key)
        sizes = FlowSizes(key, rule: flow)
        available = key.availableLength
        interitemSpacing = key.interitemSpacing
        lineSpacing = key.lineSpacing
        leading = axes.insets(key.contentInset).leading + axes.insets(key.sections.inset).leading
    }

    var initialState: OpenLine { OpenLine() }
    var captions: CaptionRule { CaptionRule(extent: sizes.captionExtent) }

    func place<Failure>(
        from state: OpenLine, in fold: ChunkFold, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        try fold.placement(of: FlowRun(self, in: fold, from: state), checking: check)
    }

    func close(_ state: OpenLine, in fold: ChunkFold) -> LayoutEnding {
        fold.ending(of: FlowRun(self, in: fold, from: state))
    }

    func state(decoding rest: inout ArraySlice<UInt8>) throws(LayoutError) -> OpenLine {
        try OpenLine(decoding: &rest)
    }

    /// The extent of a line along the scroll axis.
    ///
    /// Pictures are centred in it, so a caption may reach below the thickest cell.
    func thickness(of line: OpenLine) -> Int64 {
        guard line.captionCount > 0 else { return line.thickest }
        let captioned = line.thickestWithCaption
        return max(line.thickest, (line.thickest - captioned) / 2 + captioned + captionAlong)
    }

    private var captionAlong: Int64 { sizes.isHorizontal ? 0 : sizes.captionExtent }

    /// The sums that the frames of a line's items depend on.
    func totals(_ items: PackedMetrics) -> LineTotals {
        var totals = LineTotals()
        totals.count = items.count
        for position in 0..<items.count {
            let item = sizes.size(of: items[position])
            totals.length += UInt64(item.length)
            totals.thickest = max(totals.thickest, item.extent)
        }
        return totals
    }

    /// Calls `body` with the frames of a line until it returns `false`; see ``LineAlgorithm``.
    func forEachFrame(
        in line: LineRecord, totals: LineTotals, from progress: inout LineProgress, of items: PackedMetrics,
        base: Int64, _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        let places = places(totals, isLast: line.flags.contains(.last))
        for position in 0..<items.count {
            let item = sizes.size(of: items[position])
            let frame = AxisFrame(
                along: base + line.top + (totals.thickest - item.extent) / 2,
                across: leading + places.x(of: progress.count, after: Int64(progress.length)),
                alongExtent: item.extent + item.captionExtent, acrossExtent: item.length)
            progress.count += 1
            progress.length += UInt64(item.length)
            guard body(position, frame) else { return false }
        }
        return true
    }

    private func places(_ totals: LineTotals, isLast: Bool) -> FlowPlaces {
        let (count, total) = (totals.count, Int64(totals.length))
        // Items of one size have the same spacing on the last line as on a full one.
        if isLast, sizes.areUniform {
            let length = total / Int64(count)
            let full = max(1, (available + interitemSpacing) / (length + interitemSpacing))
            return FlowPlaces(space: max(0, available - full * length), gaps: full - 1)
        }
        if isLast, count > 1 {
            return FlowPlaces(space: interitemSpacing * Int64(count - 1), gaps: Int64(count - 1))
        }
        return FlowPlaces(space: max(0, available - total), gaps: Int64(count - 1))
    }
}

/// The division of a line's space.
private struct FlowPlaces {
    /// Device pixels that are not items, over all gaps.
    let space: Int64
    /// The number of gaps that share it; 0 if a single item is centred.
    let gaps: Int64

    /// The leading edge of an item, given the total length of the items before it.
    func x(of position: Int, after before: Int64) -> Int64 {
        gaps == 0 ? space / 2 : before + Int64(position) * space / gaps
    }
}

struct FlowRun: PlacementRun {
    private let kernel: FlowAlgorithm
    private let items: PackedMetrics
    private var run: LineRun

    init(_ kernel: FlowAlgorithm, in fold: ChunkFold, from state: OpenLine) {
        self.kernel = kernel
        items = fold.items
        run = LineRun(fold, from: state)
    }

    mutating func openSection(at origin: Int64) {
        run.openSection(at: origin)
    }

    mutating func place(_ range: Range<Int>) {
        run.hasItems = true
        for index in range {
            let metrics = items[index]
            let item = kernel.sizes.size(of: metrics)
            let spacing = Int64(run.open.count) * kernel.interitemSpacing
            if run.open.count > 0, Int64(run.open.length) + spacing + item.length > kernel.available {
                close(flags: [])
            }
            run.open.count += 1
            run.open.length += UInt64(item.length)
            run.open.thickest = max(run.open.thickest, item.extent)
            if metrics.hasCaption {
                run.open.captionCount += 1
                run.open.thickestWithCaption = max(run.open.thickestWithCaption, item.extent)
            }
        }
    }

    mutating func closeSection() -> Int64 {
        if run.open.count > 0 { close(flags: .last) }
        return run.sectionEnd
    }

    func result() -> PlacementResult<OpenLine, LineFrames> { run.result(run.open) }

    private mutating func close(flags: LineRecord.Flags) {
        let thickness = kernel.thickness(of: run.open)
        run.close(extent: thickness, thickness: thickness, flags: flags)
        run.open = OpenLine()
    }
}

/// The sizes of the items of a flow, in device pixels.
struct FlowSizes: Hashable, Sendable {
    private let rule: LayoutKey.Flow
    private let displayScale: DisplayScale
    let captionExtent: Int64
    let isHorizontal: Bool

    init(_ key: LayoutKey, rule: LayoutKey.Flow) {
        self.rule = rule
        displayScale = key.displayScale
        captionExtent = key.captionExtent
        isHorizontal = key.scrollDirection == .horizontal
    }

    /// Whether all items are alike across the scroll axis.
    var areUniform: Bool {
        guard case .uniform = rule else { return false }
        return !isHorizontal || captionExtent == 0
    }

    /// The lengths of one item.
    @inline(__always)
    func size(of item: ItemMetrics) -> FlowItem {
        let picture = pictureSize(of: item.pixelSize)
        let caption = item.hasCaption ? captionExtent : 0
        return isHorizontal
            ? FlowItem(length: picture.height + caption, extent: picture.width, captionExtent: 0)
            : FlowItem(length: picture.width, extent: picture.height, captionExtent: caption)
    }

    @inline(__always)
    private func pictureSize(of size: PixelSize) -> PixelExtent {
        switch rule {
        case .uniform(let extent): return extent
        case .height(let height):
            // Below 2^53, so exact; see MasonryExtents.
            let width = Double(height) * Double(size.width) / Double(size.height)
            return PixelExtent(width: max(1, Int64(width + 0.5)), height: height)
        case .own:
            return PixelExtent(
                width: max(1, displayScale.pixels(Double(size.width))),
                height: max(1, displayScale.pixels(Double(size.height))))
        }
    }
}

/// The lengths of an item that a flow reads.
struct FlowItem {
    /// Device pixels across the scroll axis, of the whole cell.
    let length: Int64
    /// Device pixels along the scroll axis, without a caption that lies along it.
    let extent: Int64
    /// Device pixels of a caption along the scroll axis.
    let captionExtent: Int64
}
