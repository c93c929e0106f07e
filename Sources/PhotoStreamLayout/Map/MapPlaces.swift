import PhotoStreamModel

/// The entry of a directory for a chunk of a map.
struct MapEntry: Hashable, Sendable {
    /// The number of photos before the chunk that have a position.
    let locatedBefore: Int
    /// The number of its photos that have one, and the box around them.
    let positions: PositionSummary
}

/// The section of a map that a photo belongs to.
enum MapSection: Int, CaseIterable {
    /// Photos with a position, where they were taken.
    case located
    /// Photos without one, in lines.
    case unlocated

    var mark: SectionMark { self == .located ? .located : .unlocated }
}

// Sections of a map are not runs of the stream. Where all other layouts count in positions in stream order, what is
// said of sections counts in ordinals here: positions in the order of the sections, those of the located photos first.
// In all other layouts the ordinal of a photo is its position.
extension LayoutDirectory {
    /// Begins and ends the sections of a map, which stand where they stand whatever they hold.
    mutating func addMapSections(_ map: MapAlgorithm) {
        let located = mapEntries.reduce(0) { $0 + $1.positions.count }
        sectionEntries = MapSection.allCases.map { section in
            SectionEntry(
                firstIndex: section == .located ? 0 : located, origin: map.origin(of: section), mark: section.mark)
        }
        sectionsEnd =
            map.itemsOrigin(of: .unlocated) + map.cells.extent(ofItems: itemCount - located) + engine.bands.after
        contentExtent = sectionsEnd + engine.foldedInsets.after
    }

    /// The positions, among the photos of a section of a map, of those that a chunk holds.
    func ranks(ofChunk position: Int, in section: MapSection) -> Range<Int> {
        let (entry, map) = (chunks[position], mapEntries[position])
        switch section {
        case .located: return map.locatedBefore..<map.locatedBefore + map.positions.count
        case .unlocated:
            let first = entry.items.lowerBound - map.locatedBefore
            return first..<first + entry.items.count - map.positions.count
        }
    }

    /// The chunk that holds a photo, given by its position in a section of a map.
    func chunk(holding rank: Int, of section: MapSection) -> Int? {
        let found = chunks.indices.partitioningIndex { ranks(ofChunk: $0, in: section).upperBound > rank }
        return found < chunks.count ? found : nil
    }

    /// The position of a chunk that has photos.
    func position(of entry: ChunkEntry) -> Int { chunk(containing: entry.items.lowerBound) ?? chunks.count - 1 }

    /// The query for the part of a map that meets a frame; `nil` where the layout is not a map.
    ///
    /// - Parameters:
    ///   - range: A frame along and across the scroll axis, not empty.
    ///   - section: The section whose items are asked for; all where it is `nil`.
    /// - Returns: The query for the places in the range.
    func mapQuery(_ range: AxisFrame, only section: MapSection? = nil) -> MapQuery? {
        guard engine.isMap, let map = engine.map else { return nil }
        let origin = map.itemsOrigin(of: .unlocated)
        let ranks = map.cells.positions(
            meeting: range.along - origin..<range.alongEnd - origin,
            count: itemCount - sectionEntries[MapSection.unlocated.rawValue].firstIndex)
        return MapQuery(
            map: map, range: range, positions: section == .unlocated ? nil : map.positions(meeting: range),
            unlocatedRanks: section == .located ? 0..<0 : ranks)
    }

    /// Whether an item of a chunk of a map may meet what is asked for.
    func mayMeet(_ query: MapQuery, chunk position: Int) -> Bool {
        if let positions = query.positions, let box = mapEntries[position].positions.box, box.meets(positions) {
            return true
        }
        return !query.unlocatedRanks.isEmpty
            && ranks(ofChunk: position, in: .unlocated).overlaps(query.unlocatedRanks)
    }

    /// The position in the order of the sections of a photo that a chunk holds.
    ///
    /// - Parameters:
    ///   - offset: The photo's position in the chunk.
    ///   - chunk: The photos and frames that the chunk's run placed.
    ///   - position: The chunk's position.
    /// - Returns: In a map the section's path; in all other layouts the position in stream order.
    @inline(__always)
    func ordinal(at offset: Int, of chunk: PlacedChunk, placedBy position: Int) -> Int {
        guard engine.isMap, let map = engine.map else { return chunks[position].placed.lowerBound + offset }
        let frames = map.frames(of: chunk)
        let section = frames.hasPosition(offset) ? MapSection.located : .unlocated
        return sectionEntries[section.rawValue].firstIndex + ranks(ofChunk: position, in: section).lowerBound
            + frames.rank(of: offset)
    }

    /// The frame of a photo of a map.
    ///
    /// - Parameters:
    ///   - offset: Its position in its chunk.
    ///   - chunk: The photos and frames that the chunk's run placed.
    ///   - position: The chunk's position.
    ///   - map: The layout.
    /// - Returns: The whole cell.
    func mapFrame(at offset: Int, of chunk: PlacedChunk, placedBy position: Int, _ map: MapAlgorithm) -> AxisFrame {
        if let place = chunk.metrics[offset].position { return map.frame(at: place) }
        let rank = ranks(ofChunk: position, in: .unlocated).lowerBound + map.frames(of: chunk).rank(of: offset)
        return map.frame(ofUnlocated: rank)
    }

    /// Hands the items of a chunk of a map that meet a frame to `body`, in stream order, until it returns `false`.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - chunk: The photos and frames that the chunk's run placed.
    ///   - position: The chunk's position.
    ///   - body: Takes an item's position in the chunk and its frame; returns whether to go on.
    /// - Returns: Whether `body` never returned `false`.
    /// - Complexity: O(photos / 64 + located photos of the boxes that meet the range + result).
    func forEachItem(
        meeting query: MapQuery, of chunk: PlacedChunk, placedBy position: Int, _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        let frames = query.map.frames(of: chunk)
        let first = ranks(ofChunk: position, in: .unlocated).lowerBound
        let wanted = query.unlocatedRanks
        return chunk.metrics.positions.withUnsafeBufferPointer { positions in
            frames.blocks.withUnsafeBufferPointer { blocks in
                for number in blocks.indices {
                    let start = number * MapFrames.blockLength
                    let mask = blocks[number].mask
                    var candidates: UInt64 = 0
                    if let asked = query.positions, let box = blocks[number].box, box.meets(asked) { candidates = mask }
                    var rank = first + start - blocks[number].countBefore
                    if !wanted.isEmpty {
                        let length = frames.length(ofBlock: number)
                        if (rank..<rank + length - mask.nonzeroBitCount).overlaps(wanted) {
                            candidates |= ~mask & (~0 >> UInt64(MapFrames.blockLength - length))
                        }
                    }
                    while candidates != 0 {
                        let bit = candidates.trailingZeroBitCount
                        candidates &= candidates - 1
                        let offset = start + bit
                        if mask >> UInt64(bit) & 1 == 1 {
                            let packed = positions[offset]
                            guard let asked = query.positions, asked.holds(packed) else { continue }
                            guard body(offset, query.map.frame(atPacked: packed)) else { return false }
                        } else {
                            let frame = query.map.frame(ofUnlocated: rank)
                            rank += 1
                            if frame.intersects(query.range), !body(offset, frame) { return false }
                        }
                    }
                }
                return true
            }
        }
    }
}

/// A query for part of a map.
struct MapQuery {
    let map: MapAlgorithm
    /// Along and across the scroll axis, not empty.
    let range: AxisFrame
    /// The positions whose items meet the range; `nil` where none does or none is asked for.
    let positions: WorldBox?
    /// The photos without a position whose lines meet the range, by their positions among these.
    let unlocatedRanks: Range<Int>
}

extension WorldBox {
    /// Whether a position lies in both.
    @inline(__always)
    fileprivate func meets(_ other: WorldBox) -> Bool {
        minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
    }

    /// Whether a packed position lies in it.
    @inline(__always)
    fileprivate func holds(_ packed: UInt64) -> Bool {
        let (x, y) = (UInt32(truncatingIfNeeded: packed), UInt32(truncatingIfNeeded: packed >> 32))
        return minX <= x && x <= maxX && minY <= y && y <= maxY
    }
}

extension SectionMark {
    /// The section of a map's photos that have a position.
    static let located = SectionMark(rawValue: greatest - 1)
    /// The section of a map's photos that have none.
    static let unlocated = SectionMark(rawValue: greatest)
}

extension LayoutEngine {
    /// The level of an item: on a map, where items overlap, the later lies above the earlier.
    @inline(__always)
    func level(ofItem index: Int, at path: IndexPath) -> Int {
        isMap && path.section == MapSection.located.rawValue ? index : ElementLevel.item
    }

    /// The level of a section's header and footer.
    var boundaryLevel: Int { isMap ? ElementLevel.mapBoundary : ElementLevel.boundary }

    /// The level of an item's badge: on a map that of its item, after which it follows.
    func badgeLevel(ofItem index: Int, at path: IndexPath) -> Int {
        isMap && path.section == MapSection.located.rawValue ? index : ElementLevel.badge
    }
}

extension LayoutSource {
    /// The number of photos of a section of a map before a place of the stream.
    ///
    /// - Parameters:
    ///   - index: The place: a position in stream order.
    ///   - section: The section's position.
    /// - Returns: The count.
    /// - Throws: Any error that the source throws.
    /// - Precondition: The layout is a map.
    package func itemCount(before index: Int, inMapSection section: Int) throws(Failure) -> Int {
        let directory = directory
        let isLocated = section == MapSection.located.rawValue
        guard let position = directory.chunk(containing: index) else {
            return index <= 0 ? 0 : directory.sections[section].items.count
        }
        let chunk = try placedChunk(at: position)
        let frames = chunk.frames(as: MapFrames.self)
        let offset = index - directory.chunks[position].items.lowerBound
        let located = directory.mapEntries[position].locatedBefore + frames.locatedCount(before: offset)
        return isLocated ? located : index - located
    }

    /// Collects the elements of a map that meet a frame, section by section: what is an answer's order is not that of
    /// the stream.
    ///
    /// - Parameters:
    ///   - found: Takes them.
    ///   - range: A frame along and across the scroll axis.
    ///   - first: The beginning of the answer.
    /// - Throws: Any error that the source throws.
    func collect(
        _ found: inout ElementCollector, in range: AxisFrame, from first: IndexPath
    ) throws(Failure) {
        let directory = directory
        for section in MapSection.allCases[first.section...] {
            guard let query = directory.mapQuery(range, only: section) else { return }
            let firstRank = section.rawValue == first.section ? first.item : 0
            let start = directory.section(at: section.rawValue).items.lowerBound
            for position in directory.chunks.indices
            where directory.ranks(ofChunk: position, in: section).upperBound > firstRank
                && directory.mayMeet(query, chunk: position)
            {
                let chunk = try placedChunk(at: position)
                let firstIndex = directory.chunks[position].items.lowerBound
                let goesOn = directory.forEachItem(meeting: query, of: chunk, placedBy: position) {
                    offset, frame in
                    let ordinal = directory.ordinal(at: offset, of: chunk, placedBy: position)
                    guard ordinal >= start + firstRank else { return true }
                    return found.add(
                        firstIndex + offset, ordinal: ordinal, item: chunk.metrics[offset],
                        frame: directory.engine.axes.rect(frame, contentExtent: directory.contentExtent))
                }
                guard goesOn else { return }
            }
        }
    }
}
