/// What the places of a line's items depend on beside the items themselves.
struct LineTotals: Hashable, Sendable {
    /// How many items stand in the line.
    var count = 0
    /// What they take of it: device pixels in a flow, ratios in a justified layout.
    var length: UInt64 = 0
    /// How many of them have a caption.
    var captionCount = 0
    /// The greatest extent of a picture along the scroll axis, in device pixels; flow only.
    var thickest: Int64 = 0
}

/// How far a line has been walked: what its next item's place depends on.
struct LineProgress: Hashable, Sendable {
    /// How many items lie behind.
    var count = 0
    /// What they take of the line, as ``LineTotals/length``.
    var length: UInt64 = 0
    /// How many of them have a caption; justified only.
    var captionCount = 0
    /// The edge behind their pictures, spacing left out, in device pixels; justified only.
    var edge: Int64 = 0
}
