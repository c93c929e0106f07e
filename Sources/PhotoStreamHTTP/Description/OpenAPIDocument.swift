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
        JSONWriter.bytes { writer in
            writer.object { writer in
                writer.text("openapi", value: "3.1.0")
                writer.key("info")
                writer.object { writer in
                    writer.text("title", value: "PhotoStream")
                    writer.text("version", value: PhotoStreamService.version)
                    writer.text("description", value: summary)
                }
                writer.key("paths")
                writer.object { $0.paths(table) }
                writer.key("components")
                writer.object { writer in
                    writer.key("schemas")
                    writer.object { writer in
                        for (name, schema) in Schemas.all {
                            writer.key(named: name)
                            writer.value(schema)
                        }
                    }
                    writer.key("responses")
                    writer.object { $0.responsesToOthers() }
                    writer.key("headers")
                    writer.headerDescriptions()
                    writer.key("securitySchemes")
                    writer.object { $0.securitySchemes() }
                }
            }
        }
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
        switch work {
        case .none: break
        case .importing, .probing, .reading, .scanning, .writing, .uploading, .opening:
            kinds += [.fileMoved, .storageFailed, .invalidParameter, .revisionMissing, .otherRevision]
        }
        kinds += problems
        let statuses = Set(kinds.map(\.status)).sorted()
        return statuses.map { status in
            (status, ProblemKind.allCases.filter { $0.status == status && kinds.contains($0) })
        }
    }
}

extension JSONWriter {
    fileprivate mutating func text(_ name: StaticString, value: String) {
        key(name)
        self.value(value)
    }

    fileprivate mutating func paths(_ table: RouteTable) {
        for (path, routes) in table.paths {
            key(named: path.template)
            object { writer in
                for route in routes {
                    writer.key(named: route.method.rawValue.lowercased())
                    writer.object { $0.operation(route) }
                }
            }
        }
    }

    private mutating func operation(_ route: Route) {
        text("operationId", value: route.operation)
        text("summary", value: route.summary)
        security(of: route)
        if SharedRoutes.form(of: route) != nil {
            key("x-photostream-share")
            value(true)
        }
        key("parameters")
        array { writer in
            for name in route.path.names { writer.pathParameter(name) }
            for parameter in route.parameters { writer.value(parameter, in: "query") }
            if route.isCacheable { writer.value(.ifNoneMatch, in: "header") }
            if route.sendsEvents { writer.value(.lastEventID, in: "header") }
            if route.work != .none { writer.value(.ifRevisionAtLeast, in: "header") }
            if route.isPartial { for field in RouteParameter.ofParts { writer.value(field, in: "header") } }
            if route.isConditional { writer.value(.ifMatch, in: "header") }
            if route.isConditional, route.method == .put { writer.value(.ifNotThere, in: "header") }
        }
        if let body = route.body {
            key("requestBody")
            object { writer in
                writer.key("required")
                writer.value(true)
                writer.content(body.types, schema: .named(body.schema))
            }
        }
        key("responses")
        object { $0.responses(of: route) }
    }

    /// Writes the required credentials: none, or on other machines a token or a session.
    private mutating func security(of route: Route) {
        guard let scope = route.access.scope else { return }
        key("security")
        array(["", "token", "session"]) { writer, scheme in
            writer.object { writer in
                guard !scheme.isEmpty else { return }
                writer.key(named: scheme)
                writer.array([scope.word]) { $0.value($1) }
            }
        }
    }

    fileprivate mutating func securitySchemes() {
        key("token")
        object { writer in
            writer.text("type", value: "http")
            writer.text("scheme", value: "bearer")
            writer.text(
                "description",
                value: "A token of `photostream tokens create`. Not needed on the server's own machine, by default.")
        }
        key("session")
        object { writer in
            writer.text("type", value: "apiKey")
            writer.text("in", value: "cookie")
            writer.text("name", value: AccessSettings().cookieName)
            writer.text("description", value: "A session of POST /v1/session. Over TLS its name begins with __Host-.")
        }
    }

    private mutating func responses(of route: Route) {
        for answer in route.answers {
            key(named: String(answer.status))
            object { writer in
                writer.text("description", value: answer.schema.isEmpty ? "Done." : answer.schema)
                writer.headers(HeaderDescription.all(of: answer.status, route))
                if !answer.types.isEmpty { writer.content(answer.types, schema: .named(answer.schema)) }
            }
        }
        if route.isCacheable {
            key("304")
            object { writer in
                writer.text("description", value: "The client has the current answer.")
                writer.headers(HeaderDescription.all(of: 304, route))
            }
        }
        for (status, kinds) in route.problemsByStatus {
            key(named: String(status))
            problem(kinds, headers: HeaderDescription.all(of: status, route))
        }
    }

    /// Writes the responses to requests that are not operations.
    fileprivate mutating func responsesToOthers() {
        key("MethodNotAllowed")
        problem([.methodNotAllowed], headers: [.requestID, .allow])
        key("UnknownAddress")
        problem([.unknownPath], headers: [.requestID])
    }

    private mutating func problem(_ kinds: [ProblemKind], headers: [HeaderDescription]) {
        object { writer in
            writer.text("description", value: kinds.map(\.title).joined(separator: "; "))
            writer.headers(headers)
            writer.content([Problem.contentType], schema: .named("Problem"))
        }
    }

    private mutating func content(_ types: [String], schema: Schema) {
        key("content")
        object { writer in
            for type in types {
                writer.key(named: type)
                writer.object { writer in
                    writer.key("schema")
                    switch type {
                    case MediaTypes.binary, MediaTypes.bytes,
                        _ where type.hasPrefix("image/"):
                        writer.object { writer in
                            writer.text("type", value: "string")
                            writer.text("format", value: "binary")
                        }
                    // JSON Lines as a whole are not JSON.
                    case MediaTypes.jsonLines, MediaTypes.ndjson,
                        _ where type.hasPrefix("text/"):
                        writer.value(Schema.someText)
                    default: writer.value(schema)
                    }
                }
            }
        }
    }

    private mutating func pathParameter(_ name: String) {
        let (summary, schema): (String, Schema) =
            switch name {
            case "stream": ("The stream.", .streamName)
            case "photo": ("The photo's id; a slash is written %2F.", .photoID)
            case "key": ("The key of a picture, as answers about photos show it.", .text)
            case "name": ("The name of a file, such as photostream.js.", .text)
            default: ("A size and a format, such as 640.webp or 320.jpg.", .text)
            }
        object { writer in
            writer.text("name", value: name)
            writer.text("in", value: "path")
            writer.key("required")
            writer.value(true)
            writer.text("description", value: summary)
            writer.key("schema")
            writer.value(schema)
        }
    }

    private mutating func value(_ parameter: RouteParameter, in location: String) {
        object { writer in
            writer.text("name", value: parameter.name)
            writer.text("in", value: location)
            writer.key("required")
            writer.value(parameter.isRequired)
            writer.text("description", value: parameter.summary)
            if parameter.isList {
                writer.text("style", value: "form")
                writer.key("explode")
                writer.value(true)
            }
            writer.key("schema")
            writer.object { $0.members(of: parameter.schema) }
        }
    }

    private mutating func members(of schema: RouteParameter.Schema) {
        switch schema {
        case .integer(let range):
            text("type", value: "integer")
            key("minimum")
            value(range.lowerBound)
            guard range.upperBound != .max else { return }
            key("maximum")
            value(range.upperBound)
        case .number(let range):
            text("type", value: "number")
            guard let range else { return }
            key("minimum")
            value(range.lowerBound)
            key("maximum")
            value(range.upperBound)
        case .numbers(let count):
            let number = "-?[0-9]+(\\.[0-9]+)?"
            text("type", value: "string")
            text("pattern", value: "^" + [String](repeating: number, count: count).joined(separator: ",") + "$")
        case .flag: text("type", value: "boolean")
        case .words(let words):
            text("type", value: "string")
            key("enum")
            array(words) { $0.value($1) }
        case .wordList(let words):
            let word = "(" + words.joined(separator: "|") + ")"
            text("type", value: "string")
            text("pattern", value: "^\(word)(,\(word))*$")
        case .text: text("type", value: "string")
        case .photoID: members(of: Schema.photoID)
        case .photoIDs(let maximumCount):
            text("type", value: "array")
            key("items")
            value(Schema.photoID)
            key("minItems")
            value(1)
            key("maxItems")
            value(maximumCount)
        case .streamName: members(of: Schema.streamName)
        }
    }
}

extension RouteParameter {
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
