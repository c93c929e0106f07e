import PhotoStreamModel

/// One run of a masonry: steps first, in a pass that vectorises, then the columns.
///
/// A column is one number, front << columnBits | column. Shortest column takes the least of them: ties fall to the
/// lowest column by themselves. Up to eight columns the numbers stay sorted in registers, and placing an item is one
/// pop and a branch-free re-insertion by minimum and maximum; beyond that a tournament tree does it in log2(columns)
/// steps. Source of the tree: Donald Knuth, "The Art of Computer Programming", volume 3 (2nd edition, 1998), section
/// 5.4.1; his is a tree of losers, this one keeps winners. Figures: `Documentation/Decisions/0003-masonry-kernel.md`.
struct MasonryFold {
    private let layout: MasonryLayout
    private let steps: MasonrySteps
    private let bits: UInt64
    private let columnMask: UInt64
    private let wideCount: UInt64

    init(_ layout: MasonryLayout, _ items: PackedMetrics) {
        self.layout = layout
        steps = MasonrySteps(layout, items)
        bits = UInt64(layout.columnBits)
        columnMask = 1 << bits &- 1
        wideCount = UInt64(layout.columns.wideCount)
    }

    func run(from state: MasonryState) -> ChunkPlacement {
        let before = state.fronts.enumerated().map { UInt64($1) << bits | UInt64($0) }
        var fronts = before
        var nextColumn = state.nextColumn
        let frames: PackedFrames
        // No number can pass the highest front plus all steps; nearly always that settles it before the run.
        if (before.max() ?? 0) &+ steps.total <= UInt64(UInt32.max) {
            frames = .narrow(place(UInt32.self, &fronts, &nextColumn))
        } else {
            frames = PackedFrames(place(UInt64.self, &fronts, &nextColumn))
        }
        let tops = fronts.map { Int64($0 >> bits) }
        let advance = tops.min() ?? 0
        // A front that did not move belongs to an item before the run.
        let lowest = zip(before, fronts).lazy.filter { $0 != $1 }.map { Int64($1 >> bits) }.max()
        return ChunkPlacement(
            exitState: MasonryState(fronts: tops.map { $0 - advance }, nextColumn: nextColumn),
            advance: advance,
            extent: lowest.map { $0 - layout.key.masonry.lineSpacing } ?? 0,
            longestItem: steps.longestItem,
            frames: frames
        )
    }

    /// Places every item; `fronts` holds one number a column, in column order, before and after.
    private func place<Number: FixedWidthInteger & UnsignedInteger>(
        _: Number.Type, _ fronts: inout [UInt64], _ nextColumn: inout Int
    ) -> [Number] {
        [Number](unsafeUninitializedCapacity: steps.count) { numbers, count in
            count = steps.count
            guard count > 0 else { return }
            switch layout.key.masonry.columnChoice {
            case .shortest: placeInShortest(&numbers, &fronts)
            case .roundRobin: placeInTurn(&numbers, &fronts, &nextColumn)
            }
        }
    }

    private func placeInShortest<Number: FixedWidthInteger & UnsignedInteger>(
        _ numbers: inout UnsafeMutableBufferPointer<Number>, _ fronts: inout [UInt64]
    ) {
        switch fronts.count {
        case 1: placeSorted(&numbers, &fronts, InlineArray<1, UInt64>.self)
        case 2: placeSorted(&numbers, &fronts, InlineArray<2, UInt64>.self)
        case 3: placeSorted(&numbers, &fronts, InlineArray<3, UInt64>.self)
        case 4: placeSorted(&numbers, &fronts, InlineArray<4, UInt64>.self)
        case 5: placeSorted(&numbers, &fronts, InlineArray<5, UInt64>.self)
        case 6: placeSorted(&numbers, &fronts, InlineArray<6, UInt64>.self)
        case 7: placeSorted(&numbers, &fronts, InlineArray<7, UInt64>.self)
        case 8: placeSorted(&numbers, &fronts, InlineArray<8, UInt64>.self)
        default: placeByTournament(&numbers, &fronts)
        }
    }

    @inline(__always)
    private func placeSorted<Number: FixedWidthInteger & UnsignedInteger, let count: Int>(
        _ numbers: inout UnsafeMutableBufferPointer<Number>, _ fronts: inout [UInt64],
        _: InlineArray<count, UInt64>.Type
    ) {
        let ascending = fronts.sorted()
        var columns = InlineArray<count, UInt64> { ascending[$0] }
        let (mask, wide) = (columnMask, wideCount)
        steps.withBuffers { narrowSteps, wideSteps in
            if let wideSteps {
                for index in narrowSteps.indices {
                    let key = columns[0]
                    numbers[index] = Number(truncatingIfNeeded: key)
                    // Both sums before the choice, so that the choice is a move and not a branch.
                    let (ifNarrow, ifWide) = (key &+ narrowSteps[index], key &+ wideSteps[index])
                    columns.replaceFirst(with: key & mask < wide ? ifWide : ifNarrow)
                }
            } else {
                for index in narrowSteps.indices {
                    let key = columns[0]
                    numbers[index] = Number(truncatingIfNeeded: key)
                    columns.replaceFirst(with: key &+ narrowSteps[index])
                }
            }
        }
        for index in columns.indices { fronts[Int(columns[index] & mask)] = columns[index] }
    }

    private func placeByTournament<Number: FixedWidthInteger & UnsignedInteger>(
        _ numbers: inout UnsafeMutableBufferPointer<Number>, _ fronts: inout [UInt64]
    ) {
        // Leaves from `leafStart`, one a column and the rest never the least; a node holds the less of its two.
        let leafStart = 1 << Int(bits)
        var tree = [UInt64](repeating: .max, count: 2 * leafStart)
        tree.replaceSubrange(leafStart..<leafStart + fronts.count, with: fronts)
        for node in stride(from: leafStart - 1, to: 0, by: -1) { tree[node] = min(tree[2 * node], tree[2 * node + 1]) }
        for index in numbers.indices.prefix(steps.count) {
            let key = tree[1]
            numbers[index] = Number(truncatingIfNeeded: key)
            var node = leafStart + Int(key & columnMask)
            var least = key &+ steps.step(at: index, isWide: key & columnMask < wideCount)
            tree[node] = least
            while node > 1 {
                least = min(least, tree[node ^ 1])
                node >>= 1
                tree[node] = least
            }
        }
        fronts = Array(tree[leafStart..<leafStart + fronts.count])
    }

    private func placeInTurn<Number: FixedWidthInteger & UnsignedInteger>(
        _ numbers: inout UnsafeMutableBufferPointer<Number>, _ fronts: inout [UInt64], _ nextColumn: inout Int
    ) {
        for index in 0..<steps.count {
            let key = fronts[nextColumn]
            numbers[index] = Number(truncatingIfNeeded: key)
            fronts[nextColumn] = key &+ steps.step(at: index, isWide: nextColumn < layout.columns.wideCount)
            nextColumn = nextColumn + 1 == fronts.count ? 0 : nextColumn + 1
        }
    }
}

extension InlineArray where Element == UInt64 {
    /// Takes the least off the front of an ascending array and puts `key` where it belongs.
    @inline(__always)
    fileprivate mutating func replaceFirst(with key: UInt64) {
        var carried = key
        var index = 1
        while index < count {
            let other = self[index]
            self[index - 1] = carried < other ? carried : other
            carried = carried < other ? other : carried
            index &+= 1
        }
        self[count - 1] = carried
    }
}
