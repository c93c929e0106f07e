extension LayoutDirectory {
    /// Puts chunks that were placed anew in the place of those before, and moves what follows.
    ///
    /// The result is what appending all chunks gives, but costs a few additions for each chunk and section that follows.
    ///
    /// - Parameters:
    ///   - runs: The positions of the chunks that were placed, ascending; none is empty, none touches the next.
    ///   - placed: All chunks, as many as before.
    ///   - ending: What ends the layout.
    ///   - isEndingNew: Whether that is another than before.
    /// - Returns: The positions of items that may stand elsewhere.
    mutating func update(
        _ runs: [Range<Int>], _ placed: [StreamChunk], _ ending: LayoutEnding, isEndingNew: Bool
    ) -> [Range<Int>] {
        guard !runs.isEmpty || isEndingNew else { return [] }
        let last = chunks.count - 1
        let first = runs.first?.lowerBound ?? last
        var update = DirectoryUpdate(self, from: first)
        var moved: [Range<Int>] = []
        for (number, run) in runs.enumerated() {
            let start = update.placedEnd
            update.replace(run, placed, &self)
            let replacedEnd = update.placedEnd
            update.move(run.upperBound..<(number + 1 < runs.count ? runs[number + 1].lowerBound : last), placed, &self)
            moved.append(start..<(update.movesRest ? update.placedEnd : replacedEnd))
        }
        if isEndingNew || update.movesRest { moved.append(update.placedEnd..<update.itemsEnd) }
        update.end(ending, &self)
        findLeastTops(from: isEndingNew ? last : (runs.last?.upperBound ?? last) - 1, downTo: first)
        return moved
    }

    /// Finds the least tops from a chunk on, from the back, until nothing changes any more.
    private mutating func findLeastTops(from position: Int, downTo first: Int) {
        var least = position + 1 < chunks.count ? chunks[position + 1].leastTopFromHere : Int64.max
        for position in stride(from: position, through: 0, by: -1) {
            least = min(least, chunks[position].placed.isEmpty ? least : chunks[position].leastTop)
            if position < first, chunks[position].leastTopFromHere == least { return }
            chunks[position].leastTopFromHere = least
        }
    }
}

/// A walk over a directory, from the first chunk that was placed anew to the end.
private struct DirectoryUpdate {
    /// Where the next chunk's items begin, and those that its run placed.
    private(set) var itemsEnd: Int
    private(set) var placedEnd: Int
    /// How far the chunks moved last have moved: positions, device pixels, sections.
    private var itemShift = 0
    private var shift: Int64 = 0
    private var sectionShift = 0
    private var base: Int64
    /// The greatest end up to here, as it is and as it was.
    private var greatestEnd: Int64
    private var oldGreatestEnd: Int64
    private var section: Int
    private let lineSpacing: Int64

    init(_ directory: LayoutDirectory, from first: Int) {
        let entry = directory.chunks[first]
        (itemsEnd, placedEnd, base) = (entry.items.lowerBound, entry.placed.lowerBound, entry.base)
        greatestEnd = first == 0 ? .min : directory.chunks[first - 1].greatestEndUpToHere
        oldGreatestEnd = greatestEnd
        section = directory.sectionEntries.partitioningIndex { [itemsEnd] in $0.firstIndex >= itemsEnd }
        lineSpacing = directory.engine.key.lineSpacing
    }

    /// Whether what follows stands elsewhere.
    var movesRest: Bool { itemShift != 0 || shift != 0 || sectionShift != 0 }

    /// Puts chunks in the place of those before.
    mutating func replace(_ run: Range<Int>, _ placed: [StreamChunk], _ directory: inout LayoutDirectory) {
        oldGreatestEnd = directory.chunks[run.upperBound - 1].greatestEndUpToHere
        var starts: [SectionEntry] = []
        for position in run {
            guard let placement = placed[position].fold?.placement else { continue }
            let extents = placement.extents
            for section in placement.sections {
                starts.append(
                    SectionEntry(
                        firstIndex: itemsEnd + section.position, origin: base + section.origin, mark: section.mark))
            }
            if extents.placedCount > 0 { greatestEnd = max(greatestEnd, base + extents.greatestEnd) }
            directory.chunks[position] = ChunkEntry(
                items: itemsEnd..<itemsEnd + placed[position].count,
                placed: placedEnd..<placedEnd + extents.placedCount, base: base, leastTop: base + extents.leastTop,
                longestItem: extents.longestItem, greatestEndUpToHere: greatestEnd,
                leastTopFromHere: base + extents.leastTop)
            itemsEnd += placed[position].count
            placedEnd += extents.placedCount
            base += extents.advance
        }
        replaceSections(upTo: directory.chunks[run.upperBound].items.lowerBound, with: starts, &directory)
        let next = directory.chunks[run.upperBound]
        (itemShift, shift) = (itemsEnd - next.items.lowerBound, base - next.base)
    }

    private mutating func replaceSections(
        upTo oldEnd: Int, with starts: [SectionEntry], _ directory: inout LayoutDirectory
    ) {
        var end = section
        while end < directory.sectionEntries.count, directory.sectionEntries[end].firstIndex < oldEnd { end += 1 }
        directory.sectionEntries.replaceSubrange(section..<end, with: starts)
        sectionShift += starts.count - (end - section)
        section += starts.count
    }

    /// Moves chunks that hold as they stand.
    mutating func move(_ range: Range<Int>, _ placed: [StreamChunk], _ directory: inout LayoutDirectory) {
        guard let last = range.last else { return }
        let next = directory.chunks[range.upperBound]
        if movesRest || greatestEnd != oldGreatestEnd {
            for position in range { move(position, placed, &directory.chunks[position]) }
        } else {
            greatestEnd = directory.chunks[last].greatestEndUpToHere
            oldGreatestEnd = greatestEnd
        }
        (itemsEnd, placedEnd) = (directory.chunks[last].items.upperBound, directory.chunks[last].placed.upperBound)
        base = next.base + shift
        moveSections(upTo: next.items.lowerBound, &directory)
    }

    private mutating func move(_ position: Int, _ placed: [StreamChunk], _ entry: inout ChunkEntry) {
        entry.items = entry.items.lowerBound + itemShift..<entry.items.upperBound + itemShift
        entry.placed = entry.placed.lowerBound + itemShift..<entry.placed.upperBound + itemShift
        entry.base += shift
        entry.leastTop += shift
        if entry.leastTopFromHere != .max { entry.leastTopFromHere += shift }
        let old = entry.greatestEndUpToHere
        if greatestEnd != .min, oldGreatestEnd != .min, greatestEnd == oldGreatestEnd + shift {
            entry.greatestEndUpToHere += shift
        } else if let extents = placed[position].fold?.placement.extents, extents.placedCount > 0 {
            entry.greatestEndUpToHere = max(greatestEnd, entry.base + extents.greatestEnd)
        } else {
            entry.greatestEndUpToHere = greatestEnd
        }
        (greatestEnd, oldGreatestEnd) = (entry.greatestEndUpToHere, old)
    }

    private mutating func moveSections(upTo oldEnd: Int, _ directory: inout LayoutDirectory) {
        let end = directory.sectionEntries[section...].partitioningIndex { $0.firstIndex >= oldEnd }
        if itemShift != 0 || shift != 0 {
            for position in section..<end {
                directory.sectionEntries[position].firstIndex += itemShift
                directory.sectionEntries[position].origin += shift
            }
        }
        section = end
    }

    /// Ends the layout.
    mutating func end(_ ending: LayoutEnding, _ directory: inout LayoutDirectory) {
        let starts = ending.sections.map {
            SectionEntry(firstIndex: itemsEnd + $0.position, origin: base + $0.origin, mark: $0.mark)
        }
        directory.sectionEntries.replaceSubrange(section..., with: starts)
        let extents = ending.extents
        if extents.placedCount > 0 { greatestEnd = max(greatestEnd, base + extents.greatestEnd) }
        directory.chunks[directory.chunks.count - 1] = ChunkEntry(
            items: itemsEnd..<itemsEnd, placed: placedEnd..<placedEnd + extents.placedCount, base: base,
            leastTop: base + extents.leastTop, longestItem: extents.longestItem, greatestEndUpToHere: greatestEnd,
            leastTopFromHere: extents.placedCount > 0 ? base + extents.leastTop : .max)
        directory.itemCount = itemsEnd
        directory.sectionsEnd = base + ending.end
        directory.contentExtent =
            directory.sectionsEnd + directory.engine.axes.insets(directory.engine.key.contentInset).after
    }
}
