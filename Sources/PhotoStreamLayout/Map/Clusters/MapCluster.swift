public import PhotoStreamModel

/// The photos of a map in one cell, drawn as the first of them.
public struct MapCluster: Hashable, Sendable {
    /// The first photo in stream order, by its position there.
    public let face: Int
    /// The number of photos, and the box around their positions.
    public let positions: PositionSummary
    /// The frame, within the cell.
    let frame: AxisFrame
}

// Without a grid, or without positions, there are no clusters.
extension LayoutDirectory {
    /// The clusters whose frames meet a frame, in stream order of their first photos.
    ///
    /// - Complexity: O(log photos) for each rectangle that the edges of cells cross, and sorting the clusters.
    func clusters(meeting range: AxisFrame) -> [MapCluster] {
        guard let map = engine.map, let grid = map.grid, let positions, let cells = map.cells(meeting: range) else {
            return []
        }
        return positions.clusters(in: cells, of: grid).lazy.map { cluster($0, of: positions, in: grid, on: map) }
            .filter { $0.frame.intersects(range) }
    }

    /// The cluster of a photo; `nil` if it has no position.
    ///
    /// - Complexity: That of ``clusters(meeting:)`` for one cluster.
    func cluster(holding photo: ItemMetrics) -> MapCluster? {
        guard let map = engine.map, let grid = map.grid, let position = photo.position else { return nil }
        return cluster(in: grid.cell(x: position.x, y: position.y), of: grid, on: map)
    }

    private func cluster(in cell: ClusterGrid.Cell, of grid: ClusterGrid, on map: MapAlgorithm) -> MapCluster? {
        guard let positions else { return nil }
        return positions.cluster(in: cell, of: grid).map { cluster($0, of: positions, in: grid, on: map) }
    }

    private func cluster(
        _ entry: ClusterEntry, of positions: PositionIndex, in grid: ClusterGrid, on map: MapAlgorithm
    ) -> MapCluster {
        let corner = grid.corner(ofItemAt: positions.places[Int(entry.summary.entry)])
        let across = map.isMirrored ? grid.extent - corner.x - grid.item.width : corner.x
        return MapCluster(
            face: Int(entry.summary.photo), positions: PositionSummary(entry.count, within: entry.summary.box),
            frame: AxisFrame(
                along: map.itemsOrigin(of: .located) + corner.y, across: map.leading + across,
                alongExtent: grid.item.height, acrossExtent: grid.item.width))
    }

    /// The index path of a cluster's first photo.
    func indexPath(of cluster: MapCluster) -> IndexPath {
        IndexPath(section: MapSection.located.rawValue, item: positions?.located.rank(of: cluster.face) ?? 0)
    }

    /// The attributes of a cluster: those of its first photo.
    func attributes(of cluster: MapCluster) -> LayoutAttributes {
        LayoutAttributes(
            index: cluster.face, indexPath: indexPath(of: cluster),
            frame: engine.axes.rect(cluster.frame, contentExtent: contentExtent), zIndex: cluster.face)
    }

    /// The clusters whose frames begin in a range along the scroll axis.
    func clusters(beginningIn range: Range<Int64>) -> [MapCluster] {
        guard !range.isEmpty else { return [] }
        return clusters(meeting: AxisFrame(along: range, across: AxisFrame.everythingAcross))
            .filter { range.contains($0.frame.along) }
    }

    /// The cluster whose frame is nearest to a place of the content, in a tie the first in stream order; `nil` without
    /// clusters.
    ///
    /// - Complexity: That of ``clusters(meeting:)`` for a square of at most four times the distance.
    func cluster(nearestTo along: Int64, across: Int64) -> MapCluster? {
        guard let map = engine.map, let grid = map.grid else { return nil }
        let farthest = grid.extent + abs(along - map.itemsOrigin(of: .located)) + abs(across - map.leading)
        var reach = grid.side
        while true {
            let square = AxisFrame(
                along: along - reach..<along + reach + 1, across: across - reach..<across + reach + 1)
            let nearest = clusters(meeting: square)
                .map { (cluster: $0, item: NearItem($0.face, frame: $0.frame, along: along, across: across)) }
                .min { $0.item < $1.item }
            if let nearest, nearest.item.square <= NearItem.square(reach) { return nearest.cluster }
            guard reach <= farthest else { return nearest?.cluster }
            reach *= 2
        }
    }
}

/// The ends of all clusters along the scroll axis, to find the first that ends after a place.
struct ClusterEnds {
    /// The ends, ascending.
    private let ends: [Int64]
    /// For each end, the first photo in stream order of the clusters that end there or later.
    private let faces: [Int]

    /// Finds all clusters; `nil` if the layout has none.
    ///
    /// - Complexity: O(photos + clusters · log clusters).
    init?(_ directory: LayoutDirectory) {
        guard directory.engine.hasClusters else { return nil }
        let everything = 0..<max(1, directory.contentExtent)
        let clusters = directory.clusters(meeting: AxisFrame(along: everything, across: AxisFrame.everythingAcross))
            .sorted { $0.frame.alongEnd < $1.frame.alongEnd }
        ends = clusters.map(\.frame.alongEnd)
        var faces: [Int] = []
        for cluster in clusters.reversed() { faces.append(min(cluster.face, faces.last ?? .max)) }
        self.faces = faces.reversed()
    }

    /// The first cluster in stream order that ends after a place, by its first photo.
    ///
    /// - Complexity: O(log clusters).
    func firstFace(endingBehind along: Int64) -> Int? {
        let next = ends.partitioningIndex { $0 > along }
        return next < faces.count ? faces[next] : nil
    }
}

extension MapAlgorithm {
    /// The cells that meet a frame; `nil` if there are none.
    fileprivate func cells(meeting range: AxisFrame) -> ClusterGrid.Cells? {
        guard let grid else { return nil }
        let (start, end) = (range.across - leading, range.acrossEnd - leading)
        let x = isMirrored ? grid.extent - end..<grid.extent - start : start..<end
        let top = itemsOrigin(of: .located)
        return grid.cells(meetingX: x, y: range.along - top..<range.alongEnd - top)
    }

    /// The cell that contains a place of the content; `nil` outside the grid.
    fileprivate func cell(along: Int64, across: Int64) -> ClusterGrid.Cell? {
        guard let grid else { return nil }
        let x = across - leading
        return grid.cell(
            ofPixelX: isMirrored ? grid.extent - 1 - x : x, y: along - itemsOrigin(of: .located))
    }
}

/// The photos of a map's cell, or those without a position.
package enum ClusterPhotos: Hashable, Sendable {
    /// The photos of the cell that contains a device pixel of content space.
    case at(PixelPoint)
    /// The photos without a position.
    case unlocated
}

extension LayoutDirectory {
    /// Returns the number of photos of a cluster, and the box around them.
    ///
    /// - Parameter photos: The photos.
    /// - Returns: The number, 0 outside all cells; no box for photos without a position.
    /// - Complexity: That of one cluster.
    package func summary(of photos: ClusterPhotos) -> (count: Int, box: WorldBox?) {
        guard case .at(let point) = photos else { return (positions?.unlocatedCount ?? 0, nil) }
        guard let map = engine.map, let grid = map.grid, let cell = cell(at: point),
            let cluster = cluster(in: cell, of: grid, on: map)
        else { return (0, nil) }
        return (cluster.positions.count, cluster.positions.box)
    }

    /// The attributes of the first photos of a cluster, or of those without a position, from one on.
    ///
    /// - Parameters:
    ///   - photos: The photos.
    ///   - first: Photos before this position in stream order are left out.
    ///   - limit: The maximum number of photos, at least 1.
    /// - Returns: The attributes in stream order. All photos but the first of a cluster are hidden, and those without a
    ///   position have no extent.
    /// - Complexity: O(photos of the cluster); O(photos / 64) for those without a position.
    package func attributes(of photos: ClusterPhotos, from first: Int, limit: Int) -> [LayoutAttributes] {
        guard let positions, let map = engine.map, let grid = map.grid else { return [] }
        let (section, indices, cluster): (MapSection, [Int], MapCluster?)
        switch photos {
        case .at(let point):
            guard let cell = cell(at: point), let found = self.cluster(in: cell, of: grid, on: map) else { return [] }
            (section, cluster) = (.located, found)
            indices = positions.photos(in: cell, of: grid, from: first, limit: limit)
        case .unlocated:
            (section, cluster) = (.unlocated, nil)
            indices = positions.located.unlocated(from: first, limit: limit)
        }
        let nothing = AxisFrame(along: sectionsEnd, across: 0, alongExtent: 0, acrossExtent: 0)
        let frame = engine.axes.rect(cluster?.frame ?? nothing, contentExtent: contentExtent)
        return indices.map { index in
            let rank = positions.located.rank(of: index)
            let path = IndexPath(section: section.rawValue, item: section == .located ? rank : index - rank)
            var attributes = LayoutAttributes(
                index: index, indexPath: path, frame: frame, zIndex: engine.level(ofItem: index, at: path))
            attributes.isHidden = index != cluster?.face
            return attributes
        }
    }

    private func cell(at point: PixelPoint) -> ClusterGrid.Cell? {
        let (along, across) = engine.axes.place(point, contentExtent: contentExtent)
        return engine.map?.cell(along: along, across: across)
    }
}

extension LayoutSource {
    /// The cluster of a photo, whose frame the photo has.
    ///
    /// - Parameter index: The photo's position in stream order.
    /// - Returns: `nil` if the layout has no clusters, the photo has no position, or the stream ends before it.
    /// - Throws: Any error that the source throws.
    /// - Complexity: O(log photos) for each rectangle that the edges of the cell cross, plus the cost of one chunk's
    ///   content.
    public func cluster(ofItemAt index: Int) throws(Failure) -> MapCluster? {
        let directory = directory
        guard directory.engine.hasClusters, let position = directory.chunk(containing: index) else { return nil }
        let chunk = try placedChunk(at: position)
        return directory.cluster(holding: chunk.metrics[index - directory.chunks[position].items.lowerBound])
    }

    /// Collects the clusters that meet a frame.
    ///
    /// - Parameters:
    ///   - found: Receives the elements.
    ///   - range: A frame along and across the scroll axis.
    ///   - first: The start of the answer.
    func collectClusters(_ found: inout ElementCollector, in range: AxisFrame, from first: IndexPath) {
        let directory = directory
        guard first.section == MapSection.located.rawValue else { return }
        for cluster in directory.clusters(meeting: range) {
            let rank = directory.indexPath(of: cluster).item
            guard rank >= first.item else { continue }
            let frame = directory.engine.axes.rect(cluster.frame, contentExtent: directory.contentExtent)
            let goesOn = found.add(
                cluster.face, ordinal: rank, captionExtent: 0, frame: frame, cluster: cluster.positions)
            guard goesOn else { return }
        }
    }
}
