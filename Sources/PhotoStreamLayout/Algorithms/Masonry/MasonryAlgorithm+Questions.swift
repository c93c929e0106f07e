import PhotoStreamModel

// The queries of a masonry about a chunk.
extension MasonryAlgorithm {
    var dropRule: DropRule {
        .inColumn(
            (0..<columns.count).map { columns.x(of: $0)..<columns.x(of: $0) + columns.width(of: $0) },
            isEmptyAtStart: isFromEnd)
    }

    // Inlined into the witness, so that the most frequent query is one call.
    @inline(__always)
    func frame(
        at position: Int, of chunk: PlacedChunk, index: Int, base: Int64, in directory: LayoutDirectory
    ) -> AxisFrame? {
        frame(frames(of: chunk)[position], of: chunk.metrics[position], base: base)
    }

    func frame(
        at position: Int, in frames: MasonryFrames, of item: ItemMetrics, base: Int64, place: PagePlace
    ) -> AxisFrame {
        frame(frames[position], of: item, base: base)
    }

    func forEachItem(
        in range: AxisFrame, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        switch frames(of: chunk) {
        case .narrow(let numbers): forEachItem(in: range, of: numbers, items: chunk.metrics, at: entry, body)
        case .wide(let numbers): forEachItem(in: range, of: numbers, items: chunk.metrics, at: entry, body)
        }
    }

    func forEachLine(
        startingIn range: Range<Int64>, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, Int64) -> Bool
    ) -> Bool {
        switch frames(of: chunk) {
        case .narrow(let numbers): forEachTop(in: range, of: numbers, items: chunk.metrics, at: entry, body)
        case .wide(let numbers): forEachTop(in: range, of: numbers, items: chunk.metrics, at: entry, body)
        }
    }

    @inline(__always)
    private func forEachItem<Number: FixedWidthInteger & UnsignedInteger>(
        in range: AxisFrame, of packed: MasonryNumbers<Number>, items: PackedMetrics, at entry: ChunkEntry,
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
                        // All following items end after this, so they begin after the range.
                        if self.top(packed) >= end + entry.longestItem { return true }
                        continue
                    }
                    let frame = frame(packed, ofPlain: items[position], base: entry.base)
                    if frame.intersects(range), !body(position, frame) { return false }
                }
                return true
            case .nothing:
                // An item that begins above the first of these tops ends above the range.
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

    private func forEachTop<Number: FixedWidthInteger & UnsignedInteger>(
        in range: Range<Int64>, of packed: MasonryNumbers<Number>, items: PackedMetrics, at entry: ChunkEntry,
        _ body: (Int, Int64) -> Bool
    ) -> Bool {
        guard !range.isEmpty else { return true }
        let numbers = packed.values
        let first: Int
        // The top beyond which all following items lie after the range.
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

extension ChunkEntry {
    /// The approximate position of an item that begins at a top, if items are spread evenly.
    fileprivate func position(ofTop top: Int64, count: Int) -> Int {
        let extent = max(1, greatestEnd - leastTop)
        let distance = min(max(top - (leastTop - base), 0), extent)
        return Int(Double(distance) / Double(extent) * Double(count))
    }
}
