import HTTPTypes

/// A method at an address: what answers it, and what the description of the interface says of it.
///
/// Requests share it: it has many parts, and to copy each would cost more than to look the route up.
final class Route: Sendable {
    /// What a call does to the file.
    enum Work: Sendable {
        /// Nothing.
        case none
        /// It looks whether the file can be read.
        case probing
        /// It reads a few rows, and folds a layout that is not known.
        case reading
        /// It reads much of a stream.
        case scanning
        /// It writes.
        case writing
        /// It imports a body of any length.
        case importing
        /// It reads, and opens a picture.
        case opening
    }

    /// What answers a call.
    enum Handling: Sendable {
        /// It reads or writes on the thread that it is called on.
        case direct(@Sendable (inout APICall) throws -> APIResponse)
        /// It has other threads work for it.
        case suspending(@Sendable (inout APICall) async throws -> APIResponse)
    }

    /// What an answer may be when nothing is wrong.
    struct Answer: Sendable {
        let status: Int
        /// Its types, the default first; none without a body.
        let types: [String]
        /// The name of its schema; of an answer that is no JSON, what it is.
        let schema: String

        init(_ status: Int = 200, _ types: [String] = [MediaTypes.json], schema: String) {
            (self.status, self.types, self.schema) = (status, types, schema)
        }
    }

    /// The body that a request must have.
    struct Body: Sendable {
        let types: [String]
        let schema: String
    }

    let method: HTTPRequest.Method
    let path: RoutePath
    /// The name of the operation, unique.
    let operation: String
    let summary: String
    let parameters: [RouteParameter]
    /// Whether `If-None-Match` and `ETag` mean something.
    let isCacheable: Bool
    /// Whether `If-Match` means something.
    let isConditional: Bool
    /// Whether `Range` means something.
    let isPartial: Bool
    let body: Body?
    let answers: [Answer]
    /// What may be wrong beside what may be wrong with any request.
    let problems: [ProblemKind]
    let work: Work
    /// What is looked up before a body of any length is taken in, to refuse it where it cannot be used.
    let beforeBody: (@Sendable (APICall) throws -> Void)?
    let handling: Handling
    private let parameterNames: Set<String>

    init(
        method: HTTPRequest.Method, path: RoutePath, operation: String, summary: String,
        parameters: [RouteParameter] = [], isCacheable: Bool = false, isConditional: Bool = false,
        isPartial: Bool = false, body: Body? = nil, answers: [Answer], problems: [ProblemKind] = [],
        work: Work = .reading, beforeBody: (@Sendable (APICall) throws -> Void)? = nil, handling: Handling
    ) {
        (self.method, self.path, self.operation, self.summary) = (method, path, operation, summary)
        (self.isCacheable, self.isConditional, self.isPartial) = (isCacheable, isConditional, isPartial)
        (self.parameters, self.body, self.answers, self.problems) = (parameters, body, answers, problems)
        (self.work, self.beforeBody, self.handling) = (work, beforeBody, handling)
        parameterNames = Set(parameters.map(\.name))
    }

    /// A route that is answered on the thread that it is called on.
    convenience init(
        method: HTTPRequest.Method, path: RoutePath, operation: String, summary: String,
        parameters: [RouteParameter] = [], isCacheable: Bool = false, isConditional: Bool = false,
        isPartial: Bool = false, body: Body? = nil, answers: [Answer], problems: [ProblemKind] = [],
        work: Work = .reading, handle: @escaping @Sendable (inout APICall) throws -> APIResponse
    ) {
        self.init(
            method: method, path: path, operation: operation, summary: summary, parameters: parameters,
            isCacheable: isCacheable, isConditional: isConditional, isPartial: isPartial, body: body, answers: answers,
            problems: problems, work: work, handling: .direct(handle))
    }

    /// Whether its answers are computed from the file, so that there may be something to store afterwards.
    var computes: Bool { work != .none && work != .opening }

    /// Whether it knows a parameter.
    func knows(_ parameter: String) -> Bool { parameterNames.contains(parameter) }
}
