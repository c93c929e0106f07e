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
    package let lastUsedMilliseconds: Int64
    /// Whether placements and frames of it are stored.
    package let isKept: Bool
    /// What is stored of it, in bytes: see ``LayoutBytes``.
    package let byteCount: Int64
    /// How many questions were answered from what was there.
    package let hitCount: Int
    /// How many chunks were folded for it since it was first asked for.
    package let foldedChunkCount: Int
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
