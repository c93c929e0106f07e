public import PhotoStreamModel

/// Where the columns of a masonry stand and how high an item is in each, in device pixels.
///
/// Columns and the spaces between them fill the content's width exactly: the pixels that are left over when it is
/// divided go to the leftmost columns, one each.
///
///     |<-left->|<- w+1 ->|<-s->|<- w+1 ->|<-s->|<- w ->|<-right->|
public struct MasonryColumns: Hashable, Sendable {
    /// How many columns there are.
    public let count: Int
    /// How many of them, from the left, are one pixel wider than the rest.
    public let wideCount: Int
    /// The width of a column that is not wide.
    public let narrowWidth: Int64
    /// The height of a caption.
    public let captionExtent: Int64
    private let left: Int64
    private let spacing: Int64

    /// Divides the width.
    public init(_ key: LayoutKey) {
        count = key.masonry.columnCount
        let (quotient, remainder) = key.availableWidth.quotientAndRemainder(dividingBy: Int64(count))
        narrowWidth = quotient
        wideCount = Int(remainder)
        captionExtent = key.masonry.captionExtent
        left = key.contentInset.left
        spacing = key.masonry.interitemSpacing
    }

    /// The width of a column.
    public func width(of column: Int) -> Int64 {
        narrowWidth + (column < wideCount ? 1 : 0)
    }

    /// The left edge of a column.
    public func x(of column: Int) -> Int64 {
        left + Int64(column) * (narrowWidth + spacing) + Int64(min(column, wideCount))
    }

    /// The height of an item's caption.
    public func captionExtent(of item: ItemMetrics) -> Int64 {
        item.hasCaption ? captionExtent : 0
    }

    /// The height of an item's whole cell in a column of `width`: picture, then caption.
    public func itemExtent(of item: ItemMetrics, width: Int64) -> Int64 {
        let ratio = Double(width) * Double(item.pixelSize.height) / Double(item.pixelSize.width)
        // The product is below 2^53, so it is exact, and the quotient lies further from any tie that it does not hit
        // than a rounding error reaches: this is exact rounding of the true ratio, half away from zero.
        return max(1, Int64(ratio.rounded(.toNearestOrAwayFromZero))) + captionExtent(of: item)
    }
}
