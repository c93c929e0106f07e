/// The sums that the places of a line's items depend on, in addition to the items themselves.
struct LineTotals: Hashable, Sendable {
    /// The number of items that stand in the line.
    var count = 0
    /// Their share of it: device pixels in a flow, ratios in a justified layout.
    var length: UInt64 = 0
    /// The number of them that have a caption.
    var captionCount = 0
    /// The greatest extent of a picture along the scroll axis, in device pixels; flow only.
    var thickest: Int64 = 0
}

/// The progress along a line: the sums that its next item's place depends on.
struct LineProgress: Hashable, Sendable {
    /// The number of items that lie after.
    var count = 0
    /// Their share of the line, as ``LineTotals/length``.
    var length: UInt64 = 0
    /// The number of of them that have a caption; justified only.
    var captionCount = 0
    /// The edge after their pictures, spacing left out, in device pixels; justified only.
    var edge: Int64 = 0
}
