import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// Queries everything that a picture shows, in one state of the stream.
struct PictureCollector {
    /// The maximum number of photos in a picture.
    static let maximumCount = 5_000
    /// The maximum number of other elements: as many as four answers may contain.
    static let maximumElementCount = 4 * maximumCount
    /// The default maximum length of a layout along its scroll axis, in points.
    static let maximumExtent = 20_000.0

    let stream: StreamName
    /// The condition that the photos must meet; `nil` for all photos.
    let condition: Condition?
    let key: LayoutKey

    /// Returns the picture of a rectangle.
    ///
    /// - Parameters:
    ///   - rect: The rectangle in points; `nil` for the start of the content.
    ///   - maximumExtent: The maximum length along the scroll axis without a rectangle, in points.
    ///   - session: The state of the file.
    /// - Returns: The picture, with at most ``maximumCount`` photos.
    /// - Throws: ``CommandError`` if the rectangle is outside the content.
    func picture(
        of rect: Rect?, maximumExtent: Double, from session: borrowing Session
    ) throws -> LayoutPicture {
        let layout = try session.layout(key, of: stream, where: condition)
        let summary = try layout.summary()
        let region =
            try rect.map { try visible($0, in: summary.context) }
            ?? start(of: summary.context, maximumExtent: maximumExtent)
        var items: [PlacedPhoto] = []
        var elements: [LayoutAttributes] = []
        var isCut = false
        var answer = try layout.rect(.first(in: region), limit: PhotoStreamService.maximumLimit)
        while true {
            items += answer.items.prefix(Self.maximumCount - items.count)
            elements += answer.elements.prefix(Self.maximumElementCount - elements.count)
            guard let cursor = answer.nextCursor else { break }
            guard items.count < Self.maximumCount, elements.count < Self.maximumElementCount else {
                isCut = true
                break
            }
            answer = try layout.rect(.after(cursor), limit: PhotoStreamService.maximumLimit)
        }
        return LayoutPicture(
            context: summary.context, region: region, items: items, elements: elements, sections: summary.sections,
            isCut: isCut)
    }

    /// Returns the first part of the content in reading order: at the top, the left edge, or the right edge of
    /// right-to-left content that scrolls horizontally.
    private func start(of context: LayoutContext, maximumExtent: Double) -> Rect {
        let content = key.displayScale.points(context.contentSize)
        // An empty stream also has a picture.
        guard key.scrollDirection == .horizontal else {
            // A map may be wider than its container.
            let container = key.displayScale.points(key.containerLength)
            return Rect(
                x: 0, y: 0, width: min(content.width, max(container, maximumExtent)),
                height: max(1, min(content.height, maximumExtent)))
        }
        let width = max(1, min(content.width, maximumExtent))
        let x = key.layoutDirection == .rightToLeft ? max(0, content.width - width) : 0
        return Rect(x: x, y: 0, width: width, height: content.height)
    }

    /// Returns the part of a rectangle within the content.
    private func visible(_ rect: Rect, in context: LayoutContext) throws -> Rect {
        let content = key.displayScale.points(context.contentSize)
        let (minX, minY) = (max(0, rect.x), max(0, rect.y))
        let (maxX, maxY) = (min(content.width, rect.x + rect.width), min(content.height, rect.y + rect.height))
        guard minX < maxX, minY < maxY else {
            throw CommandError("the rectangle is outside the content, which is \(context.contentSizeText)")
        }
        return Rect(x: minX, y: minY, width: maxX - minX, height: maxY - minY)
    }
}

/// A part of a layout, ready to draw.
struct LayoutPicture {
    /// The stream, revision, layout key and content size.
    let context: LayoutContext
    /// The visible part, in content coordinates (points).
    let region: Rect
    /// The photos that intersect it, or the first of them.
    let items: [PlacedPhoto]
    /// The other elements that intersect it.
    let elements: [LayoutAttributes]
    /// All sections of the layout.
    let sections: [SectionAnswer]
    /// Whether photos or elements are missing.
    let isCut: Bool
    /// The thumbnails, as JPEG, of the photos that are drawn.
    var thumbnails: [PhotoID: [UInt8]] = [:]
}
