public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

extension SessionLayout {
    /// Returns the photo at a position of the stream.
    ///
    /// - Throws: ``StreamServiceError/indexOutOfRange(index:count:)``.
    /// - Complexity: O(log chunks), and reading one chunk, if the layout is cached.
    public func item(at index: Int) throws -> ItemAnswer {
        let placed = try placed()
        guard let photo = try placed.photo(at: index) else {
            throw StreamServiceError.indexOutOfRange(index: index, count: placed.directory.itemCount)
        }
        return ItemAnswer(context: placed.context, item: try placedPhoto(photo, at: index, in: placed))
    }

    /// Returns consecutive photos.
    ///
    /// - Parameters:
    ///   - first: The position in stream order of the first photo; at most the stream's count, which selects no photos.
    ///   - count: The number of photos, 1 to ``PhotoStreamService/maximumLimit``.
    ///   - withPhotos: Whether the answer contains the photos, not only their places.
    /// - Returns: The photos with their places in the current layout; fewer than `count` at the stream's end, and if
    ///   they would take more than ``PhotoStreamService/maximumByteCount``.
    /// - Throws: ``StreamServiceError/startOutOfRange(_:count:)`` after the stream's end or before its start,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(count + log photos), and reading the photos' chunks, if the layout is cached. Places need no
    ///   rows of photos.
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
            items: try session.photos(
                at: found, rowIDs: Array(rowIDs.prefix(rows.count)), of: self.photos,
                clusters: try placed.clusters(ofItemsAt: found.map(\.index))
            ) { rows[$0] })
    }

    /// Returns photos by their ids.
    ///
    /// - Parameter ids: The ids, 1 to ``PhotoStreamService/maximumLimit``; duplicates count once.
    /// - Returns: The photos in the order of the ids, with their places in the current layout, and the ids that the
    ///   stream does not have or hides in a stack. If the photos would take more than ``PhotoStreamService/maximumByteCount``, the answer
    ///   is truncated: repeat the query with the ids that are neither in the photos nor missing.
    /// - Throws: ``StreamServiceError/invalidIDCount(_:maximum:)``.
    /// - Complexity: O(ids × log photos), and reading the photos' chunks, if the layout is cached.
    public func items(withIDs ids: [PhotoID]) throws -> ItemsAnswer {
        var found = try session.storedPhotos(withIDs: ids, of: photos)
        let hidden = found.photos.filter { $0.photo.stack?.isHidden == true }.map(\.photo.id)
        found.photos.removeAll { $0.photo.stack?.isHidden == true }
        found.missing += hidden
        let placed = try placed()
        let places = try found.photos.map { try placed.index(of: $0) }
        found.missing += zip(found.photos, places).filter { $1 == nil }.map(\.0.photo.id)
        found.photos = zip(found.photos, places).filter { $1 != nil }.map(\.0)
        let indices = places.compactMap(\.self)
        // In stream order, so that no chunk is read twice.
        let source = SteppingSource(placed)
        var frames = [LayoutAttributes?](repeating: nil, count: indices.count)
        for position in indices.indices.sorted(by: { indices[$0] < indices[$1] }) {
            frames[position] = try source.attributes(forItemAt: indices[position])
        }
        let shown = frames.compactMap(\.self)
        let items = try session.photos(
            at: shown, rowIDs: found.photos.map(\.rowID), of: self.photos,
            clusters: try placed.clusters(ofItemsAt: indices)
        ) {
            PackedPhoto(found.photos[$0].photo)
        }
        return ItemsAnswer(placed, frames: shown, items: items, missing: found.missing, isTruncated: found.isTruncated)
    }

    /// Returns the place of a photo: its index, frame and section, and the cursor of a page that contains it.
    ///
    /// The place of a photo that is hidden in a stack is that of its cover.
    ///
    /// - Parameters:
    ///   - id: The photo.
    ///   - limit: The limit of the pages, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The photo and a cursor. The page after the cursor contains the photo with exactly the frame of this
    ///   answer. It begins with the photo, or, in a layout of lines, with the photo's line.
    /// - Throws: ``StreamServiceError/unknownPhoto(_:stream:)``, ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(log chunks), and reading the photos of a chunk, if the layout is cached.
    public func locate(_ id: PhotoID, limit: Int = PhotoStreamService.defaultLimit) throws -> LocateAnswer {
        try session.checkLimit(limit)
        let placed = try placed()
        let photo = try session.reader.shown(
            insteadOf: try session.reader.photo(id, of: photos), streamID: stream.id)
        let index = try index(of: photo, askedAs: id, in: placed)
        return LocateAnswer(
            context: placed.context, item: try placedPhoto(photo, at: index, in: placed),
            cursor: try placed.cursorText(toPageWith: photo, at: index, limit: limit))
    }

    /// Returns a photo with its place in the layout.
    private func placedPhoto(_ photo: StoredPhoto, at index: Int, in placed: PlacedStream) throws -> PlacedPhoto {
        guard let attributes = try placed.attributes(forItemAt: index) else {
            throw StreamServiceError.indexOutOfRange(index: index, count: placed.directory.itemCount)
        }
        return try session.photos(
            at: [attributes], rowIDs: [photo.rowID], of: self.photos, clusters: try placed.clusters(ofItemsAt: [index])
        ) { _ in PackedPhoto(photo.photo) }[0]
    }

    private func index(of photo: StoredPhoto, askedAs id: PhotoID, in placed: PlacedStream) throws -> Int {
        guard let index = try placed.index(of: photo) else {
            guard view.asked == nil else { throw StreamServiceError.notInView(id.rawValue) }
            throw StreamServiceError.unknownPhoto(id.rawValue, stream: stream.name.rawValue)
        }
        return index
    }

    /// Returns the photo at a point, and the place of a photo that is dropped there.
    ///
    /// - Parameters:
    ///   - point: The point in the content, in points; it may lie outside.
    ///   - orNearest: Whether to return the nearest photo if none is at the point.
    /// - Returns: The photo and the place, by the rules of the layout's `indexPath(at:)`, or `indexPath(nearestTo:)`,
    ///   and `insertionIndexPath(for:)`.
    /// - Throws: `LayoutError` for NaN and infinite values.
    /// - Complexity: O(log photos), and reading the chunks around the point, if the layout is cached.
    public func at(_ point: Point, orNearest: Bool = false) throws -> PointAnswer {
        let pixel = try key.displayScale.pixel(holding: point)
        let placed = try placed()
        let path = try orNearest ? placed.indexPath(nearestTo: pixel) : placed.indexPath(at: pixel)
        let index = try path.flatMap { try placed.index(of: $0) }
        let item = try index.flatMap { index in
            try placed.photo(at: index).map { try placedPhoto($0, at: index, in: placed) }
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
    fileprivate func insertion(at indexPath: IndexPath) throws -> InsertionPlace {
        func index(at item: Int) throws -> Int? {
            try self.index(of: IndexPath(section: indexPath.section, item: item))
        }
        let (next, previous) = (try index(at: indexPath.item), try index(at: indexPath.item - 1))
        // In a section without photos, the place is the section's beginning.
        let sections = directory.sections
        let first = sections.indices.contains(indexPath.section) ? sections[indexPath.section].items.lowerBound : 0
        return InsertionPlace(
            indexPath: indexPath, index: next ?? previous.map { $0 + 1 } ?? first,
            next: try next.flatMap { try photo(at: $0)?.photo.id },
            previous: try previous.flatMap { try photo(at: $0)?.photo.id })
    }

    /// Returns the text of a cursor whose page contains a photo at its place in the layout.
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
        return try CursorCodec(reader).with(ViewKey(stream, among: view)).text(
            PageCursor(
                streamID: stream.id, layoutKey: laidOut.engine.key, place: first.key.before, layout: layout,
                chainRevision: laidOut.chunks.revision))
    }
}

extension OrderKey {
    /// The place directly before this one in stream order: no place lies between the two.
    fileprivate var before: OrderKey {
        if rank < .max { return OrderKey(time: time, rank: rank + 1) }
        return time < .max ? OrderKey(time: time + 1, rank: .min) : self
    }
}
