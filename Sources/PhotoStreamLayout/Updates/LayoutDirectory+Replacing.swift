extension LayoutDirectory {
    /// Replaces chunks that were placed again, and moves all following ones.
    ///
    /// The result is the same as appending all chunks, but costs a few additions per following chunk and section. Not
    /// for layouts that fold backward.
    ///
    /// - Parameters:
    ///   - run: The positions of the chunks that were placed.
    ///   - placement: Returns the number of photos of a chunk of the run, and their placement.
    public mutating func replace(
        _ run: Range<Int>, with placement: (Int) -> (count: Int, placement: ChunkPlacement)
    ) {
        let (first, next) = (chunks[run.lowerBound], chunks[run.upperBound])
        var (items, firstPlaced, base) = (first.items.lowerBound, first.placed.lowerBound, first.base)
        var before = run.lowerBound == 0 ? Int64.min : chunks[run.lowerBound - 1].greatestEndUpToHere
        var starts: [SectionEntry] = []
        for position in run {
            let (count, placement) = placement(position)
            for start in placement.sections { starts.append(SectionEntry(start, firstItem: items, base: base)) }
            let entry = ChunkEntry(
                placement.extents, firstItem: items, count: count, firstPlaced: firstPlaced, base: base,
                after: before)
            chunks[position] = entry
            (items, firstPlaced) = (entry.items.upperBound, entry.placed.upperBound)
            (base, before) = (base + placement.extents.advance, entry.greatestEndUpToHere)
        }
        let shift = DirectoryShift(items: items - next.items.lowerBound, along: base - next.base)
        // The chunk before has begun the sections that begin at the start of a chunk.
        let from = run.lowerBound == 0 ? 0 : firstSection(behind: first.items.lowerBound)
        replaceSections(from..<firstSection(behind: next.items.lowerBound), with: starts)
        move(chunksFrom: run.upperBound, sectionsFrom: from + starts.count, by: shift)
        findLeastTops(above: run.upperBound, atLeastTo: run.lowerBound)
    }

    /// Replaces the ending.
    public mutating func replaceEnding(with ending: LayoutEnding) {
        origin = chunks.removeLast().base + engine.key.lineSpacing
        finish(ending)
    }

    /// Replaces section entries; nearly always as many begin as before, and nothing after them is copied.
    private mutating func replaceSections(_ range: Range<Int>, with starts: [SectionEntry]) {
        if range.count == starts.count {
            for (position, start) in zip(range, starts) { sectionEntries[position] = start }
        } else {
            sectionEntries.replaceSubrange(range, with: starts)
        }
    }

    private func firstSection(behind index: Int) -> Int {
        sectionEntries.partitioningIndex { $0.firstIndex > index }
    }

    /// Moves the chunks and sections after replaced ones.
    ///
    /// The greatest end through a chunk moves like all the rest: the chunk follows the same state as before, which
    /// limits how far below its origin anything before it may end.
    private mutating func move(chunksFrom first: Int, sectionsFrom firstSection: Int, by shift: DirectoryShift) {
        chunks.withUnsafeMutableBufferPointer { entries in
            for position in first..<entries.count { entries[position].move(by: shift) }
        }
        sectionEntries.withUnsafeMutableBufferPointer { entries in
            for position in firstSection..<entries.count {
                entries[position].firstIndex &+= shift.items
                entries[position].origin &+= shift.along
            }
        }
        itemCount += shift.items
        sectionsEnd += shift.along
        contentExtent += shift.along
    }

    /// Updates the least tops of chunks, from the back, until nothing changes.
    private mutating func findLeastTops(above end: Int, atLeastTo first: Int) {
        var least = chunks[end].leastTopFromHere
        for position in stride(from: end - 1, through: 0, by: -1) {
            least = min(least, chunks[position].leastTop)
            if position < first, chunks[position].leastTopFromHere == least { return }
            chunks[position].leastTopFromHere = least
        }
    }
}

/// The distance that chunks and sections move.
struct DirectoryShift {
    let items: Int
    let along: Int64
}
