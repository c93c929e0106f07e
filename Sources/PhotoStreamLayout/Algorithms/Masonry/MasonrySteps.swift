import PhotoStreamModel

/// The steps of a run's items: how far each moves the front of its column, shifted by the column's bits.
///
/// A step is the item's extent plus the line spacing. Wide columns are one pixel wider, so an item has a step for
/// narrow and one for wide columns; without wide columns, only the former is computed.
///
/// Steps are computed a block at a time, when the block's first item is placed, so they stay in the nearest cache.
struct MasonrySteps {
    /// The number of items in a block.
    private static let blockLength = 64
    /// Whether there are wide columns.
    let hasWide: Bool
    private let rule: StepRule
    private let hasCaptions: Bool
    /// The steps of the items at ``computed`` in a narrow column; from ``blockLength`` on, the differences to a wide
    /// one, 0 without wide columns.
    private var steps = [UInt64](repeating: 0, count: 2 * Self.blockLength)
    private var computed = 0..<0
    /// The bits of all steps so far, not shifted, each for a wide column if there is one: an upper bound of the steps.
    private var union: UInt64 = 0

    init(_ kernel: MasonryAlgorithm) {
        rule = StepRule(kernel)
        hasWide = kernel.columns.wideCount > 0
        hasCaptions = kernel.extents.captionExtent > 0
    }

    /// An upper bound of the longest item in any column, at most twice its extent and line spacing, in device pixels; 0
    /// without items.
    var longestItem: Int64 { Int64(union) }

    /// The upper bound of every possible step.
    var greatest: UInt64 { rule.greatest }

    /// Calls `body` with items in blocks and their steps.
    ///
    /// - Parameters:
    ///   - items: Positions of items; cheapest if each call continues the previous one.
    ///   - words: The metrics of the run.
    ///   - body: Receives the positions of a block, or of a part of it, and its steps.
    @inline(__always)
    mutating func forEachBlock(
        in items: Range<Int>, of words: UnsafeBufferPointer<UInt64>, _ body: (Range<Int>, Block) -> Void
    ) {
        let (rule, kind) = (rule, (hasCaptions, hasWide))
        var (computed, union) = (computed, union)
        steps.withUnsafeMutableBufferPointer { buffer in
            guard let steps = buffer.baseAddress else { return }
            var start = items.lowerBound
            while start < items.upperBound {
                if !computed.contains(start) {
                    computed = start..<min(start &+ Self.blockLength, words.count)
                    let block = UnsafeBufferPointer(rebasing: words[computed])
                    union |= rule.compute(block, kind: kind, into: steps, and: steps + Self.blockLength)
                }
                let end = min(computed.upperBound, items.upperBound)
                body(start..<end, Block(narrow: steps, more: steps + Self.blockLength, first: computed.lowerBound))
                start = end
            }
        }
        (self.computed, self.union) = (computed, union)
    }

    /// The steps of a block of items.
    struct Block {
        fileprivate let narrow: UnsafeMutablePointer<UInt64>
        fileprivate let more: UnsafeMutablePointer<UInt64>
        fileprivate let first: Int

        /// The step of an item in a narrow column.
        @inline(__always)
        func step(at index: Int) -> UInt64 { narrow[index &- first] }

        /// The step of an item in a column; the first `wideCount` columns are wide.
        ///
        /// Has no branch, and no address that depends on the column.
        @inline(__always)
        func step(at index: Int, column: UInt64, wideCount: UInt64) -> UInt64 {
            let ifWide = UInt64(bitPattern: Int64(bitPattern: column &- wideCount) >> 63)
            return narrow[index &- first] &+ (more[index &- first] & ifWide)
        }
    }
}

/// The computation of steps, for both widths with one division.
///
/// The loops have to vectorize, so there is no branch, no call, no checked conversion, no shift by different distances
/// per side and no comparison of 64-bit integers. Whole numbers below 2^52 become `Double` and back through the
/// mantissa of a number in 2^52 ..< 2^53, whose unit in the last place is 1. The height remains 20 bits above the
/// width; that factor, like any other power of two, is compensated by ``unit`` and costs no precision.
///
/// An extent is rounded half up, as in ``MasonryExtents/extent(of:in:)``. With w for the column's width, a and b for
/// the item's sides along and across the scroll axis, and u for 2^-53, three rounded operations compute w × (1 + 8u) ×
/// (a / b), so at least w × a / b × (1 + 4u) and at most w × a / b × (1 + 12u). A tie thus lies above the half. As w is
/// at most 800,000 and a at most 1,000,000, no result is off by more than 0.002 / b, while a value that is not a tie
/// lies at least 0.5 / b from any tie, so no other value changes sides. Extents below a pixel become one before that.
private struct StepRule {
    /// The number of bits by which a step is shifted.
    private let bits: UInt64
    private let width: Double
    /// The caption's extent if it adds to the cell's, and if it takes space from the column's width.
    private let added: UInt64
    private let taken: UInt64
    /// The bits of the sides along and across the scroll axis.
    private let alongMask: UInt64
    private let acrossMask: UInt64
    /// The factor of the width.
    private let unit: Double
    /// 2^52 plus the line spacing.
    private let addend: Double

    /// The upper bound of all steps.
    let greatest: UInt64

    private static let magic: UInt64 = 0x4330_0000_0000_0000

    init(_ kernel: MasonryAlgorithm) {
        let (caption, isHorizontal) = (UInt64(kernel.extents.captionExtent), kernel.extents.isHorizontal)
        bits = UInt64(kernel.columnBits)
        width = Double(kernel.columns.narrowWidth)
        (added, taken) = isHorizontal ? (0, caption) : (caption, 0)
        let (low, high) = (PackedMetrics.sideMask, PackedMetrics.sideMask << UInt64(PackedMetrics.sideBitCount))
        (alongMask, acrossMask) = isHorizontal ? (low, high) : (high, low)
        unit = (isHorizontal ? 0x1p20 : 0x1p-20) * (1 + 0x1p-50)
        addend = 0x1p52 + Double(kernel.lineSpacing)
        let extent = (kernel.columns.narrowWidth + 1) * Int64(PixelSize.maximumRatio)
        greatest = (UInt64(extent + kernel.lineSpacing) + added) << bits
    }

    /// Computes the steps of a block.
    ///
    /// - Parameters:
    ///   - words: The items' metrics.
    ///   - kind: Whether captions take space, and whether there are wide columns.
    ///   - narrow: Receives the steps in narrow columns.
    ///   - more: Receives the differences to wide columns, if there are any.
    /// - Returns: The bits of all steps together, not shifted.
    @inline(never)
    func compute(
        _ words: UnsafeBufferPointer<UInt64>, kind: (hasCaptions: Bool, hasWide: Bool),
        into narrow: UnsafeMutablePointer<UInt64>, and more: UnsafeMutablePointer<UInt64>
    ) -> UInt64 {
        switch kind {
        case (false, false): compute(words, into: narrow, by: picture)
        case (false, true): computeInBothWidths(words, into: narrow, and: more, by: picture)
        case (true, false): compute(words, into: narrow, by: cell)
        case (true, true): computeInBothWidths(words, into: narrow, and: more, by: cell)
        }
    }

    @inline(__always)
    private func compute(
        _ words: UnsafeBufferPointer<UInt64>, into narrow: UnsafeMutablePointer<UInt64>,
        by step: (UInt64, Double, Double) -> UInt64
    ) -> UInt64 {
        var union: UInt64 = 0
        for index in words.indices {
            let found = step(words[index], ratio(words[index]), width)
            narrow[index] = (found &- Self.magic) &<< bits
            union |= found
        }
        return union & ~Self.magic
    }

    @inline(__always)
    private func computeInBothWidths(
        _ words: UnsafeBufferPointer<UInt64>, into narrow: UnsafeMutablePointer<UInt64>,
        and more: UnsafeMutablePointer<UInt64>, by step: (UInt64, Double, Double) -> UInt64
    ) -> UInt64 {
        var union: UInt64 = 0
        for index in words.indices {
            let ratio = ratio(words[index])
            let (found, wide) = (step(words[index], ratio, width), step(words[index], ratio, width + 1))
            narrow[index] = (found &- Self.magic) &<< bits
            more[index] = (wide &- found) &<< bits
            union |= wide
        }
        return union & ~Self.magic
    }

    /// The side along the scroll axis divided by the side across, times a power of two.
    @inline(__always)
    private func ratio(_ word: UInt64) -> Double {
        number(word & alongMask) / number(word & acrossMask)
    }

    /// The step, not shifted and with the bits of 2^52, of an item whose caption takes no space.
    @inline(__always)
    private func picture(_ word: UInt64, ratio: Double, width: Double) -> UInt64 {
        let extent = width * unit * ratio
        return ((extent > 1 ? extent : 1) + addend).bitPattern
    }

    /// The same as ``picture(_:ratio:width:)`` for an item with a caption, which leaves one pixel of the column.
    @inline(__always)
    private func cell(_ word: UInt64, ratio: Double, width: Double) -> UInt64 {
        let captionMask = 0 &- (word >> UInt64(PackedMetrics.captionBit) & 1)
        let extent = (width - number(taken & captionMask)) * unit * ratio
        return ((extent > 1 ? extent : 1) + addend).bitPattern &+ (added & captionMask)
    }

    @inline(__always)
    private func number(_ bits: UInt64) -> Double {
        Double(bitPattern: Self.magic | bits) - 0x1p52
    }
}
