import HTTPTypes

/// A request's proof of its sender.
enum Credential: Equatable {
    case none
    /// A token, from a program.
    case bearer(String)
    /// A session, from a browser.
    case session(String)

    /// Reads the fields of a request.
    ///
    /// A token takes precedence: a page that has both wants to change its identity.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - cookie: The name of the cookie of sessions.
    /// - Throws: ``Problem`` for an `Authorization` that is not a token.
    init(_ fields: HTTPFields, cookie: String) throws(Problem) {
        if let authorization = fields[.authorization] {
            let parts = authorization.split(separator: " ", omittingEmptySubsequences: true)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else {
                throw Problem(.invalidToken, detail: "the field Authorization must be Bearer and a token")
            }
            self = .bearer(String(parts[1]))
        } else {
            let pairs = fields[values: .cookie].flatMap { $0.split(separator: ";") }
            let value = pairs.lazy.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(cookie + "=") }
            self = value.map { .session(String($0.dropFirst(cookie.count + 1))) } ?? .none
        }
    }
}
