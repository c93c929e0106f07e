import HTTPTypes

/// A method at an address, with its handler and its part of the OpenAPI document.
///
/// It is a class, so that requests share it: copying its properties would cost more than finding the route.
final class Route: Sendable {
    /// The kind of work that a call does with the file.
    enum Work: Sendable {
        /// No work.
        case none
        /// Reports the condition of the file, which is in memory.
        case probing
        /// Reads a few rows, and folds a layout that is not in memory.
        case reading
        /// Reads much of a stream.
        case scanning
        /// Writes.
        case writing
        /// Imports a body of any length.
        case importing
        /// Receives a picture and waits until it is decoded.
        case uploading
        /// Reads, opens a picture, and may then wait for a thumbnail without a thread.
        case opening

        /// Whether the work changes the file.
        var writes: Bool { [.writing, .importing, .uploading].contains(self) }
    }

    /// Answers a call: reads or writes on the calling thread, or suspends and uses others.
    typealias Handler = @Sendable (inout APICall) async throws -> APIResponse

    /// A possible answer to a request without problems.
    struct Answer: Sendable {
        let status: Int
        /// The media types, the default first; empty without a body.
        let types: [String]
        /// The name of the schema, or a description if the answer is not JSON.
        let schema: String

        init(_ status: Int = 200, types: [String] = [MediaTypes.json], schema: String) {
            (self.status, self.types, self.schema) = (status, types, schema)
        }
    }

    /// The required body of a request.
    struct Body: Sendable {
        /// The media types; `image/*` accepts every image type.
        let types: [String]
        /// The name of the schema, or a description if the body is not JSON.
        let schema: String

        /// Returns whether a body may have a media type.
        func accepts(_ type: String) -> Bool {
            types.contains {
                $0 == type || $0.hasSuffix("/*") && type.hasPrefix($0.dropLast()) && type.count >= $0.count
            }
        }
    }

    let method: HTTPRequest.Method
    let path: RoutePath
    /// The unique name of the operation.
    let operation: String
    /// The clients that may use the route.
    let access: RouteAccess
    let summary: String
    let parameters: [RouteParameter]
    /// Whether the route supports `If-None-Match` and `ETag`.
    let isCacheable: Bool
    /// Whether the route supports `If-Match`.
    let isConditional: Bool
    /// Whether the route supports `Range`.
    let isPartial: Bool
    let body: Body?
    let answers: [Answer]
    /// The possible problems in addition to those of any request.
    let problems: [ProblemKind]
    let work: Work
    /// Returns the file that receives a body of any length, or throws if the request would be refused anyway.
    let bodyFile: (@Sendable (APICall) throws -> any BodyFile)?
    let handle: Handler
    private let parametersByName: [String: RouteParameter]

    init(
        method: HTTPRequest.Method, path: RoutePath, operation: String, access: RouteAccess, summary: String,
        parameters: [RouteParameter] = [], isCacheable: Bool = false, isConditional: Bool = false,
        isPartial: Bool = false, body: Body? = nil, answers: [Answer], problems: [ProblemKind] = [],
        work: Work = .reading, bodyFile: (@Sendable (APICall) throws -> any BodyFile)? = nil, handle: @escaping Handler
    ) {
        (self.method, self.path, self.operation, self.summary) = (method, path, operation, summary)
        self.access = access
        (self.isCacheable, self.isConditional, self.isPartial) = (isCacheable, isConditional, isPartial)
        (self.parameters, self.body, self.answers) = (parameters, body, answers)
        // Writes need disk space.
        self.problems = problems + (work.writes ? [.diskFull] : [])
        (self.work, self.bodyFile, self.handle) = (work, bodyFile, handle)
        parametersByName = Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0) })
    }

    /// Whether answers are computed from the file, so that there may be derived data to store.
    var computes: Bool { ![.none, .probing, .opening].contains(work) }

    /// Whether answers contain the revision of the write.
    var writes: Bool { work.writes && (path.names.first == "stream" || operation == "createStream") }

    /// Whether the answer is a stream of events.
    var sendsEvents: Bool { answers.first?.types == [MediaTypes.eventStream] }

    /// Returns the parameter with a name; `nil` if the route has none.
    func parameter(named name: String) -> RouteParameter? { parametersByName[name] }
}
