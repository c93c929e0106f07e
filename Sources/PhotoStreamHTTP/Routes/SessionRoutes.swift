import HTTPTypes
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The routes of sessions, with which browsers ask without sending a token each time.
enum SessionRoutes {
    static let path = RoutePath("/v1/session")

    static let show = Route(
        method: .get, path: path, operation: "getSession", access: .read,
        summary: "What the sender of the request may do.", answers: [.init(schema: "Session")], work: .none
    ) { call in
        call.answer(SessionAnswer(call.grant))
    }

    static let create = Route(
        method: .post, path: path, operation: "createSession", access: .read,
        summary: """
            Begin a session with the token of the field Authorization: the answer sets a cookie, which lasts 30 days, or as \
            long as the token.
            """,
        answers: [.init(schema: "Session")],
        problems: [.invalidToken, .busy, .readOnly, .primaryUnavailable], work: .writing
    ) { call in
        guard case .bearer(let text) = try Credential(call.headers, cookie: call.access.settings.cookieName),
            let token = AccessToken(text), let session = try call.service.beginSession(with: token)
        else {
            throw Problem(.invalidToken, detail: "a session is begun with a token in the field Authorization")
        }
        var answer = call.answer(SessionAnswer(session.grant))
        answer.fields[.setCookie] = call.access.settings.cookie(session.text, seconds: session.seconds)
        return answer
    }

    static let delete = Route(
        method: .delete, path: path, operation: "deleteSession", access: .anyone,
        summary: "End the session of this browser: it is no longer valid, and the answer takes the cookie back.",
        answers: [.init(204, types: [], schema: "")], problems: [.invalidToken, .busy, .readOnly, .primaryUnavailable],
        work: .writing
    ) { call in
        if case .session(let text) = try Credential(call.headers, cookie: call.access.settings.cookieName) {
            try call.service.endSession(text)
        }
        var answer = APIResponse(.noContent)
        answer.fields[.setCookie] = call.access.settings.cookie("", seconds: 0)
        return answer
    }
}

extension APICall {
    fileprivate func answer(_ session: SessionAnswer) -> APIResponse {
        var response = answer(json: { $0.value(session) })
        response.fields[.cacheControl] = "no-store"
        return response
    }
}

/// The rights of the sender of a request.
struct SessionAnswer: WireObject {
    let grant: AccessGrant

    init(_ grant: AccessGrant) {
        self.grant = grant
    }

    static let schemaName: String? = "Session"

    static func describe(_ members: inout some MemberList<SessionAnswer>) {
        members.always("scope", sharedAs: .plain, about: "What it may do.", as: Schema.accessScope) {
            $0.grant.scope.word
        }
        members.nullable("stream", sharedAs: .plain, about: "The only stream that it may ask about; `null` for all.") {
            $0.grant.stream?.rawValue
        }
        members.nullable(
            "name", sharedAs: .plain, about: "The name of its token or user; `null` for callers of an open server."
        ) {
            $0.grant.name
        }
        members.optional("share", sharedAs: .plain, about: "What a share's link shows in addition to the photos.") {
            $0.grant.share?.options
        }
    }
}
