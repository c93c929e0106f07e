/// All that a layout reads of a photo.
public struct ItemMetrics: Hashable, Sendable {
    /// The displayed size in pixels.
    public let pixelSize: PixelSize
    /// Whether a caption lies under the picture.
    public let hasCaption: Bool
    /// The day of the order time in days since 1970, which makes sections; `nil` without a date.
    public let orderDay: Int?

    /// Days that are kept: those of the years 1 to 9999.
    ///
    /// Another is taken for none.
    public static let orderDays: ClosedRange<Int> = -719_162...2_932_896

    /// Creates metrics.
    public init(pixelSize: PixelSize, hasCaption: Bool = false, orderDay: Int? = nil) {
        self.pixelSize = pixelSize
        self.hasCaption = hasCaption
        self.orderDay = orderDay.flatMap { Self.orderDays.contains($0) ? $0 : nil }
    }

    @inlinable
    package init(pixelSize: PixelSize, hasCaption: Bool, uncheckedOrderDay: Int?) {
        self.pixelSize = pixelSize
        self.hasCaption = hasCaption
        orderDay = uncheckedOrderDay
    }
}

/// The metrics of consecutive photos, eight bytes each.
///
/// A word holds, from its lowest bit: width (20 bits), height (20 bits), whether there is a caption (1 bit), the day of
/// the order time counted from 1 January of the year 1, which is 1, or 0 without a date (22 bits). The highest bit is
/// zero.
public struct PackedMetrics: Hashable, Sendable {
    /// Bits of a width and of a height: a side is at most 1,000,000.
    @inlinable package static var sideBitCount: Int { 20 }
    /// The low bits that hold a side.
    @inlinable package static var sideMask: UInt64 { 1 << 20 - 1 }
    /// Where the caption's bit stands.
    @inlinable package static var captionBit: Int { 40 }
    /// Where the day's bits begin.
    @inlinable package static var dayShift: Int { 41 }
    /// What makes a day of 1970 one of the year 1, counted from 1.
    @inlinable package static var dayBias: Int { 719_163 }

    /// One word per photo, in stream order; a part of another value's shares its memory.
    public private(set) var words: ArraySlice<UInt64>

    /// Packs metrics.
    /// - Complexity: O(n).
    public init(_ items: some Sequence<ItemMetrics>) {
        words = items.map(Self.word)[...]
    }

    /// Wraps words that were packed before.
    package init(words: some Sequence<UInt64>) {
        self.words = Array(words)[...]
    }

    init(slice: ArraySlice<UInt64>) {
        words = slice
    }

    /// How many photos there are.
    @inlinable public var count: Int { words.count }

    /// The metrics of one photo.
    ///
    /// - Precondition: `index` is in `0..<count`.
    @inlinable
    public subscript(index: Int) -> ItemMetrics {
        let word = words[words.startIndex + index]
        return ItemMetrics(
            pixelSize: PixelSize(
                uncheckedWidth: Int32(truncatingIfNeeded: word & Self.sideMask),
                height: Int32(truncatingIfNeeded: word >> Self.sideBitCount & Self.sideMask)
            ),
            hasCaption: word >> Self.captionBit & 1 == 1,
            uncheckedOrderDay: word >> Self.dayShift == 0
                ? nil : Int(truncatingIfNeeded: word >> Self.dayShift) - Self.dayBias
        )
    }

    /// The metrics of some consecutive photos, in O(1).
    ///
    /// - Precondition: `range` is within `0..<count`.
    public subscript(range: Range<Int>) -> PackedMetrics {
        PackedMetrics(slice: words[words.startIndex + range.lowerBound..<words.startIndex + range.upperBound])
    }

    /// Adds a photo behind the last.
    public mutating func append(_ item: ItemMetrics) {
        words.append(Self.word(item))
    }

    private static func word(_ item: ItemMetrics) -> UInt64 {
        UInt64(UInt32(bitPattern: item.pixelSize.width))
            | UInt64(UInt32(bitPattern: item.pixelSize.height)) << sideBitCount
            | (item.hasCaption ? 1 << captionBit : 0)
            | (item.orderDay.map { UInt64($0 + dayBias) } ?? 0) << dayShift
    }
}
