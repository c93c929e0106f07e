/// A run of consecutive photos as a fold placed it, relative to the origin of the state before it.
public struct ChunkPlacement: Hashable, Sendable {
    /// The state behind the last photo, relative to its own origin.
    public let exitState: MasonryState
    /// From the origin of the state before the run to that of the state behind it, in device pixels.
    public let advance: Int64
    /// From the origin before the run to the end of its lowest item, in device pixels; 0 without items.
    public let extent: Int64
    /// No item is longer than this, in device pixels: a bound, at most twice the longest one and its line spacing; 0
    /// without items.
    public let longestItem: Int64
    /// Where the items stand, in order.
    public let frames: PackedFrames
}
