import PhotoStreamModel

/// The columns of a masonry or a grid, in device pixels from the leading edge of the container.
///
/// Columns and the spaces between them fill the content exactly: the pixels that are left over when it is divided go to
/// the first columns in reading order, one each. Where content scrolls sideways they are lanes, one under the other.
///
///     |<-inset->|<- w+1 ->|<-s->|<- w+1 ->|<-s->|<- w ->|<-inset->|
struct MasonryColumns: Hashable, Sendable {
    /// The number of columns.
    let count: Int
    /// The number of them, from the first, that are one pixel wider than the rest.
    let wideCount: Int
    /// The width of a column that is not wide.
    let narrowWidth: Int64
    private let leading: Int64
    private let spacing: Int64

    /// Divides what the key leaves for the items of a section.
    init(_ key: LayoutKey, count: Int) {
        let axes = LayoutAxes(key)
        self.count = count
        let available = key.availableLength - Int64(count - 1) * key.interitemSpacing
        let (quotient, remainder) = available.quotientAndRemainder(dividingBy: Int64(count))
        narrowWidth = quotient
        wideCount = Int(remainder)
        leading = axes.insets(key.contentInset).leading + axes.insets(key.sections.inset).leading
        spacing = key.interitemSpacing
    }

    /// The width of a column.
    @inline(__always)
    func width(of column: Int) -> Int64 {
        narrowWidth &+ (column < wideCount ? 1 : 0)
    }

    /// The width of consecutive columns with the spaces between them.
    func width(of span: Int, from column: Int) -> Int64 {
        let last = column + span - 1
        return x(of: last) + width(of: last) - x(of: column)
    }

    /// The leading edge of a column.
    @inline(__always)
    func x(of column: Int) -> Int64 {
        leading &+ Int64(column) &* (narrowWidth &+ spacing) &+ Int64(min(column, wideCount))
    }
}
