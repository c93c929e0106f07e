import HTTPTypes
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The routes that read photos without a layout.
enum PhotoRoutes {
    static let path = RoutePath("/v1/streams/{stream}/photos")
    static let photoPath = RoutePath("/v1/streams/{stream}/photos/{photo}")

    static let list = Route(
        method: .get, path: path, operation: "listPhotos", access: .read,
        summary: "Photos in stream order, or by their ids.",
        parameters: [
            .limit, RouteParameter("after", as: .photoID, summary: "Begin after the photo with this id."), .id,
            RouteParameter(
                "fields", as: .wordList(ItemField.allCases.map(\.rawValue)),
                summary: """
                    The members of each photo, as of items, separated by commas: photo is its id, pixelWidth and pixelHeight its \
                    size, pictureKey its picture. (default: all)
                    """),
            .revision,
        ],
        isCacheable: true, answers: [.init(schema: "PhotoList")],
        problems: [
            .unknownStream, .unknownPhoto, .invalidName, .invalidParameter, .otherRevision, .fieldsTooLarge,
            .addressTooLong,
        ]
    ) { call in
        let (stream, limit, fields) = (try call.stream, try call.limit(), try call.fields())
        if let ids = try call.photoIDs(without: ["limit", "after"]) {
            return try call.answer(about: stream, showingPictures: true) { session in
                try session.photos(withIDs: ids, of: stream)
            } json: {
                $0.value(StreamPhotosList($1, of: stream), fields: fields)
            }
        }
        let after = try call.query["after"].map { try call.name($0, of: "after", as: PhotoID.init(_:)) }
        let asked = call
        return try call.answer(about: stream, showingPictures: true) { session in
            try asked.attributingUnknownPhoto(to: { _ in "after" }) {
                try session.photos(of: stream, after: after, limit: limit)
            }
        } json: {
            $0.value(StreamPhotosList($1, of: stream), fields: fields)
        }
    }

    static let deleted = Route(
        method: .get, path: RoutePath("/v1/streams/{stream}/deleted"), operation: "listDeletedPhotos", access: .write,
        summary: "Photos that were deleted in the last 30 days and can be restored, the latest deletion first.",
        parameters: [
            .limit, RouteParameter("after", as: .photoID, summary: "Begin after the deleted photo with this id."),
        ],
        answers: [.init(schema: "DeletedPhotos")],
        problems: [.unknownStream, .unknownPhoto, .invalidName, .invalidParameter]
    ) { call in
        let (stream, limit) = (try call.stream, try call.limit())
        let after = try call.query["after"].map { try call.name($0, of: "after", as: PhotoID.init(_:)) }
        let asked = call
        let answer = try call.service.read { session in
            try asked.attributingUnknownPhoto(to: { _ in "after" }) {
                try session.deletedPhotos(of: stream, after: after, limit: limit)
            }
        }
        return call.answer(validating: { $0.value(DeletedPhotosList(answer, of: stream)) })
    }

    static let show = Route(
        method: .get, path: photoPath, operation: "getPhoto", access: .read,
        summary: "A photo. A slash in its id is written %2F.", isCacheable: true,
        answers: [.init(schema: "Photo")], problems: [.unknownStream, .unknownPhoto, .invalidName]
    ) { call in
        let (id, stream) = (try call.photo, try call.stream)
        let photo = try call.service.read { session in
            ShownPhoto(
                try session.photo(id, of: stream), with: try session.picture(of: id, in: stream),
                file: try session.fileState(of: id, in: stream), stack: try session.stackSummary(of: id, in: stream))
        }
        return call.answer(
            validating: { $0.value(photo) }, about: { $0.value(ShownPhoto(photo.photo, with: nil)) })
    }

    static let stackPath = RoutePath(photoPath.template + "/stack")

    static let stack = Route(
        method: .get, path: stackPath, operation: "listStack", access: .read,
        summary: "The photos of the stack that a photo is in, the cover first; only the photo itself if it is in none.",
        parameters: [.revision], isCacheable: true, answers: [.init(schema: "PhotoList")],
        problems: [.unknownStream, .unknownPhoto, .invalidName, .otherRevision]
    ) { call in
        let (id, stream) = (try call.photo, try call.stream)
        return try call.answer(about: stream, showingPictures: true) { session in
            try session.stack(of: id, in: stream)
        } json: {
            $0.value(StreamPhotosList($1, of: stream))
        }
    }
}
