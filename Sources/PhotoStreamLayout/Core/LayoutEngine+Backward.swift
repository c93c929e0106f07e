import PhotoStreamModel

// A layout that is packed from the end of the stream: folded from the last photo to the first, and turned around last.
//
//     content start                                                     content end
//     |<-inset->|header| photo 0 … photo n |footer|header| … |footer|<-inset->|
//                                            <── fold ── from here, as if it were the start
//
// States, advances and what else a placement says of a run's extents are as the fold sees them, which the directory
// turns around when all is known. Frames are turned around at once, run by run.
extension LayoutEngine {
    /// Whether frames are counted from the end of the content: then no page can be placed before the whole layout is
    /// known, and ``firstCursor(contentExtent:)`` takes its extent.
    public var framesNeedContentExtent: Bool { foldsBackward || axes.isHorizontal && axes.isMirrored }

    /// The positions of a stream's chunks in the order in which they are folded.
    public func foldOrder(ofChunks count: Int) -> StrideThrough<Int> {
        foldsBackward ? stride(from: count - 1, through: 0, by: -1) : stride(from: 0, through: count - 1, by: 1)
    }

    /// The bands before and after a section's items as the fold sees them.
    var foldedBands: (before: Int64, after: Int64) {
        foldsBackward ? (bands.after, bands.before) : (bands.before, bands.after)
    }

    /// The content's insets along the scroll axis as the fold sees them.
    var foldedInsets: (before: Int64, after: Int64) {
        let insets = axes.insets(key.contentInset)
        return foldsBackward ? (insets.after, insets.before) : (insets.before, insets.after)
    }

    /// Sections of a list of lengths in the order of folding, each with the position of the first item that is folded.
    ///
    /// - Precondition: The lengths are not negative and add up to the photos.
    func foldedSections(_ lengths: [Int], itemCount: Int) -> [(first: Int, mark: SectionMark)] {
        let marks = lengths.indices.map { SectionMark(rawValue: Int64($0)) }
        let firsts = (foldsBackward ? lengths.reversed() : lengths).firsts(itemCount: itemCount)
        return zip(firsts, foldsBackward ? marks.reversed() : marks).map { ($0, $1) }
    }
}

extension [Int] {
    /// The position of the first item of each section of some lengths, or where it would stand.
    ///
    /// - Parameter itemCount: The number of items.
    /// - Returns: The positions, ascending.
    /// - Precondition: The lengths are not negative and add up to the items.
    package func firsts(itemCount: Int) -> [Int] {
        var end = 0
        let firsts = map { length in
            precondition(length >= 0, "a section has no negative length")
            defer { end += length }
            return end
        }
        precondition(end == itemCount, "the sections' lengths add up to the photos")
        return firsts
    }
}

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
