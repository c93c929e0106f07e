import HTTPTypes
import PhotoStreamModel
import PhotoStreamService

/// The routes that read photos without a layout.
enum PhotoRoutes {
    static let path = RoutePath("/v1/streams/{stream}/photos")
    static let photoPath = RoutePath("/v1/streams/{stream}/photos/{photo}")

    static let list = Route(
        method: .get, path: path, operation: "listPhotos", summary: "Photos in stream order.",
        parameters: [
            .limit, RouteParameter("after", as: .photoID, summary: "Begin after the photo with this id."), .revision,
        ],
        isCacheable: true, answers: [.init(schema: "PhotoList")],
        problems: [.unknownStream, .unknownPhoto, .invalidName, .invalidParameter, .otherRevision]
    ) { call in
        let (stream, limit) = (try call.stream, try call.limit())
        let after = try call.query["after"].map { try call.name($0, of: "after", as: PhotoID.init(_:)) }
        return try call.answer(about: stream) { call in
            let (answer, state) = try call.attributingUnknownPhoto(to: { _ in "after" }) {
                try call.service.photosAndState(of: stream, after: after, limit: limit)
            }
            call.times.end("service")
            let body = JSONWriter.bytes { $0.value(answer, of: stream) }
            call.times.end("encode")
            return (state, body)
        }
    }

    static let show = Route(
        method: .get, path: photoPath, operation: "getPhoto",
        summary: "A photo. A slash in its id is written %2F.", isCacheable: true,
        answers: [.init(schema: "Photo")], problems: [.unknownStream, .unknownPhoto, .invalidName]
    ) { call in
        let photo = try call.service.photo(try call.photo, of: try call.stream)
        return call.answer(JSONWriter.bytes { $0.value(photo) })
    }
}
