public import PhotoStreamModel

/// One change of a stream's photos, as a collection view's data source would announce it.
///
/// Edits follow one another: the positions of each are those that the edits before it have left.
public enum ItemEdit: Hashable, Sendable {
    /// New photos stand from a position on.
    ///
    /// Where sections are a list, they belong to the section given, whose items must reach the position; without one, to
    /// the last section that begins at the position or before it.
    case insert(PackedMetrics, at: Int, section: Int? = nil)
    /// Photos are gone.
    case delete(Range<Int>)
    /// Photos stand elsewhere, from `to` on among those that are left without them; the section is as for an insertion.
    ///
    /// Where dates make sections, a photo keeps its day: what moved to another day has to be reloaded too.
    case move(Range<Int>, to: Int, section: Int? = nil)
    /// Photos have new metrics, one after the other from a position on: another size, a caption, another day.
    case reload(PackedMetrics, at: Int)
    /// A section without items begins, before the one that has that position now. Only where sections are a list.
    case insertSection(at: Int)
    /// A section is gone, and its items with it. Only where sections are a list.
    case deleteSection(at: Int)
}
