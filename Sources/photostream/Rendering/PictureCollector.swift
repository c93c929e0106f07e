import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// Asks for everything that a picture shows.
struct PictureCollector {
    /// The most photos that a picture shows.
    static let maximumCount = 5_000
    /// How much of a layout is shown unless a rectangle is asked for, in points.
    static let maximumHeight = 20_000.0

    let service: PhotoStreamService
    let stream: StreamName
    let key: LayoutKey

    /// The picture of a rectangle.
    ///
    /// - Parameters:
    ///   - rect: What to show, in points; `nil` for the content from its top.
    ///   - maximumHeight: The most points of height that are shown where no rectangle is given.
    /// - Returns: The picture, which holds at most ``maximumCount`` photos.
    /// - Throws: ``CommandError`` when the rectangle lies outside the content, or the stream changes meanwhile.
    func picture(of rect: Rect?, maximumHeight: Double) throws -> LayoutPicture {
        let layout = try service.layout(of: stream, key)
        let content = key.displayScale.points(layout.context.contentSize)
        // An empty stream gets a picture, too.
        let region =
            try rect.map { try visible($0, layout.context) }
            ?? Rect(x: 0, y: 0, width: content.width, height: max(1, min(content.height, maximumHeight)))
        var items: [PlacedPhoto] = []
        var isCut = false
        var answer = try service.elements(in: region, of: stream, key, limit: PhotoStreamService.maximumLimit)
        while true {
            guard answer.context.revision == layout.context.revision else {
                throw CommandError("stream \"\(stream)\" was changed while it was drawn; try again")
            }
            items += answer.items.prefix(Self.maximumCount - items.count)
            guard let cursor = answer.nextCursor else { break }
            guard items.count < Self.maximumCount else {
                isCut = true
                break
            }
            answer = try service.elements(after: cursor, of: stream, limit: PhotoStreamService.maximumLimit)
        }
        return LayoutPicture(
            context: layout.context, region: region, items: items, isCut: isCut)
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
