import HTTPTypes
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The OpenAPI document, made from the same table as the router.
///
/// Source: OpenAPI 3.1.
enum OpenAPIDocument {
    private static let summary =
        "Exact layouts of streams of photos, before an image has loaded. Lengths are in points. HEAD is answered like "
        + "GET, without a body. A request that is not an operation is answered with "
        + "components/responses/MethodNotAllowed if its path is one of these, otherwise with "
        + "components/responses/UnknownAddress. Beneath the link of a share, /s/SECRET, the operations with "
        + "x-photostream-share are answered at the same addresses, with ids of the share's own."

    /// Returns the document of a table.
    static func bytes(_ table: RouteTable) -> [UInt8] {
        let document: JSONMembers = [
            "openapi": "3.1.0",
            "info": [
                "title": "PhotoStream", "version": PhotoStreamService.version, "description": summary,
            ] as JSONMembers,
            "paths": JSONMembers(table.paths.map { ($0.path.template, operations($0.routes)) }),
            "components": [
                "schemas": JSONMembers(Schemas.all.map { ($0.name, $0.schema) }),
                // The responses to requests that are not operations.
                "responses": [
                    "MethodNotAllowed": Route.response(to: [.methodNotAllowed], headers: [.requestID, .allow]),
                    "UnknownAddress": Route.response(to: [.unknownPath], headers: [.requestID]),
                ] as JSONMembers,
                "headers": JSONMembers.headerDescriptions, "securitySchemes": securitySchemes,
            ] as JSONMembers,
        ]
        return JSONWriter.bytes { $0.value(document) }
    }

    private static func operations(_ routes: [Route]) -> JSONMembers {
        JSONMembers(routes.map { ($0.method.rawValue.lowercased(), $0.json) })
    }

    private static var securitySchemes: JSONMembers {
        [
            "token": [
                "type": "http", "scheme": "bearer",
                "description":
                    "A token of `photostream tokens create`. Not needed on the server's own machine, by default.",
            ] as JSONMembers,
            "session": [
                "type": "apiKey", "in": "cookie", "name": AccessSettings().cookieName,
                "description": "A session of POST /v1/session. Over TLS its name begins with __Host-.",
            ] as JSONMembers,
        ]
    }
}

extension Route {
    /// The possible problems of a request, by status.
    var problemsByStatus: [(status: Int, kinds: [ProblemKind])] {
        var kinds: [ProblemKind] = [
            .badHost, .badEscape, .unknownParameter, .misdirected, .unsupportedCoding, .overloaded,
        ]
        if !parameters.isEmpty { kinds.append(.repeatedParameter) }
        if answers.first?.types.isEmpty == false { kinds.append(.notAcceptable) }
        if method != .get { kinds.append(.foreignOrigin) }
        if access != .anyone {
            kinds += [
                .tokenRequired, .invalidToken, .insufficientScope, .tooManyAttempts, .tooManyRequests, .storageFailed,
            ]
        }
        if body != nil { kinds += [.unsupportedMediaType, .bodyTooLarge, .bodyTooSlow] }
        if work != .none {
            kinds += [.fileMoved, .storageFailed, .invalidParameter, .revisionMissing, .otherRevision]
        }
        kinds += problems
        let statuses = Set(kinds.map(\.status)).sorted()
        return statuses.map { status in
            (status, ProblemKind.allCases.filter { $0.status == status && kinds.contains($0) })
        }
    }
}

extension Route {
    /// The operation in the document.
    fileprivate var json: JSONMembers {
        var operation: JSONMembers = ["operationId": operation, "summary": summary]
        // The required credentials: none, or on other machines a token or a session.
        operation.add(
            "security",
            value: access.scope.map { [[:], ["token": [$0.word]], ["session": [$0.word]]] as [JSONMembers] })
        operation.add("x-photostream-share", value: SharedRoutes.form(of: self) == nil ? nil : true)
        operation.add("parameters", value: parameterObjects)
        operation.add(
            "requestBody",
            value: body.map { body in
                ["required": true, "content": Self.content(body.types, schema: .named(body.schema))] as JSONMembers
            })
        operation.add("responses", value: responses)
        return operation
    }

    private var parameterObjects: [JSONMembers] {
        var fields: [RouteParameter] = []
        if isCacheable { fields.append(.ifNoneMatch) }
        if sendsEvents { fields.append(.lastEventID) }
        if work != .none { fields.append(.ifRevisionAtLeast) }
        if isPartial { fields += RouteParameter.ofParts }
        if isConditional { fields.append(.ifMatch) }
        if isConditional, method == .put { fields.append(.ifNotThere) }
        return path.names.map(Self.pathParameter) + parameters.map { $0.json(in: "query") }
            + fields.map { $0.json(in: "header") }
    }

    private var responses: JSONMembers {
        var responses: JSONMembers = [:]
        for answer in answers {
            var response: JSONMembers = [
                "description": answer.schema.isEmpty ? "Done." : answer.schema,
                "headers": JSONMembers.headers(HeaderDescription.all(of: answer.status, self)),
            ]
            if !answer.types.isEmpty {
                response.add("content", value: Self.content(answer.types, schema: .named(answer.schema)))
            }
            responses.add(String(answer.status), value: response)
        }
        if isCacheable {
            let headers = JSONMembers.headers(HeaderDescription.all(of: 304, self))
            responses.add(
                "304",
                value: ["description": "The client has the current answer.", "headers": headers] as JSONMembers)
        }
        for (status, kinds) in problemsByStatus {
            let headers = HeaderDescription.all(of: status, self)
            responses.add(String(status), value: Self.response(to: kinds, headers: headers))
        }
        return responses
    }

    /// Returns the response to a request that has one of some problems.
    fileprivate static func response(to kinds: [ProblemKind], headers: [HeaderDescription]) -> JSONMembers {
        [
            "description": kinds.map(\.title).joined(separator: "; "), "headers": JSONMembers.headers(headers),
            "content": content([Problem.contentType], schema: .named("Problem")),
        ]
    }

    private static func content(_ types: [String], schema: Schema) -> JSONMembers {
        JSONMembers(
            types.map { type in
                let json: JSONMembers =
                    switch type {
                    case MediaTypes.binary, MediaTypes.bytes,
                        _ where type.hasPrefix("image/") || type.hasPrefix("video/"):
                        ["type": "string", "format": "binary"]
                    // JSON Lines as a whole are not JSON.
                    case MediaTypes.jsonLines, MediaTypes.ndjson,
                        _ where type.hasPrefix("text/"):
                        Schema.someText.json
                    case MediaTypes.manifest: Schema.anyObject.json
                    default: schema.json
                    }
                return (type, ["schema": json] as JSONMembers)
            })
    }

    private static func pathParameter(_ name: String) -> JSONMembers {
        let (summary, schema): (String, Schema) =
            switch name {
            case "stream": ("The stream.", .streamName)
            case "photo": ("The photo's id; a slash is written %2F.", .photoID)
            case "album": ("The path of the album; a slash is written %2F.", .text)
            case "key": ("The key of a picture, as answers about photos show it.", .text)
            case "name": ("The name of a file, such as photostream.js.", .text)
            default: ("A size and a format, such as 640.webp or 320.jpg.", .text)
            }
        return ["name": name, "in": "path", "required": true, "description": summary, "schema": schema]
    }
}

extension RouteParameter {
    fileprivate func json(in location: String) -> JSONMembers {
        var parameter: JSONMembers = [
            "name": name, "in": location, "required": isRequired, "description": summary,
        ]
        if isList {
            parameter.add("style", value: "form")
            parameter.add("explode", value: true)
        }
        parameter.add("schema", value: schema.json)
        return parameter
    }

    fileprivate static let ifNoneMatch = RouteParameter(
        "If-None-Match", as: .text, summary: "The validator of the answer that the client has cached.")
    fileprivate static let ofParts = [
        RouteParameter(
            "Range", as: .text,
            summary: "The bytes to send, such as bytes=0-499; for several ranges, all bytes are sent."),
        RouteParameter(
            "If-Range", as: .text,
            summary: "The validator of the bytes that the client has; if the file is another one, all bytes are sent."),
    ]
    fileprivate static let lastEventID = RouteParameter(
        "Last-Event-ID", as: .text,
        summary: "The id of the last event that the client has seen; takes precedence over since.")
    fileprivate static let ifRevisionAtLeast = RouteParameter(
        "If-Revision-At-Least", as: .text,
        summary: "A state that the answer must include, such as the PhotoStream-Revision of a write at another server.")
    fileprivate static let ifNotThere = RouteParameter(
        "If-None-Match", as: .text, summary: "With *, the photo is only created, never changed.")
    fileprivate static let ifMatch = RouteParameter(
        "If-Match", as: .text, summary: "The validator of the resource; if it has changed, the request is refused.")
}

extension RouteParameter.Schema {
    fileprivate var json: JSONMembers {
        switch self {
        case .integer(let range):
            var schema: JSONMembers = ["type": "integer", "minimum": range.lowerBound]
            schema.add("maximum", value: range.upperBound == .max ? nil : range.upperBound)
            return schema
        case .number(let range):
            var schema: JSONMembers = ["type": "number"]
            schema.add("minimum", value: range?.lowerBound)
            schema.add("maximum", value: range?.upperBound)
            return schema
        case .numbers(let count):
            let number = "-?[0-9]+(\\.[0-9]+)?"
            let pattern = "^" + [String](repeating: number, count: count).joined(separator: ",") + "$"
            return ["type": "string", "pattern": pattern]
        case .flag: return ["type": "boolean"]
        case .words(let words): return ["type": "string", "enum": words]
        case .wordList(let words):
            let word = "(" + words.joined(separator: "|") + ")"
            return ["type": "string", "pattern": "^\(word)(,\(word))*$"]
        case .text: return ["type": "string"]
        case .photoID: return Schema.photoID.json
        case .photoIDs(let maximumCount):
            return ["type": "array", "items": Schema.photoID, "minItems": 1, "maxItems": maximumCount]
        case .streamName: return Schema.streamName.json
        }
    }
}
