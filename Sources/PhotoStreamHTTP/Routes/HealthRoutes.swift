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
        summary: """
            Whether the server can read its file, and the file is still at its path; with write, also whether it \
            accepts writes. If a replica's primary is unavailable or cannot be followed, it still answers reads, with \
            a warning.
            """,
        parameters: [
            RouteParameter(
                "write", as: .flag, summary: "Also check whether the server accepts writes; `?write` alone is enough.")
        ],
        answers: [.init(schema: "Health")],
        problems: [.busy, .fileMoved, .storageFailed, .replicaStopped, .primaryUnavailable, .readOnly],
        work: .probing
    ) { call in
        let words = ["": true, "true": true, "false": false]
        let alsoWrites = try call.query.value("write", expecting: "true or false") { words[$0] } ?? false
        let condition = try call.metrics.events.condition
        _ = try condition.sizes.get()
        if alsoWrites { try call.checkWrites() }
        return APIResponse.health("ready", warning: call.replicaWarning ?? condition.logWarning)
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
    /// The warning of a replica for its operators, in one sentence.
    fileprivate var replicaWarning: String? {
        // The reasons contain the primary's address or its rows, which not all clients may see.
        switch follower?.condition {
        case nil: nil
        case .following:
            follower?.skippedRows.isEmpty == false
                ? "rows of the primary do not fit into the file and are left out; the server's log names them"
                : nil
        case .waiting: "the primary does not answer: writes are refused, and answers may be old"
        case .rebuilding:
            "answers are old: the primary has another history, and the file is being rebuilt"
        case .stopped:
            "the file cannot follow its primary: writes are refused, and answers may be old; see the server's log"
        }
    }

    /// Checks that writes are accepted.
    ///
    /// - Throws: ``Problem`` with the reason if writes are refused, so that clients use another server.
    fileprivate func checkWrites() throws(Problem) {
        guard !service.isReadOnly else {
            throw Problem(.readOnly, detail: "the server has its file open for reading only")
        }
        switch follower?.condition {
        case nil, .following: return
        case .waiting: throw Problem(.primaryUnavailable, detail: "the primary does not answer")
        case .rebuilding:
            throw Problem(.primaryUnavailable, detail: "the file is being rebuilt from its primary")
        case .stopped:
            throw Problem(.replicaStopped, detail: "the file cannot follow its primary; see the server's log")
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
