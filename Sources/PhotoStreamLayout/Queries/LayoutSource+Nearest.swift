import PhotoStreamModel

extension LayoutSource {
    /// Returns the item at a point, or else the nearest one.
    ///
    /// A point outside the content is moved to the nearest pixel of the content. The distance is that of the straight
    /// line from the point's pixel to the nearest pixel of an item's frame; in a tie, the first item in stream order is
    /// the nearest.
    ///
    /// - Parameter point: A device pixel of content space, inside the content or not.
    /// - Returns: The result of ``indexPath(at:)`` if there is one, else the nearest item; `nil` if the layout shows no
    ///   item.
    /// - Throws: Any error that the source throws.
    /// - Complexity: O(log chunks), plus the content of each chunk that begins no further from the point than the
    ///   nearest item lies; in a map, O(chunks) in addition; with clusters, that of a rectangle of about that distance.
    public func indexPath(nearestTo point: PixelPoint) throws(Failure) -> IndexPath? {
        let size = directory.contentSize
        let inside = PixelPoint(
            x: min(max(point.x, 0), max(0, size.width - 1)), y: min(max(point.y, 0), max(0, size.height - 1)))
        if let path = try indexPath(at: inside) { return path }
        let (along, across) = directory.engine.axes.place(inside, contentExtent: directory.contentExtent)
        guard !directory.engine.hasClusters else {
            return directory.cluster(nearestTo: along, across: across).map(directory.indexPath(of:))
        }
        guard let nearest = try nearestItem(toPlaceAlong: along, across: across) else { return nil }
        return try indexPath(of: nearest.index)
    }

    /// The item nearest to a position in the content.
    private func nearestItem(toPlaceAlong along: Int64, across: Int64) throws(Failure) -> NearItem? {
        let directory = directory
        var nearest: NearItem?
        var visited = 0..<0
        var reach = max(1, directory.engine.key.lineSpacing)
        while true {
            let found = directory.chunks(meeting: along - reach..<along + reach + 1)
            var coming: [(position: Int, least: UInt128)] = []
            for position in found where !visited.contains(position) && !directory.chunks[position].placed.isEmpty {
                guard let least = directory.leastDistance(ofChunk: position, along: along, across: across) else {
                    continue
                }
                coming.append((position, least))
            }
            // The nearest first, so that few of the others can contain a nearer item.
            coming.sort { $0.least == $1.least ? $0.position < $1.position : $0.least < $1.least }
            for (position, least) in coming {
                if let nearest, least > nearest.square { break }
                nearest = try self.nearestItem(toPlaceAlong: along, across: across, in: position, or: nearest)
            }
            visited = found
            // Every item outside these chunks is further away along the scroll axis than the reach.
            let isNearEnough = nearest.map { $0.square <= NearItem.square(reach) } ?? false
            guard !isNearEnough, visited.count < directory.chunks.count, reach < QuestionRange.limit else {
                return nearest
            }
            reach *= 2
        }
    }

    /// The nearer of another item and those of a chunk.
    private func nearestItem(
        toPlaceAlong along: Int64, across: Int64, in position: Int, or other: NearItem?
    ) throws(Failure) -> NearItem? {
        let directory = directory
        let entry = directory.chunks[position]
        // An item that is further away in one direction cannot be nearer.
        let reach = other?.reach ?? NearItem.farthestReach
        let range = AxisFrame(along: along - reach..<along + reach + 1, across: across - reach..<across + reach + 1)
        var nearest = other
        let chunk = try placedChunk(at: position)
        _ = directory.engine.algorithm.forEachItem(in: range, of: chunk, at: entry, in: directory) { offset, frame in
            let item = NearItem(entry.placed.lowerBound + offset, frame: frame, along: along, across: across)
            if frame.alongExtent > 0, frame.acrossExtent > 0, nearest.map({ item < $0 }) ?? true { nearest = item }
            return true
        }
        return nearest
    }
}

/// An item and its distance from a position.
struct NearItem: Comparable {
    /// The maximum distance of an item from a position in the content.
    static let farthestReach: Int64 = 1 << 59

    /// Its position in stream order.
    let index: Int
    /// The square of the distance.
    let square: UInt128
    /// A length of at least the distance.
    let reach: Int64

    init(_ index: Int, frame: AxisFrame, along: Int64, across: Int64) {
        let distances = frame.distances(along: along, across: across)
        self.index = index
        square = Self.square(distances.along) + Self.square(distances.across)
        reach = min(distances.along + distances.across, Self.farthestReach)
    }

    static func square(_ distance: Int64) -> UInt128 { UInt128(distance) * UInt128(distance) }

    static func < (left: NearItem, right: NearItem) -> Bool {
        (left.square, left.index) < (right.square, right.index)
    }
}

extension AxisFrame {
    /// The distances of a pixel from the nearest pixel of the frame, 0 inside.
    fileprivate func distances(along place: Int64, across otherPlace: Int64) -> (along: Int64, across: Int64) {
        (
            max(0, along - place, place - alongEnd + 1),
            max(0, across - otherPlace, otherPlace - acrossEnd + 1)
        )
    }
}

extension LayoutDirectory {
    /// A lower bound of the squared distances to the items that a chunk placed; `nil` if it has none.
    fileprivate func leastDistance(ofChunk position: Int, along: Int64, across: Int64) -> UInt128? {
        frames(aroundChunk: position).map { frame in
            let distances = frame.distances(along: along, across: across)
            return NearItem.square(distances.along) + NearItem.square(distances.across)
        }.min()
    }

    /// Frames that contain all items that a chunk placed.
    private func frames(aroundChunk position: Int) -> [AxisFrame] {
        let entry = chunks[position]
        guard let map = engine.map, !mapEntries.isEmpty else {
            let range = entry.leastTop..<max(entry.leastTop, entry.greatestEnd) + 1
            return [AxisFrame(along: range, across: AxisFrame.everythingAcross)]
        }
        var frames: [AxisFrame] = []
        if let box = mapEntries[position].positions.box {
            let first = map.frame(atPacked: UInt64(box.minX) | UInt64(box.minY) << 32)
            let last = map.frame(atPacked: UInt64(box.maxX) | UInt64(box.maxY) << 32)
            // The world may be mirrored.
            frames.append(
                AxisFrame(
                    along: min(first.along, last.along)..<max(first.alongEnd, last.alongEnd),
                    across: min(first.across, last.across)..<max(first.acrossEnd, last.acrossEnd)))
        }
        let ranks = ranks(ofChunk: position, in: .unlocated)
        if let last = ranks.last {
            let range = map.frame(ofUnlocated: ranks.lowerBound).along..<map.frame(ofUnlocated: last).alongEnd
            frames.append(AxisFrame(along: range, across: AxisFrame.everythingAcross))
        }
        return frames
    }
}
