import PhotoStreamModel

/// Masonry: items of one width in columns, each below the previous one of its column.
///
/// If packing begins with the last item, it is folded from the last item to the first, and a run's tops are reversed at
/// its end: see `Documentation/Decisions/0003-masonry.md`.
struct MasonryAlgorithm: ImmediateAlgorithm {
    let columns: MasonryColumns
    let columnChoice: MasonryParameters.ColumnChoice
    let orderTolerance: Int64
    let spans: MasonrySpans
    /// Whether packing begins with the last item.
    let isFromEnd: Bool
    let lineSpacing: Int64
    let extents: MasonryExtents
    /// The low bits of a packed frame that hold the column.
    let columnBits: Int

    init(_ key: LayoutKey, masonry: LayoutKey.Masonry) {
        columns = MasonryColumns(key, count: masonry.columnCount)
        columnChoice = masonry.columnChoice
        orderTolerance = masonry.orderTolerance
        spans = MasonrySpans(key, masonry: masonry)
        isFromEnd = masonry.anchor == .end
        lineSpacing = key.lineSpacing
        extents = MasonryExtents(key, narrowWidth: columns.narrowWidth)
        columnBits = Int.bitWidth - (masonry.columnCount - 1).leadingZeroBitCount
    }

    /// The edge of items that never decreases from one to the next and so can be searched.
    enum Monotone {
        case tops
        case ends
        case nothing
    }

    /// The edge that never decreases from one of these items to the next: tops, or ends if packing begins with the
    /// last.
    func monotone(_ items: PackedMetrics) -> Monotone {
        guard columnChoice == .shortest, isPlain(items) else { return .nothing }
        return isFromEnd ? .ends : .tops
    }

    /// The number of low bits below the tops if these items need boxes, because their tops may decrease; else `nil`.
    func boxedBits(_ items: PackedMetrics) -> Int? {
        if case .nothing = monotone(items) { columnBits } else { nil }
    }

    /// Whether one edge never decreases from one item to the next, unless items have spans of their own.
    var isPlain: Bool { columnChoice == .shortest && orderTolerance == 0 && spans.ratio == 0 }

    /// Whether each of these items takes one column, the next or the shortest, which is fast to place.
    func isPlain(_ items: PackedMetrics) -> Bool {
        orderTolerance == 0 && spans.ratio == 0 && items.haveOneColumnEach
    }

    var initialState: MasonryState {
        MasonryState(fronts: [Int64](repeating: 0, count: columns.count), nextColumn: 0)
    }
    var foldsBackward: Bool { isFromEnd }
    var captions: CaptionRule { CaptionRule(extent: extents.captionExtent) }

    func place<Failure>(
        from state: MasonryState, in fold: ChunkFold, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        var result =
            isPlain(fold.items)
            ? try fold.result(of: MasonryRun(self, in: fold, from: state), checking: check)
            : try fold.result(of: SpanningMasonryRun(self, in: fold, from: state), checking: check)
        if isFromEnd { result.frames = turnedAround(result, items: fold.streamItems) }
        return fold.placement(result)
    }

    func close(_ state: MasonryState, in fold: ChunkFold) -> LayoutEnding {
        fold.ending(of: MasonryRun(self, in: fold, from: state))
    }

    func state(decoding rest: inout ArraySlice<UInt8>) throws(LayoutError) -> MasonryState {
        try MasonryState(decoding: &rest, columnCount: columns.count)
    }

    func frames(decoding bytes: [UInt8], count: Int) -> MasonryFrames? {
        MasonryFrames(decoding: bytes, count: count, boxedAbove: isPlain ? nil : columnBits)
    }

    /// The frame of a placed item along and across the scroll axis.
    ///
    /// - Parameters:
    ///   - packed: Its number in its chunk's frames.
    ///   - item: Its metrics.
    ///   - base: The base of its chunk's run.
    /// - Returns: The whole cell, picture and caption.
    @inline(__always)
    func frame(_ packed: UInt64, of item: ItemMetrics, base: Int64) -> AxisFrame {
        let span = spans.span(of: item)
        return span == 1
            ? frame(packed, ofPlain: item, base: base) : frame(packed, of: item, spanning: span, base: base)
    }

    /// The frame of a placed item that takes one column; sums and products of lengths are far below 2^63.
    @inline(__always)
    func frame(_ packed: UInt64, ofPlain item: ItemMetrics, base: Int64) -> AxisFrame {
        let column = column(packed)
        let width = columns.width(of: column)
        return AxisFrame(
            along: base &+ top(packed), across: columns.x(of: column), alongExtent: extents.extent(of: item, in: width),
            acrossExtent: width)
    }

    /// Not inlined, to keep the common case small.
    @inline(never)
    private func frame(_ packed: UInt64, of item: ItemMetrics, spanning span: Int, base: Int64) -> AxisFrame {
        let column = column(packed)
        let width = columns.width(of: span, from: column)
        return AxisFrame(
            along: base + top(packed), across: columns.x(of: column), alongExtent: extents.extent(of: item, in: width),
            acrossExtent: width)
    }

    @inline(__always)
    private func column(_ packed: UInt64) -> Int {
        Int(truncatingIfNeeded: packed & (1 &<< UInt64(columnBits) &- 1))
    }

    /// The top of a placed item, from its run's base.
    @inline(__always)
    func top(_ packed: UInt64) -> Int64 {
        Int64(truncatingIfNeeded: packed &>> UInt64(columnBits))
    }

    /// The end of a placed item, from its run's base.
    func end(_ packed: UInt64, of item: ItemMetrics) -> Int64 {
        frame(packed, of: item, base: 0).alongEnd
    }
}

/// The number of columns that an item takes.
struct MasonrySpans: Hashable, Sendable {
    /// The aspect ratio above which an item takes two columns, in millionths; 0 for none.
    let ratio: Int64
    private let columnCount: Int
    private let isHorizontal: Bool

    init(_ key: LayoutKey, masonry: LayoutKey.Masonry) {
        ratio = masonry.spanRatio
        columnCount = masonry.columnCount
        isHorizontal = key.scrollDirection == .horizontal
    }

    /// The number of columns that an item takes: its own span, two if it is wide enough, and at most all columns.
    @inline(__always)
    func span(of item: ItemMetrics) -> Int {
        item.columnSpan == 1 && ratio == 0 ? 1 : spanOfAny(item)
    }

    private func spanOfAny(_ item: ItemMetrics) -> Int {
        let (width, height) = (Int64(item.pixelSize.width), Int64(item.pixelSize.height))
        let (across, along) = isHorizontal ? (height, width) : (width, height)
        let isWide = ratio > 0 && across * 1_000_000 > along * ratio
        return min(max(item.columnSpan, isWide ? 2 : 1), columnCount)
    }
}

/// The extent of an item along the scroll axis in a column of some width.
///
/// A caption lies under its picture: if content scrolls down, it adds to the cell's extent; if content scrolls
/// sideways, it takes space from the lane's width before the picture's extent is computed.
struct MasonryExtents: Hashable, Sendable {
    let captionExtent: Int64
    let isHorizontal: Bool

    init(_ key: LayoutKey, narrowWidth: Int64) {
        isHorizontal = key.scrollDirection == .horizontal
        // A caption that takes space from the lane leaves one pixel of it to the picture.
        captionExtent = isHorizontal ? min(key.captionExtent, narrowWidth - 1) : key.captionExtent
    }

    /// The extent of a whole cell, with at least one pixel for its picture.
    @inline(__always)
    func extent(of item: ItemMetrics, in width: Int64) -> Int64 {
        let caption = item.hasCaption ? captionExtent : 0
        let (along, across) =
            isHorizontal
            ? (item.pixelSize.width, item.pixelSize.height) : (item.pixelSize.height, item.pixelSize.width)
        let picture = isHorizontal ? max(1, width - caption) : width
        let ratio = Double(picture) * Double(along) / Double(across)
        // The product is below 2^53, so it is exact. The quotient plus half a pixel is either a whole number or further
        // from one than a rounding error, so the true ratio is rounded exactly, half up.
        return max(1, Int64(ratio + 0.5)) + (isHorizontal ? 0 : caption)
    }
}

/// The columns of a masonry or a grid, in device pixels from the leading edge of the container.
///
/// Columns and the spaces between them fill the content exactly: the pixels that remain after the division go to the
/// first columns in reading order, one each. If content scrolls sideways, the columns are lanes, one below the other.
///
///     |<-inset->|<- w+1 ->|<-s->|<- w+1 ->|<-s->|<- w ->|<-inset->|
struct MasonryColumns: Hashable, Sendable {
    /// The number of columns.
    let count: Int
    /// The number of columns, from the first, that are one pixel wider than the rest.
    let wideCount: Int
    /// The width of a column that is not wide.
    let narrowWidth: Int64
    private let leading: Int64
    private let spacing: Int64

    /// Divides the space that the key leaves for the items of a section.
    init(_ key: LayoutKey, count: Int) {
        let axes = LayoutAxes(key)
        self.count = count
        let available = key.availableLength - Int64(count - 1) * key.interitemSpacing
        let (quotient, remainder) = available.quotientAndRemainder(dividingBy: Int64(count))
        narrowWidth = quotient
        wideCount = Int(remainder)
        leading = axes.insets(key.contentInset).leading + axes.insets(key.sections.inset).leading
        spacing = key.interitemSpacing
    }

    /// The width of a column.
    @inline(__always)
    func width(of column: Int) -> Int64 {
        narrowWidth &+ (column < wideCount ? 1 : 0)
    }

    /// The width of consecutive columns and the spaces between them.
    func width(of span: Int, from column: Int) -> Int64 {
        let last = column + span - 1
        return x(of: last) + width(of: last) - x(of: column)
    }

    /// The leading edge of a column.
    @inline(__always)
    func x(of column: Int) -> Int64 {
        leading &+ Int64(column) &* (narrowWidth &+ spacing) &+ Int64(min(column, wideCount))
    }
}
