/// A layout configuration that was asked for.
package struct StoredLayout: Hashable, Sendable {
    /// Its id in the file.
    package let id: Int64
    /// The stream that it lays out.
    package let streamID: Int64
    /// The canonical text of the configuration.
    package let layoutKey: String
    /// When it was first asked for, in milliseconds since 1970.
    package let firstUsedMilliseconds: Int64
    /// When it was last asked for, in milliseconds since 1970.
    package internal(set) var lastUsedMilliseconds: Int64
    /// Whether placements and frames of it are stored.
    package internal(set) var isKept: Bool
    /// What is stored of it, in bytes: see ``LayoutBytes``.
    package internal(set) var byteCount: Int64
    /// How many questions were answered from what was there.
    package internal(set) var hitCount: Int
    /// How many chunks were folded for it since it was first asked for.
    package internal(set) var foldedChunkCount: Int
}

extension StoredLayout {
    /// The columns of ``init(_:)``, in its order.
    static let columns = """
        id, streamId, layoutKey, firstUsedMilliseconds, lastUsedMilliseconds, isKept, byteCount, hitCount, \
        foldedChunkCount, checksum
        """

    /// Reads a row with ``columns``; fails where it does not say what its checksum says.
    init?(_ row: RawStatement) {
        self.init(
            id: row.integer(0), streamID: row.integer(1), layoutKey: row.text(2),
            firstUsedMilliseconds: row.integer(3), lastUsedMilliseconds: row.integer(4), isKept: row.integer(5) != 0,
            byteCount: row.integer(6), hitCount: Int(row.integer(7)), foldedChunkCount: Int(row.integer(8)))
        guard checksum == row.integer(9) else { return nil }
    }

    /// The numbers that follow the key in a row.
    var numbers: [Int64] {
        [
            firstUsedMilliseconds, lastUsedMilliseconds, isKept ? 1 : 0, byteCount, Int64(hitCount),
            Int64(foldedChunkCount),
        ]
    }

    /// The checksum of the row.
    var checksum: Int64 {
        var sum = RowChecksum(.layout)
        sum.add(id)
        sum.add(streamID)
        sum.add(layoutKey)
        for number in numbers { sum.add(number) }
        return sum.value
    }
}

/// What a process tells the file of a layout's use since it told it last.
package struct LayoutUse: Sendable {
    /// The stream that it lays out.
    package var streamID: Int64
    /// The canonical text of the configuration.
    package var layoutKey: String
    /// When it was first asked for, in milliseconds since 1970; what the file knows already outranks it.
    package var firstUsedMilliseconds: Int64
    /// When it was last asked for, in milliseconds since 1970.
    package var lastUsedMilliseconds: Int64
    /// What the clock says now, in milliseconds since 1970, by which both were taken.
    package var reportedMilliseconds: Int64
    /// Whether placements and frames of it are to be stored from now on.
    package var isKept: Bool
    /// Questions that were answered from what was there.
    package var hitCount: Int
    /// Chunks that were folded.
    package var foldedChunkCount: Int

    /// Creates a report.
    package init(
        streamID: Int64, layoutKey: String, firstUsedMilliseconds: Int64, lastUsedMilliseconds: Int64,
        reportedMilliseconds: Int64, isKept: Bool, hitCount: Int, foldedChunkCount: Int
    ) {
        self.streamID = streamID
        self.layoutKey = layoutKey
        self.firstUsedMilliseconds = firstUsedMilliseconds
        self.lastUsedMilliseconds = lastUsedMilliseconds
        self.reportedMilliseconds = reportedMilliseconds
        self.isKept = isKept
        self.hitCount = hitCount
        self.foldedChunkCount = foldedChunkCount
    }
}

/// The frames of a chunk as the file has them.
package struct StoredFrames: Sendable {
    /// What they belong to: they hold only beside the very placement that they were made with.
    package var placement: StoredPlacement
    /// See `PackedFrames`.
    package var bytes: [UInt8]

    /// Creates frames.
    package init(placement: StoredPlacement, bytes: [UInt8]) {
        self.placement = placement
        self.bytes = bytes
    }
}

/// How the bytes of stored layouts are counted.
package enum LayoutBytes {
    /// What a row costs beside its blobs: about what its numbers and SQLite's own bookkeeping take.
    package static let row: Int64 = 64
    /// What the layouts of a file may take together unless the file says otherwise.
    package static let defaultBudget: Int64 = 256 << 20
}

/// A chunk as a layout placed it, without its frames.
///
/// Lengths are device pixels.
package struct StoredPlacement: Hashable, Sendable {
    /// The chunk.
    package var chunkID: Int64
    /// The chunk's version that it was made from.
    package var version: Int64
    /// The layout's state at the start of the chunk, relative to its origin.
    package var entryState: [UInt8]
    /// The layout's state behind the chunk, relative to its own origin.
    package var exitState: [UInt8]
    /// The sections that begin in the chunk, as bytes.
    package var sections: [UInt8]
    /// From the chunk's origin to the next one's; negative at most by a line spacing.
    package var advance: Int64
    /// Nothing placed begins above this, from the chunk's base.
    package var leastTop: Int64
    /// Nothing placed ends below this, from the chunk's base.
    package var greatestEnd: Int64
    /// No item that was placed is longer.
    package var longestItem: Int64
    /// How many photos were placed.
    package var placedCount: Int

    private static let columnNames = [
        "chunkId", "version", "entryState", "exitState", "sections", "advance", "leastTop", "greatestEnd",
        "longestItem", "placedCount", "checksum",
    ]

    /// The columns of ``init(_:ofLayout:)``, in its order.
    static let columns = columnNames.joined(separator: ", ")

    /// The same columns where other tables have some of that name.
    static func columns(of table: String) -> String {
        columnNames.map { "\(table).\($0)" }.joined(separator: ", ")
    }

    /// Reads a row with ``columns``; fails where it does not say what its checksum says.
    init?(_ row: RawStatement, ofLayout layoutID: Int64) {
        // The greatest chunk of the greatest items is below 2^42 pixels; sums of what is let in cannot overflow.
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

    /// The checksum of its row in a layout.
    func checksum(ofLayout layoutID: Int64) -> Int64 {
        var sum = RowChecksum(.layoutChunk)
        for number in [layoutID, chunkID, version] { sum.add(number) }
        for bytes in [entryState, exitState, sections] { sum.add(bytes) }
        for number in [advance, leastTop, greatestEnd, longestItem, Int64(placedCount)] { sum.add(number) }
        return sum.value
    }

    /// The checksum of the row of the frames that were made with it.
    func checksum(ofFrames bytes: [UInt8], ofLayout layoutID: Int64) -> Int64 {
        var sum = RowChecksum(.layoutFrames)
        for number in [layoutID, chunkID, version] { sum.add(number) }
        sum.add(entryState)
        sum.add(bytes)
        return sum.value
    }

    /// What it takes in the file, as the budget counts.
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

/// What `cache status` tells of a layout.
package struct StoredLayoutSize: Hashable, Sendable {
    /// The layout.
    package let layout: StoredLayout
    /// How many of its chunks have their checkpoint stored.
    package let chunkCount: Int
    /// How many of its chunks have their frames stored.
    package let framesCount: Int
}
