/// The properties of a photo that a layout uses.
public struct ItemMetrics: Hashable, Sendable {
    /// The displayed size in pixels.
    public let pixelSize: PixelSize
    /// Whether the picture has a caption below it.
    public let hasCaption: Bool
    /// The date of its place in the order, which decides its section.
    public let orderDate: OrderDate
    /// The minimum number of masonry columns that it spans, 1 to 128, limited by the columns available.
    public let columnSpan: Int
    /// Its position on a map; `nil` if unknown.
    public var position: WorldPosition? { WorldPosition(packed: packedPosition) }
    /// The packed position: a plain number, so that loops that do not use positions do not pay for them.
    @usableFromInline let packedPosition: UInt64

    /// The accepted column spans; other values are clamped.
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
    ///   - pixelSize: The displayed size.
    ///   - hasCaption: Whether the photo has a caption.
    ///   - orderDay: Days since 1 January 1970; a day outside ``OrderDate/days`` counts as no date.
    ///   - columnSpan: The number of columns that the photo spans.
    ///   - position: The photo's position on a map.
    @inlinable
    public init(
        pixelSize: PixelSize, hasCaption: Bool = false, orderDay: Int? = nil, columnSpan: Int = 1,
        position: WorldPosition? = nil
    ) {
        self.init(
            pixelSize: pixelSize, hasCaption: hasCaption, orderDate: orderDay.flatMap(OrderDate.init(day:)) ?? .undated,
            columnSpan: columnSpan, position: position)
    }

    /// The day of its place in the order, in days since 1 January 1970; the first day of a month or year.
    ///
    /// `nil` without a date.
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
///     var photos = PackedMetrics(sizes: sizes)
///     photos.append(ItemMetrics(pixelSize: try PixelSize(width: 1920, height: 1080), hasCaption: true))
///     let isWide = photos[2].pixelSize.width > photos[2].pixelSize.height
///     let rest = photos[1..<photos.count]  // shares the memory of `photos`
///
/// From its lowest bit, a word holds the width (20 bits), the height (20 bits), a caption flag (1 bit) and the date of
/// the place in the order (22 bits, see ``OrderDate``); the highest bit is zero. Column spans are stored separately, a
/// byte each, only if an item spans more than one column; so are map positions, eight bytes each, only if a photo has
/// one.
public struct PackedMetrics: Hashable, Sendable {
    /// The number of bits of a width or a height: a side is at most 1,000,000.
    @inlinable package static var sideBitCount: Int { 20 }
    /// A mask of the low bits that hold a side.
    @inlinable package static var sideMask: UInt64 { 1 << 20 - 1 }
    /// The index of the caption bit.
    @inlinable package static var captionBit: Int { 40 }
    /// The index of the date's lowest bit.
    @inlinable package static var dateShift: Int { 41 }

    /// One word per photo, in stream order.
    ///
    /// A slice of another value shares its memory.
    public private(set) var words: ArraySlice<UInt64>
    /// One column span per photo; empty if all are 1.
    @usableFromInline private(set) var spans: ArraySlice<UInt8>
    /// One packed position per photo; empty if no photo has one.
    @usableFromInline package private(set) var positions: ArraySlice<UInt64> = []

    /// Packs metrics.
    ///
    /// - Complexity: O(n).
    @inlinable
    public init(_ items: some Sequence<ItemMetrics>) {
        self =
            unsafe items.withContiguousStorageIfAvailable { unsafe PackedMetrics(packing: $0) }
            ?? Array(items).withUnsafeBufferPointer { unsafe PackedMetrics(packing: $0) }
    }

    /// Packs photos with sizes only, without captions or dates.
    ///
    /// - Complexity: O(n).
    @inlinable
    public init(sizes: some Sequence<PixelSize>) {
        self =
            unsafe sizes.withContiguousStorageIfAvailable { unsafe PackedMetrics(packing: $0) }
            ?? Array(sizes).withUnsafeBufferPointer { unsafe PackedMetrics(packing: $0) }
    }

    // The loops are not generic, so they are compiled once; spans and positions are stored only if one of them differs
    // from the default.
    @usableFromInline
    init(packing items: UnsafeBufferPointer<ItemMetrics>) {
        var (haveSpans, havePositions) = (false, false)
        let words = unsafe [UInt64](unsafeUninitializedCapacity: items.count) { words, count in
            for unsafe(index, item) in unsafe items.enumerated() {
                unsafe words[index] = Self.word(item)
                haveSpans = haveSpans || item.columnSpan != 1
                havePositions = havePositions || item.packedPosition != WorldPosition.nowhere
            }
            count = items.count
        }
        unsafe self.init(
            words: words[...], spans: haveSpans ? items.map { UInt8($0.columnSpan) }[...] : [],
            positions: unsafe havePositions ? items.map(\.packedPosition)[...] : [])
    }

    @usableFromInline
    init(packing sizes: UnsafeBufferPointer<PixelSize>) {
        let words = unsafe [UInt64](unsafeUninitializedCapacity: sizes.count) { words, count in
            for unsafe(index, size) in unsafe sizes.enumerated() { unsafe words[index] = Self.word(size) }
            count = sizes.count
        }
        self.init(words: words[...], spans: [], positions: [])
    }

    /// Wraps packed words and positions.
    ///
    /// - Precondition: `positions` is empty or has one element per word.
    package init(words: some Sequence<UInt64>, positions: [UInt64] = []) {
        self.init(words: Array(words)[...], spans: [], positions: positions[...])
        precondition(
            positions.isEmpty || positions.count == self.words.count,
            "there must be a position for each photo, or none")
    }

    /// Concatenates photos.
    ///
    /// - Parameter parts: The photos, in stream order.
    /// - Complexity: O(photos).
    package init(joining parts: [PackedMetrics]) {
        let count = parts.reduce(0) { $0 + $1.count }
        let words = unsafe [UInt64](unsafeUninitializedCapacity: count) { buffer, filled in
            for part in parts { filled = unsafe buffer[filled...].initialize(fromContentsOf: part.words) }
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
        self.init(words: words[...], spans: spans[...], positions: positions[...])
    }

    /// The photos in reverse order.
    ///
    /// - Complexity: O(photos).
    package var reversed: PackedMetrics {
        PackedMetrics(
            words: ArraySlice(words.reversed()), spans: ArraySlice(spans.reversed()),
            positions: ArraySlice(positions.reversed()))
    }

    private init(words: ArraySlice<UInt64>, spans: ArraySlice<UInt8>, positions: ArraySlice<UInt64>) {
        self.words = words
        self.spans = spans
        self.positions = positions
    }

    /// One packed position per photo, even if none has one.
    private var allPositions: ArraySlice<UInt64> {
        positions.isEmpty ? ArraySlice(repeating: WorldPosition.nowhere, count: count) : positions
    }

    /// The number of positioned photos and their bounding box.
    package var positionSummary: PositionSummary { PositionSummary(packed: positions) }

    /// Whether the photos are equal, ignoring their positions.
    package func isEqualButForPositions(_ other: PackedMetrics) -> Bool {
        PackedMetrics(words: words, spans: spans, positions: [])
            == PackedMetrics(words: other.words, spans: other.spans, positions: [])
    }

    /// Whether every item spans one column.
    package var haveOneColumnEach: Bool { spans.allSatisfy { $0 == 1 } }

    /// The number of photos.
    @inlinable public var count: Int { words.count }

    /// Returns the metrics of one photo.
    ///
    /// - Precondition: `index` is in `0..<count`.
    @inlinable @inline(__always)
    public subscript(index: Int) -> ItemMetrics {
        let word = words[words.startIndex + index]
        return unsafe ItemMetrics(
            pixelSize: PixelSize(
                uncheckedWidth: Int32(truncatingIfNeeded: word & Self.sideMask),
                height: Int32(truncatingIfNeeded: word >> Self.sideBitCount & Self.sideMask)
            ),
            hasCaption: word >> Self.captionBit & 1 == 1,
            orderDate: OrderDate(packed: UInt32(truncatingIfNeeded: word >> Self.dateShift)),
            uncheckedColumnSpan: spans.isEmpty ? 1 : Int(spans[spans.startIndex + index]),
            // Unchecked, so that the optimizer can drop an unused read; there are as many positions as words.
            packedPosition: positions.isEmpty ? .max : positions.withUnsafeBufferPointer { unsafe $0[index] }
        )
    }

    /// Returns the metrics of consecutive photos, in O(1).
    ///
    /// - Precondition: `range` is within `0..<count`.
    public subscript(range: Range<Int>) -> PackedMetrics {
        PackedMetrics(
            words: words[words.startIndex + range.lowerBound..<words.startIndex + range.upperBound],
            spans: spans.isEmpty
                ? [] : spans[spans.startIndex + range.lowerBound..<spans.startIndex + range.upperBound],
            positions: positions.isEmpty
                ? [] : positions[positions.startIndex + range.lowerBound..<positions.startIndex + range.upperBound])
    }

    /// Appends a photo.
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

    /// Whether all photos are equal, regardless of how their spans and positions are stored.
    public static func == (left: PackedMetrics, right: PackedMetrics) -> Bool {
        left.words == right.words
            && (left.spans == right.spans || (0..<left.count).allSatisfy { left.span(at: $0) == right.span(at: $0) })
            && (left.positions == right.positions || left.allPositions == right.allPositions)
    }

    /// Hashes the part that is the same for all equal values.
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
