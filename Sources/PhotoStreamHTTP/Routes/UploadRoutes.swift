import HTTPTypes
import PhotoStreamModel
import PhotoStreamService

/// The route that receives uploaded pictures.
enum UploadRoutes {
    /// The end of the year 9999, in milliseconds since 1970.
    private static let maximumTime = 253_402_300_799_999

    static let post = Route(
        method: .post, path: RoutePath("/v1/streams/{stream}/pictures"), operation: "uploadPicture", access: .write,
        summary: """
            Upload a picture or video. After it has been decoded, its file is stored in the folder that the server's option \
            --uploads names for the stream, under a name that no file there has, and its photo is added to the stream. \
            The answer is 200 if the stream has a photo with the same content and name-taken is rename.
            """,
        parameters: [
            RouteParameter(
                "name", as: .text,
                summary: "The name of the file, without folders, with the extension of its format: at most 255 bytes."
            ).required,
            RouteParameter(
                "restore", as: .flag,
                summary: "Restore the photo of this picture if a person deleted it; otherwise it is refused."),
            RouteParameter(
                "name-taken", as: .words(UploadRequest.TakenName.allCases.map(\.rawValue)),
                summary: """
                    If a file or photo has the name: refuse the upload, or rename its file, such as to IMG_0001-2.JPG, unless \
                    the stream has a photo with the same content. (default: refuse)
                    """),
            RouteParameter(
                "modified", as: .integer(0...maximumTime),
                summary: """
                    The time of the file's last modification, in milliseconds since 1970: the time of the photo if nothing \
                    else tells it. (default: the time of the upload)
                    """),
        ],
        body: .init(types: ["image/*", "video/*", MediaTypes.bytes], schema: "The picture or video."),
        answers: [.init(200, schema: "Photo"), .init(201, schema: "Photo")],
        problems: [
            .invalidName, .missingParameter, .unknownStream, .invalidBody, .uploadsOff, .fileExists, .photoExists,
            .photoDeleted, .deletedBefore, .keptView, .undecodablePicture, .uploadsUnavailable, .readOnly, .busy,
            .primaryUnavailable,
        ],
        work: .uploading, bodyFile: { try UploadBody(upload: begin($0)) }, handle: answer)

    private static func begin(_ call: APICall) throws -> PictureUpload {
        let stream = try call.stream
        guard let name = call.query["name"] else {
            throw Problem(.missingParameter, detail: "name is missing", parameter: "name")
        }
        guard let uploads = call.uploads else {
            // The order of refusals is the same as on a server that accepts uploads.
            try call.service.requireStream(stream)
            guard !call.service.isReadOnly else {
                throw StorageError(.readOnly, message: "the file is open for reading only")
            }
            throw UploadError.off(stream: stream.rawValue)
        }
        return try uploads.begin(try request(name, of: call.query), in: stream)
    }

    private static func request(_ name: String, of query: QueryParameters) throws(Problem) -> UploadRequest {
        var request = UploadRequest(name: name)
        let rules = UploadRequest.TakenName.allCases.map(\.rawValue).joined(separator: " or ")
        request.takenName =
            try query.value("name-taken", expecting: rules) { UploadRequest.TakenName(rawValue: $0) } ?? .refuse
        request.modifiedAtMilliseconds = try query.value(
            "modified", expecting: "a number of milliseconds since 1970, 0 to \(maximumTime)"
        ) { Int($0).flatMap { (0...maximumTime).contains($0) ? Int64($0) : nil } }
        request.restoresDeleted = try query.flag("restore") ?? false
        return request
    }

    private static func answer(_ call: inout APICall) async throws -> APIResponse {
        guard case .file(let body as UploadBody) = call.body else {
            throw Problem(.invalidBody, detail: "the body is missing")
        }
        let (stream, photo) = (try call.stream, try await body.upload.finish())
        let id = photo.id
        call.times.end("service")
        var response = try call.response(try call.service.read { session in try session.photo(id, of: stream) })
        if photo.isNew { response.status = .created }
        response.fields[.location] =
            "/v1/streams/\(PercentEscapes.encoded(stream.rawValue))/photos/\(PercentEscapes.encoded(id.rawValue))"
        return response
    }
}

/// The file of an upload, which receives the body.
private struct UploadBody: BodyFile {
    let upload: PictureUpload

    func append(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
        do throws(UploadError) {
            try unsafe upload.append(bytes)
        } catch {
            throw Problem(error)
        }
    }
}
