public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

/// The photos that match a search, laid out by themselves.
public struct SearchAnswer: Hashable, Sendable {
    /// The stream, revision and layout key, and the content size of the matching photos.
    public let context: LayoutContext
    /// The number of matching photos.
    public let count: Int
    /// The positions of the matching photos, on a map with clusters; `nil` in other layouts.
    public let positions: PositionsAnswer?
    /// The matching photos, section by section in stream order; of each cluster of a map the first.
    public let items: [PlacedPhoto]
    /// The other elements, section by section: background, header, the badges of photos, separators, footer.
    public let elements: [LayoutAttributes]
    /// The sections of the headers, by their positions.
    public let headedSections: [Int: HeadedSection]
    /// Whether these are all matching photos: otherwise more photos match, or not all photos were searched.
    public let isComplete: Bool
}

extension PhotoStreamService {
    /// The maximum length of the text of a search, in characters.
    public static let maximumSearchLength = 200
    /// The maximum number of photos that are searched.
    public static let maximumSearchedCount = 2_000_000
}

extension SessionLayout {
    /// Searches the titles, captions and lists of a stream's photos for a text, and lays out the matching photos as if
    /// they were the whole stream.
    ///
    /// Case, accents and spaces at both ends are ignored. Nothing is stored.
    ///
    /// - Parameters:
    ///   - text: The text, 1 to ``PhotoStreamService/maximumSearchLength`` characters without the spaces at both ends.
    ///   - limit: The maximum number of photos, 1 to ``PhotoStreamService/maximumLimit``.
    ///   - lists: The lists that are searched, too; by default, all.
    /// - Returns: The first matching photos, with their frames.
    /// - Throws: ``StreamServiceError/invalidSearch(length:maximum:)``, ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(photos), but at most ``PhotoStreamService/maximumSearchedCount`` photos are searched.
    public func search(
        for text: String, limit: Int = PhotoStreamService.maximumLimit, in lists: [PhotoList] = PhotoList.allCases
    ) throws -> SearchAnswer {
        try search(for: text, limit: limit, in: lists, scanning: PhotoStreamService.maximumSearchedCount)
    }

    func search(
        for text: String, limit: Int, in lists: [PhotoList] = PhotoList.allCases, scanning scanLimit: Int
    ) throws -> SearchAnswer {
        guard !isSelection else { throw StreamServiceError.searchOfView }
        try session.checkLimit(limit)
        let maximum = PhotoStreamService.maximumSearchLength
        let trimmed = text.trimmingPrefix { $0.isWhitespace }.reversed().trimmingPrefix { $0.isWhitespace }.reversed()
        guard (1...maximum).contains(trimmed.count) else {
            throw StreamServiceError.invalidSearch(length: trimmed.count, maximum: maximum)
        }
        let (photos, isComplete) = try session.reader.search(
            SearchedText(String(trimmed)), in: lists, streamID: stream.id, limit: limit,
            within: PhotoStreamService.maximumByteCount,
            scanning: scanLimit)
        let placed = LayoutSnapshot(key, items: photos.map(\.itemMetrics))
        let extent = placed.directory.contentSize
        let all = PixelRect(x: 0, y: 0, width: extent.width, height: extent.height)
        let found = placed.attributes(in: all)
        let frames = found.attributes.filter { $0.elementKind == .item }
        let items = try session.photos(
            at: frames, rowIDs: frames.map { photos[$0.index].rowID }, of: self.photos, clusters: found.clusters
        ) {
            PackedPhoto(photos[frames[$0].index].photo)
        }
        let elements = found.attributes.filter { $0.elementKind != .item }
        return SearchAnswer(
            context: LayoutContext(
                stream: stream.name, streamID: stream.id, condition: nil,
                revision: try session.mark(of: stream).revision,
                layoutKey: key, contentSize: extent),
            count: photos.count, positions: PositionsAnswer(placed.directory), items: items, elements: elements,
            headedSections: placed.directory.headedSections(of: elements), isComplete: isComplete)
    }
}
