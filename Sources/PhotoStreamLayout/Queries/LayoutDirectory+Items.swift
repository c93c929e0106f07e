import PhotoStreamModel

// The bodies of the most frequent queries. They take the source's chunks as a closure, so that they are specialized for
// a source of a known type: calls through a protocol of another module take twice as long.
extension LayoutDirectory {
    /// See ``LayoutSource/forEachItem(in:from:_:)``.
    @inline(__always)
    func forEachItem<Failure>(
        in rect: PixelRect, from first: Int, chunkAt: (Int) throws(Failure) -> PlacedChunk,
        _ body: (Int, PixelRect) -> Bool
    ) throws(Failure) {
        guard rect.width > 0, rect.height > 0 else { return }
        guard !engine.hasClusters else {
            for cluster in clusters(meeting: engine.axes.frame(rect, contentExtent: contentExtent))
            where cluster.face >= first {
                guard body(cluster.face, engine.axes.rect(cluster.frame, contentExtent: contentExtent)) else { return }
            }
            return
        }
        try engine.algorithm.forEachItem(in: rect, from: first, of: self, chunkAt: chunkAt, body)
    }

    /// See ``LayoutSource/items(in:from:limit:)``.
    @inline(__always)
    func items<Failure>(
        in rect: PixelRect, from first: Int, limit: Int, _ chunkAt: (Int) throws(Failure) -> PlacedChunk
    ) throws(Failure) -> [LayoutAttributes] {
        guard rect.width > 0, rect.height > 0, limit > 0 else { return [] }
        guard !engine.hasClusters else {
            return clusters(meeting: engine.axes.frame(rect, contentExtent: contentExtent)).lazy
                .filter { $0.face >= first }.prefix(limit).map(attributes(of:))
        }
        return try engine.algorithm.items(in: rect, from: first, limit: limit, of: self, chunkAt)
    }
}

// Inlined into the witness of each algorithm with the loop over items, where everything but the source's error is
// known.
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
        // The section of the previous item, which is nearly always that of the next.
        var section = 0
        let query = directory.mapQuery(range)
        for position in directory.chunks(meeting: range.along..<range.alongEnd) {
            let entry = directory.chunks[position]
            guard entry.placed.upperBound > first, query.map({ directory.mayMeet($0, chunk: position) }) ?? true
            else { continue }
            let chunk = try chunkAt(position)
            let goesOn = forEachItem(in: range, of: chunk, at: entry, in: directory) { offset, frame in
                if entry.placed.lowerBound + offset >= first {
                    // Reserves capacity for about as many items as a screen shows.
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
