public import PhotoStreamModel

/// One change of a stream's photos, as a collection view's data source would announce it.
///
/// Edits follow one another: the positions of each are those that the edits before it have left.
public enum ItemEdit: Hashable, Sendable {
    /// New photos stand from a position on.
    ///
    /// If sections are a list, they belong to the section given, whose items must reach the position; without one,
    /// to the last section that begins at the position or before it.
    case insert(PackedMetrics, at: Int, section: Int? = nil)
    /// Photos are gone.
    case delete(Range<Int>)
    /// Photos stand elsewhere, from `to` on among those that are left without them; the section is as for an insertion.
    ///
    /// If dates make sections, a photo keeps its day: what moved to another day has to be replaced too.
    case move(Range<Int>, to: Int, section: Int? = nil)
    /// Photos have other metrics, one after the other from a position on: another size, a caption, another day.
    case replace(PackedMetrics, at: Int)
    /// A section without items begins, before the one that has that position now. Only where sections are a list.
    case insertSection(at: Int)
    /// A section is gone that has no items any more. Only where sections are a list.
    case deleteSection(at: Int)
}

extension ItemEdit {
    /// The number of photos afterwards.
    ///
    /// - Parameter count: The count before the edit.
    /// - Returns: The count.
    /// - Precondition: All positions are inside the stream.
    public func itemCount(from count: Int) -> Int {
        func check(_ range: Range<Int>, of count: Int) {
            precondition(range.lowerBound >= 0 && range.upperBound <= count, "an edit outside the stream")
        }
        switch self {
        case .insert(let items, let index, _):
            check(index..<index, of: count)
            return count + items.count
        case .delete(let range):
            check(range, of: count)
            return count - range.count
        case .move(let range, let index, _):
            check(range, of: count)
            check(index..<index, of: count - range.count)
            return count
        case .replace(let items, let index):
            check(index..<index + items.count, of: count)
            return count
        case .insertSection, .deleteSection: return count
        }
    }
}
