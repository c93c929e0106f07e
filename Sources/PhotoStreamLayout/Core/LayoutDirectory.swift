import PhotoStreamModel

/// The index of the chunks and the sections of a laid-out stream: all that is needed to find the few that a
/// question touches.
///
///     var directory = LayoutDirectory(engine)
///     for run in [first, second] {
///         directory.append(count: 1_000, extents: run.extents, sections: run.sections)
///     }
///     directory.finish(ending)
///     let content = directory.contentSize
///
/// Holds some tens of bytes a chunk and a section, no items. Origins are prefix sums of advances, so nothing has to be
/// rewritten when a chunk above grows; Int64 holds 10 million photos of the greatest extent a thousand times over.
/// Lengths are device pixels along the scroll axis, from the start of the content.
public struct LayoutDirectory: Sendable {
    /// The layout that placed the chunks.
    public let engine: LayoutEngine
    /// The chunks in stream order; after the last, what was still open when the photos ended.
    public internal(set) var chunks: [ChunkEntry] = []
    /// The number of photos.
    public internal(set) var itemCount = 0
    /// The whole content, insets included.
    public internal(set) var contentExtent: Int64 = 0
    var sectionEntries: [SectionEntry] = []
    /// Of a map what is known of each chunk; else empty.
    var mapEntries: [MapEntry] = []
    /// The place where the last section ends.
    var sectionsEnd: Int64
    var origin: Int64

    /// A directory without chunks.
    public init(_ engine: LayoutEngine) {
        self.engine = engine
        origin = engine.foldedInsets.before
        sectionsEnd = origin
    }

    /// Adds the chunk after the last; the one before it where the layout folds backward.
    ///
    /// - Parameters:
    ///   - count: Its photos.
    ///   - extents: The extents of the items that its run placed.
    ///   - sections: The sections that begin in it.
    public mutating func append(count: Int, extents: ChunkExtents, sections: [SectionStart]) {
        add(count: count, extents: extents, sections: sections)
        origin += extents.advance
    }

    /// Ends the layout after the last chunk that was added; only then anything of it can be asked.
    ///
    /// - Parameter ending: The ending of the content that was still open.
    public mutating func finish(_ ending: LayoutEnding) {
        let base = base
        add(count: 0, extents: ending.extents, sections: ending.sections)
        sectionsEnd = base + ending.end
        contentExtent = sectionsEnd + engine.foldedInsets.after
        if let map = engine.map { addMapSections(map) }
        if engine.foldsBackward { turnAround() }
        // From the back, so that of what follows too nothing begins above.
        var least = Int64.max
        for position in chunks.indices.reversed() {
            least = min(least, chunks[position].leastTop)
            chunks[position].leastTopFromHere = least
        }
    }

    /// Nothing that the next run places can begin above.
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

    /// The chunk that holds a photo.
    ///
    /// - Parameter index: The photo's position in stream order.
    /// - Returns: The position in ``chunks``, or `nil` outside the stream.
    /// - Complexity: O(log chunks).
    public func chunk(containing index: Int) -> Int? {
        guard index >= 0, index < itemCount else { return nil }
        return chunks.partitioningIndex { $0.items.upperBound > index }
    }

    /// The chunk whose run placed a photo: that of the photo, or a later one where its line was open at the end of it.
    ///
    /// - Parameter index: The photo's position in stream order.
    /// - Returns: The position in ``chunks``, or `nil` outside the stream.
    /// - Complexity: O(log chunks).
    public func chunk(placing index: Int) -> Int? {
        guard index >= 0, index < itemCount else { return nil }
        // Chunks are of about one size, so the guess or the chunk before it is nearly always right, and few entries are
        // looked at.
        let guess = min(index * (chunks.count - 1) / itemCount, chunks.count - 1)
        if chunks[guess].placed.contains(index) { return guess }
        if guess > 0, chunks[guess - 1].placed.contains(index) { return guess - 1 }
        return chunks.partitioningIndex { $0.placed.upperBound > index }
    }

    /// The chunks of which an item may meet a range along the scroll axis, in order.
    ///
    /// Searches what is monotone only: the least top from a chunk on and the greatest end up to it; never ends
    /// themselves.
    ///
    /// - Complexity: O(log chunks + result); O(chunks) in a map.
    func chunks(meeting range: Range<Int64>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        // Nothing is monotone on a map: the boxes of the chunks are looked at one by one.
        guard mapEntries.isEmpty else { return chunks.indices }
        let first = chunks.partitioningIndex { $0.greatestEndUpToHere > range.lowerBound }
        // Few chunks meet a range, and all of them are asked for.
        var end = first
        while end < chunks.count, chunks[end].leastTopFromHere < range.upperBound { end += 1 }
        return first..<end
    }
}

/// One chunk's place in a layout.
///
/// All but two numbers are relative, so that little has to be rewritten when a chunk above grows.
public struct ChunkEntry: Hashable, Sendable {
    /// The base from which tops of its frames are counted, in device pixels of content space along the scroll axis.
    var base: Int64
    private var firstItem: Int
    private let itemCount: Int
    private let placedCount: Int
    /// The number of photos before its own that its run placed, because their line was open.
    private let lentCount: Int
    private let leastTopBelowBase: Int64
    private let greatestEndBelowBase: Int64
    private var greatestEndUpToHereBelowBase: Int64
    private var leastTopFromHereBelowBase: Int64
    /// No item that it placed is longer.
    let longestItem: Int64

    /// The positions of its photos in stream order.
    public var items: Range<Int> { Range(uncheckedBounds: (firstItem, firstItem &+ itemCount)) }
    /// The positions of the photos that its run placed.
    public var placed: Range<Int> {
        Range(uncheckedBounds: (firstItem &- lentCount, firstItem &- lentCount &+ placedCount))
    }
    /// Nothing that it placed begins above; where it placed nothing, where the next item could begin.
    var leastTop: Int64 { base &+ leastTopBelowBase }
    /// Nothing that it placed ends below; where it placed nothing, where the next item could begin.
    var greatestEnd: Int64 { base &+ greatestEndBelowBase }
    /// The greatest end of anything up to and with this chunk: unlike ends, it never falls.
    var greatestEndUpToHere: Int64 {
        get { base &+ greatestEndUpToHereBelowBase }
        set { greatestEndUpToHereBelowBase = newValue - base }
    }
    /// The least top of anything from this chunk on.
    var leastTopFromHere: Int64 {
        get { base &+ leastTopFromHereBelowBase }
        set { leastTopFromHereBelowBase = newValue - base }
    }

    /// A chunk's place after chunks of which none ends below `greatestEnd`; nothing is known of those after it.
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

    /// The chunk, whose frames are counted from its least top, where a place is counted from the other end.
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

/// The place where a section begins.
struct SectionEntry: Hashable, Sendable {
    var firstIndex: Int
    var origin: Int64
    let mark: SectionMark

    /// A section that begins with an item.
    init(firstIndex: Int, origin: Int64, mark: SectionMark) {
        self.firstIndex = firstIndex
        self.origin = origin
        self.mark = mark
    }

    /// A section that begins in a run, given the position of the run's first item and its base.
    init(_ start: SectionStart, firstItem: Int, base: Int64) {
        firstIndex = firstItem + start.position
        origin = base + start.origin
        mark = start.mark
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first position from which on `predicate` holds, where it holds nowhere before it; `endIndex` for none.
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

    /// The same as ``partitioningIndex(where:)``, with fewer looks where a guess is good: it goes from there in steps
    /// that double, then searches between the last two.
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
