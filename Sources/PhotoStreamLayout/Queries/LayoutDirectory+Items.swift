import PhotoStreamModel

// The bodies of the questions that are asked most. They take the source's chunks as a closure, so that a source of a known
// type gets them compiled for itself: called through a protocol from another module they take twice as long.
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
        in rect: PixelRect, from first: Int, _ chunkAt: (Int) throws(Failure) -> PlacedChunk,
        _ body: (Int, PixelRect) -> Bool
    ) throws(Failure) {
        guard rect.width > 0, rect.height > 0 else { return }
        guard !engine.isAdjusted else {
            for item in try items(in: rect, from: first, limit: .max, chunkAt) {
                guard body(item.index, item.frame) else { return }
            }
            return
        }
        let (axes, contentExtent) = (engine.axes, contentExtent)
        let range = axes.frame(rect, contentExtent: contentExtent)
        for position in chunks(meeting: range.along..<range.alongEnd) {
            let entry = chunks[position]
            guard entry.placed.upperBound > first, mayMeet(range, chunk: position) else { continue }
            let chunk = try chunkAt(position)
            let goesOn = engine.forEachItem(in: range, of: chunk, entry, self) { offset, frame in
                let index = entry.placed.lowerBound + offset
                return index < first || body(index, axes.rect(frame, contentExtent: contentExtent))
            }
            guard goesOn else { return }
        }
    }

    /// See ``LayoutSource/items(in:from:limit:)``.
    @inline(__always)
    func items<Failure>(
        in rect: PixelRect, from first: Int, limit: Int, _ chunkAt: (Int) throws(Failure) -> PlacedChunk
    ) throws(Failure) -> [LayoutAttributes] {
        guard rect.width > 0, rect.height > 0, limit > 0 else { return [] }
        let range = engine.axes.frame(engine.searched(for: rect), contentExtent: contentExtent)
        let isAdjusted = engine.isAdjusted
        var result: [LayoutAttributes] = []
        for position in chunks(meeting: range.along..<range.alongEnd) {
            let entry = chunks[position]
            guard entry.placed.upperBound > first, mayMeet(range, chunk: position) else { continue }
            let chunk = try chunkAt(position)
            let goesOn = engine.forEachItem(in: range, of: chunk, entry, self) { offset, frame in
                if entry.placed.lowerBound + offset >= first {
                    let attributes = attributes(
                        of: chunk.metrics[offset], frame, entry.placed.lowerBound + offset,
                        ordinal(at: offset, of: chunk, placedBy: position))
                    if !isAdjusted || attributes.frame.intersects(rect) { result.append(attributes) }
                }
                return result.count < limit
            }
            guard goesOn else { break }
        }
        return result
    }
}
