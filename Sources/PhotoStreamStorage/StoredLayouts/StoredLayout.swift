/// A layout whose placements, and possibly frames, are stored.
package struct StoredLayout: Hashable, Sendable {
    /// Its id in the file.
    package let id: Int64
    /// The stream.
    package let streamID: Int64
    /// The layout key.
    package let layoutKey: String
    /// The start of the day of the last use, in milliseconds since 1970.
    package internal(set) var lastUsedMilliseconds: Int64
    /// The size of its stored data in bytes: see ``LayoutBytes``.
    package internal(set) var byteCount: Int64
}

extension StoredLayout {
    /// The columns that ``init(_:)`` reads, in order.
    ///
    /// Four of them served earlier versions. This version writes 1 for `isKept`, the day of the last use for the first, and
    /// 0 for the counts.
    static let columns = """
        id, streamId, layoutKey, firstUsedMilliseconds, lastUsedMilliseconds, isKept, byteCount, hitCount, \
        foldedChunkCount, checksum
        """

    /// Reads a row with ``columns``; fails if its checksum is wrong, or if an earlier version stored nothing for it.
    init?(_ row: RawStatement) {
        guard row.integer(5) == 1, Self.hasRightChecksum(row) else { return nil }
        self.init(
            id: row.integer(0), streamID: row.integer(1), layoutKey: row.text(2), lastUsedMilliseconds: row.integer(4),
            byteCount: row.integer(6))
    }

    /// Whether the checksum of a row with ``columns`` is right.
    static func hasRightChecksum(_ row: RawStatement) -> Bool {
        let numbers = (Int32(3)...8).map(row.integer)
        let checksum = checksum(
            id: row.integer(0), streamID: row.integer(1), layoutKey: row.text(2), numbers: numbers)
        return checksum == row.integer(9)
    }

    /// The checksum of the row that this version writes.
    var checksum: Int64 {
        Self.checksum(
            id: id, streamID: streamID, layoutKey: layoutKey,
            numbers: [lastUsedMilliseconds, lastUsedMilliseconds, 1, byteCount, 0, 0])
    }

    private static func checksum(id: Int64, streamID: Int64, layoutKey: String, numbers: [Int64]) -> Int64 {
        var sum = RowChecksum(.layout)
        sum.add(id)
        sum.add(streamID)
        sum.add(layoutKey)
        for number in numbers { sum.add(number) }
        return sum.value
    }
}

/// The stored frames of a chunk.
package struct StoredFrames: Sendable {
    /// The placement that they were made with; they are valid only with exactly that one.
    package var placement: StoredPlacement
    /// The encoded `PackedFrames`.
    package var bytes: [UInt8]

    /// Creates frames.
    package init(placement: StoredPlacement, bytes: [UInt8]) {
        self.placement = placement
        self.bytes = bytes
    }
}

/// The rules for measuring stored layouts.
package enum LayoutBytes {
    /// The cost of a row in addition to its blobs: about what its numbers and SQLite's bookkeeping take.
    package static let row: Int64 = 64
    /// The default maximum size of all layouts of a file.
    package static let defaultBudget: Int64 = 256 << 20
}

/// The placement of a chunk by a layout, without its frames.
///
/// Lengths are device pixels.
package struct StoredPlacement: Hashable, Sendable {
    /// The id of the chunk.
    package var chunkID: Int64
    /// The version of the chunk that was placed.
    package var version: Int64
    /// The layout's state at the start of the chunk, relative to the chunk's origin.
    package var entryState: [UInt8]
    /// The layout's state after the chunk, relative to its own origin.
    package var exitState: [UInt8]
    /// The encoded sections that begin in the chunk.
    package var sections: [UInt8]
    /// The distance from the chunk's origin to the next one's; negative by at most a line spacing.
    package var advance: Int64
    /// A lower bound of the tops of the placed elements, from the chunk's base.
    package var leastTop: Int64
    /// An upper bound of the ends of the placed elements, from the chunk's base.
    package var greatestEnd: Int64
    /// An upper bound of the lengths of the placed items.
    package var longestItem: Int64
    /// The number of placed photos.
    package var placedCount: Int

    private static let columnNames = [
        "chunkId", "version", "entryState", "exitState", "sections", "advance", "leastTop", "greatestEnd",
        "longestItem", "placedCount", "checksum",
    ]

    /// The columns that ``init(_:ofLayout:)`` reads, in order.
    static let columns = columnNames.joined(separator: ", ")

    /// Returns the same columns qualified with a table name.
    static func columns(of table: String) -> String {
        columnNames.map { "\(table).\($0)" }.joined(separator: ", ")
    }

    /// Reads a row with ``columns``; fails if its checksum is wrong.
    init?(_ row: RawStatement, ofLayout layoutID: Int64) {
        // The largest possible chunk is below 2^42 pixels; sums of accepted values cannot overflow.
        let greatest = Int64(1) << 44
        let lengths = (Int32(5)...9).map(row.integer)
        guard lengths.allSatisfy({ (-greatest...greatest).contains($0) }),
            lengths.dropFirst().allSatisfy({ $0 >= 0 })
        else { return nil }
        self.init(
            chunkID: row.integer(0), version: row.integer(1), entryState: row.bytes(2), exitState: row.bytes(3),
            sections: row.bytes(4), advance: lengths[0], leastTop: lengths[1], greatestEnd: lengths[2],
            longestItem: lengths[3], placedCount: Int(lengths[4]))
        guard checksum(ofLayout: layoutID) == row.integer(10) else { return nil }
    }

    /// Returns the checksum of its row in a layout.
    func checksum(ofLayout layoutID: Int64) -> Int64 {
        var sum = RowChecksum(.layoutChunk)
        for number in [layoutID, chunkID, version] { sum.add(number) }
        for bytes in [entryState, exitState, sections] { sum.add(bytes) }
        for number in [advance, leastTop, greatestEnd, longestItem, Int64(placedCount)] { sum.add(number) }
        return sum.value
    }

    /// Returns the checksum of the row of its frames.
    func checksum(ofFrames bytes: [UInt8], ofLayout layoutID: Int64) -> Int64 {
        var sum = RowChecksum(.layoutFrames)
        for number in [layoutID, chunkID, version] { sum.add(number) }
        sum.add(entryState)
        sum.add(bytes)
        return sum.value
    }

    /// Its stored size, as the budget counts it.
    package var byteCount: Int64 { LayoutBytes.row + Int64(entryState.count + exitState.count + sections.count) }

    /// Creates a placement.
    package init(
        chunkID: Int64, version: Int64, entryState: [UInt8], exitState: [UInt8], sections: [UInt8], advance: Int64,
        leastTop: Int64, greatestEnd: Int64, longestItem: Int64, placedCount: Int
    ) {
        self.chunkID = chunkID
        self.version = version
        self.entryState = entryState
        self.exitState = exitState
        self.sections = sections
        self.advance = advance
        self.leastTop = leastTop
        self.greatestEnd = greatestEnd
        self.longestItem = longestItem
        self.placedCount = placedCount
    }
}

/// A layout's row in `cache status`.
package struct StoredLayoutSize: Hashable, Sendable {
    /// The layout.
    package let layout: StoredLayout
    /// The number of chunks with a stored checkpoint.
    package let chunkCount: Int
    /// The number of chunks with stored frames.
    package let framesCount: Int
}
