import HTTPTypes

/// A method at an address, with its handler and its part of the OpenAPI document.
///
/// A class, so that requests share it: copying its many parts would cost more than finding the route.
final class Route: Sendable {
    /// The kind of work that a call does with the file.
    enum Work: Sendable {
        /// No work.
        case none
        /// Checks whether the file can be read.
        case probing
        /// Reads a few rows, and folds a layout that is not in memory.
        case reading
        /// Reads much of a stream.
        case scanning
        /// Writes.
        case writing
        /// Imports a body of any length.
        case importing
        /// Takes a picture, and waits for it to be decoded.
        case uploading
        /// Reads, and opens a picture; then it may wait for a thumbnail, on no thread.
        case opening

        /// Whether it changes the file.
        var writes: Bool { [.writing, .importing, .uploading].contains(self) }
    }

    /// The handler of a call.
    enum Handling: Sendable {
        /// Reads or writes on the calling thread.
        case direct(@Sendable (inout APICall) throws -> APIResponse)
        /// Uses other threads.
        case suspending(@Sendable (inout APICall) async throws -> APIResponse)
    }

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
        /// The media types; `image/*` stands for every type of images.
        let types: [String]
        /// The name of the schema, or a description if the body is not JSON.
        let schema: String

        /// Whether a body may have a type.
        func accepts(_ type: String) -> Bool {
            types.contains {
                $0 == type || $0.hasSuffix("/*") && type.hasPrefix($0.dropLast()) && type.count >= $0.count
            }
        }
    }

    let method: HTTPRequest.Method
    let path: RoutePath
    /// The name of the operation, unique.
    let operation: String
    /// The clients that may ask it.
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
    /// Returns the file that takes a body of any length; refuses the request if the body would be useless.
    let bodyFile: (@Sendable (APICall) throws -> any BodyFile)?
    let handling: Handling
    private let parametersByName: [String: RouteParameter]

    init(
        method: HTTPRequest.Method, path: RoutePath, operation: String, access: RouteAccess, summary: String,
        parameters: [RouteParameter] = [], isCacheable: Bool = false, isConditional: Bool = false,
        isPartial: Bool = false, body: Body? = nil, answers: [Answer], problems: [ProblemKind] = [],
        work: Work = .reading, bodyFile: (@Sendable (APICall) throws -> any BodyFile)? = nil, handling: Handling
    ) {
        (self.method, self.path, self.operation, self.summary) = (method, path, operation, summary)
        self.access = access
        (self.isCacheable, self.isConditional, self.isPartial) = (isCacheable, isConditional, isPartial)
        (self.parameters, self.body, self.answers) = (parameters, body, answers)
        // Whatever writes needs room.
        self.problems = problems + (work.writes ? [.diskFull] : [])
        (self.work, self.bodyFile, self.handling) = (work, bodyFile, handling)
        parametersByName = Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0) })
    }

    /// Creates a route that is answered on the calling thread.
    convenience init(
        method: HTTPRequest.Method, path: RoutePath, operation: String, access: RouteAccess, summary: String,
        parameters: [RouteParameter] = [], isCacheable: Bool = false, isConditional: Bool = false,
        isPartial: Bool = false, body: Body? = nil, answers: [Answer], problems: [ProblemKind] = [],
        work: Work = .reading, handle: @escaping @Sendable (inout APICall) throws -> APIResponse
    ) {
        self.init(
            method: method, path: path, operation: operation, access: access, summary: summary, parameters: parameters,
            isCacheable: isCacheable, isConditional: isConditional, isPartial: isPartial, body: body, answers: answers,
            problems: problems, work: work, handling: .direct(handle))
    }

    /// Whether answers are computed from the file, so that there may be derived data to store afterwards.
    var computes: Bool { work != .none && work != .opening }

    /// Whether answers tell the revision that was written.
    var writes: Bool { work.writes && (path.names.first == "stream" || operation == "createStream") }

    /// Whether the answer is a stream of events.
    var sendsEvents: Bool { answers.first?.types == [MediaTypes.eventStream] }

    /// Returns the route's parameter of a name.
    func parameter(named name: String) -> RouteParameter? { parametersByName[name] }
}
