import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// Asks for everything that a picture shows, of one state of the stream.
struct PictureCollector {
    /// The maximum number of photos in a picture.
    static let maximumCount = 5_000
    /// The maximum number of other elements: those that four answers of as many photos may hold.
    static let maximumElementCount = 4 * maximumCount
    /// The extent along the scroll axis that is shown unless a rectangle is given, in points.
    static let maximumExtent = 20_000.0

    let stream: StreamName
    let key: LayoutKey

    /// Returns the picture of a rectangle.
    ///
    /// - Parameters:
    ///   - rect: The rectangle, in points; `nil` for the content from its start.
    ///   - maximumExtent: The maximum extent along the scroll axis if no rectangle is given, in points.
    ///   - session: The state of the file.
    /// - Returns: The picture, which holds at most ``maximumCount`` photos.
    /// - Throws: ``CommandError`` when the rectangle lies outside the content.
    func picture(
        of rect: Rect?, maximumExtent: Double, from session: borrowing Session
    ) throws -> LayoutPicture {
        let layout = try session.layout(of: stream, key)
        let region = try rect.map { try visible($0, layout.context) } ?? start(of: layout.context, maximumExtent)
        var items: [PlacedPhoto] = []
        var elements: [LayoutAttributes] = []
        var isCut = false
        var answer = try session.elements(in: region, of: stream, key, limit: PhotoStreamService.maximumLimit)
        while true {
            items += answer.items.prefix(Self.maximumCount - items.count)
            elements += answer.elements.prefix(Self.maximumElementCount - elements.count)
            guard let cursor = answer.nextCursor else { break }
            guard items.count < Self.maximumCount, elements.count < Self.maximumElementCount else {
                isCut = true
                break
            }
            answer = try session.elements(after: cursor, of: stream, limit: PhotoStreamService.maximumLimit)
        }
        return LayoutPicture(
            context: layout.context, region: region, items: items, elements: elements, sections: layout.sections,
            isCut: isCut)
    }

    /// The first part of the content in reading order: its top, its left edge, or its right edge where content scrolls
    /// sideways from right to left.
    private func start(of context: LayoutContext, _ maximumExtent: Double) -> Rect {
        let content = key.displayScale.points(context.contentSize)
        // An empty stream gets a picture, too.
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

    /// The part of a rectangle that lies within the content.
    private func visible(_ rect: Rect, _ context: LayoutContext) throws -> Rect {
        let content = key.displayScale.points(context.contentSize)
        let (minX, minY) = (max(0, rect.x), max(0, rect.y))
        let (maxX, maxY) = (min(content.width, rect.x + rect.width), min(content.height, rect.y + rect.height))
        guard minX < maxX, minY < maxY else {
            throw CommandError("the rectangle shows nothing of the content, which is \(context.contentSizeText)")
        }
        return Rect(x: minX, y: minY, width: maxX - minX, height: maxY - minY)
    }
}
