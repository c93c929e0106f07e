import PhotoStreamModel

// Layouts that are packed from the end of the stream: folded from the last photo to the first, then reversed.
//
//     content start                                                     content end
//     |<-inset->|header| photo 0 … photo n |footer|header| … |footer|<-inset->|
//                                            <── fold ── from here, as if it were the start
//
// States, advances and the other extents of a placement are in the direction of the fold, and the directory reverses
// them when it is complete. Frames are reversed immediately, run by run.
extension LayoutEngine {
    /// Whether frames are measured from the end of the content: then no page can be placed before the extent of the
    /// whole layout is known, which ``firstCursor(contentExtent:)`` takes.
    public var framesNeedContentExtent: Bool { foldsBackward || axes.isHorizontal && axes.isMirrored }

    /// Whether the frames of a page depend on photos after it: in layouts that fold backward, and on maps with clusters.
    public var pagesNeedLayout: Bool { foldsBackward || hasClusters }

    /// The positions of a stream's chunks in the order in which they are folded.
    public func foldOrder(ofChunks count: Int) -> StrideThrough<Int> {
        foldsBackward ? stride(from: count - 1, through: 0, by: -1) : stride(from: 0, through: count - 1, by: 1)
    }

    /// The bands before and after a section's items, in the direction of the fold.
    var foldedBands: (before: Int64, after: Int64) {
        foldsBackward ? (bands.after, bands.before) : (bands.before, bands.after)
    }

    /// The content's insets along the scroll axis, in the direction of the fold.
    var foldedInsets: (before: Int64, after: Int64) {
        let insets = axes.insets(key.contentInset)
        return foldsBackward ? (insets.after, insets.before) : (insets.before, insets.after)
    }

    /// The sections of a list of lengths in the order of folding, each with the position of its first folded item.
    ///
    /// - Precondition: The lengths are not negative and their sum is the number of photos.
    func foldedSections(_ lengths: [Int], itemCount: Int) -> [(first: Int, mark: SectionMark)] {
        let marks = lengths.indices.map { SectionMark(rawValue: Int64($0)) }
        let firsts = (foldsBackward ? lengths.reversed() : lengths).firsts(itemCount: itemCount)
        return zip(firsts, foldsBackward ? marks.reversed() : marks).map { ($0, $1) }
    }
}

extension [Int] {
    /// The ascending positions of the first items of sections with these lengths; an empty section has the position of
    /// the next item.
    ///
    /// - Precondition: The lengths are not negative and their sum is `itemCount`.
    package func firsts(itemCount: Int) -> [Int] {
        var end = 0
        let firsts = map { length in
            precondition(length >= 0, "the length of a section is not negative")
            defer { end += length }
            return end
        }
        precondition(end == itemCount, "the sum of the sections' lengths is the number of photos")
        return firsts
    }
}

extension LayoutDirectory {
    /// Reverses entries that were added from the last photo to the first into stream order, measured from the start of
    /// the content.
    ///
    /// Call it when the extent of the content is known.
    mutating func turnAround() {
        turnSectionsAround()
        chunks.removeLast()
        chunks = chunks.reversed().map { $0.turnedAround(in: contentExtent, itemCount: itemCount) }
        // A layout that is packed from the end leaves nothing open, so its ending has no items.
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

    /// Swaps the starts and ends of sections: a section begins at the next one's start in the direction of the fold.
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
