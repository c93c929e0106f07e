import HTTPTypes
import PhotoStreamModel
import PhotoStreamService

/// The route that receives uploaded pictures.
enum UploadRoutes {
    static let post = Route(
        method: .post, path: RoutePath("/v1/streams/{stream}/pictures"), operation: "uploadPicture", access: .write,
        summary: """
            Upload a picture. After it has been decoded, its file is stored in the folder that the server's option \
            --uploads names for the stream, under a name that no file there has, and its photo is added to the stream.
            """,
        parameters: [
            RouteParameter(
                "name", as: .text,
                summary: "The name of the file, without folders, with the extension of its format: at most 255 bytes."
            ).required,
            RouteParameter(
                "restore", as: .flag,
                summary: "Restore the photo of this picture if a person deleted it; otherwise it is refused."),
        ],
        body: .init(types: ["image/*", MediaTypes.bytes], schema: "The picture."),
        answers: [.init(201, schema: "Photo")],
        problems: [
            .invalidName, .missingParameter, .unknownStream, .invalidBody, .uploadsOff, .fileExists, .photoExists,
            .photoDeleted, .deletedBefore, .undecodablePicture, .uploadsUnavailable, .readOnly, .busy,
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
            _ = try call.service.read { session in try session.state(of: stream) }
            guard !call.service.isReadOnly else {
                throw StorageError(.readOnly, message: "the file is open for reading only")
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
        var response = try call.response(try call.service.read { session in try session.photo(id, of: stream) })
        response.status = .created
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
