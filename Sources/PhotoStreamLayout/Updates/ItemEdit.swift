public import PhotoStreamModel

/// One change of a stream's photos, as a collection view's data source would describe it.
///
/// Edits apply in order: the positions of each are those after the previous edits.
public enum ItemEdit: Hashable, Sendable {
    /// New photos from a position on.
    ///
    /// If sections are a list, they belong to the given section, whose items must reach the position; without one, to
    /// the last section that begins at or before the position.
    case insert(PackedMetrics, at: Int, section: Int? = nil)
    /// Photos that are removed.
    case delete(Range<Int>)
    /// Photos that move to `to`, a position among the remaining photos; the section is as for an insertion.
    ///
    /// If sections result from dates, a photo keeps its date: to move it to another section, replace it as well.
    case move(Range<Int>, to: Int, section: Int? = nil)
    /// New metrics of the photos from a position on: another size, a caption, another day.
    case replace(PackedMetrics, at: Int)
    /// A new section without items, before the one at that position. Requires a list of sections.
    case insertSection(at: Int)
    /// A removed section, without items. Requires a list of sections.
    case deleteSection(at: Int)
}

extension ItemEdit {
    /// The number of photos after the edit of a stream of `count`.
    ///
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
