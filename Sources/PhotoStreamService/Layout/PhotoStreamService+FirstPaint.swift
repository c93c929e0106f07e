public import PhotoStreamLayout
public import PhotoStreamModel

/// All that a client needs to show a layout for the first time, of one revision.
public struct FirstPaintAnswer: Hashable, Sendable {
    /// The layout as a whole.
    public let layout: LayoutAnswer
    /// Its first page.
    public let page: PageAnswer
}

extension PhotoStreamService {
    /// A layout as a whole and its first page, of one revision.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - first: The position of the first section to answer, from 0.
    ///   - sectionLimit: The most sections to answer, positive.
    ///   - limit: The most items of the page, 1 to ``maximumLimit``.
    /// - Returns: Both.
    /// - Throws: What ``layout(of:_:sectionsFrom:sectionLimit:)`` and ``page(of:_:limit:)`` throw.
    /// - Complexity: That of both.
    public func firstPaint(
        of stream: StreamName, _ key: LayoutKey, sectionsFrom first: Int = 0, sectionLimit: Int = defaultLimit,
        limit: Int = defaultLimit
    ) throws -> FirstPaintAnswer {
        try checkLimit(limit)
        return try read { reader in
            let row = try self.stream(stream, reader)
            let layout = LayoutAnswer(
                row, try placed(row, key, reader), sectionsFrom: first, limit: sectionLimit)
            return FirstPaintAnswer(layout: layout, page: try firstPage(of: row, key, limit: limit, reader))
        }
    }
}
