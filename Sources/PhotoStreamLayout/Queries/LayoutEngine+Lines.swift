import PhotoStreamModel

extension LayoutEngine {
    /// Hands the lines that begin in a range to `body`, in stream order, until it says to stop.
    ///
    /// In a masonry, in a map and in a layout of somebody's own every item is a line of its own. Lines that are left
    /// out are left out here too.
    ///
    /// - Parameters:
    ///   - range: Device pixels along the scroll axis.
    ///   - chunk: What the chunk's run placed.
    ///   - entry: Where the chunk is.
    ///   - directory: Where the sections are.
    ///   - body: Takes the position in stream order of a line's first item, which the chunk's run placed, and the
    ///     line's top; answers whether to go on.
    /// - Returns: Whether `body` never said to stop.
    /// - Complexity: O(log items + result); where tops may fall (in turn, with spans or a tolerance) O(items / 64 +
    ///   items of the boxes that the range meets).
    func forEachLine(
        startingIn range: Range<Int64>, of chunk: PlacedChunk, _ entry: ChunkEntry, _ directory: LayoutDirectory,
        _ body: (Int, Int64) -> Bool
    ) -> Bool {
        switch (kernel, chunk.frames) {
        case (.masonry(let masonry), .narrow(let numbers)):
            masonry.forEachTop(in: range, numbers, chunk.metrics, entry, body)
        case (.masonry(let masonry), .wide(let numbers)):
            masonry.forEachTop(in: range, numbers, chunk.metrics, entry, body)
        case (.uniform(let cells), _):
            directory.forEachLine(startingIn: range, of: entry, cells, bands, body)
        case (.flow, .lines(let frames)), (.justified, .lines(let frames)):
            frames.forEachLine(startingIn: range, entry, body)
        case (_, .free(let frames)):
            frames.forEachTop(in: range.lowerBound - entry.base..<range.upperBound - entry.base) { position, top in
                body(entry.placed.lowerBound + position, entry.base + top)
            }
        case (.map(let map), _):
            forEachItem(
                in: AxisFrame(range.lowerBound - map.item.height..<range.upperBound, AxisFrame.everythingAcross),
                of: chunk, entry, directory
            ) { position, frame in
                !range.contains(frame.along) || body(entry.placed.lowerBound + position, frame.along)
            }
        default: preconditionFailure("frames of another layout")
        }
    }

    /// The items of the line that an item stands in.
    ///
    /// - Parameters:
    ///   - index: The item's position in stream order.
    ///   - chunk: What the run placed that placed the item.
    ///   - entry: Where the chunk is.
    ///   - directory: Where the sections are.
    /// - Returns: Positions in stream order; in a masonry, in a map and in a layout of somebody's own the item alone.
    func line(
        holding index: Int, of chunk: PlacedChunk, _ entry: ChunkEntry, _ directory: LayoutDirectory
    ) -> Range<Int> {
        switch (kernel, chunk.frames) {
        case (.uniform(let cells), _):
            let section = directory.section(at: directory.section(containing: index)).items
            let position = index - section.lowerBound
            let first = index - position % cells.lineLength
            return first..<min(first + cells.lineLength, section.upperBound)
        case (_, .lines(let frames)):
            let items = frames.items(of: frames.line(of: index - entry.placed.lowerBound))
            return items.lowerBound + entry.placed.lowerBound..<items.upperBound + entry.placed.lowerBound
        default: return index..<index + 1
        }
    }

    /// The frames of the items of a line, in stream order, without those that are left out.
    ///
    /// - Parameters:
    ///   - items: What ``line(holding:of:_:_:)`` gave.
    ///   - chunk: What the run placed that placed the line.
    ///   - entry: Where the chunk is.
    ///   - directory: Where the sections are.
    /// - Returns: The whole cells along and across the scroll axis.
    func frames(
        ofLine items: Range<Int>, of chunk: PlacedChunk, _ entry: ChunkEntry, _ directory: LayoutDirectory
    ) -> [AxisFrame] {
        switch (kernel, chunk.frames) {
        case (.uniform(let cells), _):
            // The line's end may be another chunk's.
            let section = directory.section(at: directory.section(containing: items.lowerBound))
            return items.map {
                cells.frame(at: $0 - section.items.lowerBound, origin: section.origin + bands.before)
            }
        case (_, .lines(let frames)):
            var found: [AxisFrame] = []
            let positions = items.lowerBound - entry.placed.lowerBound..<items.upperBound - entry.placed.lowerBound
            let line = frames.lines[frames.line(of: positions.lowerBound)]
            _ = forEachFrame(in: line, chunk.metrics[positions], base: entry.base) { _, frame in
                found.append(frame)
                return true
            }
            return found
        default:
            return items.compactMap {
                frame(at: $0 - entry.placed.lowerBound, of: chunk, base: entry.base, index: $0, directory)
            }
        }
    }
}

extension LineFrames {
    fileprivate func forEachLine(
        startingIn range: Range<Int64>, _ entry: ChunkEntry, _ body: (Int, Int64) -> Bool
    ) -> Bool {
        let first = lines.partitioningIndex { entry.base + $0.top >= range.lowerBound }
        for line in lines[first...] {
            let top = entry.base + line.top
            guard top < range.upperBound else { return true }
            guard !line.flags.contains(.hidden) else { continue }
            guard body(entry.placed.lowerBound + line.start, top) else { return false }
        }
        return true
    }
}

extension MasonryKernel {
    fileprivate func forEachTop<Number: FixedWidthInteger & UnsignedInteger>(
        in range: Range<Int64>, _ packed: MasonryNumbers<Number>, _ items: PackedMetrics, _ entry: ChunkEntry,
        _ body: (Int, Int64) -> Bool
    ) -> Bool {
        guard !range.isEmpty else { return true }
        let numbers = packed.values
        let first: Int
        // From where on a top says that all that follow lie behind the range.
        let last: Int64
        switch monotone(items) {
        case .tops:
            first = numbers.partitioningIndex { entry.base + self.top(UInt64($0)) >= range.lowerBound }
            last = range.upperBound
        case .ends:
            first = numbers.indices.partitioningIndex {
                entry.base + self.end(UInt64(numbers[$0]), of: items[$0]) > range.lowerBound
            }
            last = range.upperBound + entry.longestItem
        case .nothing:
            let tops = range.lowerBound - entry.base...range.upperBound - 1 - entry.base
            return packed.forEachBox(meeting: tops) { positions in
                for position in positions {
                    let top = self.top(UInt64(numbers[position]))
                    if tops.contains(top), !body(entry.placed.lowerBound + position, entry.base + top) { return false }
                }
                return true
            }
        }
        for position in first..<numbers.count {
            let top = entry.base + self.top(UInt64(numbers[position]))
            if range.contains(top) {
                guard body(entry.placed.lowerBound + position, top) else { return false }
            } else if top >= last {
                return true
            }
        }
        return true
    }
}

extension LayoutDirectory {
    fileprivate func forEachLine(
        startingIn range: Range<Int64>, of entry: ChunkEntry, _ cells: UniformCells, _ bands: SectionBands,
        _ body: (Int, Int64) -> Bool
    ) -> Bool {
        guard !entry.placed.isEmpty else { return true }
        let found = sections(meeting: range)
        let firstSection = max(found.lowerBound, section(containing: entry.placed.lowerBound))
        for position in firstSection..<max(firstSection, found.upperBound) {
            let section = section(at: position)
            guard section.items.lowerBound < entry.placed.upperBound else { return true }
            let origin = section.origin + bands.before
            let placed = section.items.clamped(to: entry.placed)
            // Rounded up: the first line that begins at the range's start or behind it, and in the chunk.
            let lineOfRange = max(0, (range.lowerBound - origin + cells.pitch - 1) / cells.pitch)
            let lineOfChunk = (placed.lowerBound - section.items.lowerBound + cells.lineLength - 1) / cells.lineLength
            var line = max(lineOfRange, Int64(lineOfChunk))
            while true {
                let (first, isBehind) = Int(line).multipliedReportingOverflow(by: cells.lineLength)
                let top = origin + line * cells.pitch
                guard !isBehind, first < placed.upperBound - section.items.lowerBound, top < range.upperBound
                else { break }
                guard body(section.items.lowerBound + first, top) else { return false }
                line += 1
            }
        }
        return true
    }
}
