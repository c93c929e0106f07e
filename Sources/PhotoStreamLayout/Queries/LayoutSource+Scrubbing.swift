/// A position in the content at which a scrubber can stop.
public struct ScrubberPlace: Hashable, Sendable {
    /// The distance along the scroll axis from the start of the content in the direction of reading, in device pixels.
    public let offset: Int64
    /// The position of the section there; if there is none, the nearest before it, or the first.
    public let section: Int
    /// The position in stream order of the first item that ends after the offset; of the last item if none does.
    public let index: Int
}

extension LayoutSource {
    /// Returns positions at even distances, from the start of the content to its end, both included.
    ///
    /// - Parameter count: The number of positions; a single one is the start.
    /// - Returns: The positions in the direction of reading; none for a stream without items.
    /// - Throws: Any error that the source throws.
    /// - Complexity: O(count × (log sections + log items)), plus the content of at most one chunk per position; each
    ///   chunk's is requested once. In a map, O(count × chunks); with clusters, O(photos) in addition.
    public func scrubberPlaces(_ count: Int) throws(Failure) -> [ScrubberPlace] {
        let directory = directory
        guard directory.itemCount > 0, count > 0 else { return [] }
        let clusters = ClusterEnds(directory)
        var open: (position: Int, chunk: PlacedChunk)?
        var places: [ScrubberPlace] = []
        places.reserveCapacity(Swift.min(count, directory.itemCount))
        for step in 0..<count {
            let offset = directory.contentExtent.part(step, of: Swift.max(1, count - 1))
            let next = directory.sectionEntries.partitioningIndex { $0.origin > offset }
            // The photos of a map have no order along the scroll axis, so each chunk's box is compared.
            let query = directory.mapQuery(directory.everything(behind: offset))
            var position =
                query == nil ? directory.chunks.partitioningIndex { $0.greatestEndUpToHere > offset } : 0
            var index = clusters?.firstFace(endingBehind: offset)
            while clusters == nil, index == nil, position < directory.chunks.count {
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
    /// All content from a position along the scroll axis on.
    fileprivate func everything(behind offset: Int64) -> AxisFrame {
        AxisFrame(along: offset..<Swift.max(offset + 1, contentExtent + 1), across: AxisFrame.everythingAcross)
    }

    /// The first item of a chunk that ends after a position.
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
    /// `part` of `count` equal parts of it, rounded down; exact for every value.
    fileprivate func part(_ part: Int, of count: Int) -> Int64 {
        let (whole, rest) = quotientAndRemainder(dividingBy: Int64(count))
        return whole * Int64(part) + rest * Int64(part) / Int64(count)
    }
}
