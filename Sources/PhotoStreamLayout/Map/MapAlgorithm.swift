package import PhotoStreamModel

/// A map: photos at their positions on the world, in Web Mercator; those without a position in lines below it.
///
/// With clusters, the photos of each cell of a grid have one frame, that of the first (``ClusterGrid``), and those
/// without a position have none.
///
/// The frame of an item follows from its position on the world, or, without a position, from the number of such items
/// before it. So nothing is folded or stored.
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
    /// The cells of items without a position on the world.
    let cells: UniformCells
    /// The cells whose photos are one cluster; `nil` without clusters.
    let grid: ClusterGrid?
    /// The distance from the leading edge of the content to the nearest items.
    let leading: Int64
    /// The start of the located photos' section along the scroll axis; its extent is that of the world.
    private let locatedOrigin: Int64
    /// The start of the other section.
    private let unlocatedOrigin: Int64
    /// The distance from the start of a section to its items.
    private let headerExtent: Int64
    /// Whether reading begins at the right: the world is aligned to the other side, but not mirrored.
    let isMirrored: Bool

    init(_ key: LayoutKey, map: LayoutKey.Map) {
        let axes = LayoutAxes(key)
        worldExtent = map.worldExtent(key.displayScale)
        item = map.itemSize
        grid = map.grid(key.displayScale)
        cells = UniformCells(key, itemSize: map.itemSize)
        leading = axes.insets(key.contentInset).leading + axes.insets(key.sections.inset).leading
        isMirrored = axes.isMirrored
        let bands = SectionBands(key)
        headerExtent = bands.before
        locatedOrigin = axes.insets(key.contentInset).before
        unlocatedOrigin =
            locatedOrigin + bands.before + (grid?.extent ?? worldExtent + item.height) + bands.after
    }

    /// The start of a section along the scroll axis.
    @inline(__always)
    func origin(of section: MapSection) -> Int64 {
        switch section {
        case .located: locatedOrigin
        case .unlocated: unlocatedOrigin
        }
    }

    /// The start of a section's items along the scroll axis.
    @inline(__always)
    func itemsOrigin(of section: MapSection) -> Int64 { origin(of: section) + headerExtent }

    /// The device pixel of the world that contains a coordinate.
    @inline(__always)
    func pixel(_ coordinate: UInt32) -> Int64 {
        Int64((UInt64(coordinate) * UInt64(worldExtent)) >> 32)
    }

    /// The whole cell of an item, with its centre at a packed position.
    @inline(__always)
    func frame(atPacked packed: UInt64) -> AxisFrame {
        let x = pixel(UInt32(truncatingIfNeeded: packed))
        let y = pixel(UInt32(truncatingIfNeeded: packed >> 32))
        return AxisFrame(
            along: itemsOrigin(of: .located) + y, across: leading + (isMirrored ? worldExtent - x : x),
            alongExtent: item.height, acrossExtent: item.width)
    }

    /// The area of all possible items on the world.
    var area: AxisFrame {
        if let grid {
            return AxisFrame(
                along: itemsOrigin(of: .located), across: leading, alongExtent: grid.extent, acrossExtent: grid.extent)
        }
        return AxisFrame(
            along: itemsOrigin(of: .located), across: leading, alongExtent: worldExtent + item.height,
            acrossExtent: worldExtent + item.width)
    }

    /// The exact positions of items that meet a frame, which can be compared without multiplication.
    ///
    /// - Parameter range: A frame along and across the scroll axis, not empty.
    /// - Returns: `nil` if there is no such position.
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

    /// The coordinates in a range of device pixels of the world; `nil` if there are none.
    private func coordinates(ofPixels first: Int64, through last: Int64) -> ClosedRange<UInt32>? {
        let (first, last) = (max(0, first), min(last, worldExtent - 1))
        guard first <= last else { return nil }
        let extent = UInt64(worldExtent)
        // The smallest coordinate of the pixel, rounded up, and the one before that of the next pixel.
        let least = (UInt64(first) << 32 + extent - 1) / extent
        let behind = (UInt64(last + 1) << 32 + extent - 1) / extent
        return UInt32(least)...UInt32(behind - 1)
    }

    /// The whole cell of an item without a position, given the number of such items before it.
    func frame(ofUnlocated rank: Int) -> AxisFrame {
        cells.frame(at: rank, origin: itemsOrigin(of: .unlocated))
    }
}

/// The state of a map, whose fold needs none: in a cursor, the number of photos before it without a position.
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

    /// A map's cursor counts the photos before it without a position, and has no section.
    func resumes(_ state: MapState, at index: Int, section: CursorSection?, line: CursorLine?) -> Bool {
        state.unlocatedCount <= index && section == nil && line == nil
    }

    func frames(decoding bytes: [UInt8], count: Int) -> MapFrames? { nil }

    func frame(
        at position: Int, of chunk: PlacedChunk, index: Int, base: Int64, in directory: LayoutDirectory
    ) -> AxisFrame? {
        directory.chunk(placing: index).flatMap { directory.mapFrame(at: position, of: chunk, placedBy: $0, self) }
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

    /// Adds items, which depend only on their position on the world or on the number of items before them without one.
    func addPage<Failure>(
        to builder: inout PageBuilder, _ items: PackedMetrics, isEnd: Bool, limit: Int,
        checking check: () throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        builder.addItems(items[0..<min(items.count, limit)], of: self)
        return true
    }
}

extension LayoutKey {
    /// The square of a map's world, in device pixels of content space, in which map tiles are drawn.
    ///
    /// The centre of a photo is its position to within a pixel, or half a pixel more if its sides are odd; not of a
    /// cluster at an edge of its cell. `nil` if the layout is not a map.
    public var worldFrame: PixelRect? {
        guard let map = LayoutEngine(self).map else { return nil }
        let axes = LayoutAxes(self)
        let area = axes.rect(map.area, contentExtent: 0)
        // Half an item is around the world, but nothing is around a grid.
        let margin = map.grid == nil ? map.item : PixelExtent(width: 0, height: 0)
        return PixelRect(
            x: area.x + margin.width / 2, y: area.y + margin.height / 2, width: map.worldExtent,
            height: map.worldExtent)
    }
}

extension LayoutEngine {
    /// Places the photos of a chunk on a map.
    ///
    /// - Returns: The chunk, and its photos with a position; `nil` if the layout is not a map.
    package func mapChunk(_ metrics: PackedMetrics) -> (chunk: PlacedChunk, positions: PositionSummary)? {
        guard isMap else { return nil }
        let frames = MapFrames(metrics)
        return (PlacedChunk(metrics: metrics, frames: PackedFrames(frames)), frames.summary)
    }
}

extension ChunkExtents {
    /// Creates the extents of `count` photos of a map, which have no order along the scroll axis.
    package init(mapOf positions: PositionSummary, count: Int) {
        self.init(advance: 0, placedCount: count, leastTop: 0, greatestEnd: 0, longestItem: 0)
        self.positions = positions
    }
}

extension LayoutKey.Map {
    /// The side of the world in device pixels, at most 2^31: 256 points doubled with each zoom level, rounded once.
    func worldExtent(_ scale: DisplayScale) -> Int64 {
        scale.pixels(Double(256 << zoom))
    }

    /// The grid of the clusters; `nil` without clusters.
    func grid(_ scale: DisplayScale) -> ClusterGrid? {
        cluster.map { ClusterGrid(worldExtent: worldExtent(scale), side: $0, item: itemSize) }
    }
}
