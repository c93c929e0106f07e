import PhotoStreamService

/// Why a request is refused: a problem document in the making.
///
/// Source: RFC 9457.
struct Problem: Error {
    /// What is wrong.
    let kind: ProblemKind
    /// One sentence that names the offending value.
    let detail: String
    /// The parameter or the member of the body that is to blame, if one is.
    let parameter: String?
    /// The methods that the address knows, where the method is the problem.
    var allowedMethods: [String] = []

    /// Creates a problem.
    init(_ kind: ProblemKind, _ detail: String, parameter: String? = nil) {
        self.kind = kind
        self.detail = detail
        self.parameter = parameter
    }

    /// The media type of problem documents.
    static let contentType = "application/problem+json"

    /// How many seconds a client should wait before it asks again; `nil` where waiting does not help.
    var retryAfter: Int? {
        switch kind {
        case .overloaded, .busy: 1
        case .tooManyImports, .fileMoved: 5
        default: nil
        }
    }

    /// The document.
    var document: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("type")
            writer.value(kind.type)
            writer.key("title")
            writer.value(kind.title)
            writer.key("status")
            writer.value(kind.status)
            writer.key("detail")
            writer.value(detail)
            guard let parameter else { return }
            writer.key("parameter")
            writer.value(parameter)
        }
        return writer.bytes
    }
}
