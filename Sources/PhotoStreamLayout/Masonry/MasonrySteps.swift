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

    init(_ layout: MasonryLayout, _ items: PackedMetrics) {
        let columns = layout.columns
        let parameters = StepParameters(layout)
        var bounds = StepBounds()
        if columns.wideCount > 0 {
            (narrow, wide) = Self.stepsInBothWidths(
                items.words, width: Double(columns.narrowWidth), parameters, &bounds)
        } else {
            narrow = Self.steps(items.words, width: Double(columns.narrowWidth), parameters, &bounds)
            wide = []
        }
        total = bounds.total
        longestItem = Int64(bounds.union)
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
    @inline(never)
    private static func steps(
        _ words: ArraySlice<UInt64>, width: Double, _ parameters: StepParameters, _ bounds: inout StepBounds
    ) -> [UInt64] {
        var found = bounds
        let steps = [UInt64](unsafeUninitializedCapacity: words.count) { steps, count in
            words.withUnsafeBufferPointer { words in
                for index in words.indices {
                    let item = parameters.item(words[index])
                    steps[index] = found.add(item.extent(width: width), item, parameters)
                }
            }
            count = words.count
        }
        bounds = found
        return steps
    }

    /// The steps in columns of a width and of one pixel more, in one pass over the items.
    @inline(never)
    private static func stepsInBothWidths(
        _ words: ArraySlice<UInt64>, width: Double, _ parameters: StepParameters, _ bounds: inout StepBounds
    ) -> ([UInt64], [UInt64]) {
        var found = bounds
        var wide: [UInt64] = []
        let narrow = [UInt64](unsafeUninitializedCapacity: words.count) { narrow, narrowCount in
            wide = [UInt64](unsafeUninitializedCapacity: words.count) { wide, wideCount in
                words.withUnsafeBufferPointer { words in
                    for index in words.indices {
                        let item = parameters.item(words[index])
                        narrow[index] = (item.extent(width: width) &+ item.fixed) << parameters.bits
                        wide[index] = found.add(item.extent(width: width + 1), item, parameters)
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
/// last place is 1. Adding 2^52 rounds ties to even, so a tie that went down is put up again: half away from zero, as
/// ``MasonryColumns/itemExtent(of:width:)`` rounds. What is below a pixel becomes one before that.
private struct StepItem {
    private let width: Double
    private let height: Double
    /// Caption and line spacing, in device pixels.
    let fixed: UInt64

    @inline(__always)
    init(widthBits: UInt64, heightBits: UInt64, fixed: UInt64) {
        width = Double(bitPattern: 0x4330_0000_0000_0000 | widthBits) - 0x1p52
        height = Double(bitPattern: 0x4330_0000_0000_0000 | heightBits) - 0x1p52
        self.fixed = fixed
    }

    /// The picture's extent in a column of a width, in device pixels.
    @inline(__always)
    func extent(width columnWidth: Double) -> UInt64 {
        let ratio = columnWidth * height / width
        let extent = ratio > 1 ? ratio : 1
        let rounded = extent + 0x1p52
        let tieWentDown: UInt64 = extent - (rounded - 0x1p52) == 0.5 ? 1 : 0
        return rounded.bitPattern & (1 << 52 - 1) &+ tieWentDown
    }
}

/// What a step is made of beside the item, in device pixels.
private struct StepParameters {
    let caption: UInt64
    let spacing: UInt64
    let bits: UInt64
    // Read once: a static of another module is a call.
    private let sideMask = PackedMetrics.sideMask
    private let sideBits = UInt64(PackedMetrics.sideBitCount)
    private let captionBit = UInt64(PackedMetrics.captionBit)

    init(_ layout: MasonryLayout) {
        caption = UInt64(layout.columns.captionExtent)
        spacing = UInt64(layout.key.masonry.lineSpacing)
        bits = UInt64(layout.columnBits)
    }

    /// Takes a packed item apart.
    @inline(__always)
    func item(_ word: UInt64) -> StepItem {
        let captionMask = 0 &- (word >> captionBit & 1)
        return StepItem(
            widthBits: word & sideMask, heightBits: word >> sideBits & sideMask,
            fixed: caption & captionMask &+ spacing)
    }
}

/// What bounds all steps of a run.
private struct StepBounds {
    /// The bits of all extents together, a number that none exceeds.
    var union: UInt64 = 0
    var total: UInt64 = 0

    /// Takes a step in.
    ///
    /// - Returns: The step.
    @inline(__always)
    mutating func add(_ extent: UInt64, _ item: StepItem, _ parameters: StepParameters) -> UInt64 {
        let step = (extent &+ item.fixed) << parameters.bits
        union |= extent &+ item.fixed
        total &+= step
        return step
    }
}
