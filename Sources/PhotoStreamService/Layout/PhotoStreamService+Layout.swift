public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// A layout as a whole: content size, counts, sections.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(1) when the layout was asked for at this revision, O(chunks) when it is stored, else O(photos).
    public func layout(of stream: StreamName, _ key: LayoutKey) throws -> LayoutAnswer {
        try withLayout(of: stream, key) { row, placed in
            let directory = placed.directory
            return LayoutAnswer(
                context: LayoutContext(row, placed.laidOut), count: directory.itemCount,
                sections: directory.sections.map { SectionAnswer($0, directory) })
        }
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

    /// Where a photo is: its index, frame and section.
    ///
    /// - Throws: ``StreamServiceError/unknownPhoto(_:stream:)``, ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(log chunks) and one chunk when the layout is at hand.
    public func locate(_ id: PhotoID, in stream: StreamName, _ key: LayoutKey) throws -> ItemAnswer {
        try withLayout(of: stream, key) { row, placed in
            guard let photo = try placed.reader.photo(streamID: row.id, id: id), let index = try placed.index(of: photo)
            else { throw StreamServiceError.unknownPhoto(id.rawValue, stream: stream.rawValue) }
            return try item(photo, at: index, row, placed)
        }
    }

    private func item(
        _ photo: StoredPhoto, at index: Int, _ row: StreamRow, _ placed: PlacedStream
    ) throws -> ItemAnswer {
        guard let attributes = try placed.attributes(forItemAt: index) else {
            throw StreamServiceError.indexOutOfRange(index: index, count: placed.directory.itemCount)
        }
        return ItemAnswer(
            context: LayoutContext(row, placed.laidOut), item: PlacedPhoto(attributes: attributes, photo: photo.photo))
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
            stream: stream.name, revision: Revision(laidOut.chunks.revision), layoutKey: laidOut.engine.key,
            contentSize: laidOut.directory.contentSize)
    }
}
