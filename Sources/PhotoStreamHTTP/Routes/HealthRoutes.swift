import HTTPTypes
import PhotoStreamService

/// The routes that report whether the server runs and can answer.
enum HealthRoutes {
    static let health = Route(
        method: .get, path: RoutePath("/healthz"), operation: "getHealth", summary: "Whether the server runs.",
        answers: [.init(schema: "Health")], work: .none
    ) { _ in
        APIResponse.health("running")
    }

    static let readiness = Route(
        method: .get, path: RoutePath("/readyz"), operation: "getReadiness",
        summary: "Whether the server can read its file, and the file is still at its path.",
        answers: [.init(schema: "Health")], problems: [.busy, .fileMoved, .storageFailed],
        work: .probing
    ) { call in
        try call.service.checkIsReadable()
        return APIResponse.health("ready", warning: call.service.logWarning)
    }
}

extension APIResponse {
    fileprivate static func health(_ word: String, warning: String? = nil) -> APIResponse {
        let body = JSONWriter.bytes { writer in
            writer.object { writer in
                writer.key("status")
                writer.value(word)
                guard let warning else { return }
                writer.key("warning")
                writer.value(warning)
            }
        }
        var response = APIResponse(contentType: MediaTypes.json, body: body)
        response.fields[.cacheControl] = "no-store"
        return response
    }
}
