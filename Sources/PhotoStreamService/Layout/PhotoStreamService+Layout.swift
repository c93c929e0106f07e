public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// A layout as a whole: content size, counts, sections.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - first: The position of the first section to answer, from 0.
    ///   - limit: The most sections to answer, positive; `nil` for all.
    /// - Returns: The counts of all, and the sections asked for; none behind the last.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(1) when the layout was asked for at this revision, O(chunks) when it is stored, else O(photos);
    ///   beside that O(limit).
    public func layout(
        of stream: StreamName, _ key: LayoutKey, sectionsFrom first: Int = 0, sectionLimit limit: Int? = nil
    ) throws -> LayoutAnswer {
        try withLayout(of: stream, key) { LayoutAnswer($0, $1, sectionsFrom: first, limit: limit) }
    }

    /// The photo at a position of the stream.
    ///
    /// - Throws: ``StreamServiceError/indexOutOfRange(index:count:)``, ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(log chunks) and one chunk when the layout is at hand.
    public func item(at index: Int, of stream: StreamName, _ key: LayoutKey) throws -> ItemAnswer {
        try withLayout(of: stream, key) { row, placed in
            guard let rowID = try placed.rowIDs(of: [index]).first else {
                throw StreamServiceError.indexOutOfRange(index: index, count: placed.directory.itemCount)
            }
            return try item(try placed.reader.photos(rowIDs: [rowID])[0], at: index, row, placed)
        }
    }

    /// Where a photo is: its index, frame and section, and the cursor of a page that holds it.
    ///
    /// - Parameters:
    ///   - id: The photo.
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - limit: The limit that pages will be asked for with, 1 to ``maximumLimit``.
    /// - Returns: The photo, and a cursor: the page behind it has the photo with the very frame of this answer, and begins
    ///   with the photo, or in a layout of lines with its line.
    /// - Throws: ``StreamServiceError/unknownPhoto(_:stream:)``, ``StreamServiceError/unknownStream(_:)``,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(log chunks) and the photos of a chunk when the layout is at hand.
    public func locate(
        _ id: PhotoID, in stream: StreamName, _ key: LayoutKey, limit: Int = defaultLimit
    ) throws -> LocateAnswer {
        try checkLimit(limit)
        return try withLayout(of: stream, key) { row, placed in
            guard let photo = try placed.reader.photo(streamID: row.id, id: id), let index = try placed.index(of: photo)
            else { throw StreamServiceError.unknownPhoto(id.rawValue, stream: stream.rawValue) }
            let found = try item(photo, at: index, row, placed)
            return LocateAnswer(
                context: found.context, item: found.item,
                cursor: try placed.cursorText(toPageWith: photo, at: index, limit: limit))
        }
    }

    /// The photo at a point, and where a photo would go that is dragged there.
    ///
    /// - Parameters:
    ///   - point: In points of content space, inside the content or not.
    ///   - stream: The stream.
    ///   - key: The layout.
    /// - Returns: Both by the rules of the layout's `indexPath(at:)` and `insertionIndexPath(for:)`, of one revision.
    /// - Throws: `LayoutError` for NaN and infinite values, ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(log photos) and the chunks around the point when the layout is at hand.
    public func item(at point: Point, of stream: StreamName, _ key: LayoutKey) throws -> PointAnswer {
        let pixel = try key.displayScale.pixel(holding: point)
        return try withLayout(of: stream, key) { row, placed in
            let index = try placed.indexPath(at: pixel).flatMap { try placed.index(of: $0) }
            let found = try index.map { index in
                let photos = try placed.reader.photos(rowIDs: try placed.rowIDs(of: [index]))
                return try item(photos[0], at: index, row, placed).item
            }
            return PointAnswer(
                context: LayoutContext(row, placed.laidOut), pixel: pixel, item: found,
                insertion: try insertion(at: try placed.insertionIndexPath(for: pixel), placed))
        }
    }

    private func insertion(at indexPath: IndexPath, _ placed: PlacedStream) throws -> InsertionPlace {
        func index(at item: Int) throws -> Int? {
            try placed.index(of: IndexPath(section: indexPath.section, item: item))
        }
        func photo(at index: Int?) throws -> PhotoID? {
            try index.flatMap { try placed.reader.photos(rowIDs: try placed.rowIDs(of: [$0])).first?.photo.id }
        }
        let (next, previous) = (try index(at: indexPath.item), try index(at: indexPath.item - 1))
        // In a section without photos it stands where the section begins.
        let sections = placed.directory.sections
        let first = sections.indices.contains(indexPath.section) ? sections[indexPath.section].items.lowerBound : 0
        return InsertionPlace(
            indexPath: indexPath, index: next ?? previous.map { $0 + 1 } ?? first, next: try photo(at: next),
            previous: try photo(at: previous))
    }

    private func item(
        _ photo: StoredPhoto, at index: Int, _ row: StreamRow, _ placed: PlacedStream
    ) throws -> ItemAnswer {
        guard let attributes = try placed.attributes(forItemAt: index) else {
            throw StreamServiceError.indexOutOfRange(index: index, count: placed.directory.itemCount)
        }
        return ItemAnswer(
            context: LayoutContext(row, placed.laidOut),
            item: PlacedPhoto(attributes: attributes, PackedPhoto(photo.photo)))
    }
}

extension LayoutAnswer {
    init(_ row: StreamRow, _ placed: PlacedStream, sectionsFrom first: Int = 0, limit: Int? = nil) {
        let directory = placed.directory
        let sections = directory.sections.dropFirst(max(0, first)).prefix(limit ?? .max)
        self.init(
            context: LayoutContext(row, placed.laidOut), count: directory.itemCount,
            sectionCount: directory.sections.count, sections: sections.map { SectionAnswer($0, directory) })
    }
}

extension SectionAnswer {
    init(_ section: LayoutSection, _ directory: LayoutDirectory) {
        self.init(
            section: section.position, id: section.mark.id(directory.engine.key.sections.sectioning),
            firstIndex: section.items.lowerBound, count: section.items.count, frame: directory.frame(of: section))
    }
}

extension LayoutContext {
    init(_ stream: StreamRow, _ laidOut: LaidOutStream) {
        self.init(
            stream: stream.name, streamID: stream.id, revision: Revision(laidOut.chunks.revision),
            layoutKey: laidOut.engine.key,
            contentSize: laidOut.directory.contentSize)
    }
}
