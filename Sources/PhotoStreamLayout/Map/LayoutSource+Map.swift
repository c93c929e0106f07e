import PhotoStreamModel

extension LayoutSource {
    /// The number of photos of a section of a map before a place of the stream.
    ///
    /// - Parameters:
    ///   - index: The place: a position in stream order.
    ///   - section: The section's position.
    /// - Returns: The count.
    /// - Throws: What the source throws.
    /// - Precondition: The layout is a map.
    package func itemCount(before index: Int, inMapSection section: Int) throws(Failure) -> Int {
        let directory = directory
        let isLocated = section == MapSection.located.rawValue
        guard let position = directory.chunk(containing: index) else {
            return index <= 0 ? 0 : directory.sections[section].items.count
        }
        let chunk = try placedChunk(at: position)
        let frames = chunk.frames(as: MapFrames.self)
        let offset = index - directory.chunks[position].items.lowerBound
        let located = directory.mapEntries[position].locatedBefore + frames.locatedCount(before: offset)
        return isLocated ? located : index - located
    }

    /// Collects the elements of a map that meet a frame, section by section: what is an answer's order is not that of
    /// the stream.
    ///
    /// - Parameters:
    ///   - found: Takes them.
    ///   - range: A frame along and across the scroll axis.
    ///   - first: Where the answer begins.
    /// - Throws: What the source throws.
    func collect(
        _ found: inout ElementCollector, in range: AxisFrame, from first: IndexPath
    ) throws(Failure) {
        let directory = directory
        for section in MapSection.allCases[first.section...] {
            guard let query = directory.mapQuery(range, only: section) else { return }
            let firstRank = section.rawValue == first.section ? first.item : 0
            let start = directory.section(at: section.rawValue).items.lowerBound
            for position in directory.chunks.indices
            where directory.ranks(ofChunk: position, in: section).upperBound > firstRank
                && directory.mayMeet(query, chunk: position)
            {
                let chunk = try placedChunk(at: position)
                let firstIndex = directory.chunks[position].items.lowerBound
                let goesOn = directory.forEachItem(query, of: chunk, placedBy: position) {
                    offset, frame in
                    let ordinal = directory.ordinal(at: offset, of: chunk, placedBy: position)
                    guard ordinal >= start + firstRank else { return true }
                    return found.add(
                        firstIndex + offset, ordinal: ordinal, chunk.metrics[offset],
                        directory.engine.axes.rect(frame, contentExtent: directory.contentExtent))
                }
                guard goesOn else { return }
            }
        }
    }
}
