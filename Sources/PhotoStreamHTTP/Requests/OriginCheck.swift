import HTTPTypes

/// What pages in browsers may do here: those of this server's own origin all, those of allowed origins as well; others
/// may show pictures, but neither read an answer nor write.
///
/// A browser keeps answers from pages of another origin unless they say otherwise; it sends some writes without asking
/// first, so these are refused. Whoever sends neither `Origin` nor `Sec-Fetch-Site` is no page.
///
/// Sources: the Fetch standard, section "CORS protocol"; Fetch Metadata Request Headers.
struct OriginCheck {
    /// The fields that a request may have beside those that need no permission.
    private static let requestFields =
        "Content-Type, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, Range"
    /// The fields that a page may read beside those that need no permission.
    private static let answerFields = HeaderDescription.allCases
        .filter { ![.cacheControl, .lastModified].contains($0) }.map(\.rawValue).joined(separator: ", ")

    private let allowed: Set<String>

    /// Creates a check.
    init(_ allowed: Set<WebOrigin>) {
        self.allowed = Set(allowed.map(\.description))
    }

    /// Refuses writes of pages of other origins.
    ///
    /// - Returns: The answer, where an allowed page's browser asks what may be sent.
    /// - Throws: ``Problem`` for a write that is not allowed, and for such a question about an unknown address.
    func check(_ head: RequestHead, _ table: RouteTable) throws(Problem) -> APIResponse? {
        switch head.method {
        case .get, .head, .trace: return nil
        case .options: return try permission(head, table)
        default: break
        }
        guard !isOwn(head), allowedOrigin(head) == nil else { return nil }
        let page = head[.origin].map { "a page of the origin \"\($0)\"" } ?? "a page of another origin"
        throw Problem(.foreignOrigin, "\(page) may not write here; the server's option --allow-origin allows it")
    }

    /// Lets an allowed page read an answer.
    func tell(_ fields: inout HTTPFields, _ head: RequestHead) {
        guard !allowed.isEmpty else { return }
        fields.append(HTTPField(name: .vary, value: "Origin"))
        guard let origin = allowedOrigin(head) else { return }
        fields[.accessControlAllowOrigin] = origin
        fields[.accessControlExposeHeaders] = Self.answerFields
    }

    /// What an allowed page may send to an address.
    private func permission(_ head: RequestHead, _ table: RouteTable) throws(Problem) -> APIResponse? {
        guard head[.accessControlRequestMethod] != nil, allowedOrigin(head) != nil else { return nil }
        do {
            _ = try table.match(head)
            return nil
        } catch  where error.kind == .methodNotAllowed {
            var response = APIResponse(.noContent)
            response.fields[.accessControlAllowMethods] = error.allowedMethods.joined(separator: ", ")
            response.fields[.accessControlAllowHeaders] = Self.requestFields
            response.fields[.accessControlMaxAge] = "600"
            return response
        }
    }

    /// Whether a request is of no page, or of one of the origin that it goes to.
    private func isOwn(_ head: RequestHead) -> Bool {
        // No page can set this one; it is right behind a proxy, too, which gives the server another name.
        if let site = head[.secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = head[.origin] else { return true }
        return origin.split(separator: "://", maxSplits: 1).last.map { $0.lowercased() } == head.authority?.lowercased()
    }

    private func allowedOrigin(_ head: RequestHead) -> String? {
        head[.origin].flatMap { allowed.contains($0) ? $0 : nil }
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = known("Sec-Fetch-Site")
}
