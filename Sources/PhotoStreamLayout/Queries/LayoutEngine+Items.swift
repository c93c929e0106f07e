import PhotoStreamModel

extension LayoutEngine {
    /// Hands the items of a chunk that meet a frame to `body`, in stream order, until it says to stop.
    ///
    /// - Parameters:
    ///   - range: A frame along and across the scroll axis, not empty.
    ///   - chunk: What the chunk's run placed.
    ///   - entry: Where the chunk is.
    ///   - directory: Where the sections are.
    ///   - body: Takes an item's position among those placed and its frame; answers whether to go on.
    /// - Returns: Whether `body` never said to stop.
    /// - Complexity: O(log items + result); where tops may fall (in turn, with spans or a tolerance) O(items / 64 +
    ///   items of the boxes that the range meets).
    func forEachItem(
        in range: AxisFrame, of chunk: PlacedChunk, _ entry: ChunkEntry, _ directory: LayoutDirectory,
        _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        switch kernel {
        case .masonry(let masonry):
            switch chunk.frames {
            case .narrow(let numbers): masonry.forEachItem(in: range, numbers, chunk.metrics, entry, body)
            case .wide(let numbers): masonry.forEachItem(in: range, numbers, chunk.metrics, entry, body)
            default: preconditionFailure("frames of another layout")
            }
        case .uniform(let cells): directory.forEachItem(in: range, of: entry, cells, bands, body)
        case .flow(let flow): forEachItem(in: range, flow, chunk, entry, body)
        case .justified(let justified): forEachItem(in: range, justified, chunk, entry, body)
        case .map:
            directory.mapQuery(range).map { query in
                directory.forEachItem(query, of: chunk, placedBy: directory.position(of: entry), body)
            } ?? true
        case .custom:
            forEachItem(in: range, chunk, entry, body)
        }
    }

    /// The frame of one item.
    ///
    /// - Parameters:
    ///   - position: Its position among those that the chunk's run placed.
    ///   - chunk: What the run placed.
    ///   - base: Where the chunk's tops are counted from.
    ///   - index: Its position in stream order.
    ///   - directory: Where the sections are.
    /// - Returns: The whole cell along and across the scroll axis, or `nil` for one that is left out.
    /// - Complexity: O(1) for masonry and cells of one size, O(log lines + items of the line) for lines.
    @inline(__always)
    func frame(
        at position: Int, of chunk: PlacedChunk, base: Int64, index: Int, _ directory: LayoutDirectory
    ) -> AxisFrame? {
        // What is asked for most, where it is asked for.
        if case .masonry(let masonry) = kernel, case .narrow(let numbers) = chunk.frames {
            return masonry.frame(UInt64(numbers.values[position]), of: chunk.metrics[position], base: base)
        }
        return frameOfAny(at: position, of: chunk, base: base, index: index, directory)
    }

    @inline(never)
    private func frameOfAny(
        at position: Int, of chunk: PlacedChunk, base: Int64, index: Int, _ directory: LayoutDirectory
    ) -> AxisFrame? {
        switch kernel {
        case .masonry(let masonry):
            guard case .wide(let numbers) = chunk.frames else { preconditionFailure("frames of another layout") }
            return masonry.frame(numbers.values[position], of: chunk.metrics[position], base: base)
        case .uniform(let cells):
            let section = directory.sectionEntries[directory.section(containing: index)]
            return cells.frame(at: index - section.firstIndex, origin: section.origin + bands.before)
        case .flow(let flow): return frame(at: position, of: chunk, base: base, flow)
        case .justified(let justified): return frame(at: position, of: chunk, base: base, justified)
        case .map(let map):
            guard let placing = directory.chunk(placing: index) else { return nil }
            return directory.mapFrame(at: position, of: chunk, placedBy: placing, map)
        case .custom: return freeFrames(of: chunk).frames[position].moved(by: base)
        }
    }

    private func frame(
        at position: Int, of chunk: PlacedChunk, base: Int64, _ kernel: some LineKernel
    ) -> AxisFrame? {
        guard case .lines(let frames) = chunk.frames else { preconditionFailure("frames of another layout") }
        let line = frames.line(of: position)
        let positions = frames.items(of: line)
        let items = chunk.metrics[positions]
        var progress = LineProgress()
        var found: AxisFrame?
        _ = kernel.forEachFrame(
            in: frames.lines[line], kernel.totals(items), from: &progress, items, base: base
        ) { offset, frame in
            if positions.lowerBound + offset == position { found = frame }
            return found == nil
        }
        return found
    }

    /// How much of a cell's height is its caption's, in device pixels.
    func captionExtent(of item: ItemMetrics) -> Int64 {
        switch kernel {
        // Cells of one size are all alike, so each keeps room for a caption.
        case .uniform(let cells): cells.captionExtent
        case .masonry(let masonry): item.hasCaption ? masonry.extents.captionExtent : 0
        case .justified(let justified): item.hasCaption ? justified.captionExtent : 0
        case .map: 0
        case .flow, .custom: item.hasCaption ? key.captionExtent : 0
        }
    }

    private func forEachItem(
        in range: AxisFrame, _ chunk: PlacedChunk, _ entry: ChunkEntry, _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        freeFrames(of: chunk).forEachItem(in: range.moved(by: -entry.base)) { position, frame in
            body(position, frame.moved(by: entry.base))
        }
    }

    private func freeFrames(of chunk: PlacedChunk) -> FreeFrames {
        guard case .free(let frames) = chunk.frames else { preconditionFailure("frames of another layout") }
        return frames
    }

    private func forEachItem(
        in range: AxisFrame, _ kernel: some LineKernel, _ chunk: PlacedChunk, _ entry: ChunkEntry,
        _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        guard case .lines(let frames) = chunk.frames else { preconditionFailure("frames of another layout") }
        let (top, end) = (range.along - entry.base, range.alongEnd - entry.base)
        // Lines do not overlap, so both ends of what meets the range can be searched by tops.
        let first = max(0, frames.lines.partitioningIndex { $0.top > top } - 1)
        for line in frames.lines[first...].indices {
            guard frames.lines[line].top < end else { return true }
            let positions = frames.items(of: line)
            let items = chunk.metrics[positions]
            var progress = LineProgress()
            let goesOn = kernel.forEachFrame(
                in: frames.lines[line], kernel.totals(items), from: &progress, items, base: entry.base
            ) { offset, frame in
                frame.intersects(range) ? body(positions.lowerBound + offset, frame) : true
            }
            guard goesOn else { return false }
        }
        return true
    }
}

extension MasonryKernel {
    @inline(__always)
    fileprivate func forEachItem<Number: FixedWidthInteger & UnsignedInteger>(
        in range: AxisFrame, _ packed: MasonryNumbers<Number>, _ items: PackedMetrics, _ entry: ChunkEntry,
        _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        packed.values.withUnsafeBufferPointer { numbers in
            let (top, end) = (range.along - entry.base, range.alongEnd - entry.base)
            switch monotone(items) {
            case .tops:
                let least = top - entry.longestItem
                let guess = entry.position(ofTop: least, count: numbers.count)
                let first = numbers.partitioningIndex(near: guess) { self.top(UInt64($0)) > least }
                for position in first..<numbers.count {
                    let packed = UInt64(numbers[position])
                    guard self.top(packed) < end else { return true }
                    let frame = frame(packed, ofPlain: items[position], base: entry.base)
                    if frame.intersects(range), !body(position, frame) { return false }
                }
                return true
            case .ends:
                let first = numbers.indices.partitioningIndex { self.end(UInt64(numbers[$0]), of: items[$0]) > top }
                for position in first..<numbers.count {
                    let packed = UInt64(numbers[position])
                    guard self.top(packed) < end else {
                        // All that follow end behind this, so they begin behind the range.
                        if self.top(packed) >= end + entry.longestItem { return true }
                        continue
                    }
                    let frame = frame(packed, ofPlain: items[position], base: entry.base)
                    if frame.intersects(range), !body(position, frame) { return false }
                }
                return true
            case .nothing:
                // What begins higher than the first of these ends above the range.
                let tops = top - entry.longestItem...end - 1
                return packed.forEachBox(meeting: tops) { positions in
                    for position in positions where tops.contains(self.top(UInt64(numbers[position]))) {
                        let frame = frame(UInt64(numbers[position]), of: items[position], base: entry.base)
                        if frame.intersects(range), !body(position, frame) { return false }
                    }
                    return true
                }
            }
        }
    }
}

extension ChunkEntry {
    /// About where an item stands that begins at a place, if items are spread evenly.
    fileprivate func position(ofTop top: Int64, count: Int) -> Int {
        let extent = max(1, greatestEnd - leastTop)
        let distance = min(max(top - (leastTop - base), 0), extent)
        return Int(Double(distance) / Double(extent) * Double(count))
    }
}

extension LayoutDirectory {
    /// The items of a chunk that meet a frame, where cells are of one size: no frames are needed.
    fileprivate func forEachItem(
        in range: AxisFrame, of entry: ChunkEntry, _ cells: UniformCells, _ bands: SectionBands,
        _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        let meeting = sections(meeting: range.along..<range.alongEnd)
        // Sections of one item by the hundred thousand are not walked through again for every chunk.
        let firstSection = max(meeting.lowerBound, self.section(containing: entry.placed.lowerBound))
        for position in firstSection..<max(firstSection, meeting.upperBound) {
            let section = section(at: position)
            guard section.items.lowerBound < entry.placed.upperBound else { return true }
            let origin = section.origin + bands.before
            let found = cells.positions(
                meeting: range.along - origin..<range.alongEnd - origin, count: section.items.count)
            let first = max(found.lowerBound, entry.placed.lowerBound - section.items.lowerBound)
            let end = min(found.upperBound, entry.placed.upperBound - section.items.lowerBound)
            guard first < end else { continue }
            for item in first..<end {
                let frame = cells.frame(at: item, origin: origin)
                let index = section.items.lowerBound + item
                if frame.intersects(range), !body(index - entry.placed.lowerBound, frame) { return false }
            }
        }
        return true
    }
}

extension AxisFrame {
    /// The frame further along the scroll axis.
    func moved(by distance: Int64) -> AxisFrame {
        AxisFrame(along: along + distance, across: across, alongExtent: alongExtent, acrossExtent: acrossExtent)
    }

    /// Whether a pixel belongs to both; the other is not empty.
    @inline(__always)
    func intersects(_ other: AxisFrame) -> Bool {
        along < other.alongEnd && other.along < alongEnd && across < other.acrossEnd && other.across < acrossEnd
            && alongExtent > 0 && acrossExtent > 0
    }
}
