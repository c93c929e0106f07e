import HTTPTypes
import PhotoStreamPrimary
import PhotoStreamService
import PhotoStreamWire

/// The routes that report whether the server runs and can answer.
enum HealthRoutes {
    static let health = Route(
        method: .get, path: RoutePath("/healthz"), operation: "getHealth", access: .anyone,
        summary: "Whether the server runs.",
        answers: [.init(schema: "Health")], work: .none
    ) { _ in
        APIResponse.health("running")
    }

    static let readiness = Route(
        method: .get, path: RoutePath("/readyz"), operation: "getReadiness", access: .anyone,
        summary:
            "Whether the server can read its file, which is still at its path and, if it is a replica, follows its primary.",
        answers: [.init(schema: "Health")], problems: [.busy, .fileMoved, .storageFailed, .replicaStopped],
        work: .probing
    ) { call in
        try call.service.checkIsReadable()
        return APIResponse.health("ready", warning: try call.replicaWarning() ?? call.service.logWarning)
    }
}

/// The state of the server.
struct Health: WireObject {
    let status: String
    let warning: String?

    static let schemaName: String? = "Health"

    static func describe(_ members: inout some MemberList<Health>) {
        members.always("status", about: "The state of the server.", as: .words(["running", "ready"])) { $0.status }
        members.optional("warning", about: "A condition that an operator should look at, in one sentence.") {
            $0.warning
        }
    }
}

extension APICall {
    /// A sentence for operators about a file that is a replica.
    ///
    /// - Throws: ``Problem`` if it has stopped following, so that another server should answer.
    fileprivate func replicaWarning() throws(Problem) -> String? {
        switch follower?.condition {
        case nil, .following: return nil
        // The reason names the primary's address, which not all clients may know.
        case .waiting: return "the primary does not answer: writes are refused, and answers may be old"
        case .rebuilding:
            return "answers are old: the primary has another history, and the file is being built again"
        case .stopped:
            throw Problem(.replicaStopped, detail: "the file cannot follow its primary; the server's log says why")
        }
    }
}

extension APIResponse {
    fileprivate static func health(_ word: String, warning: String? = nil) -> APIResponse {
        let health = Health(status: word, warning: warning)
        var response = APIResponse(contentType: MediaTypes.json, body: JSONWriter.bytes { $0.value(health) })
        response.fields[.cacheControl] = "no-store"
        return response
    }
}
