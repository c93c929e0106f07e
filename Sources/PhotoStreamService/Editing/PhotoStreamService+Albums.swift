public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// The maximum number of photos that are put into an album, or taken out of it, at once.
    public static let maximumAlbumChangeCount = 10_000

    /// Puts photos into an album, and takes others out of it: all of them, or none if one is unknown.
    ///
    ///     try service.changeAlbum("Italy/2025", adding: [first, second], in: stream)
    ///
    /// Like other edits, this outranks later imports. A photo that is taken out of an album also leaves those in it.
    ///
    /// - Parameters:
    ///   - album: The path of the album, which need not exist.
    ///   - added: The photos to put into it.
    ///   - removed: The photos to take out of it.
    ///   - stream: The stream, or a kept view that shows all of these photos.
    /// - Returns: The number of photos that have changed.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``,
    ///   ``StreamServiceError/invalidIDCount(_:maximum:)`` for no photo or more than ``maximumAlbumChangeCount``, and
    ///   `ModelError` for a path that is none, too many albums of a photo, or a photo to put into the album and take out of it.
    /// - Complexity: O(log photos) each.
    @discardableResult
    public func changeAlbum(
        _ album: String, adding added: [PhotoID] = [], removing removed: [PhotoID] = [], in stream: StreamName
    ) throws -> Int {
        try PhotoList.albums.check([album])
        let (count, maximum) = (added.count + removed.count, Self.maximumAlbumChangeCount)
        guard (1...maximum).contains(count) else { throw StreamServiceError.invalidIDCount(count, maximum: maximum) }
        if let id = Set(added).intersection(removed).first {
            throw ModelError("photo \"\(id)\" is to be put into the album and taken out of it")
        }
        let path = FoldedText.path(of: album)
        return try write { writer in
            let photos = try writer.reader.photos(named: stream)
            // Looked up before the first change: taken out of the album, a photo may no longer be in the view.
            let found = try (added + removed).map { try writer.reader.photo($0, of: photos).photo.id }
            let changed = try found.prefix(added.count).count { id in
                try writer.setAlbums(of: id, in: photos.stream) { albums in
                    albums.contains { FoldedText.path(of: $0) == path } ? albums : albums + [album]
                }
            }
            return try found.dropFirst(added.count).reduce(changed) { changed, id in
                let isChanged = try writer.setAlbums(of: id, in: photos.stream) { albums in
                    albums.filter { !PhotoAlbum.isPath($0, in: album) }
                }
                return isChanged ? changed + 1 : changed
            }
        }
    }

    /// Gives an album and those in it another path, or removes it, which deletes no photo.
    ///
    /// Photos are changed in batches, so that other writers do not wait long; after an interruption the same call finishes the
    /// job. The rules of kept views follow the new path last, except for the beginning of a name, as in `album:Ital*`. Photos
    /// that were deleted keep the old path.
    ///
    /// - Parameters:
    ///   - album: The path of the album.
    ///   - newAlbum: Its new path, even that of another album, which then has the photos of both; `nil` to remove it.
    ///   - stream: The stream.
    /// - Returns: The number of photos that have changed.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/keptView(_:)``,
    ///   ``StreamServiceError/unknownAlbum(_:stream:)``, ``StreamServiceError/albumInUse(_:views:)`` if it is removed, and
    ///   `ModelError` for a path that is none, is in the album itself, or makes another path or a rule too long; then nothing is
    ///   changed.
    /// - Complexity: O(photos).
    @discardableResult
    public func moveAlbum(_ album: String, to newAlbum: String?, in stream: StreamName) throws -> Int {
        if let newAlbum { try PhotoList.albums.check([newAlbum]) }
        let paths = (old: FoldedText.path(of: album), new: newAlbum.map(FoldedText.path(of:)) ?? [])
        guard paths.old == paths.new || !paths.new.starts(with: paths.old) else {
            throw ModelError("the album \"\(album)\" cannot be moved into itself")
        }
        // First of all, a file that is open for reading only is refused.
        let row = try write { try $0.reader.row(of: stream) }
        let change = { (albums: [String]) in Self.moving(albums, from: album, to: newAlbum) }
        try transaction { reader in
            let views = try reader.views(of: row, naming: album)
            guard newAlbum != nil || views.isEmpty else {
                throw StreamServiceError.albumInUse(album, views: views.map(\.view.name.rawValue))
            }
            let lists = try reader.albums(streamID: row.id) { $0.contains { PhotoAlbum.isPath($0, in: album) } }
            guard !lists.isEmpty || !views.isEmpty else {
                throw StreamServiceError.unknownAlbum(album, stream: stream.rawValue)
            }
            for list in lists { try Self.check(change(list.albums), after: list.albums) }
            if let newAlbum { for view in views { _ = try view.rule(moving: album, to: newAlbum) } }
        }
        var count = 0
        // Again, for photos that others put into the album meanwhile.
        while true {
            let ids = try transaction { try $0.albums(streamID: row.id) { change($0) != $0 } }.map(\.id)
            guard !ids.isEmpty else { break }
            for start in stride(from: 0, to: ids.count, by: Self.albumBatchSize) {
                count += try write { writer in
                    try ids[start...].prefix(Self.albumBatchSize).count {
                        try writer.setAlbums(of: $0, in: row, change)
                    }
                }
            }
        }
        guard let newAlbum else { return count }
        try write { writer in
            for view in try writer.reader.views(of: row, naming: album) {
                try writer.setDefinition(
                    ofView: view.view.name, rule: try view.rule(moving: album, to: newAlbum),
                    description: view.view.kept?.description, cover: view.view.kept?.cover)
            }
        }
        return count
    }

    /// The albums of a photo after an album was moved or removed; others stay as they are.
    private static func moving(_ albums: [String], from album: String, to newAlbum: String?) -> [String] {
        guard albums.contains(where: { PhotoAlbum.isPath($0, in: album) }) else { return albums }
        var known: Set<[String]> = []
        return albums.compactMap { path in
            guard PhotoAlbum.isPath(path, in: album) else { return path }
            // Another program may have written a path that has no name to replace; it stays.
            return newAlbum.map { PhotoAlbum.path(path, moving: album, to: $0) ?? path }
        }.filter { known.insert(FoldedText.path(of: $0)).inserted }
    }

    /// Checks the albums of a photo, except paths that another program wrote and that stay.
    fileprivate static func check(_ albums: [String], after former: [String]) throws {
        try PhotoList.albums.check(albums.filter { PhotoAlbum.problem(of: $0) == nil || !former.contains($0) })
    }

    /// The number of photos whose albums are changed at once.
    private static let albumBatchSize = 1_000
}

extension PhotoWriter {
    /// Changes the albums of a photo, as a person does.
    ///
    /// - Returns: Whether they have changed; `false` for a photo that is gone.
    fileprivate func setAlbums(
        of id: PhotoID, in stream: StreamRow, _ change: ([String]) -> [String]
    ) throws -> Bool {
        guard let albums = try reader.photo(streamID: stream.id, id: id)?.photo.albums else { return false }
        let changed = change(albums)
        guard changed != albums else { return false }
        try PhotoStreamService.check(changed, after: albums)
        var record = PhotoRecord(id: id)
        record.albums = changed.isEmpty ? .clear : .set(changed)
        return try edit(streamID: stream.id, record: record) != nil
    }
}

extension PhotoReader {
    /// The kept views of a stream whose rules name an album, or albums in it; not those that another program has spoilt.
    fileprivate func views(of stream: StreamRow, naming album: String) throws -> [AlbumView] {
        try keptViews(of: stream.id).compactMap { view in
            guard let rule = view.kept.flatMap({ try? Condition(parsing: $0.rule) }), rule.names(album: album) else {
                return nil
            }
            return AlbumView(view: view, rule: rule)
        }
    }
}

/// A kept view whose rule names an album.
private struct AlbumView {
    let view: StreamRow
    let rule: Condition

    /// Returns its rule with another path of the album.
    ///
    /// - Throws: `ModelError` for a rule that is too long.
    func rule(moving album: String, to newAlbum: String) throws -> String {
        let text = rule.moving(album: album, to: newAlbum).canonicalText
        guard text.utf8.count <= Condition.maximumByteCount else {
            throw ModelError(
                "the rule of the kept view \"\(view.name)\" would have \(text.utf8.count) bytes, but at most \(Condition.maximumByteCount) are allowed"
            )
        }
        return text
    }
}
