import PhotoStreamModel

/// A layout of somebody's own with what it fills.
struct CustomKernel: Hashable, Sendable {
    let layout: AnyCustomLayout
    let space: LayoutSpace
    /// From the leading edge of the container to the room for items.
    private let leading: Int64

    init(_ key: LayoutKey, _ layout: AnyCustomLayout) {
        let axes = LayoutAxes(key)
        self.layout = layout
        space = LayoutSpace(key)
        leading = axes.insets(key.contentInset).leading + axes.insets(key.sections.inset).leading
    }

    var initialRest: [UInt8] { checked(layout.base.initialRest(in: space)) }

    func isRest(_ rest: [UInt8]) -> Bool {
        rest.count <= AnyCustomLayout.longestRest && layout.base.isRest(rest, in: space)
    }

    func run(_ items: PackedMetrics, from state: LayoutState) -> CustomRun {
        CustomRun(self, items, from: state)
    }

    /// Places items whose origin lies at `origin`.
    ///
    /// - Returns: The frames, along from what `origin` is counted from and across from the container's leading edge;
    ///   how far the origin moves, and what else is remembered.
    fileprivate func place(_ items: PackedMetrics, from rest: [UInt8], at origin: Int64) -> CustomPlacement {
        var placement = layout.base.place(items, from: rest, in: space)
        precondition(placement.frames.count == items.count, "a custom layout has one frame for each item")
        precondition(placement.shift >= 0, "a custom layout's origin never moves up")
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
        precondition(rest.count <= AnyCustomLayout.longestRest, "a custom layout's state has at most 1 KB")
        return rest
    }
}

extension AxisFrame {
    /// Whether a custom layout may place an item here: sums over 10 million of these still fit in 64 bits.
    fileprivate var isWithinReach: Bool {
        let reach: Int64 = 1 << 36
        return (0...reach).contains(along) && (-reach...reach).contains(across) && (0...reach).contains(alongExtent)
            && (0...reach).contains(acrossExtent)
    }
}

/// One run of a custom layout.
struct CustomRun: PlacementRun {
    private let kernel: CustomKernel
    private let items: PackedMetrics
    private var rest: [UInt8]
    private var hasItems: Bool
    /// The origin of the rest, from the run's base.
    private var origin: Int64
    private var frames: [AxisFrame] = []

    init(_ kernel: CustomKernel, _ items: PackedMetrics, from state: LayoutState) {
        guard case .custom(let rest) = state.algorithm else { preconditionFailure("a state of another layout") }
        self.kernel = kernel
        self.items = items
        self.rest = rest
        hasItems = state.hasItems
        origin = kernel.space.lineSpacing
        frames.reserveCapacity(items.count)
    }

    mutating func openSection(at origin: Int64) {
        (self.origin, rest, hasItems) = (origin, kernel.initialRest, false)
    }

    mutating func place(_ range: Range<Int>) {
        let placement = kernel.place(items[range], from: rest, at: origin)
        frames += placement.frames
        (origin, rest, hasItems) = (origin + placement.shift, placement.rest, true)
    }

    mutating func closeSection() -> Int64 {
        hasItems ? origin + kernel.layout.base.end(behind: rest, in: kernel.space) : origin
    }

    func result() -> PlacementResult {
        PlacementResult(
            state: .custom(rest), hasItems: hasItems, origin: origin, placedCount: frames.count,
            frames: .free(FreeFrames(frames)), leastTop: frames.map(\.along).min() ?? origin,
            greatestEnd: frames.map(\.alongEnd).max() ?? origin, longestItem: frames.map(\.alongExtent).max() ?? 0)
    }
}
