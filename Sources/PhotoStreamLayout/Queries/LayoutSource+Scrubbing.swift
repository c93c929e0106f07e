/// A place of the content that a scrubber can stop at.
public struct ScrubberPlace: Hashable, Sendable {
    /// Along the scroll axis from the start of the content in the direction of reading, in device pixels.
    public let offset: Int64
    /// The position of the section that lies there; the nearest before it, or the first, where none does.
    public let section: Int
    /// The position of the first item in stream order of which something lies there or after it; of the last item
    /// where none does.
    public let index: Int
}

extension LayoutSource {
    /// Places at even distances, from the start of the content to its end, both included.
    ///
    /// - Parameter count: The count of places; a single one is the start.
    /// - Returns: The places in the direction of reading; none of a stream without items.
    /// - Throws: Any error that the source throws.
    /// - Complexity: O(count × (log sections + log items)), and the content of at most one chunk for each place; each
    ///   chunk's is asked for once. In a map O(count × chunks).
    public func scrubberPlaces(_ count: Int) throws(Failure) -> [ScrubberPlace] {
        let directory = directory
        guard directory.itemCount > 0, count > 0 else { return [] }
        var open: (position: Int, chunk: PlacedChunk)?
        var places: [ScrubberPlace] = []
        places.reserveCapacity(Swift.min(count, directory.itemCount))
        for step in 0..<count {
            let offset = directory.contentExtent.part(step, of: Swift.max(1, count - 1))
            let next = directory.sectionEntries.partitioningIndex { $0.origin > offset }
            // The photos of a map stand anywhere, so each chunk's box is looked at.
            let query = directory.mapQuery(directory.everything(behind: offset))
            var position =
                query == nil ? directory.chunks.partitioningIndex { $0.greatestEndUpToHere > offset } : 0
            var index: Int?
            while index == nil, position < directory.chunks.count {
                if !directory.chunks[position].placed.isEmpty,
                    query.map({ directory.mayMeet($0, chunk: position) }) ?? true
                {
                    let chunk: PlacedChunk
                    if let open, open.position == position {
                        chunk = open.chunk
                    } else {
                        chunk = try placedChunk(at: position)
                        open = (position, chunk)
                    }
                    index = directory.firstItem(endingBehind: offset, of: chunk, directory.chunks[position])
                }
                position += 1
            }
            places.append(
                ScrubberPlace(
                    offset: offset, section: Swift.max(0, next - 1), index: index ?? directory.itemCount - 1))
        }
        return places
    }
}

extension LayoutDirectory {
    /// All of the content from a place along the scroll axis on.
    fileprivate func everything(behind offset: Int64) -> AxisFrame {
        AxisFrame(along: offset..<Swift.max(offset + 1, contentExtent + 1), across: AxisFrame.everythingAcross)
    }

    /// The first item of a chunk that meets what lies after a place.
    fileprivate func firstItem(endingBehind offset: Int64, of chunk: PlacedChunk, _ entry: ChunkEntry) -> Int? {
        var found: Int?
        let rest = everything(behind: offset)
        _ = engine.algorithm.forEachItem(in: rest, of: chunk, at: entry, in: self) { position, _ in
            found = entry.placed.lowerBound + position
            return false
        }
        return found
    }
}

extension Int64 {
    /// `part` of `count` equal parts of it, rounded down; exact, however great it is.
    fileprivate func part(_ part: Int, of count: Int) -> Int64 {
        let (whole, rest) = quotientAndRemainder(dividingBy: Int64(count))
        return whole * Int64(part) + rest * Int64(part) / Int64(count)
    }
}
