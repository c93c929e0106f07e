/// A layout configuration of which something is stored.
package struct StoredLayout: Hashable, Sendable {
    /// Its id in the file.
    package let id: Int64
    /// The stream that it lays out.
    package let streamID: Int64
    /// The canonical text of the configuration.
    package let layoutKey: String
    /// When it was last asked for, in milliseconds since 1970.
    package let lastUsedMilliseconds: Int64
    /// How many chunks were folded for it since it was first stored.
    package let foldedChunkCount: Int
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
    /// How many of its chunks are stored.
    package let chunkCount: Int
    /// The bytes of its checkpoints and frames.
    package let byteCount: Int
}
