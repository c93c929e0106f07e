package import PhotoStreamModel

/// A map: photos at the places where they were taken, in Web Mercator; those without a place in lines under it.
///
/// The place of an item follows from its position on the world, and of one without a position from how many such come
/// before it. So nothing is folded and nothing stored.
///
///     |<-insets->|  header
///                |<-half an item->|<------ the world ------>|<-half an item->|     items may reach out of the world
///                |  footer
///                |  header, items without a position in lines of one length, footer
struct MapAlgorithm: LayoutAlgorithm {
    /// The side of the world in device pixels, at most 2^31.
    let worldExtent: Int64
    /// The size of every item.
    let item: PixelExtent
    /// The cells of items without a position.
    let cells: UniformCells
    /// From the leading edge of the content to the items nearest to it.
    private let leading: Int64
    /// The start of the located photos' section along the scroll axis; its extent is the world's whatever it holds.
    private let locatedOrigin: Int64
    /// The place where the other one begins.
    private let unlocatedOrigin: Int64
    /// From where a section begins to its items.
    private let headerExtent: Int64
    /// Whether reading begins at the right: the world's place is mirrored, the world is not.
    private let isMirrored: Bool

    init(_ key: LayoutKey, map: LayoutKey.Map) {
        let axes = LayoutAxes(key)
        worldExtent = map.worldExtent(key.displayScale)
        item = map.itemSize
        cells = UniformCells(key, itemSize: map.itemSize)
        leading = axes.insets(key.contentInset).leading + axes.insets(key.sections.inset).leading
        isMirrored = axes.isMirrored
        let bands = SectionBands(key)
        headerExtent = bands.before
        locatedOrigin = axes.insets(key.contentInset).before
        unlocatedOrigin = locatedOrigin + bands.before + worldExtent + item.height + bands.after
    }

    /// The place where a section begins along the scroll axis.
    @inline(__always)
    func origin(of section: MapSection) -> Int64 {
        switch section {
        case .located: locatedOrigin
        case .unlocated: unlocatedOrigin
        }
    }

    /// The place where the items of a section begin along the scroll axis.
    @inline(__always)
    func itemsOrigin(of section: MapSection) -> Int64 { origin(of: section) + headerExtent }

    /// The device pixel of the world that a coordinate lies in.
    @inline(__always)
    func pixel(_ coordinate: UInt32) -> Int64 {
        Int64((UInt64(coordinate) * UInt64(worldExtent)) >> 32)
    }

    /// The frame of an item, whose middle is its place.
    ///
    /// - Parameter position: The place on the world.
    /// - Returns: The whole cell.
    @inline(__always)
    func frame(at position: WorldPosition) -> AxisFrame { frame(atPacked: position.packed) }

    /// The frame of an item at a packed position.
    @inline(__always)
    func frame(atPacked packed: UInt64) -> AxisFrame {
        let x = pixel(UInt32(truncatingIfNeeded: packed))
        let y = pixel(UInt32(truncatingIfNeeded: packed >> 32))
        return AxisFrame(
            along: itemsOrigin(of: .located) + y, across: leading + (isMirrored ? worldExtent - x : x),
            alongExtent: item.height, acrossExtent: item.width)
    }

    /// The area that items may fill whose places are anywhere on the world.
    var area: AxisFrame {
        AxisFrame(
            along: itemsOrigin(of: .located), across: leading, alongExtent: worldExtent + item.height,
            acrossExtent: worldExtent + item.width)
    }

    /// The positions whose items meet a frame, exactly: comparing them needs no multiplication.
    ///
    /// - Parameter range: A frame along and across the scroll axis, not empty.
    /// - Returns: `nil` where no position does.
    func positions(meeting range: AxisFrame) -> WorldBox? {
        let origin = itemsOrigin(of: .located)
        let (first, last) = (range.across - leading - item.width + 1, range.acrossEnd - leading - 1)
        let (left, right) = isMirrored ? (worldExtent - last, worldExtent - first) : (first, last)
        guard let x = coordinates(ofPixels: left, through: right),
            let y = coordinates(
                ofPixels: range.along - origin - item.height + 1, through: range.alongEnd - origin - 1)
        else { return nil }
        return WorldBox(minX: x.lowerBound, maxX: x.upperBound, minY: y.lowerBound, maxY: y.upperBound)
    }

    /// The coordinates that lie in device pixels of the world, from one through another; `nil` where none does.
    private func coordinates(ofPixels first: Int64, through last: Int64) -> ClosedRange<UInt32>? {
        let (first, last) = (max(0, first), min(last, worldExtent - 1))
        guard first <= last else { return nil }
        let extent = UInt64(worldExtent)
        // The least coordinate of a pixel, rounded up, and the one before that of the next pixel.
        let least = (UInt64(first) << 32 + extent - 1) / extent
        let behind = (UInt64(last + 1) << 32 + extent - 1) / extent
        return UInt32(least)...UInt32(behind - 1)
    }

    /// The frame of an item without a position.
    ///
    /// - Parameter rank: The count of such items before it.
    /// - Returns: The whole cell.
    func frame(ofUnlocated rank: Int) -> AxisFrame {
        cells.frame(at: rank, origin: itemsOrigin(of: .unlocated))
    }

}

/// The state of a map, whose fold remembers nothing: of a cursor, the number of photos before it without a position.
struct MapState: AlgorithmState {
    let unlocatedCount: Int

    var content: StateContent { .map(self) }

    func encode(into bytes: inout [UInt8]) { bytes.appendVariableLength(UInt64(unlocatedCount)) }
}

extension MapAlgorithm {
    var initialState: MapState { MapState(unlocatedCount: 0) }
    var captions: CaptionRule { CaptionRule(extent: 0) }

    func place<Failure>(
        from state: MapState, in fold: ChunkFold, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        let frames = MapFrames(fold.items)
        return ChunkPlacement(
            exitState: LayoutState(sectionMark: fold.sectionMark, hasItems: fold.hasItems, algorithm: state),
            extents: ChunkExtents(mapOf: frames.summary, count: fold.items.count), frames: PackedFrames(frames),
            sections: [])
    }

    /// Nothing is ever open.
    func close(_ state: MapState, in fold: ChunkFold) -> LayoutEnding {
        let frames = MapFrames(.none)
        return LayoutEnding(
            extents: ChunkExtents(mapOf: frames.summary, count: 0), frames: PackedFrames(frames), sections: [], end: 0)
    }

    func state(decoding rest: inout ArraySlice<UInt8>) throws(LayoutError) -> MapState {
        guard let count = rest.popVariableLength(), count < 1 << 40 else { throw .invalidState }
        return MapState(unlocatedCount: Int(count))
    }

    func isValid(_ state: MapState, sectionMark: SectionMark?, hasItems: Bool) -> Bool {
        sectionMark == nil && !hasItems
    }

    /// A map's cursor counts photos without a position, of those before it, and has no section.
    func resumes(_ state: MapState, at index: Int, section: CursorSection?, line: CursorLine?) -> Bool {
        state.unlocatedCount <= index && section == nil && line == nil
    }

    func frames(decoding bytes: [UInt8], count: Int) -> MapFrames? { nil }

    func frame(
        at position: Int, of chunk: PlacedChunk, index: Int, base: Int64, in directory: LayoutDirectory
    ) -> AxisFrame? {
        directory.chunk(placing: index).map { directory.mapFrame(at: position, of: chunk, placedBy: $0, self) }
    }

    func forEachItem(
        in range: AxisFrame, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        directory.mapQuery(range).map { query in
            directory.forEachItem(meeting: query, of: chunk, placedBy: directory.position(of: entry), body)
        } ?? true
    }

    func forEachLine(
        startingIn range: Range<Int64>, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, Int64) -> Bool
    ) -> Bool {
        let searched = AxisFrame(
            along: range.lowerBound - item.height..<range.upperBound, across: AxisFrame.everythingAcross)
        return forEachItem(in: searched, of: chunk, at: entry, in: directory) { position, frame in
            !range.contains(frame.along) || body(entry.placed.lowerBound + position, frame.along)
        }
    }

    /// Adds items where each stands by itself or by how many before it have no position.
    func addPage<Failure>(
        to builder: inout PageBuilder, _ items: PackedMetrics, isEnd: Bool, limit: Int,
        checking check: () throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        builder.addItems(items[0..<min(items.count, limit)], of: self)
        return true
    }
}

extension LayoutKey {
    /// The square that is the world of a map, in device pixels of content space: what tiles of the map are
    /// drawn in.
    ///
    /// The middle of a photo is the place where it was taken, to a pixel, or half a pixel more where its sides are odd.
    /// `nil` where the layout is not a map.
    public var worldFrame: PixelRect? {
        guard let map = LayoutEngine(self).map else { return nil }
        let axes = LayoutAxes(self)
        let half = (along: map.item.height / 2, across: map.item.width / 2)
        let area = axes.rect(map.area, contentExtent: 0)
        return PixelRect(
            x: area.x + half.across, y: area.y + half.along, width: map.worldExtent, height: map.worldExtent)
    }
}

extension LayoutEngine {
    /// Places the photos of a chunk on a map.
    ///
    /// - Parameter metrics: The photos with their positions.
    /// - Returns: The chunk, and the photos of it that have a position; `nil` where the layout is not a map.
    package func mapChunk(_ metrics: PackedMetrics) -> (chunk: PlacedChunk, positions: PositionSummary)? {
        guard isMap else { return nil }
        let frames = MapFrames(metrics)
        return (PlacedChunk(metrics: metrics, frames: PackedFrames(frames)), frames.summary)
    }
}

extension ChunkExtents {
    /// The extents of photos of a map, which stand nowhere in particular along the scroll axis.
    ///
    /// - Parameters:
    ///   - positions: The count of photos with a position, and their places.
    ///   - count: The count of photos.
    package init(mapOf positions: PositionSummary, count: Int) {
        self.init(advance: 0, placedCount: count, leastTop: 0, greatestEnd: 0, longestItem: 0)
        self.positions = positions
    }
}

extension LayoutKey.Map {
    /// The side of the world in device pixels, at most 2^31: 256 points doubled with each zoom, rounded once.
    func worldExtent(_ scale: DisplayScale) -> Int64 {
        scale.pixels(Double(256 << zoom))
    }
}
