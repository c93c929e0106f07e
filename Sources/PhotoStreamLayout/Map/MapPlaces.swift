import PhotoStreamModel

/// What a directory knows of a chunk of a map.
struct MapEntry: Hashable, Sendable {
    /// How many photos before the chunk have a position.
    let locatedBefore: Int
    /// How many of its photos have one, and where.
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

// Sections of a map are not runs of the stream. Where all other layouts count in positions in stream order, what is said
// of sections counts in ordinals here: positions in the order of the sections, those of the located photos first. In all
// other layouts the ordinal of a photo is its position.
extension LayoutDirectory {
    /// Begins and ends the sections of a map, which stand where they stand whatever they hold.
    mutating func addMapSections(_ map: MapKernel) {
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

    /// Whether an item of a chunk may meet a frame: of a map by the chunk's box, of other layouts always.
    @inline(__always)
    func mayMeet(_ range: AxisFrame, chunk position: Int) -> Bool {
        guard let map = engine.map else { return true }
        return mayMeet(range, chunk: position, map, MapSection.allCases)
    }

    /// Whether an item of a chunk of a map may meet a frame.
    func mayMeet(_ range: AxisFrame, chunk position: Int, _ map: MapKernel, _ sections: [MapSection]) -> Bool {
        sections.contains { section in
            switch section {
            case .located:
                mapEntries[position].positions.box.map { map.frame(of: $0).intersects(range) } ?? false
            case .unlocated: ranks(ofChunk: position, in: .unlocated).overlaps(unlocatedRanks(meeting: range, map))
            }
        }
    }

    /// The photos without a position whose lines meet a frame, by their positions among these.
    func unlocatedRanks(meeting range: AxisFrame, _ map: MapKernel) -> Range<Int> {
        let origin = map.itemsOrigin(of: .unlocated)
        return map.cells.positions(
            meeting: range.along - origin..<range.alongEnd - origin,
            count: itemCount - sectionEntries[MapSection.unlocated.rawValue].firstIndex)
    }

    /// The position in the order of the sections of a photo that a chunk holds.
    ///
    /// - Parameters:
    ///   - offset: The photo's position in the chunk.
    ///   - chunk: What the chunk's run placed.
    ///   - position: The chunk's position.
    /// - Returns: In a map what its section says; in all other layouts the position in stream order.
    @inline(__always)
    func ordinal(at offset: Int, of chunk: PlacedChunk, placedBy position: Int) -> Int {
        guard case .map(let frames) = chunk.frames else { return chunks[position].placed.lowerBound + offset }
        let section = frames.hasPosition(offset) ? MapSection.located : .unlocated
        return sectionEntries[section.rawValue].firstIndex + ranks(ofChunk: position, in: section).lowerBound
            + frames.rank(of: offset)
    }

    /// The frame of a photo of a map.
    ///
    /// - Parameters:
    ///   - offset: Its position in its chunk.
    ///   - chunk: What the chunk's run placed.
    ///   - position: The chunk's position.
    ///   - map: The layout.
    /// - Returns: The whole cell.
    func mapFrame(at offset: Int, of chunk: PlacedChunk, placedBy position: Int, _ map: MapKernel) -> AxisFrame {
        if let place = chunk.metrics[offset].position { return map.frame(at: place) }
        let rank = ranks(ofChunk: position, in: .unlocated).lowerBound + mapFrames(of: chunk).rank(of: offset)
        return map.frame(ofUnlocated: rank)
    }

    private func mapFrames(of chunk: PlacedChunk) -> MapFrames {
        guard case .map(let frames) = chunk.frames else { preconditionFailure("frames of another layout") }
        return frames
    }

    /// Hands the items of a chunk of a map that meet a frame to `body`, in stream order, until it says to stop.
    ///
    /// - Parameters:
    ///   - range: A frame along and across the scroll axis, not empty.
    ///   - chunk: What the chunk's run placed.
    ///   - position: The chunk's position.
    ///   - map: The layout.
    ///   - sections: The sections whose items are asked for.
    ///   - body: Takes an item's position in the chunk and its frame; answers whether to go on.
    /// - Returns: Whether `body` never said to stop.
    /// - Complexity: O(photos / 64 + located photos of the boxes that meet the range + result).
    func forEachItem(
        in range: AxisFrame, of chunk: PlacedChunk, placedBy position: Int, _ map: MapKernel, _ sections: [MapSection],
        _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        let (frames, metrics) = (mapFrames(of: chunk), chunk.metrics)
        let (asksLocated, asksUnlocated) = (sections.contains(.located), sections.contains(.unlocated))
        let wanted = unlocatedRanks(meeting: range, map)
        let first = ranks(ofChunk: position, in: .unlocated).lowerBound
        for (number, block) in frames.blocks.enumerated() {
            let start = number * MapFrames.blockLength
            let length = frames.length(ofBlock: number)
            var candidates: UInt64 = 0
            if asksLocated, let box = block.box, map.frame(of: box).intersects(range) {
                candidates = block.mask
            }
            var rank = first + start - block.countBefore
            let unlocatedCount = length - block.mask.nonzeroBitCount
            if asksUnlocated, (rank..<rank + unlocatedCount).overlaps(wanted) {
                candidates |= ~block.mask & (~0 >> UInt64(MapFrames.blockLength - length))
            }
            while candidates != 0 {
                let bit = candidates.trailingZeroBitCount
                candidates &= candidates - 1
                let offset = start + bit
                let frame: AxisFrame
                if block.mask >> UInt64(bit) & 1 == 1 {
                    guard let place = metrics[offset].position else { continue }
                    frame = map.frame(at: place)
                } else {
                    frame = map.frame(ofUnlocated: rank)
                    rank += 1
                }
                if frame.intersects(range), !body(offset, frame) { return false }
            }
        }
        return true
    }
}

extension SectionMark {
    /// The section of a map's photos that have a position.
    static let located = SectionMark(rawValue: greatest - 1)
    /// The section of a map's photos that have none.
    static let unlocated = SectionMark(rawValue: greatest)
}

extension LayoutEngine {
    /// The map, where the layout is one.
    @inline(__always)
    var map: MapKernel? {
        if case .map(let map) = kernel { map } else { nil }
    }

    /// How far an item lies above others: on a map, where they overlap, the later above the earlier.
    @inline(__always)
    func level(_ index: Int, _ path: IndexPath) -> Int {
        map != nil && path.section == MapSection.located.rawValue ? index : ElementLevel.item
    }

    /// How far a section's header and footer lie above everything else.
    var boundaryLevel: Int { map == nil ? ElementLevel.boundary : ElementLevel.mapBoundary }

    /// How far the badge of an item lies above others: on a map as far as its item, behind which it follows.
    func badgeLevel(_ index: Int, _ path: IndexPath) -> Int {
        map != nil && path.section == MapSection.located.rawValue ? index : ElementLevel.badge
    }
}
