/// The numbers of records that an import has read, by outcome.
///
/// ``read`` is the sum of the next five.
public struct ImportTotals: Hashable, Sendable {
    /// Records read.
    public var read = 0
    /// Photos that were new.
    public var inserted = 0
    /// Photos that a record changed.
    public var updated = 0
    /// Photos that already equalled the record.
    public var unchanged = 0
    /// Records whose id an earlier record of the run had; the earlier one counts.
    public var duplicate = 0
    /// Invalid records.
    public var rejected = 0
    /// Records without a size that were kept with an assumed one; another number counts them, too.
    public var assumed = 0

    /// Creates totals of zero.
    public init() {}
}
