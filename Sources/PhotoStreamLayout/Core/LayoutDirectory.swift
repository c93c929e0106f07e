import PhotoStreamModel

/// The index of a stream's chunks and sections, which finds the few that a query needs.
///
///     var directory = LayoutDirectory(engine)
///     for run in [first, second] {
///         directory.append(count: 1_000, extents: run.extents, sections: run.sections)
///     }
///     directory.finish(ending)
///     let content = directory.contentSize
///
/// Takes a few tens of bytes per chunk and section, and holds no items. Origins are prefix sums of advances, so nothing
/// is rewritten when a chunk above grows; Int64 is a thousand times larger than 10 million photos of the maximum extent
/// need. Lengths are device pixels along the scroll axis, from the start of the content.
public struct LayoutDirectory: Sendable {
    /// The layout that placed the chunks.
    public let engine: LayoutEngine
    /// The chunks in stream order; the entry after the last one holds the items that were still open at the end.
    public internal(set) var chunks: [ChunkEntry] = []
    /// The number of photos.
    public internal(set) var itemCount = 0
    /// The extent of the whole content, insets included.
    public internal(set) var contentExtent: Int64 = 0
    var sectionEntries: [SectionEntry] = []
    /// One entry per chunk in a map; empty otherwise.
    var mapEntries: [MapEntry] = []
    /// The positions of all photos, if the layout has clusters; `nil` otherwise.
    package private(set) var positions: PositionIndex?
    /// The end of the last section.
    var sectionsEnd: Int64
    var origin: Int64

    /// Creates a directory without chunks.
    public init(_ engine: LayoutEngine) {
        self.engine = engine
        origin = engine.foldedInsets.before
        sectionsEnd = origin
    }

    /// Adds a chunk after the last, or before the first if the layout folds backward.
    ///
    /// - Parameters:
    ///   - count: The number of its photos.
    ///   - extents: The extents of the items that its run placed.
    ///   - sections: The sections that begin in it.
    public mutating func append(count: Int, extents: ChunkExtents, sections: [SectionStart]) {
        add(count: count, extents: extents, sections: sections)
        origin += extents.advance
    }

    /// Ends the layout after the last chunk; required before any query.
    ///
    /// - Parameters:
    ///   - ending: The ending of the content that was still open.
    ///   - positions: The positions of all photos, for a map with clusters.
    /// - Precondition: There are positions if the layout has clusters.
    public mutating func finish(_ ending: LayoutEnding, positions: PositionIndex? = nil) {
        precondition(positions != nil || !engine.hasClusters, "clusters need the positions of all photos")
        self.positions = positions
        let base = base
        add(count: 0, extents: ending.extents, sections: ending.sections)
        sectionsEnd = base + ending.end
        contentExtent = sectionsEnd + engine.foldedInsets.after
        if let map = engine.map { addMapSections(map) }
        if engine.foldsBackward { turnAround() }
        // From the back, to include all later chunks in each minimum.
        var least = Int64.max
        for position in chunks.indices.reversed() {
            least = min(least, chunks[position].leastTop)
            chunks[position].leastTopFromHere = least
        }
    }

    /// The upper bound of the next run's frames.
    private var base: Int64 { origin - engine.key.lineSpacing }

    private mutating func add(count: Int, extents: ChunkExtents, sections: [SectionStart]) {
        let base = base
        for section in sections { sectionEntries.append(SectionEntry(section, firstItem: itemCount, base: base)) }
        chunks.append(
            ChunkEntry(
                extents, firstItem: itemCount, count: count, firstPlaced: chunks.last?.placed.upperBound ?? 0,
                base: base, after: chunks.last?.greatestEndUpToHere ?? .min))
        if let positions = extents.positions {
            let before = mapEntries.last.map { $0.locatedBefore + $0.positions.count } ?? 0
            mapEntries.append(MapEntry(locatedBefore: before, positions: positions))
        }
        itemCount += count
    }

    /// The extent of the whole layout on the screen, insets included, in device pixels.
    ///
    /// Exact, never an estimate.
    public var contentSize: PixelExtent { engine.axes.size(contentExtent: contentExtent) }

    /// The position in ``chunks`` of the chunk that contains a photo, or `nil` outside the stream.
    ///
    /// - Complexity: O(log chunks).
    public func chunk(containing index: Int) -> Int? {
        guard index >= 0, index < itemCount else { return nil }
        return chunks.partitioningIndex { $0.items.upperBound > index }
    }

    /// The position in ``chunks`` of the chunk whose run placed a photo, or `nil` outside the stream.
    ///
    /// It is the photo's own chunk, or a later one if the photo's line was open at the end of it.
    ///
    /// - Complexity: O(log chunks).
    public func chunk(placing index: Int) -> Int? {
        guard index >= 0, index < itemCount else { return nil }
        // Chunks are similar in size, so the guess or the chunk before it is nearly always right, and few entries are
        // read.
        let guess = min(index * (chunks.count - 1) / itemCount, chunks.count - 1)
        if chunks[guess].placed.contains(index) { return guess }
        if guess > 0, chunks[guess - 1].placed.contains(index) { return guess - 1 }
        return chunks.partitioningIndex { $0.placed.upperBound > index }
    }

    /// The chunks that may have an item in a range along the scroll axis, in order.
    ///
    /// Binary-searches the running minimum of the tops and the running maximum of the ends, which are monotone, unlike
    /// the ends themselves.
    ///
    /// - Complexity: O(log chunks + result); O(chunks) in a map.
    func chunks(meeting range: Range<Int64>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        // Nothing is monotone on a map, so the boxes of all chunks are compared.
        guard mapEntries.isEmpty else { return chunks.indices }
        let first = chunks.partitioningIndex { $0.greatestEndUpToHere > range.lowerBound }
        // Few chunks meet a range, and all of them are needed.
        var end = first
        while end < chunks.count, chunks[end].leastTopFromHere < range.upperBound { end += 1 }
        return first..<end
    }
}

/// The entry of one chunk.
///
/// All but two numbers are relative, so that little is rewritten when a chunk above grows.
public struct ChunkEntry: Hashable, Sendable {
    /// The base of its frames' tops, in device pixels of content space along the scroll axis.
    var base: Int64
    private var firstItem: Int
    private let itemCount: Int
    private let placedCount: Int
    /// The number of earlier photos that its run placed, because their line was open.
    private let lentCount: Int
    private let leastTopBelowBase: Int64
    private let greatestEndBelowBase: Int64
    private var greatestEndUpToHereBelowBase: Int64
    private var leastTopFromHereBelowBase: Int64
    /// An upper bound of the lengths of its items.
    let longestItem: Int64

    /// The positions of its photos in stream order.
    public var items: Range<Int> { Range(uncheckedBounds: (firstItem, firstItem &+ itemCount)) }
    /// The positions of the photos that its run placed.
    public var placed: Range<Int> {
        Range(uncheckedBounds: (firstItem &- lentCount, firstItem &- lentCount &+ placedCount))
    }
    /// An upper bound of its frames; the start of the next item if it placed nothing.
    var leastTop: Int64 { base &+ leastTopBelowBase }
    /// A lower bound of its frames; the start of the next item if it placed nothing.
    var greatestEnd: Int64 { base &+ greatestEndBelowBase }
    /// The greatest end of all chunks through this one, which never decreases.
    var greatestEndUpToHere: Int64 {
        get { base &+ greatestEndUpToHereBelowBase }
        set { greatestEndUpToHereBelowBase = newValue - base }
    }
    /// The least top of this chunk and all later ones.
    var leastTopFromHere: Int64 {
        get { base &+ leastTopFromHereBelowBase }
        set { leastTopFromHereBelowBase = newValue - base }
    }

    /// Creates the entry of a chunk whose predecessors end at or above `greatestEnd`.
    init(
        _ extents: ChunkExtents, firstItem: Int, count: Int, firstPlaced: Int, base: Int64, after greatestEnd: Int64
    ) {
        self.base = base
        self.firstItem = firstItem
        (itemCount, placedCount, lentCount) = (count, extents.placedCount, firstItem - firstPlaced)
        (leastTopBelowBase, greatestEndBelowBase) = (extents.leastTop, extents.greatestEnd)
        longestItem = extents.longestItem
        greatestEndUpToHereBelowBase = max(greatestEnd, base + extents.greatestEnd) - base
        leastTopFromHereBelowBase = extents.leastTop
    }

    @inline(__always)
    mutating func move(by shift: DirectoryShift) {
        firstItem &+= shift.items
        base &+= shift.along
    }

    /// Returns the entry for frames that are measured from its least top, from a base measured from the other end.
    func turnedAround(in contentExtent: Int64, itemCount allCount: Int) -> ChunkEntry {
        let extents = ChunkExtents(
            advance: 0, placedCount: itemCount, leastTop: 0, greatestEnd: greatestEnd - leastTop,
            longestItem: longestItem)
        let first = allCount - items.upperBound
        return ChunkEntry(
            extents, firstItem: first, count: itemCount, firstPlaced: first, base: contentExtent - greatestEnd,
            after: .min)
    }
}

/// The start of a section.
struct SectionEntry: Hashable, Sendable {
    var firstIndex: Int
    var origin: Int64
    let mark: SectionMark
}

extension SectionEntry {
    /// Creates a section that begins in a run, given the position of the run's first item and its base.
    init(_ start: SectionStart, firstItem: Int, base: Int64) {
        firstIndex = firstItem + start.position
        origin = base + start.origin
        mark = start.mark
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first position at which `predicate` is true, if it is false before and true after; `endIndex` for none.
    ///
    /// - Complexity: O(log n).
    @inlinable
    package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The same as ``partitioningIndex(where:)``, with fewer steps if the guess is good: searches from the guess with
    /// doubling steps, then between the last two.
    ///
    /// Source: Jon Bentley and Andrew Yao, "An almost optimal algorithm for unbounded searching", Information
    /// Processing Letters 5 (1976).
    ///
    /// - Complexity: O(log distance of the guess).
    @inline(__always)
    func partitioningIndex(near guess: Int, where predicate: (Element) -> Bool) -> Int {
        guard !isEmpty else { return startIndex }
        let guess = Swift.min(Swift.max(guess, startIndex), endIndex - 1)
        var (low, high) = (startIndex, endIndex)
        var step = 8
        if predicate(self[guess]) {
            high = guess
            while high - step >= startIndex, predicate(self[high - step]) {
                high -= step
                step *= 2
            }
            low = Swift.max(startIndex, high - step)
        } else {
            low = guess + 1
            while low + step < endIndex, !predicate(self[low + step]) {
                low += step + 1
                step *= 2
            }
            high = Swift.min(endIndex, low + step)
        }
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
