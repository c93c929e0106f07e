import PhotoStreamModel

extension LayoutSource {
    /// Returns the item at a point.
    ///
    /// - Parameter point: A device pixel of content space.
    /// - Returns: The item whose cell contains the pixel: the one with the highest zIndex, and in a tie, the last in
    ///   stream order; `nil` between items and outside the content.
    /// - Throws: Any error that the source throws.
    /// - Complexity: The same as ``forEachItem(in:from:_:)``.
    public func indexPath(at point: PixelPoint) throws(Failure) -> IndexPath? {
        var top: LayoutAttributes?
        for item in try items(in: point.pixel)
        where item.zIndex >= top?.zIndex ?? .min {
            top = item
        }
        return top?.indexPath
    }

    /// Returns the position to which an item dragged to a point would move.
    ///
    /// The rules, in reading order:
    /// - The section is the one at the point along the scroll axis; the first before all sections, the last after all.
    ///   If a section shows no item, the dragged item becomes its first.
    /// - If items are in lines, the line is that of the nearest item along the scroll axis, in a tie, the first. The
    ///   item moves before the first item of the line whose middle across the scroll axis lies after the point, else
    ///   after the line.
    /// - In a masonry, the column is the nearest across the scroll axis, and the cell the nearest of that column along
    ///   the scroll axis, in a tie, the first. The item moves before the cell if the cell's middle along the scroll axis
    ///   lies after the point, else after it. In an empty column, it moves to the section's end, or to its start if the
    ///   masonry is packed from the end.
    /// - With a placement rule, and among the photos of a map with a position, the cell is the nearest by the greater
    ///   of its distances along and across, in a tie, the first. The item moves before or after it as in a masonry. The
    ///   other photos of a map are in lines. With clusters, it is the nearest cluster by ``indexPath(nearestTo:)``.
    ///
    /// A middle lies after the point if it lies after the middle of the pixel.
    ///
    /// - Parameter point: A device pixel of content space, inside the content or not.
    /// - Returns: The new index path of the item, without removing the item first.
    /// - Throws: Any error that the source throws.
    /// - Complexity: The same as ``forEachItem(in:from:_:)`` for the items within about the distance of the nearest
    ///   one.
    public func insertionIndexPath(for point: PixelPoint) throws(Failure) -> IndexPath {
        let directory = directory
        let engine = directory.engine
        let (along, across) = engine.axes.place(point, contentExtent: directory.contentExtent)
        guard let section = directory.section(nearest: along) else { return IndexPath(section: 0, item: 0) }
        let area =
            section.origin
            + engine.bands.before..<max(
                section.origin + engine.bands.before, section.end - engine.bands.after)
        let index =
            switch (engine.map, engine.algorithm.dropRule) {
            case (let map?, _): try insertionOrdinal(along: along, across: across, in: area, section: section, map: map)
            case (nil, .inColumn(let columns, let isEmptyAtStart)):
                try insertionIndex(along: along, column: columns.extent(nearest: across), of: section.items, in: area)
                    ?? (isEmptyAtStart ? section.items.lowerBound : section.items.upperBound)
            case (nil, .byNearestItem):
                try insertionIndex(
                    along: along, column: AxisFrame.everythingAcross, nearTo: across, of: section.items, in: area)
                    ?? section.items.lowerBound
            case (nil, .inLine):
                try insertionIndex(along: along, across: across, of: section.items, in: area)
                    ?? section.items.lowerBound
            }
        return IndexPath(section: section.position, item: index - section.items.lowerBound)
    }

    /// Returns the position of an item that is dragged into a column.
    ///
    /// - Parameters:
    ///   - along: The drag point along the scroll axis.
    ///   - column: The column across the scroll axis.
    ///   - across: The drag point across the scroll axis, if it matters.
    ///   - items: The items of the section.
    ///   - area: The range of the items along the scroll axis.
    /// - Returns: A position in stream order; `nil` if the column is empty.
    /// - Throws: Any error that the source throws.
    private func insertionIndex(
        along: Int64, column: Range<Int64>, nearTo across: Int64? = nil, of items: Range<Int>, in area: Range<Int64>
    ) throws(Failure) -> Int? {
        guard let nearest = try nearestItem(along: along, across: column, nearTo: across, of: items, in: area) else {
            return nil
        }
        return nearest.index + (nearest.frame.middleIsBehind(along: along) ? 0 : 1)
    }

    /// Returns the position of an item that is dragged into a section of a map.
    ///
    /// - Parameters:
    ///   - along: The drag point along the scroll axis.
    ///   - across: The drag point across the scroll axis.
    ///   - area: The range of the section's items along the scroll axis.
    ///   - section: The section.
    ///   - map: The layout.
    /// - Returns: A position in the order of the sections.
    /// - Throws: Any error that the source throws.
    private func insertionOrdinal(
        along: Int64, across: Int64, in area: Range<Int64>, section: LayoutSection, map: MapAlgorithm
    ) throws(Failure) -> Int {
        let isLocated = section.position == MapSection.located.rawValue
        let first = section.items.lowerBound
        guard !directory.engine.hasClusters else {
            guard isLocated, let cluster = directory.cluster(nearestTo: along, across: across) else { return first }
            let rank = directory.indexPath(of: cluster).item
            return first + rank + (cluster.frame.middleIsBehind(along: along) ? 0 : 1)
        }
        guard
            let nearest = try nearestItem(
                along: along, across: AxisFrame.everythingAcross, nearTo: isLocated ? across : nil, of: section.items,
                in: area)
        else { return first }
        let rank = try indexPath(of: nearest.index).item
        if isLocated { return first + rank + (nearest.frame.middleIsBehind(along: along) ? 0 : 1) }
        let start = rank - rank % map.cells.lineLength
        let line = start..<min(start + map.cells.lineLength, section.items.count)
        return first + line.partitioningIndex { map.frame(ofUnlocated: $0).middleIsBehind(across: across) }
    }

    /// Returns the position in stream order of an item that is dragged into a line; `nil` if the section shows no line.
    private func insertionIndex(
        along: Int64, across: Int64, of items: Range<Int>, in area: Range<Int64>
    ) throws(Failure) -> Int? {
        guard let nearest = try nearestItem(along: along, across: AxisFrame.everythingAcross, of: items, in: area),
            let position = directory.chunk(placing: nearest.index)
        else { return nil }
        let (directory, entry) = (directory, directory.chunks[position])
        let chunk = try placedChunk(at: position)
        let line = directory.engine.algorithm.line(holding: nearest.index, of: chunk, at: entry, in: directory)
        let frames = directory.engine.algorithm.frames(ofLine: line, of: chunk, at: entry, in: directory)
        return line.lowerBound + frames.partitioningIndex { $0.middleIsBehind(across: across) }
    }

    /// Returns the item nearest to a position along the scroll axis, in a tie, the first.
    ///
    /// - Parameters:
    ///   - along: The position.
    ///   - across: The range that items must meet across the scroll axis.
    ///   - acrossPlace: A position across the scroll axis, whose distance counts if it is the greater one.
    ///   - items: The ordinals of the section's items, the only candidates.
    ///   - area: The range of the items along the scroll axis, which need not contain the position.
    /// - Returns: The item and its frame; `nil` if there is none.
    /// - Throws: Any error that the source throws.
    private func nearestItem(
        along: Int64, across: Range<Int64>, nearTo acrossPlace: Int64? = nil, of items: Range<Int>,
        in area: Range<Int64>
    ) throws(Failure) -> (index: Int, frame: AxisFrame)? {
        guard !area.isEmpty else { return nil }
        let directory = directory
        let place = min(max(along, area.lowerBound), area.upperBound - 1)
        // From a position outside, every item is further away by the distance to the area.
        let way = abs(along - place)
        var reach = max(1, directory.engine.key.lineSpacing)
        while true {
            let searched = (place - reach..<place + reach + 1).clamped(to: area)
            let range = AxisFrame(along: searched, across: across)
            var nearest: (index: Int, frame: AxisFrame)?
            var least = Int64.max
            try forEachChunk(meeting: range.alongRange) { chunk, chunkPosition in
                let entry = directory.chunks[chunkPosition]
                return directory.engine.algorithm.forEachItem(
                    in: range, of: chunk, at: entry, in: directory
                ) { position, frame in
                    guard items.contains(directory.ordinal(at: position, of: chunk, placedBy: chunkPosition)) else {
                        return true
                    }
                    let index = entry.placed.lowerBound + position
                    var distance = max(0, frame.along - along, along - frame.alongEnd + 1)
                    if let acrossPlace {
                        distance = max(distance, frame.across - acrossPlace, acrossPlace - frame.acrossEnd + 1)
                    }
                    if distance < least { (least, nearest) = (distance, (index, frame)) }
                    return least > 0
                }
            }
            // Everything within reach was compared, so no nearer item is left.
            if nearest != nil, least <= reach + way || searched == area { return nearest }
            if searched == area { return nil }
            reach *= 2
        }
    }
}

extension LayoutDirectory {
    /// The section at a position along the scroll axis: the first before all sections, the last after all.
    fileprivate func section(nearest along: Int64) -> LayoutSection? {
        guard !sectionEntries.isEmpty else { return nil }
        return section(at: max(0, sectionEntries.partitioningIndex { $0.origin > along } - 1))
    }
}

extension [Range<Int64>] {
    /// The extent of the column nearest to a position across the scroll axis; in a tie, the first.
    fileprivate func extent(nearest across: Int64) -> Range<Int64> {
        let nearest = indices.dropLast().first { column in
            self[column + 1].lowerBound - across >= across - self[column].upperBound + 1
        }
        return self[nearest ?? count - 1]
    }
}

extension AxisFrame {
    /// A range across the scroll axis that contains all items, which may extend beyond the container.
    static var everythingAcross: Range<Int64> { -1 << 40..<1 << 40 }

    init(along: Range<Int64>, across: Range<Int64>) {
        self.init(
            along: along.lowerBound, across: across.lowerBound, alongExtent: along.upperBound - along.lowerBound,
            acrossExtent: across.upperBound - across.lowerBound)
    }

    /// Whether the middle of a pixel lies before its middle along the scroll axis.
    fileprivate func middleIsBehind(along place: Int64) -> Bool { 2 * (place - along) + 1 < alongExtent }

    /// Whether the middle of a pixel lies before its middle across the scroll axis.
    fileprivate func middleIsBehind(across place: Int64) -> Bool { 2 * (place - across) + 1 < acrossExtent }
}
