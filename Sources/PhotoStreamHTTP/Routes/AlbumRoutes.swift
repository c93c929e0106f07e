import HTTPTypes
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The routes of albums.
enum AlbumRoutes {
    private static let path = RoutePath("/v1/streams/{stream}/albums")
    private static let albumPath = RoutePath(path.template + "/{album}")
    private static let problems: [ProblemKind] = [
        .invalidName, .unknownStream, .readOnly, .busy, .primaryUnavailable,
    ]

    static let list = Route(
        method: .get, path: path, operation: "getAlbums", access: .read,
        summary: "The albums of a stream's photos, or of those that meet a condition, with their numbers of photos.",
        parameters: [.condition, .revision], isCacheable: true, answers: [.init(schema: "Albums")],
        problems: [.unknownStream, .invalidName, .invalidParameter, .otherRevision], work: .scanning
    ) { call in
        let (stream, condition) = (try call.stream, try call.condition()?.resolvedNow())
        return try call.answer(about: stream) { session in
            try session.albums(of: stream, where: condition)
        } json: {
            $0.value($1)
        }
    }

    static let change = Route(
        method: .post, path: albumPath, operation: "changeAlbum", access: .write,
        summary: """
            Put the photos of "add" into an album, which need not exist, and take those of "remove" out of it and the albums in \
            it. Either all photos change or none does.
            """,
        body: .init(types: [MediaTypes.json], schema: "AlbumPhotos"), answers: [.init(schema: "AlbumChange")],
        problems: problems + [.invalidBody, .unknownPhoto], work: .writing
    ) { call in
        let (stream, album) = (try call.stream, try call.album)
        let lists = try call.texts([], lists: ["add", "remove"]).lists
        func ids(in member: String) throws -> [PhotoID] {
            try (lists[member] ?? []).map { try call.name($0, of: member, as: PhotoID.init(_:)) }
        }
        let (added, removed) = (try ids(in: "add"), try ids(in: "remove"))
        let count = added.count + removed.count
        let maximum = PhotoStreamService.maximumAlbumChangeCount
        guard (1...maximum).contains(count) else {
            throw Problem(
                .invalidBody, detail: "add and remove name \(count) photos, but must name 1 to \(maximum)",
                parameter: "add")
        }
        let changedCount = try call.attributingUnknownPhoto(to: { added.contains($0) ? "add" : "remove" }) {
            do {
                return try call.service.changeAlbum(album, adding: added, removing: removed, in: stream)
            } catch let error as ModelError {
                throw Problem(.invalidBody, detail: error.description, parameter: "add")
            }
        }
        return .change(of: album, changedCount)
    }

    static let move = Route(
        method: .patch, path: albumPath, operation: "moveAlbum", access: .write,
        summary: """
            Give an album and those in it another path; that of another album unites both. Rules of kept views follow, and \
            photos in the trash keep the old path.
            """,
        body: .init(types: [MediaTypes.mergePatch, MediaTypes.json], schema: "AlbumPath"),
        answers: [.init(schema: "AlbumChange")], problems: problems + [.invalidBody, .unknownAlbum, .keptView],
        work: .writing
    ) { call in
        let (stream, album) = (try call.stream, try call.album)
        guard let text = try call.texts(["album"]).texts["album"] else {
            throw Problem(.invalidBody, detail: "the body has no member album", parameter: "album")
        }
        do {
            let newAlbum = try call.album(text)
            return .change(of: newAlbum, try call.service.moveAlbum(album, to: newAlbum, in: stream))
        } catch let error as ModelError {
            throw Problem(.invalidBody, detail: error.description, parameter: "album")
        }
    }

    static let delete = Route(
        method: .delete, path: albumPath, operation: "deleteAlbum", access: .write,
        summary: "Remove an album and those in it. No photo is deleted. An album that a rule names stays.",
        answers: [.init(schema: "AlbumChange")], problems: problems + [.unknownAlbum, .albumInUse, .keptView],
        work: .writing
    ) { call in
        let (stream, album) = (try call.stream, try call.album)
        return .change(of: album, try call.service.moveAlbum(album, to: nil, in: stream))
    }
}

extension APICall {
    /// The path of the album.
    fileprivate var album: String {
        get throws { try name(path["album"] ?? "", of: "album", as: album(_:)) }
    }

    /// Checks the path of an album.
    fileprivate func album(_ text: String) throws(ModelError) -> String {
        try PhotoList.albums.check([text])
        return text
    }
}

extension APIResponse {
    /// The answer to a change of an album.
    fileprivate static func change(of album: String, _ changedCount: Int) -> APIResponse {
        let change = AlbumChange(album, changedCount: changedCount)
        return APIResponse(contentType: MediaTypes.json, body: JSONWriter.bytes { $0.value(change) })
    }
}
