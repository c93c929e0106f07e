/// All that a layout reads of a photo.
public struct ItemMetrics: Hashable, Sendable {
    /// The displayed size in pixels.
    public let pixelSize: PixelSize
    /// Whether a caption lies under the picture.
    public let hasCaption: Bool
    /// The date of its place in the order, which makes sections.
    public let orderDate: OrderDate
    /// How many columns of a masonry it takes at least, where it has so many; 1 to 128.
    public let columnSpan: Int
    /// Where it stands on a map; `nil` for a photo that nobody knows the place of.
    public var position: WorldPosition? { WorldPosition(packed: packedPosition) }
    /// The position as packed metrics hold it: a plain number, so that loops that read no position pay for none.
    @usableFromInline let packedPosition: UInt64

    /// Spans that are kept: another is taken for the nearest of them.
    @inlinable public static var columnSpans: ClosedRange<Int> { 1...128 }

    /// Creates metrics.
    @inlinable
    public init(
        pixelSize: PixelSize, hasCaption: Bool = false, orderDate: OrderDate, columnSpan: Int = 1,
        position: WorldPosition? = nil
    ) {
        self.pixelSize = pixelSize
        self.hasCaption = hasCaption
        self.orderDate = orderDate
        self.columnSpan = min(max(columnSpan, Self.columnSpans.lowerBound), Self.columnSpans.upperBound)
        packedPosition = position?.packed ?? WorldPosition.nowhere
    }

    /// Creates metrics with a day.
    ///
    /// - Parameters:
    ///   - pixelSize: The photo's size as displayed.
    ///   - hasCaption: Whether the photo has a caption.
    ///   - orderDay: Days since 1 January 1970; outside ``OrderDate/days`` taken for none.
    ///   - columnSpan: The number of columns that the photo spans.
    ///   - position: The photo's place on earth.
    @inlinable
    public init(
        pixelSize: PixelSize, hasCaption: Bool = false, orderDay: Int? = nil, columnSpan: Int = 1,
        position: WorldPosition? = nil
    ) {
        self.init(
            pixelSize: pixelSize, hasCaption: hasCaption, orderDate: orderDay.flatMap(OrderDate.init(day:)) ?? .undated,
            columnSpan: columnSpan, position: position)
    }

    /// The day of its place in the order in days since 1 January 1970, the first day of a month or year; `nil` without a
    /// date.
    public var orderDay: Int? { orderDate.firstDay?.daysSince1970 }

    @inlinable
    package init(
        pixelSize: PixelSize, hasCaption: Bool, orderDate: OrderDate, uncheckedColumnSpan: Int,
        packedPosition: UInt64
    ) {
        self.pixelSize = pixelSize
        self.hasCaption = hasCaption
        self.orderDate = orderDate
        columnSpan = uncheckedColumnSpan
        self.packedPosition = packedPosition
    }
}

/// The metrics of consecutive photos, eight bytes each.
///
/// A word holds, from its lowest bit: width (20 bits), height (20 bits), whether there is a caption (1 bit), the date of its
/// place in the order (22 bits, see ``OrderDate``). The highest bit is zero. Column spans are held apart, a byte each, and
/// only where some item takes more than one column; positions on a map too, eight bytes each, and only where some photo has
/// one.
public struct PackedMetrics: Hashable, Sendable {
    /// Bits of a width and of a height: a side is at most 1,000,000.
    @inlinable package static var sideBitCount: Int { 20 }
    /// The low bits that hold a side.
    @inlinable package static var sideMask: UInt64 { 1 << 20 - 1 }
    /// Where the caption's bit stands.
    @inlinable package static var captionBit: Int { 40 }
    /// Where the date's bits begin.
    @inlinable package static var dateShift: Int { 41 }

    /// One word per photo, in stream order; a part of another value's shares its memory.
    public private(set) var words: ArraySlice<UInt64>
    /// A column span per photo, or nothing where all are 1.
    @usableFromInline private(set) var spans: ArraySlice<UInt8>
    /// A packed position per photo, or nothing where none has one.
    @usableFromInline package private(set) var positions: ArraySlice<UInt64> = []

    /// Packs metrics.
    ///
    /// - Complexity: O(n).
    @inlinable
    public init(_ items: some Sequence<ItemMetrics>) {
        self =
            items.withContiguousStorageIfAvailable { PackedMetrics(packing: $0) }
            ?? Array(items).withUnsafeBufferPointer { PackedMetrics(packing: $0) }
    }

    /// Packs photos of which nothing but the size is known: neither captions nor dates.
    ///
    /// - Complexity: O(n).
    @inlinable
    public init(sizes: some Sequence<PixelSize>) {
        self =
            sizes.withContiguousStorageIfAvailable { PackedMetrics(packing: $0) }
            ?? Array(sizes).withUnsafeBufferPointer { PackedMetrics(packing: $0) }
    }

    // The loops are here, where they are compiled once for one type; spans and positions are made only where one of them
    // says something.
    @usableFromInline
    init(packing items: UnsafeBufferPointer<ItemMetrics>) {
        var (haveSpans, havePositions) = (false, false)
        let words = [UInt64](unsafeUninitializedCapacity: items.count) { words, count in
            for (index, item) in items.enumerated() {
                words[index] = Self.word(item)
                haveSpans = haveSpans || item.columnSpan != 1
                havePositions = havePositions || item.packedPosition != WorldPosition.nowhere
            }
            count = items.count
        }
        self.init(
            words[...], haveSpans ? items.map { UInt8($0.columnSpan) }[...] : [],
            havePositions ? items.map(\.packedPosition)[...] : [])
    }

    @usableFromInline
    init(packing sizes: UnsafeBufferPointer<PixelSize>) {
        let words = [UInt64](unsafeUninitializedCapacity: sizes.count) { words, count in
            for (index, size) in sizes.enumerated() { words[index] = Self.word(size) }
            count = sizes.count
        }
        self.init(words[...], [], [])
    }

    /// Wraps words that were packed before.
    package init(words: some Sequence<UInt64>) {
        self.words = Array(words)[...]
        spans = []
    }

    /// Wraps words and positions that were packed before.
    ///
    /// - Precondition: There is a position for each word, or none at all.
    package init(words: some Sequence<UInt64>, positions: some Sequence<UInt64>) {
        self.init(words: words)
        self.positions = Array(positions)[...]
        precondition(self.positions.isEmpty || self.positions.count == self.words.count, "a position for each photo")
    }

    /// Copies photos one after the other.
    ///
    /// - Parameter parts: The photos, in order.
    /// - Complexity: O(photos).
    package init(joining parts: [PackedMetrics]) {
        let count = parts.reduce(0) { $0 + $1.count }
        let words = [UInt64](unsafeUninitializedCapacity: count) { buffer, filled in
            for part in parts { filled = buffer[filled...].initialize(fromContentsOf: part.words) }
        }
        var spans: [UInt8] = []
        if parts.contains(where: { !$0.spans.isEmpty }) {
            spans.reserveCapacity(count)
            for part in parts { spans += part.spans.isEmpty ? ArraySlice(repeating: 1, count: part.count) : part.spans }
        }
        var positions: [UInt64] = []
        if parts.contains(where: { !$0.positions.isEmpty }) {
            positions.reserveCapacity(count)
            for part in parts { positions += part.allPositions }
        }
        self.init(words[...], spans[...], positions[...])
    }

    /// The same photos from the last to the first.
    ///
    /// - Complexity: O(photos).
    package var reversed: PackedMetrics {
        PackedMetrics(
            ArraySlice(words.reversed()), ArraySlice(spans.reversed()), ArraySlice(positions.reversed()))
    }

    private init(_ words: ArraySlice<UInt64>, _ spans: ArraySlice<UInt8>, _ positions: ArraySlice<UInt64>) {
        self.words = words
        self.spans = spans
        self.positions = positions
    }

    /// A packed position per photo, wherever they are.
    private var allPositions: ArraySlice<UInt64> {
        positions.isEmpty ? ArraySlice(repeating: WorldPosition.nowhere, count: count) : positions
    }

    /// How many have a position, and where.
    package var positionSummary: PositionSummary { PositionSummary(packed: positions) }

    /// Whether all photos are the same but for where they were taken.
    package func isEqualButForPositions(_ other: PackedMetrics) -> Bool {
        PackedMetrics(words, spans, []) == PackedMetrics(other.words, other.spans, [])
    }

    /// Whether every item takes one column.
    package var haveOneColumnEach: Bool { spans.allSatisfy { $0 == 1 } }

    /// How many photos there are.
    @inlinable public var count: Int { words.count }

    /// The metrics of one photo.
    ///
    /// - Precondition: `index` is in `0..<count`.
    @inlinable @inline(__always)
    public subscript(index: Int) -> ItemMetrics {
        let word = words[words.startIndex + index]
        return ItemMetrics(
            pixelSize: PixelSize(
                uncheckedWidth: Int32(truncatingIfNeeded: word & Self.sideMask),
                height: Int32(truncatingIfNeeded: word >> Self.sideBitCount & Self.sideMask)
            ),
            hasCaption: word >> Self.captionBit & 1 == 1,
            orderDate: OrderDate(packed: UInt32(truncatingIfNeeded: word >> Self.dateShift)),
            uncheckedColumnSpan: spans.isEmpty ? 1 : Int(spans[spans.startIndex + index]),
            // Unchecked, so that it vanishes where nobody reads it; there are as many as words.
            packedPosition: positions.isEmpty ? .max : positions.withUnsafeBufferPointer { $0[index] }
        )
    }

    /// The metrics of some consecutive photos, in O(1).
    ///
    /// - Precondition: `range` is within `0..<count`.
    public subscript(range: Range<Int>) -> PackedMetrics {
        PackedMetrics(
            words[words.startIndex + range.lowerBound..<words.startIndex + range.upperBound],
            spans.isEmpty ? [] : spans[spans.startIndex + range.lowerBound..<spans.startIndex + range.upperBound],
            positions.isEmpty
                ? [] : positions[positions.startIndex + range.lowerBound..<positions.startIndex + range.upperBound])
    }

    /// Adds a photo behind the last.
    public mutating func append(_ item: ItemMetrics) {
        if !spans.isEmpty || item.columnSpan != 1 {
            if spans.isEmpty { spans = ArraySlice(repeating: 1, count: words.count) }
            spans.append(UInt8(item.columnSpan))
        }
        if !positions.isEmpty || item.packedPosition != WorldPosition.nowhere {
            if positions.isEmpty { positions = allPositions }
            positions.append(item.packedPosition)
        }
        words.append(Self.word(item))
    }

    /// Whether all photos are the same, however their spans and positions are held.
    public static func == (left: PackedMetrics, right: PackedMetrics) -> Bool {
        left.words == right.words
            && (left.spans == right.spans || (0..<left.count).allSatisfy { left.span(at: $0) == right.span(at: $0) })
            && (left.positions == right.positions || left.allPositions == right.allPositions)
    }

    /// Hashes what all equal values have in common.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words)
    }

    private func span(at index: Int) -> UInt8 {
        spans.isEmpty ? 1 : spans[spans.startIndex + index]
    }

    private static func word(_ size: PixelSize) -> UInt64 {
        UInt64(UInt32(bitPattern: size.width)) | UInt64(UInt32(bitPattern: size.height)) << sideBitCount
    }

    private static func word(_ item: ItemMetrics) -> UInt64 {
        word(item.pixelSize)
            | (item.hasCaption ? 1 << captionBit : 0)
            | UInt64(item.orderDate.packed) << dateShift
    }
}
