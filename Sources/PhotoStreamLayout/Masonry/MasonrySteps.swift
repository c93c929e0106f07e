import PhotoStreamModel

/// How far each item of a run moves the front of the column that takes it, shifted up by the column's bits.
///
/// A step is the item's extent and the line spacing. Wide columns are one pixel wider, so an item has one step for
/// them and one for the rest; without wide columns only the latter is computed.
struct MasonrySteps {
    /// A bound for the longest item in any column, at most twice its extent, in device pixels; 0 without items.
    private(set) var longestItem: Int64 = 0
    /// All steps one after the other, each as for a wide column where there are any.
    private(set) var total: UInt64 = 0
    private let narrow: [UInt64]
    private let wide: [UInt64]

    init(_ layout: MasonryLayout, _ items: PackedMetrics) {
        let columns = layout.columns
        let parameters = StepParameters(layout)
        var bounds = StepBounds()
        narrow = Self.steps(items.words, width: Double(columns.narrowWidth), parameters, &bounds)
        if columns.wideCount > 0 {
            bounds = StepBounds()
            wide = Self.steps(items.words, width: Double(columns.narrowWidth + 1), parameters, &bounds)
        } else {
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

    /// The loop that has to vectorise: no branch, no call, no checked conversion, no comparison of 64-bit integers.
    ///
    /// Whole numbers below 2^52 become `Double` and back through the mantissa of a number in 2^52 ..< 2^53, whose unit
    /// in the last place is 1. Adding 2^52 rounds ties to even, so a tie that went down is put up again: half away
    /// from zero, as ``MasonryColumns/itemExtent(of:width:)`` rounds. What is below a pixel becomes one before that.
    @inline(never)
    private static func steps(
        _ words: ArraySlice<UInt64>, width: Double, _ parameters: StepParameters, _ bounds: inout StepBounds
    ) -> [UInt64] {
        let two52 = 0x1p52
        let exponent = two52.bitPattern
        let mantissaMask: UInt64 = 1 << 52 - 1
        // Read once: a static of another module is a call.
        let sideMask = PackedMetrics.sideMask
        let (sideBits, captionBit) = (UInt64(PackedMetrics.sideBitCount), UInt64(PackedMetrics.captionBit))
        let (caption, spacing, bits) = (parameters.caption, parameters.spacing, parameters.bits)
        var (union, total): (UInt64, UInt64) = (0, 0)
        let steps = [UInt64](unsafeUninitializedCapacity: words.count) { steps, count in
            words.withUnsafeBufferPointer { words in
                for index in words.indices {
                    let word = words[index]
                    let itemWidth = Double(bitPattern: exponent | word & sideMask) - two52
                    let itemHeight = Double(bitPattern: exponent | word >> sideBits & sideMask) - two52
                    let ratio = width * itemHeight / itemWidth
                    let extent = ratio > 1 ? ratio : 1
                    let rounded = extent + two52
                    let tieWentDown: UInt64 = extent - (rounded - two52) == 0.5 ? 1 : 0
                    let captionMask = 0 &- (word >> captionBit & 1)
                    let item = rounded.bitPattern & mantissaMask &+ tieWentDown &+ (caption & captionMask)
                    let step = (item &+ spacing) << bits
                    steps[index] = step
                    union |= item
                    total &+= step
                }
            }
            count = words.count
        }
        bounds.union = union
        bounds.total = total
        return steps
    }
}

/// What a step is made of beside the item, in device pixels.
private struct StepParameters {
    let caption: UInt64
    let spacing: UInt64
    let bits: UInt64

    init(_ layout: MasonryLayout) {
        caption = UInt64(layout.columns.captionExtent)
        spacing = UInt64(layout.key.masonry.lineSpacing)
        bits = UInt64(layout.columnBits)
    }
}

/// What bounds all steps of a run.
private struct StepBounds {
    /// The bits of all extents together, a number that none exceeds.
    var union: UInt64 = 0
    var total: UInt64 = 0
}
