import HTTPTypes
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The routes of sessions, with which browsers need not send a token in each request.
enum SessionRoutes {
    static let path = RoutePath("/v1/session")

    static let show = Route(
        method: .get, path: path, operation: "getSession", access: .read,
        summary: "The rights of the sender of the request.", answers: [.init(schema: "Session")], work: .none
    ) { call in
        call.answer(SessionAnswer(grant: call.grant))
    }

    static let create = Route(
        method: .post, path: path, operation: "createSession", access: .read,
        summary: """
            Begin a session with the token in the field Authorization: the answer sets a cookie, which lasts 30 days \
            or as long as the token.
            """,
        answers: [.init(schema: "Session")],
        problems: [.invalidToken, .busy, .readOnly, .primaryUnavailable], work: .writing
    ) { call in
        guard case .bearer(let text) = try Credential(call.headers, cookie: call.access.settings.cookieName),
            let token = AccessToken(text), let session = try call.service.beginSession(with: token)
        else {
            throw Problem(.invalidToken, detail: "beginning a session requires a token in the field Authorization")
        }
        var answer = call.answer(SessionAnswer(grant: session.grant))
        answer.fields[.setCookie] = call.access.settings.cookie(session.text, seconds: session.seconds)
        return answer
    }

    static let delete = Route(
        method: .delete, path: path, operation: "deleteSession", access: .anyone,
        summary: "End the session of this browser: the session becomes invalid, and the answer deletes the cookie.",
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

    static let schemaName: String? = "Session"

    static func describe(_ members: inout some MemberList<SessionAnswer>) {
        members.always("scope", sharedAs: .plain, about: "The scope of the rights.", as: Schema.accessScope) {
            $0.grant.scope.word
        }
        members.nullable("stream", sharedAs: .plain, about: "The only accessible stream; `null` for all streams.") {
            $0.grant.stream?.rawValue
        }
        members.nullable(
            "name", sharedAs: .plain, about: "The name of the token or user; `null` for callers of an open server."
        ) {
            $0.grant.name
        }
        members.optional("share", sharedAs: .plain, about: "The data that a share's link shows besides the photos.") {
            $0.grant.share?.options
        }
    }
}
