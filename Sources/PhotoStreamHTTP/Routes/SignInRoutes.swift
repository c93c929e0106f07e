import HTTPTypes
import Hummingbird
import PhotoStreamService

/// The routes of a sign-in link.
///
/// Messengers and mail programs fetch the links in messages, so `GET` only shows a button. The `POST` of the button
/// uses up the link.
enum SignInRoutes {
    static let path = RoutePath(SignInLink.prefix + "{link}")

    static let show = Route(
        method: .get, path: path, operation: "getSignInPage", access: .anyone,
        summary: "The page of a sign-in link, whose button begins a session.",
        answers: [.init(200, types: [MediaTypes.html], schema: "The page.")], problems: [.linkEnded, .tooManyAttempts],
        work: .reading
    ) { call in
        guard try call.service.isSignInLink(call.link) else { return try call.ended() }
        return SignInPage.button
    }

    static let begin = Route(
        method: .post, path: path, operation: "useSignInLink", access: .anyone,
        summary: "Begin a session with a sign-in link, which works once. The answer sets a cookie and leads to `/`.",
        answers: [.init(303, types: [], schema: "")],
        problems: [.linkEnded, .tooManyAttempts, .busy, .readOnly, .primaryUnavailable], work: .writing
    ) { call in
        guard let session = try call.service.beginSession(withLink: call.link) else { return try call.ended() }
        var answer = APIResponse(.seeOther)
        answer.fields[.location] = "/"
        answer.fields[.setCookie] = call.access.settings.cookie(session.text, seconds: session.seconds)
        answer.fields[.cacheControl] = "no-store"
        return answer
    }
}

extension APICall {
    fileprivate var link: String { path["link"] ?? "" }

    /// Returns the page of a link that has ended; throws a problem if the client is a program.
    fileprivate func ended() throws -> APIResponse {
        let problem = access.refusal(
            as: .linkEnded, of: "this link begins no session: it was used, is older than ten minutes, or is incomplete",
            from: sender)
        guard problem.kind == .linkEnded,
            MediaTypes.best(headers[.accept], of: [Problem.contentType, MediaTypes.html]) == MediaTypes.html
        else { throw problem }
        return SignInPage.ended
    }
}
