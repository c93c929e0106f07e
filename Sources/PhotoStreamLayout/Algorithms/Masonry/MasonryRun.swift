import PhotoStreamModel

/// One run of a masonry: for each block of items their steps, in a vectorized loop, then the columns.
///
/// A column is one number, front << columnBits | column. The shortest column is the smallest number, so in a tie the
/// lowest column wins. Up to eight columns, the numbers stay sorted in registers, and placing an item is one pop and a
/// branch-free insertion by minimum and maximum; with more columns, a tournament tree does it in log2(columns) steps.
/// Source of the tree: Donald Knuth, "The Art of Computer Programming", volume 3 (2nd edition, 1998), section 5.4.1;
/// Knuth's is a tree of losers, this one keeps winners. Figures: `Documentation/Decisions/0003-masonry.md`.
struct MasonryRun: PlacementRun {
    private let kernel: MasonryAlgorithm
    private let items: PackedMetrics
    private var steps: MasonrySteps
    private let bits: UInt64
    private let columnMask: UInt64
    private let wideCount: UInt64
    /// One number per column, in column order, from the run's base.
    private var fronts: [UInt64]
    /// An upper bound of the fronts, known without a search.
    private var frontLimit: UInt64
    private var nextColumn: Int
    private var hasItems: Bool
    private var numbers: Numbers
    /// The smallest front when the run's first item was placed.
    private var leastTop: Int64?

    /// The packed frames so far: four bytes each until a number may not fit.
    private enum Numbers {
        case narrow([UInt32])
        case wide([UInt64])
    }

    init(_ kernel: MasonryAlgorithm, in fold: ChunkFold, from state: MasonryState) {
        self.kernel = kernel
        items = fold.items
        steps = MasonrySteps(kernel)
        bits = UInt64(kernel.columnBits)
        columnMask = 1 << bits &- 1
        wideCount = UInt64(kernel.columns.wideCount)
        // The origin is one line spacing below the base.
        let spacing = kernel.lineSpacing
        fronts = state.fronts.enumerated().map { [bits] in UInt64($1 + spacing) << bits | UInt64($0) }
        frontLimit = fronts.max() ?? 0
        nextColumn = state.nextColumn
        hasItems = fold.hasItems
        numbers = .narrow([])
    }

    mutating func openSection(at origin: Int64) {
        for column in fronts.indices { fronts[column] = UInt64(origin) << bits | UInt64(column) }
        frontLimit = UInt64(origin) << bits | columnMask
        nextColumn = 0
        hasItems = false
    }

    mutating func closeSection() -> Int64 {
        hasItems ? top(fronts.max()) - kernel.lineSpacing : top(fronts.min())
    }

    mutating func place(_ items: Range<Int>) {
        hasItems = true
        if leastTop == nil { leastTop = top(fronts.min()) }
        if case .narrow(var found) = numbers {
            numbers = .narrow([])
            // The numbers of few items surely fit; otherwise, the state before them is kept.
            frontLimit &+= UInt64(items.count) &* steps.greatest
            let before = frontLimit <= UInt64(UInt32.max) ? nil : (fronts: fronts, nextColumn: nextColumn)
            place(items, into: &found)
            // Every number was a front, and fronts only grow: if those after the last item fit, all numbers do.
            guard let before, let greatest = fronts.max(), greatest > UInt64(UInt32.max) else {
                numbers = .narrow(found)
                return
            }
            (fronts, nextColumn) = before
            numbers = .wide(found.map { UInt64($0) })
        }
        guard case .wide(var found) = numbers else { return }
        numbers = .narrow([])
        place(items, into: &found)
        numbers = .wide(found)
    }

    func result() -> PlacementResult<MasonryState, MasonryFrames> {
        let tops = fronts.map { Int64($0 >> bits) }
        let origin = tops.min() ?? 0
        let frames: MasonryFrames =
            switch numbers {
            case .narrow(let numbers): .narrow(MasonryNumbers(numbers, boxedAbove: kernel.boxedBits(items)))
            case .wide(let numbers): MasonryFrames(numbers, boxedAbove: kernel.boxedBits(items))
            }
        return PlacementResult(
            state: MasonryState(fronts: tops.map { $0 - origin }, nextColumn: nextColumn),
            hasItems: hasItems, origin: origin, frames: frames, leastTop: leastTop ?? origin,
            // If a section has begun after the last item, nothing ends below its start.
            greatestEnd: leastTop != nil && hasItems ? top(fronts.max()) - kernel.lineSpacing : origin,
            longestItem: steps.longestItem)
    }

    private func top(_ front: UInt64?) -> Int64 {
        Int64(truncatingIfNeeded: (front ?? 0) >> bits)
    }

    /// Places items of the open section; `numbers` has room for the whole run, or is empty.
    private mutating func place<Number: FixedWidthInteger & UnsignedInteger>(
        _ range: Range<Int>, into numbers: inout [Number]
    ) {
        if range.count == items.count {
            numbers = [Number](unsafeUninitializedCapacity: items.count) { buffer, count in
                place(range, into: buffer)
                count = range.count
            }
            return
        }
        if numbers.isEmpty { numbers = [Number](repeating: 0, count: items.count) }
        numbers.withUnsafeMutableBufferPointer { place(range, into: $0) }
    }

    private mutating func place<Number: FixedWidthInteger & UnsignedInteger>(
        _ range: Range<Int>, into numbers: UnsafeMutableBufferPointer<Number>
    ) {
        items.words.withUnsafeBufferPointer { words in
            switch kernel.columnChoice {
            case .shortest: placeInShortest(range, of: words, into: numbers)
            case .roundRobin: placeInTurn(range, of: words, into: numbers)
            }
        }
    }

    private mutating func placeInShortest<Number: FixedWidthInteger & UnsignedInteger>(
        _ items: Range<Int>, of words: UnsafeBufferPointer<UInt64>, into numbers: UnsafeMutableBufferPointer<Number>
    ) {
        switch fronts.count {
        case 1: placeSorted(items, of: words, into: numbers, InlineArray<1, UInt64>.self)
        case 2: placeSorted(items, of: words, into: numbers, InlineArray<2, UInt64>.self)
        case 3: placeSorted(items, of: words, into: numbers, InlineArray<3, UInt64>.self)
        case 4: placeSorted(items, of: words, into: numbers, InlineArray<4, UInt64>.self)
        case 5: placeSorted(items, of: words, into: numbers, InlineArray<5, UInt64>.self)
        case 6: placeSorted(items, of: words, into: numbers, InlineArray<6, UInt64>.self)
        case 7: placeSorted(items, of: words, into: numbers, InlineArray<7, UInt64>.self)
        case 8: placeSorted(items, of: words, into: numbers, InlineArray<8, UInt64>.self)
        default: placeByTournament(items, of: words, into: numbers)
        }
    }

    @inline(__always)
    private mutating func placeSorted<Number: FixedWidthInteger & UnsignedInteger, let count: Int>(
        _ items: Range<Int>, of words: UnsafeBufferPointer<UInt64>, into numbers: UnsafeMutableBufferPointer<Number>,
        _: InlineArray<count, UInt64>.Type
    ) {
        var columns = InlineArray<count, UInt64> { fronts[$0] }
        columns.sort()
        let (mask, wide) = (columnMask, wideCount)
        if steps.hasWide {
            steps.forEachBlock(in: items, of: words) { block, steps in
                for index in block {
                    let key = columns[0]
                    numbers[index] = Number(truncatingIfNeeded: key)
                    columns.replaceFirst(with: key &+ steps.step(at: index, column: key & mask, wideCount: wide))
                }
            }
        } else {
            steps.forEachBlock(in: items, of: words) { block, steps in
                for index in block {
                    let key = columns[0]
                    numbers[index] = Number(truncatingIfNeeded: key)
                    columns.replaceFirst(with: key &+ steps.step(at: index))
                }
            }
        }
        for index in columns.indices { fronts[Int(columns[index] & mask)] = columns[index] }
    }

    private mutating func placeByTournament<Number: FixedWidthInteger & UnsignedInteger>(
        _ items: Range<Int>, of words: UnsafeBufferPointer<UInt64>, into numbers: UnsafeMutableBufferPointer<Number>
    ) {
        // Leaves begin at `leafStart`, one per column, padded with the maximum; a node holds the smaller of its
        // children.
        let leafStart = 1 << Int(bits)
        var tree = [UInt64](repeating: .max, count: 2 * leafStart)
        tree.replaceSubrange(leafStart..<leafStart + fronts.count, with: fronts)
        for node in stride(from: leafStart - 1, to: 0, by: -1) { tree[node] = min(tree[2 * node], tree[2 * node + 1]) }
        let (mask, wide) = (columnMask, wideCount)
        steps.forEachBlock(in: items, of: words) { block, steps in
            for index in block {
                let key = tree[1]
                numbers[index] = Number(truncatingIfNeeded: key)
                var node = leafStart + Int(key & mask)
                var least = key &+ steps.step(at: index, column: key & mask, wideCount: wide)
                tree[node] = least
                while node > 1 {
                    least = min(least, tree[node ^ 1])
                    node >>= 1
                    tree[node] = least
                }
            }
        }
        fronts = Array(tree[leafStart..<leafStart + fronts.count])
    }

    private mutating func placeInTurn<Number: FixedWidthInteger & UnsignedInteger>(
        _ items: Range<Int>, of words: UnsafeBufferPointer<UInt64>, into numbers: UnsafeMutableBufferPointer<Number>
    ) {
        let wide = wideCount
        var column = nextColumn
        fronts.withUnsafeMutableBufferPointer { fronts in
            steps.forEachBlock(in: items, of: words) { block, steps in
                for index in block {
                    let key = fronts[column]
                    numbers[index] = Number(truncatingIfNeeded: key)
                    fronts[column] = key &+ steps.step(at: index, column: UInt64(column), wideCount: wide)
                    column = column &+ 1 == fronts.count ? 0 : column &+ 1
                }
            }
        }
        nextColumn = column
    }
}

extension InlineArray where Element == UInt64 {
    /// Sorts the elements in ascending order by insertion; there are at most eight.
    @inline(__always)
    fileprivate mutating func sort() {
        for end in indices.dropFirst() {
            let key = self[end]
            var index = end
            while index > 0, self[index - 1] > key {
                self[index] = self[index - 1]
                index -= 1
            }
            self[index] = key
        }
    }

    /// Removes the smallest element of an ascending array and inserts `key` in order.
    ///
    /// The second column is nearly always the shortest next. A branch lets the processor predict that before `key` is
    /// known, so that it waits for a column's sum only at the column's next turn; the position of `key` among the
    /// others is found without branches.
    @inline(__always)
    fileprivate mutating func replaceFirst(with key: UInt64) {
        guard count > 1, key >= self[1] else {
            self[0] = key
            return
        }
        self[0] = self[1]
        var carried = key
        var index = 2
        while index < count {
            let other = self[index]
            self[index - 1] = carried < other ? carried : other
            carried = carried < other ? other : carried
            index &+= 1
        }
        self[count - 1] = carried
    }
}
