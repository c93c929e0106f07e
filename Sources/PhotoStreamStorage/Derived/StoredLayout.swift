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
    /// From the chunk's origin to the next one's.
    package var advance: Int64
    /// From the chunk's origin to the end of its lowest item.
    package var extent: Int64
    /// No item of the chunk is longer.
    package var longestItem: Int64

    /// Creates a placement.
    package init(
        chunkID: Int64, version: Int64, entryState: [UInt8], exitState: [UInt8], advance: Int64, extent: Int64,
        longestItem: Int64
    ) {
        self.chunkID = chunkID
        self.version = version
        self.entryState = entryState
        self.exitState = exitState
        self.advance = advance
        self.extent = extent
        self.longestItem = longestItem
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
