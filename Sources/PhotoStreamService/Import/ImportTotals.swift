import PhotoStreamStorage

/// What became of an import's records.
///
/// The first is the sum of the next five.
public struct ImportTotals: Hashable, Sendable {
    /// Records read.
    public var read = 0
    /// Photos that were new.
    public var inserted = 0
    /// Photos that the record changed.
    public var updated = 0
    /// Photos that are as the record says already.
    public var unchanged = 0
    /// Records whose id an earlier record of the run had; the earlier one counts.
    public var duplicate = 0
    /// Records that were not kept.
    public var rejected = 0
    /// Records without a size that were kept with an assumed one; they are in another count, too.
    public var assumed = 0

    /// All zero.
    public init() {}

    init(_ counts: ImportCounts) {
        (read, inserted, updated) = (counts.read, counts.inserted, counts.updated)
        (unchanged, duplicate, rejected) = (counts.unchanged, counts.duplicate, counts.rejected)
        assumed = counts.assumed
    }
}
