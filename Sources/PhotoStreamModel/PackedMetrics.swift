/// All that a layout reads of a photo.
public struct ItemMetrics: Hashable, Sendable {
    /// The displayed size in pixels.
    public let pixelSize: PixelSize
    /// Whether a caption lies under the picture.
    public let hasCaption: Bool

    /// Creates metrics.
    public init(pixelSize: PixelSize, hasCaption: Bool = false) {
        self.pixelSize = pixelSize
        self.hasCaption = hasCaption
    }
}

/// The metrics of consecutive photos, eight bytes each.
///
/// A word holds, from its lowest bit: width (20 bits), height (20 bits), whether there is a caption (1 bit); the rest
/// is zero and free for what a layout may read later, such as a caption's measured extent.
public struct PackedMetrics: Hashable, Sendable {
    /// Bits of a width and of a height: a side is at most 1,000,000.
    package static let sideBitCount = 20
    /// The low bits that hold a side.
    package static let sideMask: UInt64 = 1 << 20 - 1
    /// Where the caption's bit stands.
    package static let captionBit = 40

    /// One word per photo, in stream order; a part of another value's shares its memory.
    public private(set) var words: ArraySlice<UInt64>

    /// Packs metrics.
    /// - Complexity: O(n).
    public init(_ items: some Sequence<ItemMetrics>) {
        words = items.map(Self.word)[...]
    }

    /// Wraps words that were packed before.
    package init(words: some Sequence<UInt64>) {
        self.words = words as? ArraySlice ?? Array(words)[...]
    }

    /// How many photos there are.
    public var count: Int { words.count }

    /// The metrics of one photo.
    ///
    /// - Precondition: `index` is in `0..<count`.
    public subscript(index: Int) -> ItemMetrics {
        let word = words[words.startIndex + index]
        return ItemMetrics(
            pixelSize: PixelSize(
                uncheckedWidth: Int32(truncatingIfNeeded: word & Self.sideMask),
                height: Int32(truncatingIfNeeded: word >> Self.sideBitCount & Self.sideMask)
            ),
            hasCaption: word >> Self.captionBit & 1 == 1
        )
    }

    /// The metrics of some consecutive photos, in O(1).
    ///
    /// - Precondition: `range` is within `0..<count`.
    public subscript(range: Range<Int>) -> PackedMetrics {
        PackedMetrics(words: words[words.startIndex + range.lowerBound..<words.startIndex + range.upperBound])
    }

    /// Adds a photo behind the last.
    public mutating func append(_ item: ItemMetrics) {
        words.append(Self.word(item))
    }

    private static func word(_ item: ItemMetrics) -> UInt64 {
        UInt64(UInt32(bitPattern: item.pixelSize.width))
            | UInt64(UInt32(bitPattern: item.pixelSize.height)) << sideBitCount
            | (item.hasCaption ? 1 << captionBit : 0)
    }
}
