extension LayoutDirectory {
    /// Puts what was added from the last photo to the first in stream order, and counts it from the start of the
    /// content.
    ///
    /// Called when the extent of the content is known.
    mutating func turnAround() {
        turnSectionsAround()
        chunks.removeLast()
        chunks = chunks.reversed().map { $0.turnedAround(in: contentExtent, itemCount: itemCount) }
        // A layout that is packed from the end leaves nothing open, so its ending holds no item, wherever it lies.
        let nothing = ChunkExtents(advance: 0, placedCount: 0, leastTop: 0, greatestEnd: 0, longestItem: 0)
        chunks.append(
            ChunkEntry(
                nothing, firstItem: itemCount, count: 0, firstPlaced: itemCount, base: sectionsEnd, after: .min))
        findGreatestEnds()
    }

    private mutating func findGreatestEnds() {
        var greatestEnd = Int64.min
        for position in chunks.indices {
            greatestEnd = max(greatestEnd, chunks[position].greatestEnd)
            chunks[position].greatestEndUpToHere = greatestEnd
        }
    }

    /// A section ends in the content where it begins for the fold, and begins where the next begins for the fold.
    private mutating func turnSectionsAround() {
        var turned: [SectionEntry] = []
        turned.reserveCapacity(sectionEntries.count)
        var (next, end) = (itemCount, sectionsEnd)
        for section in sectionEntries.reversed() {
            turned.append(
                SectionEntry(firstIndex: itemCount - next, origin: contentExtent - end, mark: section.mark))
            (next, end) = (section.firstIndex, section.origin)
        }
        sectionEntries = turned
        sectionsEnd = contentExtent - engine.foldedInsets.before
    }
}
