import HTTPTypes

/// A method at an address: what answers it, and what the description of the interface says of it.
struct Route: Sendable {
    /// What a call does to the file.
    enum Work: Sendable {
        /// Nothing.
        case none
        /// It reads a few rows and what is at hand, nearly always: it is tried where the request was taken in, and
        /// takes a thread of a reader only where it would have to wait.
        case lookup
        /// It reads.
        case reading
        /// It writes.
        case writing
        /// It imports a body of any length.
        case importing
        /// It reads, and opens a picture.
        case opening
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
    var parameters: [RouteParameter] = []
    /// Whether `If-None-Match` and `ETag` mean something.
    var isCacheable = false
    /// Whether `If-Match` means something.
    var isConditional = false
    /// Whether `Range` means something.
    var isPartial = false
    var body: Body?
    let answers: [Answer]
    /// What may be wrong beside what may be wrong with any request.
    var problems: [ProblemKind] = []
    var work = Work.reading
    let handle: @Sendable (inout APICall) async throws -> APIResponse
}
