import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

/// Photos without a layout.
public struct PhotoListAnswer: Hashable, Sendable {
    /// The photos, in stream order or in the order of the requested ids.
    public let photos: [Photo]
    /// For each photo, the result of decoding its picture, if the picture was decoded.
    public let pictures: [ShownPicture?]
    /// For each photo, the state of its file, as the last import or watch of its folder on this machine found it.
    public let fileStates: [PhotoFileState]
    /// For each photo, its stack, if it is in one.
    public let stacks: [StackSummary?]
    /// Whether more photos follow.
    public let isTruncated: Bool
    /// The requested ids that the stream does not have, in the order of the query; `nil` if the query has no ids.
    public let missing: [PhotoID]?
}

extension Session {
    /// Returns the photos after another in stream order.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - id: The photo to continue after; `nil` to begin with the first.
    ///   - limit: The maximum number of photos, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The photos in stream order.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(limit + log photos) at every place, and O(archived photos between those that are listed).
    public func photos(
        of stream: StreamName, after id: PhotoID? = nil, limit: Int = PhotoStreamService.defaultLimit
    ) throws -> PhotoListAnswer {
        try checkLimit(limit)
        let photos = try photos(named: stream)
        let place = try id.map { try reader.photo($0, of: photos).key }
        let (found, isCut) = try self.photos(
            of: photos, after: place, limit: limit + 1, within: PhotoStreamService.maximumByteCount)
        let shown = found.prefix(isCut ? min(limit, found.count - 1) : limit)
        return try list(Array(shown), of: photos, isTruncated: found.count > shown.count)
    }

    /// Returns the photos after a place, up to a limit on their number and on their size.
    private func photos(
        of named: NamedPhotos, after place: OrderKey?, limit: Int, within byteLimit: Int
    ) throws -> ([StoredPhoto], isCut: Bool) {
        let view = try ViewCondition(nil, among: named)
        guard view.given != nil else {
            return try reader.photos(
                streamID: named.stream.id, after: place, limit: limit, within: byteLimit,
                withArchived: !named.hasArchived)
        }
        // Any layout knows the order of the photos.
        let placed = try placed(named.stream, among: view, layout: Self.smallestLayout())
        return try placed.photos(after: place, limit: limit, within: byteLimit)
    }

    private static func smallestLayout() throws -> LayoutKey {
        try LayoutKey(
            LayoutConfiguration(containerLength: 100, algorithm: .grid(GridParameters(columns: .count(1)))))
    }

    /// Returns photos by their ids.
    ///
    /// - Parameters:
    ///   - ids: The ids, 1 to ``PhotoStreamService/maximumLimit``; duplicates count once.
    ///   - stream: The stream.
    /// - Returns: The photos in the order of the ids, and the ids that the stream does not have. If the photos would
    ///   take more than ``PhotoStreamService/maximumByteCount``, the answer is truncated: repeat the query with the ids
    ///   that are neither in the photos nor missing.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/invalidIDCount(_:maximum:)``.
    /// - Complexity: O(ids × log photos).
    public func photos(withIDs ids: [PhotoID], of stream: StreamName) throws -> PhotoListAnswer {
        let photos = try photos(named: stream)
        let found = try storedPhotos(withIDs: ids, of: photos)
        return try list(found.photos, of: photos, isTruncated: found.isTruncated, missing: found.missing)
    }

    /// Returns the photos of the stack that a photo is in, the cover first; of a kept view, those that meet its rule.
    ///
    /// - Returns: The photos; only the photo itself if it is in no stack.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``.
    /// - Complexity: O(photos of the stack × log photos); a stack has at most 500.
    public func stack(of id: PhotoID, in stream: StreamName) throws -> PhotoListAnswer {
        let photos = try photos(named: stream)
        let photo = try reader.photo(id, of: photos)
        let members = try photo.photo.stack.map { place in
            try reader.stack(place.stack, streamID: photos.stream.id).filter { photos.contains($0.photo) }
        }
        return try list(members ?? [photo], of: photos, isTruncated: false)
    }

    /// Returns the stack of a photo; `nil` if it is in none.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``.
    public func stackSummary(of id: PhotoID, in stream: StreamName) throws -> StackSummary? {
        let photos = try photos(named: stream)
        let photo = try reader.photo(id, of: photos)
        return photo.photo.stack == nil ? nil : try stackSummaries([photo.rowID], of: photos)[photo.rowID]
    }

    /// Returns the stacks of some photos by row id, without the photos that a kept view does not show.
    func stackSummaries(_ rowIDs: some Sequence<Int64>, of named: NamedPhotos) throws -> [Int64: StackSummary] {
        guard named.rule != nil else { return try reader.stackSummaries(photoRowIDs: rowIDs) }
        var summaries: [Int64: StackSummary] = [:]
        for photo in try reader.photos(rowIDs: Array(rowIDs)) {
            guard let place = photo.photo.stack else { continue }
            let members = try reader.stack(place.stack, streamID: named.stream.id).filter { named.contains($0.photo) }
            let kinds = Set(members.compactMap { $0.photo.stack?.kind })
            summaries[photo.rowID] = StackSummary(
                count: members.count, kinds: StackKind.allCases.filter(kinds.contains))
        }
        return summaries
    }

    private func list(
        _ photos: [StoredPhoto], of named: NamedPhotos, isTruncated: Bool, missing: [PhotoID]? = nil
    ) throws -> PhotoListAnswer {
        let rowIDs = photos.map(\.rowID)
        let stacks = try stackSummaries(photos.lazy.filter { $0.photo.stack != nil }.map(\.rowID), of: named)
        return PhotoListAnswer(
            photos: photos.map(\.photo), pictures: try shownPictures(rowIDs),
            fileStates: try fileStates(rowIDs, of: named.stream), stacks: rowIDs.map { stacks[$0] },
            isTruncated: isTruncated,
            missing: missing)
    }

    /// Returns the state of the file of each photo of a stream, by row ids.
    private func fileStates(_ rowIDs: [Int64], of stream: StreamRow) throws -> [PhotoFileState] {
        let states = try reader.fileStates(streamID: stream.id, among: rowIDs)
        return rowIDs.map { states[$0] ?? PhotoFileState() }
    }

    /// Returns the state of a photo's file, as the last import or watch of its folder on this machine found it.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``.
    public func fileState(of id: PhotoID, in stream: StreamName) throws -> PhotoFileState {
        let photos = try photos(named: stream)
        return try fileStates([try reader.photo(id, of: photos).rowID], of: photos.stream)[0]
    }

    /// Returns the photos with some ids, as many as fit into an answer.
    func storedPhotos(
        withIDs ids: [PhotoID], of named: NamedPhotos
    ) throws -> (photos: [StoredPhoto], missing: [PhotoID], isTruncated: Bool) {
        let maximum = PhotoStreamService.maximumLimit
        guard (1...maximum).contains(ids.count) else {
            throw StreamServiceError.invalidIDCount(ids.count, maximum: maximum)
        }
        var (photos, missing, byteCount): ([StoredPhoto], [PhotoID], Int) = ([], [], 0)
        var seen: Set<PhotoID> = []
        for id in ids where seen.insert(id).inserted {
            guard let photo = try reader.photo(id, among: named) else {
                missing.append(id)
                continue
            }
            byteCount += photo.photo.textByteCount
            guard photos.isEmpty || byteCount <= PhotoStreamService.maximumByteCount else {
                return (photos, missing, true)
            }
            photos.append(photo)
        }
        return (photos, missing, false)
    }

    /// Passes every photo of a stream to `body` in stream order; those that are hidden in a stack after their cover.
    ///
    /// This query never restarts the session, so `body` receives each photo once if the session makes no other query.
    /// At most ``PhotoStreamService/maximumLimit`` photos are in memory at a time.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - body: Receives a photo.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, and the errors of `body`.
    public func forEachPhoto(of stream: StreamName, _ body: (Photo) throws -> Void) throws {
        let photos = try photos(named: stream)
        try forEachStoredPhoto(of: photos, in: ViewCondition(nil, among: photos, isInventory: true)) {
            try body($0.photo)
        }
    }

    /// Passes every photo of a stream to `body` in stream order, with its place; those that are hidden in a stack after
    /// their cover.
    ///
    /// - Parameters:
    ///   - photos: The photos of a stream or a kept view.
    ///   - view: Those to pass; one that is hidden in a stack is passed if its cover is, and if the kept view has it.
    ///   - body: Receives a photo.
    /// - Throws: The errors of reading and of `body`.
    func forEachStoredPhoto(
        of photos: NamedPhotos, in view: ViewCondition, body: (StoredPhoto) throws -> Void
    ) throws {
        let (stream, limit) = (photos.stream, PhotoStreamService.maximumLimit)
        var place: OrderKey?
        repeat {
            let found = try reader.photos(streamID: stream.id, after: place, limit: limit)
            for photo in found where view.contains(photo.photo, of: stream.name) {
                try body(photo)
                guard let place = photo.photo.stack else { continue }
                let members = try reader.stack(place.stack, streamID: stream.id)
                for member in members where member.photo.stack?.isHidden == true && photos.contains(member.photo) {
                    try body(member)
                }
            }
            place = found.count < limit ? nil : found.last?.key
        } while place != nil
    }

    /// Returns one photo.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``.
    public func photo(_ id: PhotoID, of stream: StreamName) throws -> Photo {
        try reader.photo(id, of: try photos(named: stream)).photo
    }
}
