/// The outcomes of an import's records, in numbers.
///
/// ``read`` is the sum of the next five.
public struct ImportTotals: Hashable, Sendable {
    /// Records read.
    public var read = 0
    /// Photos that were new.
    public var inserted = 0
    /// Photos that the record changed.
    public var updated = 0
    /// Photos that were as the record says already.
    public var unchanged = 0
    /// Records whose id an earlier record of the run had; the earlier one counts.
    public var duplicate = 0
    /// Records that could not become a photo.
    public var rejected = 0
    /// Records without a size that were kept with an assumed one; they are in another count, too.
    public var assumed = 0

    /// Creates totals of zero.
    public init() {}
}
