package import PhotoStreamLayout
package import PhotoStreamModel

/// The clusters of a map, written from the specification alone: the photos are put into cells one after the other.
package struct NaiveClusters {
    /// A cluster.
    package struct Cluster: Equatable {
        /// The positions in stream order of its photos.
        package var photos: [Int]
        /// The frame of its first photo.
        package let frame: PixelRect
        /// The least and the greatest coordinates of its photos.
        package var box: WorldBox
    }

    /// The clusters in stream order of their first photos.
    package let clusters: [Cluster]
    /// The positions in stream order of the photos without a position.
    package let unlocated: [Int]
    /// The western and the eastern end of the shortest range of longitudes around all photos, and the northern and
    /// southern ones, as coordinates; `nil` if there are none.
    package let bounds: (west: UInt32, east: UInt32, north: UInt32, south: UInt32)?
    /// The size of the content, including insets.
    package let contentSize: PixelExtent

    private struct Place: Hashable {
        let column: Int64
        let row: Int64
    }

    /// Divides items into clusters.
    ///
    /// - Parameters:
    ///   - configuration: A valid configuration of a map with clusters.
    ///   - parameters: Its parameters.
    ///   - items: The items in stream order.
    package init(_ configuration: LayoutConfiguration, parameters: MapParameters, items: [ItemMetrics]) {
        let measures = NaiveMeasures(configuration)
        var points = 256 * configuration.displayScale
        for _ in 0..<parameters.zoom { points *= 2 }
        let world = NaiveNumbers.roundedHalfUp(points)
        let side = measures.pixels(parameters.cluster ?? 0)
        let width = min(measures.pixels(parameters.itemSize.width), side)
        let height = min(measures.pixels(parameters.itemSize.height), side)
        // Whole cells, as many as the world needs.
        var extent: Int64 = 0
        while extent < world { extent += side * max(1, (world - extent) / side) }
        let insets = (measures.contentInset, measures.sectionInset)
        let across = max(
            measures.container,
            extent + insets.0.leading + insets.0.trailing + insets.1.leading + insets.1.trailing)
        let left = measures.isMirrored ? across - measures.leading - extent : measures.leading
        let top = measures.contentInset.before + measures.sectionInset.before
        contentSize = PixelExtent(
            width: across, height: top + extent + measures.sectionInset.after + measures.contentInset.after)

        /// The start of a length in a range of pixels, with a pixel in its middle, if possible.
        func start(_ length: Int64, around middle: Int64, cell: Int64) -> Int64 {
            var start = middle - length / 2
            if start + length > (cell + 1) * side { start = (cell + 1) * side - length }
            if start < cell * side { start = cell * side }
            return start
        }
        var cells: [Place: Cluster] = [:]
        for (index, item) in items.enumerated() {
            guard let position = item.position else { continue }
            let x = Int64(UInt128(position.x) * UInt128(world) / (1 << 32))
            let y = Int64(UInt128(position.y) * UInt128(world) / (1 << 32))
            let place = Place(column: x / side, row: y / side)
            let box = WorldBox(minX: position.x, maxX: position.x, minY: position.y, maxY: position.y)
            let frame = PixelRect(
                x: left + start(width, around: x, cell: place.column),
                y: top + start(height, around: y, cell: place.row), width: width, height: height)
            var cluster = cells[place] ?? Cluster(photos: [], frame: frame, box: box)
            cluster.photos.append(index)
            cluster.box = cluster.box.union(box)
            cells[place] = cluster
        }
        clusters = cells.values.sorted { $0.photos[0] < $1.photos[0] }
        unlocated = items.indices.filter { items[$0].position == nil }
        bounds = Self.bounds(of: items.compactMap(\.position))
    }

    private static func bounds(
        of positions: [WorldPosition]
    ) -> (west: UInt32, east: UInt32, north: UInt32, south: UInt32)? {
        let (x, y) = (Set(positions.map(\.x)).sorted(), positions.map(\.y))
        guard let first = x.first, let last = x.last, let north = y.min(), let south = y.max() else { return nil }
        var best = (west: first, east: last, length: UInt64(last - first))
        // Each photo may be the westernmost, and the one before it on the circle the easternmost.
        for (before, next) in zip(x, x.dropFirst()) {
            let length = 1 << 32 - UInt64(next) + UInt64(before)
            if length < best.length { best = (next, before, length) }
        }
        return (best.west, best.east, north, south)
    }
}
