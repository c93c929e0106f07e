import PhotoStreamModel

/// The entry of a directory for a chunk of a map.
struct MapEntry: Hashable, Sendable {
    /// The number of photos before the chunk that have a position.
    let locatedBefore: Int
    /// The number of its photos with a position, and the box around them.
    let positions: PositionSummary
}

/// The section of a map that a photo belongs to.
enum MapSection: Int, CaseIterable {
    /// Photos with a position.
    case located
    /// Photos without a position, in lines.
    case unlocated

    var mark: SectionMark { self == .located ? .located : .unlocated }
}

// The sections of a map are not contiguous in the stream. The positions that other layouts count in stream order are
// ordinals here: positions in the order of the sections, with the located photos first. In all other layouts, the
// ordinal of a photo is its position.
extension LayoutDirectory {
    /// Adds the two sections of a map, whose origins are fixed.
    mutating func addMapSections(_ map: MapAlgorithm) {
        let located = mapEntries.reduce(0) { $0 + $1.positions.count }
        sectionEntries = MapSection.allCases.map { section in
            SectionEntry(
                firstIndex: section == .located ? 0 : located, origin: map.origin(of: section), mark: section.mark)
        }
        sectionsEnd =
            map.grid == nil
            ? map.itemsOrigin(of: .unlocated) + map.cells.extent(ofItems: itemCount - located) + engine.bands.after
            : map.origin(of: .unlocated)
        contentExtent = sectionsEnd + engine.foldedInsets.after
    }

    /// The positions of a chunk's photos in a section of a map.
    func ranks(ofChunk position: Int, in section: MapSection) -> Range<Int> {
        let (entry, map) = (chunks[position], mapEntries[position])
        switch section {
        case .located: return map.locatedBefore..<map.locatedBefore + map.positions.count
        case .unlocated:
            let first = entry.items.lowerBound - map.locatedBefore
            return first..<first + entry.items.count - map.positions.count
        }
    }

    /// The chunk of the photo at a position in a section of a map.
    func chunk(holding rank: Int, of section: MapSection) -> Int? {
        let found = chunks.indices.partitioningIndex { ranks(ofChunk: $0, in: section).upperBound > rank }
        return found < chunks.count ? found : nil
    }

    /// The position of a chunk with photos.
    func position(of entry: ChunkEntry) -> Int { chunk(containing: entry.items.lowerBound) ?? chunks.count - 1 }

    /// The query for the part of a map that meets a frame.
    ///
    /// - Parameters:
    ///   - range: A frame along and across the scroll axis, not empty.
    ///   - section: The section of the requested items; `nil` for all.
    /// - Returns: `nil` if the layout is not a map.
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

    /// Whether an item of a chunk of a map may match a query.
    func mayMeet(_ query: MapQuery, chunk position: Int) -> Bool {
        if let positions = query.positions, let box = mapEntries[position].positions.box, box.meets(positions) {
            return true
        }
        return !query.unlocatedRanks.isEmpty
            && ranks(ofChunk: position, in: .unlocated).overlaps(query.unlocatedRanks)
    }

    /// The ordinal of a photo.
    ///
    /// - Parameters:
    ///   - offset: The photo's position in the chunk.
    ///   - chunk: The photos and frames that the chunk's run placed.
    ///   - position: The chunk's position.
    /// - Returns: In a map, the position in the order of the sections; in all other layouts, in stream order.
    @inline(__always)
    func ordinal(at offset: Int, of chunk: PlacedChunk, placedBy position: Int) -> Int {
        guard engine.isMap, let map = engine.map else { return chunks[position].placed.lowerBound + offset }
        let frames = map.frames(of: chunk)
        let section = frames.hasPosition(offset) ? MapSection.located : .unlocated
        return sectionEntries[section.rawValue].firstIndex + ranks(ofChunk: position, in: section).lowerBound
            + frames.rank(of: offset)
    }

    /// The whole cell of a photo of a map, given its offset in its chunk; `nil` if it is hidden.
    func mapFrame(at offset: Int, of chunk: PlacedChunk, placedBy position: Int, _ map: MapAlgorithm) -> AxisFrame? {
        if map.grid != nil {
            let cluster = cluster(holding: chunk.metrics[offset])
            return cluster?.face == chunks[position].items.lowerBound + offset ? cluster?.frame : nil
        }
        if let place = chunk.metrics[offset].position { return map.frame(atPacked: place.packed) }
        let rank = ranks(ofChunk: position, in: .unlocated).lowerBound + map.frames(of: chunk).rank(of: offset)
        return map.frame(ofUnlocated: rank)
    }

    /// Calls `body` with the items of a chunk of a map that match a query, in stream order, until it returns `false`.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - chunk: The photos and frames that the chunk's run placed.
    ///   - position: The chunk's position.
    ///   - body: Receives an item's position in the chunk and its frame; returns whether to continue.
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
    /// The frame along and across the scroll axis, not empty.
    let range: AxisFrame
    /// The positions of items that meet the range; `nil` if there are none or none are requested.
    let positions: WorldBox?
    /// The photos without a position whose lines meet the range, by their positions among such photos.
    let unlocatedRanks: Range<Int>
}

extension WorldBox {
    /// Whether a position lies in both.
    @inline(__always)
    fileprivate func meets(_ other: WorldBox) -> Bool {
        minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
    }

    /// Whether it contains a packed position.
    @inline(__always)
    fileprivate func holds(_ packed: UInt64) -> Bool {
        let (x, y) = (UInt32(truncatingIfNeeded: packed), UInt32(truncatingIfNeeded: packed >> 32))
        return minX <= x && x <= maxX && minY <= y && y <= maxY
    }
}

extension SectionMark {
    /// The section of a map's photos that have a position.
    static let located = SectionMark(rawValue: greatest - 1)
    /// The section of a map's photos without a position.
    static let unlocated = SectionMark(rawValue: greatest)
}

extension LayoutEngine {
    /// The level of an item or its badge: on a map, where items overlap, later ones lie above earlier ones, and a badge
    /// follows its item.
    @inline(__always)
    func level(ofItem index: Int, at path: IndexPath, otherwise level: Int = ElementLevel.item) -> Int {
        isMap && path.section == MapSection.located.rawValue ? index : level
    }

    /// The level of a section's header and footer.
    var boundaryLevel: Int { isMap ? ElementLevel.mapBoundary : ElementLevel.boundary }
}

extension LayoutSource {
    /// The number of photos of a map's section before a position in stream order.
    ///
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

    /// Collects the elements of a map that meet a frame, section by section, because that is the order of an answer.
    ///
    /// - Parameters:
    ///   - found: Receives the elements.
    ///   - range: A frame along and across the scroll axis.
    ///   - first: The start of the answer.
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
                        firstIndex + offset, ordinal: ordinal, captionExtent: 0,
                        frame: directory.engine.axes.rect(frame, contentExtent: directory.contentExtent))
                }
                guard goesOn else { return }
            }
        }
    }
}
