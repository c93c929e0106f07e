import PhotoStreamModel

// The bodies of the questions that are asked most. They take the source's chunks as a closure, so that a source of a
// known type gets them compiled for itself: called through a protocol from another module they take twice as long.
extension LayoutDirectory {
    /// See ``LayoutSource/attributes(forItemAt:)-(Int)``.
    @inline(__always)
    func attributes<Failure>(
        forItemAt index: Int, _ chunkAt: (Int) throws(Failure) -> PlacedChunk
    ) throws(Failure) -> LayoutAttributes? {
        guard let position = chunk(placing: index) else { return nil }
        return attributes(at: index - chunks[position].placed.lowerBound, of: try chunkAt(position), placedBy: position)
    }

    /// See ``LayoutSource/forEachItem(in:from:_:)``.
    @inline(__always)
    func forEachItem<Failure>(
        in rect: PixelRect, from first: Int, chunkAt: (Int) throws(Failure) -> PlacedChunk,
        _ body: (Int, PixelRect) -> Bool
    ) throws(Failure) {
        guard rect.width > 0, rect.height > 0 else { return }
        try engine.algorithm.forEachItem(in: rect, from: first, of: self, chunkAt: chunkAt, body)
    }

    /// See ``LayoutSource/items(in:from:limit:)``.
    @inline(__always)
    func items<Failure>(
        in rect: PixelRect, from first: Int, limit: Int, _ chunkAt: (Int) throws(Failure) -> PlacedChunk
    ) throws(Failure) -> [LayoutAttributes] {
        guard rect.width > 0, rect.height > 0, limit > 0 else { return [] }
        return try engine.algorithm.items(in: rect, from: first, limit: limit, of: self, chunkAt)
    }
}

// Inlined into the witness of each algorithm, where all but the source's error is known, with the loop over items.
extension LayoutAlgorithm {
    @inline(__always)
    func forEachItem<Failure>(
        in rect: PixelRect, from first: Int, of directory: LayoutDirectory,
        chunkAt: (Int) throws(Failure) -> PlacedChunk, _ body: (Int, PixelRect) -> Bool
    ) throws(Failure) {
        let (axes, contentExtent) = (directory.engine.axes, directory.contentExtent)
        let range = axes.frame(rect, contentExtent: contentExtent)
        let query = directory.mapQuery(range)
        for position in directory.chunks(meeting: range.along..<range.alongEnd) {
            let entry = directory.chunks[position]
            guard entry.placed.upperBound > first, query.map({ directory.mayMeet($0, chunk: position) }) ?? true
            else { continue }
            let chunk = try chunkAt(position)
            let goesOn = forEachItem(in: range, of: chunk, at: entry, in: directory) { offset, frame in
                let index = entry.placed.lowerBound + offset
                return index < first || body(index, axes.rect(frame, contentExtent: contentExtent))
            }
            guard goesOn else { return }
        }
    }

    @inline(__always)
    func items<Failure>(
        in rect: PixelRect, from first: Int, limit: Int, of directory: LayoutDirectory,
        _ chunkAt: (Int) throws(Failure) -> PlacedChunk
    ) throws(Failure) -> [LayoutAttributes] {
        let engine = directory.engine
        let range = engine.axes.frame(rect, contentExtent: directory.contentExtent)
        var result: [LayoutAttributes] = []
        // That of the item before, which is nearly always that of the next.
        var section = 0
        let query = directory.mapQuery(range)
        for position in directory.chunks(meeting: range.along..<range.alongEnd) {
            let entry = directory.chunks[position]
            guard entry.placed.upperBound > first, query.map({ directory.mayMeet($0, chunk: position) }) ?? true
            else { continue }
            let chunk = try chunkAt(position)
            let goesOn = forEachItem(in: range, of: chunk, at: entry, in: directory) { offset, frame in
                if entry.placed.lowerBound + offset >= first {
                    // Room for about as many items as a screen shows is made at once.
                    if result.isEmpty { result.reserveCapacity(min(limit, 32)) }
                    let ordinal = directory.ordinal(at: offset, of: chunk, placedBy: position)
                    if !directory.holds(section: section, ordinal) { section = directory.section(containing: ordinal) }
                    result.append(
                        directory.attributes(
                            of: chunk.metrics[offset], frame: frame, index: entry.placed.lowerBound + offset,
                            at: directory.indexPath(of: ordinal, in: section)))
                }
                return result.count < limit
            }
            guard goesOn else { break }
        }
        return result
    }
}

extension LayoutSource {
    /// Hands the items that meet a range along the scroll axis to `body`, in stream order.
    ///
    /// - Parameters:
    ///   - range: Device pixels along the scroll axis.
    ///   - body: Takes an item's position in stream order and its frame along and across the scroll axis.
    /// - Throws: Any error that the source throws.
    /// - Complexity: As ``forEachItem(in:from:_:)``.
    func forEachItem(along range: Range<Int64>, _ body: (Int, AxisFrame) -> Void) throws(Failure) {
        let directory = directory
        try forEachChunk(meeting: range) { chunk, position in
            let entry = directory.chunks[position]
            return directory.engine.algorithm.forEachItem(
                in: AxisFrame(along: range, across: AxisFrame.everythingAcross), of: chunk, at: entry, in: directory
            ) { offset, frame in
                body(entry.placed.lowerBound + offset, frame)
                return true
            }
        }
    }
}
