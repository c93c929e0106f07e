import PhotoStreamModel

/// How far each item of a run moves the front of the column that takes it, shifted up by the column's bits.
///
/// A step is the item's extent and the line spacing. Wide columns are one pixel wider, so an item has one step for
/// them and one for the rest; without wide columns only the latter is computed.
struct MasonrySteps {
    /// A bound for the longest item in any column: at most twice its extent and line spacing, in device pixels; 0 without
    /// items.
    private(set) var longestItem: Int64 = 0
    /// All steps one after the other, each as for a wide column where there are any.
    private(set) var total: UInt64 = 0
    private let narrow: [UInt64]
    private let wide: [UInt64]

    init(_ kernel: MasonryKernel, _ items: PackedMetrics) {
        let rule = StepRule(kernel)
        if kernel.extents.captionExtent == 0 {
            self.init(kernel.columns, bits: kernel.columnBits, items.words) { rule.picture($0) }
        } else {
            self.init(kernel.columns, bits: kernel.columnBits, items.words) { rule.cell($0) }
        }
    }

    @inline(__always)
    private init(
        _ columns: MasonryColumns, bits: Int, _ words: ArraySlice<UInt64>, _ item: (UInt64) -> StepItem
    ) {
        var bounds = StepBounds()
        let width = Double(columns.narrowWidth)
        if columns.wideCount > 0 {
            (narrow, wide) = Self.stepsInBothWidths(words, width: width, item, &bounds)
        } else {
            narrow = Self.steps(words, width: width, item, &bounds)
            wide = []
        }
        total = bounds.total
        longestItem = Int64(bounds.union >> bits)
    }

    /// How many items there are.
    var count: Int { narrow.count }

    /// The step of one item.
    @inline(__always)
    func step(at index: Int, isWide: Bool) -> UInt64 {
        isWide ? wide[index] : narrow[index]
    }

    /// The steps as memory: for narrow columns, and for wide ones where there are any.
    @inline(__always)
    func withBuffers(_ body: (UnsafeBufferPointer<UInt64>, UnsafeBufferPointer<UInt64>?) -> Void) {
        narrow.withUnsafeBufferPointer { narrow in
            wide.withUnsafeBufferPointer { body(narrow, wide.isEmpty ? nil : $0) }
        }
    }

    /// The steps in columns of one width.
    @inline(__always)
    private static func steps(
        _ words: ArraySlice<UInt64>, width: Double, _ item: (UInt64) -> StepItem, _ bounds: inout StepBounds
    ) -> [UInt64] {
        var found = bounds
        let steps = [UInt64](unsafeUninitializedCapacity: words.count) { steps, count in
            words.withUnsafeBufferPointer { words in
                for index in words.indices { steps[index] = found.add(item(words[index]), width) }
            }
            count = words.count
        }
        bounds = found
        return steps
    }

    /// The steps in columns of a width and of one pixel more, in one pass over the items.
    @inline(__always)
    private static func stepsInBothWidths(
        _ words: ArraySlice<UInt64>, width: Double, _ item: (UInt64) -> StepItem, _ bounds: inout StepBounds
    ) -> ([UInt64], [UInt64]) {
        var found = bounds
        var wide: [UInt64] = []
        let narrow = [UInt64](unsafeUninitializedCapacity: words.count) { narrow, narrowCount in
            wide = [UInt64](unsafeUninitializedCapacity: words.count) { wide, wideCount in
                words.withUnsafeBufferPointer { words in
                    for index in words.indices {
                        let item = item(words[index])
                        narrow[index] = item.step(width: width)
                        wide[index] = found.add(item, width + 1)
                    }
                }
                wideCount = words.count
            }
            narrowCount = words.count
        }
        bounds = found
        return (narrow, wide)
    }
}

/// An item on its way to a step: the loops over these have to vectorise, so there is no branch, no call, no checked
/// conversion and no comparison of 64-bit integers.
///
/// Whole numbers below 2^52 become `Double` and back through the mantissa of a number in 2^52 ..< 2^53, whose unit in the
/// last place is 1. Adding 2^52 rounds to the nearest whole number, ties to even. An extent is below 2^30 pixels, a ratio
/// being at most 1000:1, and one that is no tie lies at least 2^-21 from any; so 2^-22 more sends ties up and changes
/// nothing else: half up, as ``MasonryExtents/extent(of:in:)`` rounds. What is below a pixel becomes one before that.
private struct StepItem {
    let across: Double
    let along: Double
    /// What a caption takes from the column's width, in device pixels.
    let taken: Double
    /// Caption and line spacing in device pixels, less the bits of 2^52.
    let fixed: UInt64
    /// How far a step is shifted up.
    let bits: UInt64

    /// How far it moves the front of a column of a width.
    @inline(__always)
    func step(width: Double) -> UInt64 {
        let left = width - taken
        let ratio = (left > 1 ? left : 1) * along / across
        let extent = (ratio > 1 ? ratio : 1) + 0x1p-22
        return ((extent + 0x1p52).bitPattern &+ fixed) &<< bits
    }
}

/// What a step is made of beside the item, in device pixels.
private struct StepRule {
    private static let magic: UInt64 = 0x4330_0000_0000_0000
    /// The caption's extent where it adds to the cell's, and where it takes from the column's width.
    private let added: UInt64
    private let taken: UInt64
    private let fixed: UInt64
    private let bits: UInt64
    /// How far a word is shifted to have the side across the scroll axis in its low bits, and the side along it.
    private let acrossShift: UInt64
    private let alongShift: UInt64

    init(_ kernel: MasonryKernel) {
        let (caption, isHorizontal) = (UInt64(kernel.extents.captionExtent), kernel.extents.isHorizontal)
        (added, taken) = isHorizontal ? (0, caption) : (caption, 0)
        fixed = UInt64(kernel.lineSpacing) &- Self.magic
        bits = UInt64(kernel.columnBits)
        let sideBits = UInt64(PackedMetrics.sideBitCount)
        (acrossShift, alongShift) = isHorizontal ? (sideBits, 0) : (0, sideBits)
    }

    /// An item whose caption takes no room.
    @inline(__always)
    func picture(_ word: UInt64) -> StepItem {
        StepItem(
            across: number(word &>> acrossShift), along: number(word &>> alongShift), taken: 0, fixed: fixed, bits: bits
        )
    }

    /// An item with the room that its caption takes.
    @inline(__always)
    func cell(_ word: UInt64) -> StepItem {
        let captionMask = 0 &- (word >> UInt64(PackedMetrics.captionBit) & 1)
        return StepItem(
            across: number(word &>> acrossShift), along: number(word &>> alongShift),
            taken: number(taken & captionMask), fixed: fixed &+ added & captionMask, bits: bits)
    }

    @inline(__always)
    private func number(_ bits: UInt64) -> Double {
        Double(bitPattern: Self.magic | bits & PackedMetrics.sideMask) - 0x1p52
    }
}

/// What bounds all steps of a run.
private struct StepBounds {
    /// The bits of all extents together, shifted up as steps are: a number that none exceeds.
    var union: UInt64 = 0
    var total: UInt64 = 0

    /// Takes an item in.
    ///
    /// - Returns: Its step.
    @inline(__always)
    mutating func add(_ item: StepItem, _ width: Double) -> UInt64 {
        let step = item.step(width: width)
        union |= step
        total &+= step
        return step
    }
}
