import HTTPTypes
import PhotoStreamModel
import PhotoStreamService

/// Streams are made, renamed and deleted.
enum StreamWriting {
    static let create = Route(
        method: .post, path: RoutePath("/v1/streams"), operation: "createStream", summary: "Make an empty stream.",
        body: .init(types: [MediaTypes.json], schema: "StreamName"), answers: [.init(201, schema: "Stream")],
        problems: [.invalidBody, .invalidName, .streamExists, .readOnly, .busy], work: .writing
    ) { call in
        let name = try call.streamName()
        try call.named(name) { try call.service.createStream(name) }
        var response = try call.shown(name)
        response.status = .created
        response.fields[.location] = "/v1/streams/" + PercentEncoding.encoded(name.rawValue)
        return response
    }

    static let rename = Route(
        method: .patch, path: StreamRoutes.path, operation: "renameStream",
        summary: "Give a stream another name; photos, layouts and cursors stay as they are.", isConditional: true,
        body: .init(types: [MediaTypes.mergePatch, MediaTypes.json], schema: "StreamName"),
        answers: [.init(schema: "Stream")],
        problems: [
            .invalidBody, .invalidName, .unknownStream, .streamExists, .preconditionFailed, .readOnly, .busy,
        ], work: .writing
    ) { call in
        let (stream, name) = (try call.stream, try call.streamName())
        try call.named(name) { try call.service.renameStream(stream, to: name, if: call.streamConditions) }
        return try call.shown(name)
    }

    static let delete = Route(
        method: .delete, path: StreamRoutes.path, operation: "deleteStream",
        summary: "Delete a stream; one with photos in it only where with-photos says so.",
        parameters: [RouteParameter("with-photos", .flag, "Delete the stream although it holds photos.")],
        isConditional: true, answers: [.init(204, [], schema: "")],
        problems: [
            .invalidName, .unknownStream, .invalidParameter, .streamNotEmpty, .preconditionFailed, .readOnly, .busy,
        ], work: .writing
    ) { call in
        let withPhotos = try call.query.flag("with-photos")
        try call.service.deleteStream(try call.stream, evenWithPhotos: withPhotos ?? false, if: call.streamConditions)
        return APIResponse(.noContent)
    }
}

extension APICall {
    /// The name that the body gives.
    fileprivate func streamName() throws -> StreamName {
        guard let name = try texts(["stream"]).texts["stream"] else {
            throw Problem(.invalidBody, "the body lacks the member stream", parameter: "stream")
        }
        return try self.name(name, of: "stream", StreamName.init(_:))
    }

    /// Writes; where a rule of the file forbids it, the name is taken.
    fileprivate func named(_ name: StreamName, _ write: () throws -> Void) throws {
        do {
            try write()
        } catch StreamServiceError.storage(code: "constraint", _) {
            throw Problem(.streamExists, "there is a stream \"\(name)\" already", parameter: "stream")
        }
    }

    fileprivate func shown(_ name: StreamName) throws -> APIResponse {
        APIResponse(validatedBody: try service.stream(name).shown)
    }
}
