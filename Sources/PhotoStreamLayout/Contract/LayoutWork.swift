/// What a layout has done since it was created: counted, so that tests need no clock.
public struct LayoutWork: Hashable, Sendable {
    /// How often it was brought up to date: once for all contexts before a question.
    public internal(set) var passes = 0
    /// Chunks that were placed.
    public internal(set) var chunksFolded = 0
    /// Photos that were placed.
    public internal(set) var itemsFolded = 0
    /// Chunks whose frames were kept as they stood when the layout was brought up to date.
    public internal(set) var chunksReused = 0
}
