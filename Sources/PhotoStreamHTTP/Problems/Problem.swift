import PhotoStreamWire

/// The reason for refusing a request, from which a problem document is made.
///
/// Source: RFC 9457.
struct Problem: Error {
    let kind: ProblemKind
    /// One sentence that names the offending value.
    let detail: String
    /// The parameter or the member of the body that causes the problem, if any.
    let parameter: String?
    /// The methods of the address, if the method is the problem.
    var allowedMethods: [String] = []
    /// The seconds after which the request would be accepted, if known.
    var wait: Int?

    init(_ kind: ProblemKind, detail: String, parameter: String? = nil) {
        self.kind = kind
        self.detail = detail
        self.parameter = parameter
    }

    /// The media type of problem documents.
    static let contentType = "application/problem+json"

    /// The seconds that a client should wait before it tries again; `nil` if waiting does not help.
    var retryAfter: Int? {
        if let wait { return wait }
        return switch kind {
        case .overloaded, .busy, .primaryUnavailable, .revisionMissing: 1
        case .tooManyImports, .fileMoved, .uploadsUnavailable, .replicaStopped: 5
        case .tooManyAttempts: 60
        default: nil
        }
    }
}

extension Problem: WireObject {
    static let schemaName: String? = "Problem"

    static func describe(_ members: inout some MemberList<Problem>) {
        members.always(
            "type", sharedAs: .plain, about: "The kind of problem.", as: .words(ProblemKind.allCases.map(\.type))
        ) {
            $0.kind.type
        }
        members.always("title", sharedAs: .plain, about: "The kind of problem, in words.") { $0.kind.title }
        members.always("status", sharedAs: .plain, about: "The status of the response.") { $0.kind.status }
        members.always("detail", about: "One sentence that names the offending value.") { $0.detail }
        members.optional("parameter", sharedAs: .plain, about: "The parameter, or the member of the body, to correct.")
        { $0.parameter }
    }
}
