public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

extension SessionLayout {
    /// Returns the photo at a position of the stream.
    ///
    /// - Throws: ``StreamServiceError/indexOutOfRange(index:count:)``.
    /// - Complexity: O(log chunks) and one chunk when the layout is in memory.
    public func item(at index: Int) throws -> ItemAnswer {
        let placed = try placed()
        guard let photo = try placed.photo(at: index) else {
            throw StreamServiceError.indexOutOfRange(index: index, count: placed.directory.itemCount)
        }
        return ItemAnswer(context: placed.context, item: try placed.item(photo, at: index))
    }

    /// Returns consecutive photos.
    ///
    /// - Parameters:
    ///   - first: The position in stream order of the first; at most the stream's count, where no photo is left.
    ///   - count: The number of photos, 1 to ``PhotoStreamService/maximumLimit``.
    ///   - withPhotos: Whether the answer has the photos, not only their places.
    /// - Returns: The photos where the layout as it is now puts them; fewer than `count` at the stream's end, and if they
    ///   would take more than ``PhotoStreamService/maximumByteCount``.
    /// - Throws: ``StreamServiceError/startOutOfRange(_:count:)`` after the stream's end or before its start,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(count + log photos) and the chunks that they lie in when the layout is in memory. No photo's row is
    ///   read for places.
    public func items(from first: Int, count: Int, withPhotos: Bool = true) throws -> ItemsAnswer {
        try session.checkLimit(count)
        let placed = try placed()
        let total = placed.directory.itemCount
        guard (0...total).contains(first) else {
            throw StreamServiceError.startOutOfRange(first, count: total)
        }
        let (source, requested) = (SteppingSource(placed), first..<min(total, first + count))
        func frames(_ indices: Range<Int>) throws -> [LayoutAttributes] {
            try indices.compactMap { try source.attributes(forItemAt: $0) }
        }
        guard withPhotos else { return ItemsAnswer(placed, frames: try frames(requested)) }
        let rowIDs = try placed.rowIDs(of: requested)
        let rows = try session.reader.packedRows(rowIDs, within: PhotoStreamService.maximumByteCount)
        let found = try frames(requested.prefix(rows.count))
        return ItemsAnswer(
            placed, frames: found,
            items: try session.photos(at: found, rowIDs: Array(rowIDs.prefix(rows.count))) { rows[$0] })
    }

    /// Returns photos by their ids.
    ///
    /// - Parameter ids: The ids, 1 to ``PhotoStreamService/maximumLimit``; a repeated one counts once.
    /// - Returns: The photos in the order of the ids, where the layout as it is now puts them, and the ids that the stream
    ///   does not have. If the photos would take more than ``PhotoStreamService/maximumByteCount``, the answer is
    ///   truncated: ask again for the ids that are neither a photo's nor missing.
    /// - Throws: ``StreamServiceError/invalidIDCount(_:maximum:)``.
    /// - Complexity: O(ids × log photos) and the chunks that the photos lie in when the layout is in memory.
    public func items(withIDs ids: [PhotoID]) throws -> ItemsAnswer {
        let found = try session.storedPhotos(withIDs: ids, of: stream)
        let placed = try placed()
        let indices = try found.photos.map { try index(of: $0, in: placed) }
        // In stream order, so that no chunk is read twice.
        let source = SteppingSource(placed)
        var places = [LayoutAttributes?](repeating: nil, count: indices.count)
        for position in indices.indices.sorted(by: { indices[$0] < indices[$1] }) {
            places[position] = try source.attributes(forItemAt: indices[position])
        }
        let frames = places.compactMap(\.self)
        let items = try session.photos(at: frames, rowIDs: found.photos.map(\.rowID)) {
            PackedPhoto(found.photos[$0].photo)
        }
        return ItemsAnswer(placed, frames: frames, items: items, missing: found.missing, isTruncated: found.isTruncated)
    }

    /// Returns the place of a photo: its index, frame and section, and the cursor of a page that holds it.
    ///
    /// - Parameters:
    ///   - id: The photo.
    ///   - limit: The limit that pages will be asked for with, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The photo, and a cursor. The page after it has the photo with the very frame of this answer, and begins
    ///   with the photo, or in a layout of lines with its line.
    /// - Throws: ``StreamServiceError/unknownPhoto(_:stream:)``, ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(log chunks) and the photos of a chunk when the layout is in memory.
    public func locate(_ id: PhotoID, limit: Int = PhotoStreamService.defaultLimit) throws -> LocateAnswer {
        try session.checkLimit(limit)
        let placed = try placed()
        let photo = try session.reader.photo(id, of: stream)
        let index = try index(of: photo, in: placed)
        return LocateAnswer(
            context: placed.context, item: try placed.item(photo, at: index),
            cursor: try placed.cursorText(toPageWith: photo, at: index, limit: limit))
    }

    private func index(of photo: StoredPhoto, in placed: PlacedStream) throws -> Int {
        guard let index = try placed.index(of: photo) else {
            throw StreamServiceError.unknownPhoto(photo.photo.id.rawValue, stream: stream.name.rawValue)
        }
        return index
    }

    /// Returns the photo at a point, and the place of a photo that is dragged there.
    ///
    /// - Parameters:
    ///   - point: In points of content space, inside the content or not.
    ///   - orNearest: Whether the photo nearest to the point is returned if none is at it.
    /// - Returns: Both by the rules of the layout's `indexPath(at:)`, or `indexPath(nearestTo:)`, and
    ///   `insertionIndexPath(for:)`.
    /// - Throws: `LayoutError` for NaN and infinite values.
    /// - Complexity: O(log photos) and the chunks around the point when the layout is in memory.
    public func at(_ point: Point, orNearest: Bool = false) throws -> PointAnswer {
        let pixel = try key.displayScale.pixel(holding: point)
        let placed = try placed()
        let path = try orNearest ? placed.indexPath(nearestTo: pixel) : placed.indexPath(at: pixel)
        let index = try path.flatMap { try placed.index(of: $0) }
        let item = try index.flatMap { index in
            try placed.photo(at: index).map { try placed.item($0, at: index) }
        }
        return PointAnswer(
            context: placed.context, pixel: pixel, item: item,
            insertion: try placed.insertion(at: try placed.insertionIndexPath(for: pixel)))
    }
}

extension ItemsAnswer {
    fileprivate init(
        _ placed: PlacedStream, frames: [LayoutAttributes], items: [PlacedPhoto] = [], missing: [PhotoID]? = nil,
        isTruncated: Bool = false
    ) {
        self.init(
            context: placed.context, frames: frames, items: items, count: placed.directory.itemCount, missing: missing,
            isTruncated: isTruncated)
    }
}

extension PlacedStream {
    /// A photo where the layout puts it.
    fileprivate func item(_ photo: StoredPhoto, at index: Int) throws -> PlacedPhoto {
        guard let attributes = try attributes(forItemAt: index) else {
            throw StreamServiceError.indexOutOfRange(index: index, count: directory.itemCount)
        }
        let picture = try reader.shownPicture(photoRowID: photo.rowID).flatMap { ShownPicture($0, signedBy: signer) }
        return PlacedPhoto(attributes: attributes, PackedPhoto(photo.photo), picture: picture)
    }

    fileprivate func insertion(at indexPath: IndexPath) throws -> InsertionPlace {
        func index(at item: Int) throws -> Int? {
            try self.index(of: IndexPath(section: indexPath.section, item: item))
        }
        let (next, previous) = (try index(at: indexPath.item), try index(at: indexPath.item - 1))
        // In a section without photos it stands where the section begins.
        let sections = directory.sections
        let first = sections.indices.contains(indexPath.section) ? sections[indexPath.section].items.lowerBound : 0
        return InsertionPlace(
            indexPath: indexPath, index: next ?? previous.map { $0 + 1 } ?? first,
            next: try next.flatMap { try photo(at: $0)?.photo.id },
            previous: try previous.flatMap { try photo(at: $0)?.photo.id })
    }

    /// A cursor whose page holds a photo where the layout puts it, as text.
    ///
    /// - Parameters:
    ///   - photo: The photo.
    ///   - index: Its position in stream order.
    ///   - limit: The maximum number of photos on the page.
    /// - Returns: The text.
    /// - Throws: The errors of reading.
    /// - Complexity: O(photos of a chunk).
    fileprivate func cursorText(toPageWith photo: StoredPhoto, at index: Int, limit: Int) throws -> String {
        let layout = try cursor(toPageWith: index, limit: limit) { position in
            try laidOut.engine.state(decoding: laidOut.placements[position].entryState)
        } metrics: { range in
            try metrics(of: range)
        }
        let first =
            layout.index == index ? photo : try reader.photos(rowIDs: try rowIDs(of: [layout.index]))[0]
        return try CursorCodec(reader).text(
            PageCursor(
                streamID: stream.id, layoutKey: laidOut.engine.key, place: first.key.before, layout: layout,
                chainRevision: laidOut.chunks.revision))
    }
}

extension OrderKey {
    /// The place directly before it in stream order: nothing comes between the two.
    fileprivate var before: OrderKey {
        if rank < .max { return OrderKey(time: time, rank: rank + 1) }
        return time < .max ? OrderKey(time: time + 1, rank: .min) : self
    }
}
