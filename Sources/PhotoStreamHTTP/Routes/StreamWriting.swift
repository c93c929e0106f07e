import HTTPTypes
import PhotoStreamModel
import PhotoStreamService

/// The routes that create, rename and delete streams.
enum StreamWriting {
    static let create = Route(
        method: .post, path: RoutePath("/v1/streams"), operation: "createStream", access: .admin,
        summary: "Create an empty stream. Its order is chosen once; the default is newest.",
        body: .init(types: [MediaTypes.json], schema: "NewStream"), answers: [.init(201, schema: "Stream")],
        problems: [.invalidBody, .invalidName, .streamExists, .readOnly, .busy, .primaryUnavailable], work: .writing
    ) { call in
        let texts = try call.texts(["stream", "order"]).texts
        let name = try call.streamName(in: texts)
        let order = try call.order(in: texts)
        try call.named(name) { try call.service.createStream(name, order: order) }
        var response = try call.shown(name)
        response.status = .created
        response.fields[.location] = "/v1/streams/" + PercentEscapes.encoded(name.rawValue)
        return response
    }

    static let rename = Route(
        method: .patch, path: StreamRoutes.path, operation: "renameStream", access: .admin,
        summary: "Rename a stream; photos, layouts and cursors stay the same.", isConditional: true,
        body: .init(types: [MediaTypes.mergePatch, MediaTypes.json], schema: "StreamName"),
        answers: [.init(schema: "Stream")],
        problems: [
            .invalidBody, .invalidName, .unknownStream, .streamExists, .preconditionFailed, .readOnly, .busy,
            .primaryUnavailable,
        ], work: .writing
    ) { call in
        let (stream, name) = (try call.stream, try call.streamName(in: try call.texts(["stream"]).texts))
        try call.named(name) { try call.service.renameStream(stream, to: name, if: call.streamConditions) }
        return try call.shown(name)
    }

    static let delete = Route(
        method: .delete, path: StreamRoutes.path, operation: "deleteStream", access: .admin,
        summary: "Delete a stream. If it has photos, with-photos must be true.",
        parameters: [RouteParameter("with-photos", as: .flag, summary: "Delete the stream even if it has photos.")],
        isConditional: true, answers: [.init(204, types: [], schema: "")],
        problems: [
            .invalidName, .unknownStream, .invalidParameter, .streamNotEmpty, .preconditionFailed, .readOnly, .busy,
            .primaryUnavailable,
        ], work: .writing
    ) { call in
        let withPhotos = try call.query.flag("with-photos")
        try call.service.deleteStream(try call.stream, evenWithPhotos: withPhotos ?? false, if: call.streamConditions)
        return APIResponse(.noContent)
    }
}

extension APICall {
    /// Returns the name in the body.
    fileprivate func streamName(in texts: [String: String]) throws -> StreamName {
        guard let name = texts["stream"] else {
            throw Problem(.invalidBody, detail: "the body has no member stream", parameter: "stream")
        }
        return try self.name(name, of: "stream", as: StreamName.init(_:))
    }

    /// Returns the order in the body.
    fileprivate func order(in texts: [String: String]) throws -> StreamOrder {
        guard let text = texts["order"] else { return .newest }
        guard let order = StreamOrder(rawValue: text) else {
            let words = StreamOrder.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.invalidBody, detail: "order is \"\(text)\", but must be one of \(words)", parameter: "order")
        }
        return order
    }

    /// Writes a stream's name, or throws a problem if another stream has it.
    ///
    /// The only constraint that the write can violate is that names are unique.
    fileprivate func named(_ name: StreamName, write: () throws -> Void) throws {
        do {
            try write()
        } catch let error as StorageError where error.code == .constraint {
            throw Problem(.streamExists, detail: "there is already a stream \"\(name)\"", parameter: "stream")
        }
    }

    fileprivate func shown(_ name: StreamName) throws -> APIResponse {
        let stream = try service.read { session in try session.stream(name) }
        let seen = stream.seen(by: grant, allowing: uploads)
        return APIResponse(validatedBody: seen.shown.bytes, about: seen.shownWithoutPictures.bytes)
    }
}
