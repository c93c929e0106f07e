import PhotoStreamModel

/// The state of a placement rule between two photos.
struct PlacedState: AlgorithmState {
    let bytes: [UInt8]

    var content: StateContent { .placed(self) }

    func encode(into bytes: inout [UInt8]) { bytes += self.bytes }
}

/// A placement rule with the space that it fills; has neither cursors nor stored chunks.
struct PlacedAlgorithm: LayoutAlgorithm {
    let rule: AnyPlacementRule
    let space: LayoutSpace
    let captions: CaptionRule
    /// The distance from the leading edge of the container to the space for items.
    private let leading: Int64

    init(_ key: LayoutKey, rule: AnyPlacementRule) {
        let axes = LayoutAxes(key)
        self.rule = rule
        space = LayoutSpace(key)
        captions = CaptionRule(extent: key.captionExtent)
        leading = axes.insets(key.contentInset).leading + axes.insets(key.sections.inset).leading
    }

    var initialState: PlacedState { PlacedState(bytes: checked(rule.base.initialRest(in: space))) }

    func place<Failure>(
        from state: PlacedState, in fold: ChunkFold, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        try fold.placement(of: PlacedRun(self, in: fold, from: state), checking: check)
    }

    func close(_ state: PlacedState, in fold: ChunkFold) -> LayoutEnding {
        fold.ending(of: PlacedRun(self, in: fold, from: state))
    }

    func state(decoding rest: inout ArraySlice<UInt8>) throws(LayoutError) -> PlacedState {
        throw .invalidState
    }

    func frames(decoding bytes: [UInt8], count: Int) -> PlacedFrames? { nil }

    func addPage<Failure>(
        to builder: inout PageBuilder, _ items: PackedMetrics, isEnd: Bool, limit: Int,
        checking check: () throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        preconditionFailure("a layout of a placement rule has no pages")
    }

    func frame(
        at position: Int, of chunk: PlacedChunk, index: Int, base: Int64, in directory: LayoutDirectory
    ) -> AxisFrame? {
        frames(of: chunk).frames[position].moved(by: base)
    }

    func forEachItem(
        in range: AxisFrame, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        frames(of: chunk).forEachItem(in: range.moved(by: -entry.base)) { position, frame in
            body(position, frame.moved(by: entry.base))
        }
    }

    func forEachLine(
        startingIn range: Range<Int64>, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, Int64) -> Bool
    ) -> Bool {
        let tops = range.lowerBound - entry.base..<range.upperBound - entry.base
        return frames(of: chunk).forEachTop(in: tops) { position, top in
            body(entry.placed.lowerBound + position, entry.base + top)
        }
    }

    /// Places items whose origin lies at `origin`.
    ///
    /// - Returns: The frames, along relative to the zero of `origin` and across from the container's leading edge; the
    ///   shift of the origin, and the rest of the state.
    fileprivate func place(_ items: PackedMetrics, from rest: [UInt8], at origin: Int64) -> RulePlacement {
        var placement = rule.base.place(items, from: rest, in: space)
        precondition(placement.frames.count == items.count, "a placement rule returns one frame for each item")
        precondition(placement.shift >= 0, "a placement rule's origin never moves up")
        for index in placement.frames.indices {
            precondition(
                placement.frames[index].isWithinReach, "a frame begins above the origin or is out of all range")
            placement.frames[index].along += origin
            placement.frames[index].across += leading
        }
        placement.rest = checked(placement.rest)
        return placement
    }

    private func checked(_ rest: [UInt8]) -> [UInt8] {
        precondition(rest.count <= AnyPlacementRule.longestRest, "a placement rule's state has at most 1 KB")
        return rest
    }
}

extension AxisFrame {
    /// Whether a placement rule may place an item here: sums over 10 million of these fit in 64 bits.
    fileprivate var isWithinReach: Bool {
        let reach: Int64 = 1 << 36
        return (0...reach).contains(along) && (-reach...reach).contains(across) && (0...reach).contains(alongExtent)
            && (0...reach).contains(acrossExtent)
    }
}

/// One run of a placement rule.
struct PlacedRun: PlacementRun {
    private let kernel: PlacedAlgorithm
    private let items: PackedMetrics
    private var rest: [UInt8]
    private var hasItems: Bool
    /// The origin of the rest, from the run's base.
    private var origin: Int64
    private var frames: [AxisFrame] = []

    init(_ kernel: PlacedAlgorithm, in fold: ChunkFold, from state: PlacedState) {
        self.kernel = kernel
        items = fold.items
        rest = state.bytes
        hasItems = fold.hasItems
        origin = kernel.space.lineSpacing
        frames.reserveCapacity(items.count)
    }

    mutating func openSection(at origin: Int64) {
        (self.origin, rest, hasItems) = (origin, kernel.initialState.bytes, false)
    }

    mutating func place(_ range: Range<Int>) {
        let placement = kernel.place(items[range], from: rest, at: origin)
        frames += placement.frames
        (origin, rest, hasItems) = (origin + placement.shift, placement.rest, true)
    }

    mutating func closeSection() -> Int64 {
        hasItems ? origin + kernel.rule.base.end(behind: rest, in: kernel.space) : origin
    }

    func result() -> PlacementResult<PlacedState, PlacedFrames> {
        PlacementResult(
            state: PlacedState(bytes: rest), hasItems: hasItems, origin: origin, frames: PlacedFrames(frames),
            leastTop: frames.map(\.along).min() ?? origin,
            greatestEnd: frames.map(\.alongEnd).max() ?? origin, longestItem: frames.map(\.alongExtent).max() ?? 0)
    }
}
