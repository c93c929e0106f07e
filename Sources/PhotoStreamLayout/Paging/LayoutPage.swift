public import PhotoStreamModel

/// A page of a chain: items, and where to go on.
public struct LayoutPage: Hashable, Sendable {
    /// The items in stream order; those that the layout leaves out are hidden and have no extent.
    public let items: [LayoutAttributes]
    /// Where the next page begins.
    public let next: LayoutCursor
}

extension LayoutEngine {
    /// The page behind a cursor.
    ///
    /// A page of lines ends with a line; where one line alone is longer than the limit, the cursor carries what was
    /// decided of it. No frame that was served is revised later in its chain.
    ///
    /// - Parameters:
    ///   - cursor: Where the page begins.
    ///   - items: The photos behind it, in stream order: more than `limit`, or all that there are.
    ///   - isEnd: Whether no photo follows `items`.
    ///   - limit: The most items on the page, at least 1.
    /// - Returns: `nil` where more photos are needed to know where the first line ends.
    /// - Complexity: O(items).
    public func page(
        behind cursor: LayoutCursor, _ items: PackedMetrics, isEnd: Bool, limit: Int
    ) -> LayoutPage? {
        var builder = PageBuilder(self, cursor)
        if let line = cursor.line {
            builder.addToLine(items[0..<min(items.count, limit, line.totals.count - line.progress.count)])
            return builder.page
        }
        switch kernel {
        case .masonry, .uniform, .custom:
            builder.addItems(items[0..<min(items.count, limit)])
            return builder.page
        case .flow, .justified:
            return builder.addLines(items, isEnd: isEnd, limit: limit) ? builder.page : nil
        }
    }
}
