public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// A layout as a whole: content size, counts, sections.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(1) when the layout was asked for at this revision, O(chunks) when it is stored, else O(photos).
    public func layout(of stream: StreamName, _ key: LayoutKey) throws -> LayoutAnswer {
        try withLayout(of: stream, key) { _, row, laidOut in
            let inset = key.contentInset
            let context = LayoutContext(row, laidOut)
            let section = SectionAnswer(
                section: 0, id: "all", firstIndex: 0, count: laidOut.directory.itemCount,
                frame: PixelRect(
                    x: inset.left, y: inset.top, width: key.containerWidth - inset.left - inset.right,
                    height: context.contentSize.height - inset.top - inset.bottom))
            return LayoutAnswer(
                context: context, count: laidOut.directory.itemCount, columnCount: laidOut.layout.columns.count,
                sections: [section])
        }
    }

    /// The photo at a position of the stream.
    ///
    /// - Throws: ``StreamServiceError/indexOutOfRange(index:count:)``, ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(log chunks) and one chunk when the layout is at hand.
    public func item(at index: Int, of stream: StreamName, _ key: LayoutKey) throws -> ItemAnswer {
        try withLayout(of: stream, key) { reader, row, laidOut in
            guard let chunk = laidOut.directory.chunk(containing: index) else {
                throw StreamServiceError.indexOutOfRange(index: index, count: laidOut.directory.itemCount)
            }
            let position = index - laidOut.directory.entries[chunk].firstIndex
            let rowID = try reader.content(of: laidOut.chunks.chunks[chunk]).rowIDs.ids[position]
            let photo = try reader.photos(rowIDs: [rowID])[0]
            return try item(photo, chunk, position, row, laidOut, reader)
        }
    }

    /// Where a photo is: its index, frame and section.
    ///
    /// - Throws: ``StreamServiceError/unknownPhoto(_:stream:)``, ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(log chunks) and one chunk when the layout is at hand.
    public func locate(_ id: PhotoID, in stream: StreamName, _ key: LayoutKey) throws -> ItemAnswer {
        try withLayout(of: stream, key) { reader, row, laidOut in
            guard let photo = try reader.photo(streamID: row.id, id: id),
                let (chunk, position) = try laidOut.position(of: photo, reader)
            else { throw StreamServiceError.unknownPhoto(id.rawValue, stream: stream.rawValue) }
            return try item(photo, chunk, position, row, laidOut, reader)
        }
    }

    private func item(
        _ photo: StoredPhoto, _ chunk: Int, _ position: Int, _ row: StreamRow, _ laidOut: LaidOutStream,
        _ reader: PhotoReader
    ) throws -> ItemAnswer {
        let attributes = laidOut.layout.attributes(
            at: position, of: try laidOut.placedChunk(chunk, reader), laidOut.directory.entries[chunk])
        return ItemAnswer(
            context: LayoutContext(row, laidOut), item: PlacedPhoto(attributes: attributes, photo: photo.photo))
    }
}

extension LayoutContext {
    init(_ stream: StreamRow, _ laidOut: LaidOutStream) {
        self.init(
            stream: stream.name, revision: Revision(laidOut.chunks.revision), layoutKey: laidOut.layout.key,
            contentSize: laidOut.directory.contentSize)
    }
}
