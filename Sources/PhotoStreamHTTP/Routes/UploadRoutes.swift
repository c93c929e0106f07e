import HTTPTypes
import PhotoStreamModel
import PhotoStreamService

/// The route that takes pictures.
enum UploadRoutes {
    static let post = Route(
        method: .post, path: RoutePath("/v1/streams/{stream}/pictures"), operation: "uploadPicture", access: .write,
        summary: """
            Upload a picture: once it was decoded, its file is put into the folder that the server's option --uploads names \
            for the stream, under a name that nothing there has, and its photo is added to the stream.
            """,
        parameters: [
            RouteParameter(
                "name", as: .text,
                summary: "The name of the file, without folders, with the extension of its format: at most 255 bytes."
            ).required,
            RouteParameter(
                "restore", as: .flag,
                summary: "Bring the photo of this picture back if a person deleted it; otherwise it is refused."),
        ],
        body: .init(types: ["image/*", MediaTypes.bytes], schema: "The picture."),
        answers: [.init(201, schema: "Photo")],
        problems: [
            .invalidName, .missingParameter, .unknownStream, .invalidBody, .uploadsOff, .fileExists, .photoExists,
            .photoDeleted, .deletedBefore, .undecodablePicture, .uploadsUnavailable, .readOnly, .busy,
            .primaryUnavailable,
        ],
        work: .uploading, bodyFile: { try UploadBody(begin($0)) }, handling: .suspending(answer))

    private static func begin(_ call: APICall) throws -> PictureUpload {
        let stream = try call.stream
        guard let name = call.query["name"] else {
            throw Problem(.missingParameter, detail: "name is missing", parameter: "name")
        }
        guard let uploads = call.uploads else {
            // The same order of refusals as where there are some.
            _ = try call.read { session in try session.state(of: stream) }
            guard !call.service.isReadOnly else {
                throw StreamServiceError.storage(.readOnly, message: "the file is open for reading only")
            }
            throw UploadError.off(stream: stream.rawValue)
        }
        return try uploads.begin(name, in: stream, restoringDeleted: try call.query.flag("restore") ?? false)
    }

    private static func answer(_ call: inout APICall) async throws -> APIResponse {
        guard case .file(let body as UploadBody) = call.body else {
            throw Problem(.invalidBody, detail: "the body is missing")
        }
        let (stream, id) = (try call.stream, try await body.upload.finish())
        call.times.end("service")
        var response = try call.response(try call.read { session in try session.photo(id, of: stream) })
        response.status = .created
        response.fields[.location] =
            "/v1/streams/\(PercentEscapes.encoded(stream.rawValue))/photos/\(PercentEscapes.encoded(id.rawValue))"
        return response
    }
}

/// The file of an upload, as it takes a body.
private struct UploadBody: BodyFile {
    let upload: PictureUpload

    init(_ upload: PictureUpload) {
        self.upload = upload
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
        do throws(UploadError) {
            try unsafe upload.append(bytes)
        } catch {
            throw Problem(error)
        }
    }
}
