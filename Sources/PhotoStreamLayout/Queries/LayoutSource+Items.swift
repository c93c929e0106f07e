import PhotoStreamModel

extension LayoutSource {
    /// The attributes of one item.
    ///
    /// - Parameter index: Its position in stream order.
    /// - Returns: `nil` outside the stream.
    /// - Throws: Any error that the source throws.
    /// - Complexity: O(log chunks) plus the cost of one chunk's content.
    public func attributes(forItemAt index: Int) throws(Failure) -> LayoutAttributes? {
        let directory = directory
        guard let position = directory.chunk(placing: index) else { return nil }
        let first = directory.chunks[position].placed.lowerBound
        return directory.attributes(at: index - first, of: try placedChunk(at: position), placedBy: position)
    }

    /// The attributes of the item at an index path, or `nil` if there is none.
    ///
    /// - Throws: Any error that the source throws.
    /// - Complexity: The same as ``attributes(forItemAt:)-(Int)``.
    public func attributes(forItemAt indexPath: IndexPath) throws(Failure) -> LayoutAttributes? {
        guard let index = try index(of: indexPath) else { return nil }
        return try attributes(forItemAt: index)
    }

    /// The frame of one item, which is faster than its attributes.
    ///
    /// - Parameter index: Its position in stream order.
    /// - Returns: The whole cell in device pixels; `nil` outside the stream and for a hidden item.
    /// - Throws: Any error that the source throws.
    /// - Complexity: The same as ``attributes(forItemAt:)-(Int)``.
    public func frame(forItemAt index: Int) throws(Failure) -> PixelRect? {
        guard let position = directory.chunk(placing: index) else { return nil }
        return directory.frame(ofItem: index, of: try placedChunk(at: position), placedBy: position)
    }

    /// The frames of consecutive items.
    ///
    /// - Parameters:
    ///   - first: The first item's position in stream order.
    ///   - count: The number of items.
    /// - Returns: Frames in device pixels, fewer at the end of the stream; empty for hidden items.
    /// - Throws: Any error that the source throws.
    /// - Complexity: O(count) plus the cost of the chunks' content.
    public func frames(from first: Int, count: Int) throws(Failure) -> [PixelRect] {
        var result: [PixelRect] = []
        guard var position = directory.chunk(placing: first) else { return [] }
        while result.count < count, position < directory.chunks.count {
            let entry = directory.chunks[position]
            let wanted = entry.placed.clamped(to: first..<first + min(count, directory.itemCount - first))
            if !wanted.isEmpty {
                let chunk = try placedChunk(at: position)
                for index in wanted {
                    result.append(
                        directory.attributes(
                            at: index - entry.placed.lowerBound, of: chunk, placedBy: position
                        ).frame)
                }
            }
            position += 1
        }
        return result
    }

    /// Calls `body` with the index and the frame of every item that meets a rectangle, in stream order, until it
    /// returns `false`: the cheapest query.
    ///
    /// - Parameters:
    ///   - rect: In device pixels of content space.
    ///   - first: Items before this position are skipped.
    ///   - body: Receives an item's position in stream order and its frame in device pixels; returns whether to
    ///     continue.
    /// - Throws: Any error that the source throws.
    /// - Complexity: O(log items + result); for chunks whose tops may decrease (round robin, spans or a tolerance),
    ///   O(items / 64), plus each 64 items whose box meets the rectangle.
    public func forEachItem(
        in rect: PixelRect, from first: Int = 0, _ body: (Int, PixelRect) -> Bool
    ) throws(Failure) {
        try directory.forEachItem(
            in: rect, from: first, chunkAt: { position throws(Failure) in try placedChunk(at: position) }, body)
    }

    /// The attributes of the items that meet a rectangle, in stream order.
    ///
    /// - Parameters:
    ///   - rect: In device pixels of content space.
    ///   - first: Items before this position are skipped.
    ///   - limit: The maximum number of items.
    /// - Returns: Each item once, even if the rectangle covers several chunks.
    /// - Throws: Any error that the source throws.
    /// - Complexity: The same as ``forEachItem(in:from:_:)``.
    public func items(
        in rect: PixelRect, from first: Int = 0, limit: Int = .max
    ) throws(Failure) -> [LayoutAttributes] {
        try directory.items(in: rect, from: first, limit: limit) { position throws(Failure) in
            try placedChunk(at: position)
        }
    }
}

extension LayoutSource {
    /// The position in stream order of the item at an index path, or `nil` if there is none.
    ///
    /// - Throws: Any error that the source throws; only a map reads a chunk's content.
    /// - Complexity: O(1); in a map, O(log chunks) plus the cost of one chunk's content.
    public func index(of indexPath: IndexPath) throws(Failure) -> Int? {
        let directory = directory
        guard let ordinal = directory.index(of: indexPath) else { return nil }
        guard directory.engine.isMap, let section = MapSection(rawValue: indexPath.section),
            let position = directory.chunk(holding: indexPath.item, of: section)
        else { return ordinal }
        let chunk = try placedChunk(at: position)
        let rank = indexPath.item - directory.ranks(ofChunk: position, in: section).lowerBound
        guard let offset = chunk.frames(as: MapFrames.self).offset(of: rank, isLocated: section == .located)
        else { return nil }
        return directory.chunks[position].items.lowerBound + offset
    }

    /// The section of an item, and its position within it.
    ///
    /// - Parameter index: The item's position in stream order, inside the stream.
    /// - Returns: The index path.
    /// - Throws: Any error that the source throws; only a map reads a chunk's content.
    /// - Complexity: O(log sections); in a map, O(log chunks) plus the cost of one chunk's content.
    public func indexPath(of index: Int) throws(Failure) -> IndexPath {
        let directory = directory
        guard directory.engine.isMap, let position = directory.chunk(containing: index) else {
            return directory.indexPath(of: index)
        }
        let offset = index - directory.chunks[position].items.lowerBound
        return directory.indexPath(
            of: directory.ordinal(at: offset, of: try placedChunk(at: position), placedBy: position))
    }
}

extension LayoutDirectory {
    /// The position of an item, or `nil` if there is none.
    ///
    /// In stream order; in a map, in the order of its sections, which ``LayoutSource/index(of:)`` converts.
    ///
    /// - Complexity: O(1).
    func index(of indexPath: IndexPath) -> Int? {
        guard sections.indices.contains(indexPath.section) else { return nil }
        let items = sections[indexPath.section].items
        return (0..<items.count).contains(indexPath.item) ? items.lowerBound + indexPath.item : nil
    }

    /// The section of an item, and its position within it.
    ///
    /// - Parameter index: The item's position in stream order, inside the stream; in a map, in the order of its
    ///   sections.
    /// - Returns: The index path.
    /// - Complexity: O(log sections).
    func indexPath(of index: Int) -> IndexPath {
        indexPath(of: index, in: section(containing: index))
    }

    /// The index path of an item in a section that contains it.
    func indexPath(of index: Int, in section: Int) -> IndexPath {
        IndexPath(section: section, item: index - sectionEntries[section].firstIndex)
    }

    /// The frame on the screen of an item of a chunk; `nil` if it is hidden.
    @inline(__always)
    func frame(ofItem index: Int, of chunk: PlacedChunk, placedBy chunkPosition: Int) -> PixelRect? {
        let (first, base) = (chunks[chunkPosition].placed.lowerBound, chunks[chunkPosition].base)
        return engine.algorithm.frame(at: index - first, of: chunk, index: index, base: base, in: self).map {
            engine.axes.rect($0, contentExtent: contentExtent)
        }
    }

    /// The attributes of an item of a chunk.
    ///
    /// - Parameters:
    ///   - position: Its position among the items that the chunk's run placed.
    ///   - chunk: The photos and frames that the run placed.
    ///   - chunkPosition: The chunk's position in ``chunks``.
    /// - Returns: The attributes. A hidden item has no extent, or, in a map with clusters, the frame of its cluster.
    /// - Complexity: O(log sections) plus the cost of the frame.
    public func attributes(
        at position: Int, of chunk: PlacedChunk, placedBy chunkPosition: Int
    ) -> LayoutAttributes {
        let item = chunk.metrics[position]
        let index = chunks[chunkPosition].placed.lowerBound + position
        let base = chunks[chunkPosition].base
        let path = indexPath(of: ordinal(at: position, of: chunk, placedBy: chunkPosition))
        if engine.hasClusters, let cluster = cluster(holding: item) {
            var attributes = attributes(of: item, frame: cluster.frame, index: index, at: path)
            attributes.isHidden = cluster.face != index
            return attributes
        }
        if let frame = engine.algorithm.frame(at: position, of: chunk, index: index, base: base, in: self) {
            return attributes(of: item, frame: frame, index: index, at: path)
        }
        let nothing = AxisFrame(along: sectionsEnd, across: 0, alongExtent: 0, acrossExtent: 0)
        var attributes = attributes(of: item, frame: nothing, index: index, at: path)
        attributes.captionExtent = 0
        attributes.isHidden = true
        return attributes
    }

    @inline(__always)
    func attributes(
        of item: ItemMetrics, frame: AxisFrame, index: Int, at path: IndexPath
    ) -> LayoutAttributes {
        LayoutAttributes(
            index: index, indexPath: path, frame: engine.axes.rect(frame, contentExtent: contentExtent),
            captionExtent: engine.captionExtent(of: item), zIndex: engine.level(ofItem: index, at: path))
    }
}
