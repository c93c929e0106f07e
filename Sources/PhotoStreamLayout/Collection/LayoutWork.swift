/// The work of a layout since it was created, counted, so that the cost of an edit shows without a clock.
public struct LayoutWork: Hashable, Sendable {
    /// The number of times that it was brought up to date: once for all that was invalidated before a question.
    public internal(set) var passes = 0
    /// Chunks that were placed.
    public internal(set) var chunksFolded = 0
    /// Photos that were placed.
    public internal(set) var itemsFolded = 0
    /// Chunks that were kept as they stood, summed over the passes.
    public internal(set) var chunksReused = 0
}
