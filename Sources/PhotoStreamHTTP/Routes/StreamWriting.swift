import HTTPTypes
import PhotoStreamModel
import PhotoStreamService

/// The routes that create, rename and delete streams.
enum StreamWriting {
    static let create = Route(
        method: .post, path: RoutePath("/v1/streams"), operation: "createStream", access: .admin,
        summary: """
            Create an empty stream, whose order is chosen once (default: newest); or, with source and where, a kept view: a \
            name for the photos of another stream that meet a condition.
            """,
        body: .init(types: [MediaTypes.json], schema: "NewStream"), answers: [.init(201, schema: "Stream")],
        problems: [
            .invalidBody, .invalidName, .unknownStream, .streamExists, .keptView, .readOnly, .busy, .primaryUnavailable,
        ], work: .writing
    ) { call in
        let texts = try call.texts(["stream", "order", "source", "where", "description"]).texts
        let name = try call.streamName(in: texts)
        if let view = try call.view(in: texts) {
            try call.named(name, from: "source") {
                try call.service.createView(
                    name, of: view.source, where: view.rule, description: texts["description"] ?? "")
            }
        } else {
            let order = try call.order(in: texts)
            try call.named(name) { try call.service.createStream(name, order: order) }
        }
        var response = try call.shown(name)
        response.status = .created
        response.fields[.location] = "/v1/streams/" + PercentEscapes.encoded(name.rawValue)
        return response
    }

    static let rename = Route(
        method: .patch, path: StreamRoutes.path, operation: "renameStream", access: .admin,
        summary: """
            Rename a stream, whose photos, layouts and cursors stay the same; of a kept view, also change the rule, the \
            description and the cover, which an empty text removes.
            """, isConditional: true,
        body: .init(types: [MediaTypes.mergePatch, MediaTypes.json], schema: "StreamChanges"),
        answers: [.init(schema: "Stream")],
        problems: [
            .invalidBody, .invalidName, .unknownStream, .unknownPhoto, .streamExists, .preconditionFailed, .readOnly,
            .busy, .primaryUnavailable,
        ], work: .writing
    ) { call in
        let (stream, texts) = (try call.stream, try call.texts(["stream", "where", "description", "cover"]).texts)
        let rule = try call.rule(in: texts)
        let cover = try texts["cover"].map { text -> FieldChange<PhotoID> in
            text.isEmpty ? .clear : .set(try call.name(text, of: "cover", as: PhotoID.init(_:)))
        }
        let isRenamed = texts["stream"] != nil || rule == nil && texts["description"] == nil && cover == nil
        let newName = isRenamed ? try call.streamName(in: texts) : nil
        let defined = ["where", "description", "cover"].first { texts[$0] != nil }
        try call.named(newName ?? stream, defining: defined ?? "stream") {
            try call.service.changeStream(
                stream, to: newName, where: rule, description: texts["description"], cover: cover ?? .keep,
                if: call.streamConditions)
        }
        return try call.shown(newName ?? stream)
    }

    static let delete = Route(
        method: .delete, path: StreamRoutes.path, operation: "deleteStream", access: .admin,
        summary: """
            Delete a stream or a kept view. If a stream has photos, with-photos must be true; one that a kept view shows is \
            not deleted.
            """,
        parameters: [RouteParameter("with-photos", as: .flag, summary: "Delete the stream even if it has photos.")],
        isConditional: true, answers: [.init(204, types: [], schema: "")],
        problems: [
            .invalidName, .unknownStream, .invalidParameter, .streamNotEmpty, .streamInUse, .preconditionFailed,
            .readOnly, .busy,
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

    /// Returns the stream and the rule of a kept view in the body; `nil` if it describes a stream.
    fileprivate func view(in texts: [String: String]) throws -> (source: StreamName, rule: Condition)? {
        guard let source = texts["source"] else {
            for member in ["where", "description"] where texts[member] != nil {
                throw Problem(
                    .invalidBody, detail: "\(member) belongs to a kept view, which has a source", parameter: member)
            }
            return nil
        }
        guard texts["order"] == nil else {
            throw Problem(.invalidBody, detail: "a kept view has the order of its source", parameter: "order")
        }
        guard let rule = try rule(in: texts) else {
            throw Problem(.invalidBody, detail: "the body has a source, but no member where", parameter: "where")
        }
        return (try name(source, of: "source", as: StreamName.init(_:)), rule)
    }

    /// Returns the rule of a kept view in the body.
    fileprivate func rule(in texts: [String: String]) throws -> Condition? {
        guard let text = texts["where"] else { return nil }
        do throws(ConditionError) {
            return try Condition(parsing: text)
        } catch {
            throw Problem(.invalidBody, detail: error.description, parameter: "where")
        }
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

    /// Writes a stream's name, or throws a problem if another stream has it, even one that another program has hidden.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - stream: The member of the body or the parameter that names a stream which must exist.
    ///   - member: The member of the body that only a kept view has.
    ///   - write: Writes the stream.
    /// - Throws: ``Problem`` that names the member, and the other errors of `write`.
    fileprivate func named(
        _ name: StreamName, from stream: String = "stream", defining member: String = "where", write: () throws -> Void
    ) throws {
        do {
            try write()
        } catch let error as StorageError where error.code == .constraint {
            throw Problem(.streamExists, detail: "there is already a stream \"\(name)\"", parameter: "stream")
        } catch let error as StreamServiceError {
            switch error {
            case .unansweredCondition: throw Problem(.invalidBody, detail: error.description, parameter: "where")
            case .unknownStream: throw Problem(.unknownStream, detail: error.description, parameter: stream)
            case .notKeptView: throw Problem(.invalidBody, detail: error.description, parameter: member)
            case .unknownPhoto: throw Problem(.unknownPhoto, detail: error.description, parameter: "cover")
            case .keptView: throw Problem(.keptView, detail: error.description, parameter: stream)
            default: throw error
            }
        }
    }

    fileprivate func shown(_ name: StreamName) throws -> APIResponse {
        let stream = try service.read { session in try session.stream(name) }
        let seen = stream.seen(by: grant, allowing: uploads)
        return APIResponse(validatedBody: seen.shown.bytes, about: seen.shownWithoutPictures.bytes)
    }
}
