import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

/// The requests that are refused, and the problems that they get.
@Suite struct ProblemTests {
    /// A request that is refused.
    struct Refusal: CustomStringConvertible, Sendable {
        var method = "GET"
        var target: String
        var fields: [String: String] = [:]
        var status: Int
        var problem: String
        var parameter: String?

        var description: String { "\(method) \(target.prefix(60)) \(status)" }
    }

    private static let layout = "/v1/streams/gallery/layout"

    static let refusals: [Refusal] = [
        Refusal(target: "/v1", status: 404, problem: "unknown-path"),
        Refusal(target: "/v1/streams/", status: 404, problem: "unknown-path"),
        Refusal(target: "/v1//streams", status: 404, problem: "unknown-path"),
        Refusal(target: "/v1/streams/gallery/layout/page/", status: 404, problem: "unknown-path"),
        Refusal(target: "/v1/streams/unknown", status: 404, problem: "unknown-stream", parameter: "stream"),
        Refusal(target: "/v1/streams/unknown/layout?width=9", status: 404, problem: "unknown-stream"),
        Refusal(target: "/v1/streams/a%2Fb", status: 400, problem: "invalid-name"),
        Refusal(target: "/v1/streams/%ff", status: 400, problem: "bad-escape", parameter: "stream"),
        Refusal(target: "/v1/streams/%4", status: 400, problem: "bad-escape"),
        Refusal(target: "/v1/streams/gallery/photos/none", status: 404, problem: "unknown-photo"),
        Refusal(target: "/v1/streams/gallery/photos/%2e", status: 400, problem: "invalid-name"),
        // Decoded once: this is the id "%2e", not a dot.
        Refusal(target: "/v1/streams/gallery/photos/%252e", status: 404, problem: "unknown-photo"),
        Refusal(target: layout, status: 400, problem: "missing-parameter", parameter: "width"),
        Refusal(
            method: "DELETE", target: "/v1/streams/gallery?with-photos=", status: 400, problem: "invalid-parameter",
            parameter: "with-photos"),
        Refusal(
            target: layout + "/rect?width=900&rect=0,0,-1,9&bounds=0,0,9,9", status: 400, problem: "invalid-parameter",
            parameter: "rect"),
        Refusal(
            target: layout + "/rect?width=900&rect=0,0,9,9&bounds=0,0,9,-1", status: 400, problem: "invalid-parameter",
            parameter: "bounds"),
        Refusal(
            target: layout + "/rect?width=900&rect=0,0,9,9&bounds=0,inf,9,1", status: 400, problem: "invalid-parameter",
            parameter: "bounds"),
        Refusal(
            target: layout + "/updates?width=900&since=0&rect=0,0,nan,9", status: 400, problem: "invalid-parameter",
            parameter: "rect"),
        Refusal(
            target: layout + "/target?width=900&x=0&y=9&viewport=-1,600", status: 400, problem: "invalid-parameter",
            parameter: "viewport"),
        Refusal(
            target: layout + "/target?width=900&x=0&y=inf&viewport=1,600", status: 400, problem: "invalid-parameter",
            parameter: "y"),
        Refusal(
            target: layout + "/locate?width=900&photo=photo-1&limit=1001", status: 400, problem: "invalid-parameter",
            parameter: "limit"),
        Refusal(target: layout + "?width=900&colums=3", status: 400, problem: "unknown-parameter", parameter: "colums"),
        Refusal(
            target: layout + "?width=900&width=900", status: 400, problem: "repeated-parameter", parameter: "width"),
        Refusal(target: layout + "?width=wide", status: 400, problem: "invalid-layout", parameter: "width"),
        Refusal(target: layout + "?width=0", status: 400, problem: "invalid-layout", parameter: "width"),
        Refusal(target: layout + "?width=nan", status: 400, problem: "invalid-layout", parameter: "width"),
        Refusal(target: layout + "?width=9&columns=0", status: 400, problem: "invalid-layout", parameter: "columns"),
        Refusal(target: layout + "?columns=3", status: 400, problem: "invalid-layout", parameter: "width"),
        Refusal(
            target: layout + "?width=9&algorithm=spiral", status: 400, problem: "invalid-layout",
            parameter: "algorithm"),
        Refusal(
            target: layout + "?width=99&item-size=9,9", status: 400, problem: "invalid-layout", parameter: "item-size"),
        Refusal(target: layout + "?layout-key=x", status: 400, problem: "invalid-layout", parameter: "layout-key"),
        Refusal(target: layout + "?width=9%", status: 400, problem: "bad-escape"),
        Refusal(
            target: layout + "?width=900&first=1001", status: 400, problem: "invalid-parameter", parameter: "first"),
        Refusal(target: layout + "?width=900&fields=frame", status: 400, problem: "missing-parameter"),
        Refusal(target: layout + "?width=900&revision=-1", status: 400, problem: "invalid-parameter"),
        Refusal(
            target: layout + "?width=900&revision=1", status: 409, problem: "other-revision", parameter: "revision"),
        Refusal(
            target: layout + "/page?width=900&limit=1001", status: 400, problem: "invalid-parameter",
            parameter: "limit"),
        Refusal(target: layout + "/page?width=900&limit=0", status: 400, problem: "invalid-parameter"),
        Refusal(target: layout + "/page?width=900&limit=", status: 400, problem: "invalid-parameter"),
        Refusal(target: layout + "/page?cursor=x", status: 400, problem: "invalid-cursor", parameter: "cursor"),
        Refusal(
            target: layout + "/page?width=900&fields=frame,none", status: 400, problem: "invalid-parameter",
            parameter: "fields"),
        Refusal(target: layout + "/rect?width=900", status: 400, problem: "missing-parameter", parameter: "rect"),
        Refusal(target: layout + "/rect?width=900&rect=1,2,3", status: 400, problem: "invalid-parameter"),
        Refusal(
            target: layout + "/rect?width=900&rect=0,0,-1,5", status: 400, problem: "invalid-parameter",
            parameter: "rect"),
        Refusal(
            target: layout + "/items?width=900&from=301", status: 404, problem: "index-out-of-range", parameter: "from"),
        Refusal(target: layout + "/items?width=900&count=1001", status: 400, problem: "invalid-parameter"),
        Refusal(target: layout + "/elements?width=900", status: 400, problem: "missing-parameter", parameter: "kind"),
        Refusal(target: layout + "/elements?width=900&kind=cat", status: 400, problem: "invalid-parameter"),
        Refusal(
            target: layout + "/elements?width=900&kind=badge", status: 400, problem: "missing-parameter",
            parameter: "section"),
        Refusal(
            target: layout + "/elements?width=900&kind=badge&section=5", status: 404, problem: "index-out-of-range",
            parameter: "section"),
        Refusal(target: layout + "/locate?width=900", status: 400, problem: "missing-parameter", parameter: "photo"),
        Refusal(target: layout + "/locate?width=900&photo=none", status: 404, problem: "unknown-photo"),
        Refusal(target: layout + "/at?width=900&x=1", status: 400, problem: "missing-parameter", parameter: "y"),
        Refusal(target: layout + "/at?width=900&x=nan&y=1", status: 400, problem: "invalid-parameter", parameter: "x"),
        Refusal(
            target: layout + "/at?width=900&x=1&y=1&nearest=yes", status: 400, problem: "invalid-parameter",
            parameter: "nearest"),
        Refusal(
            target: layout + "/scrubber?width=900&steps=1001", status: 400, problem: "invalid-parameter",
            parameter: "steps"),
        Refusal(
            target: layout + "/target?width=900&x=0&y=0&viewport=5,-5", status: 400, problem: "invalid-parameter",
            parameter: "viewport"),
        Refusal(
            target: layout + "/updates?width=900&rect=0,0,1,1", status: 400, problem: "missing-parameter",
            parameter: "since"),
        Refusal(
            target: "/v1/streams/gallery/changes?since=-1", status: 400, problem: "invalid-parameter",
            parameter: "since"),
        Refusal(
            target: layout + "/updates?width=900&since=0&rect=0,0,1,1&keep=top", status: 400,
            problem: "invalid-parameter", parameter: "keep"),
        Refusal(
            target: "/v1/streams/gallery/changes?since=0&limit=0", status: 400, problem: "invalid-parameter",
            parameter: "limit"),
        Refusal(
            target: "/v1/streams/gallery/changes?since=0&limit=10001", status: 400, problem: "invalid-parameter",
            parameter: "limit"),
        Refusal(target: "/v1/streams/gallery/photos?id=", status: 400, problem: "invalid-name", parameter: "id"),
        Refusal(
            target: "/v1/streams/gallery/photos?id=a&limit=5", status: 400, problem: "invalid-parameter",
            parameter: "limit"),
        Refusal(
            target: "/v1/streams/gallery/photos?id=a&after=b", status: 400, problem: "invalid-parameter",
            parameter: "after"),
        Refusal(
            target: layout + "/items?width=900&id=a&from=0", status: 400, problem: "invalid-parameter",
            parameter: "from"),
        Refusal(
            target: layout + "/items?width=900&id=a&count=1", status: 400, problem: "invalid-parameter",
            parameter: "count"),
        Refusal(
            target: layout + "/page?width=900&id=a", status: 400, problem: "unknown-parameter", parameter: "id"),
        Refusal(target: "/healthz?x=1", status: 400, problem: "unknown-parameter", parameter: "x"),
        Refusal(method: "DELETE", target: "/healthz", status: 405, problem: "method-not-allowed"),
        Refusal(method: "OPTIONS", target: "/v1/streams", status: 405, problem: "method-not-allowed"),
        Refusal(method: "QUERY", target: layout, status: 405, problem: "method-not-allowed"),
        Refusal(
            target: layout + "?width=900", fields: ["Accept": "text/html"], status: 406, problem: "not-acceptable"),
        Refusal(
            target: layout + "?width=900", fields: ["Accept": "application/json;q=0"], status: 406,
            problem: "not-acceptable"),
        Refusal(
            target: layout + "?width=900", fields: ["Content-Encoding": "gzip"], status: 415,
            problem: "unsupported-content-coding"),
        Refusal(target: "/healthz", fields: ["Host": "evil.example"], status: 421, problem: "misdirected-request"),
        Refusal(
            target: "/healthz", fields: ["Host": "127.0.0.1.evil.example:80"], status: 421,
            problem: "misdirected-request"),
        Refusal(target: "/healthz", fields: ["Host": ""], status: 400, problem: "bad-host"),
    ]

    @Test func `each refusal is a problem document with its status, type and parameter`() async throws {
        try await TestServer.with { server in
            for refusal in Self.refusals {
                let answer = try server.client(refusal.method, refusal.target, refusal.fields)
                #expect(answer.status == refusal.status, "\(refusal): \(answer.text)")
                #expect(answer.problem == refusal.problem, "\(refusal): \(answer.text)")
                #expect(answer.fields["content-type"] == "application/problem+json", "\(refusal)")
                #expect(answer.json["status"] as? Int == refusal.status, "\(refusal)")
                #expect(answer.json["title"] is String && answer.json["detail"] is String, "\(refusal)")
                if let parameter = refusal.parameter {
                    #expect(answer.json["parameter"] as? String == parameter, "\(refusal): \(answer.text)")
                }
                #expect(!answer.text.contains(server.file.folder), "\(refusal)")
            }
        }
    }

    @Test func `a refused method is answered with the allowed ones`() async throws {
        try await TestServer.with { server in
            let answer = try server.client("DELETE", "/healthz")
            #expect(answer.fields["allow"] == "GET, HEAD")
        }
    }

    @Test(arguments: ["localhost", "LocalHost:80", "127.0.0.1", "[::1]:8080", "localhost."])
    func `names of this machine are accepted`(host: String) async throws {
        try await TestServer.with(photos: 0) { server in
            let answer = try server.client("GET", "/healthz", ["Host": host])
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: [
        (StorageFailure.noRank, 409, "no-rank"), (.readOnly, 409, "read-only"), (.busy, 503, "busy"),
        (.primaryUnavailable, 503, "primary-unavailable"), (.commitUnknown, 503, "primary-unavailable"),
        (.moved, 503, "file-moved"), (.diskFull, 507, "disk-full"),
        (.notADatabase, 500, "storage-failed"), (.schemaTooNew, 500, "storage-failed"),
        (.schemaTooOld, 500, "storage-failed"), (.schemaDiffers, 500, "storage-failed"),
        (.missingFolder, 500, "storage-failed"), (.missingFile, 500, "storage-failed"),
        (.corrupt, 500, "storage-failed"), (.notFound, 500, "storage-failed"), (.constraint, 500, "storage-failed"),
        (.database, 500, "storage-failed"),
    ])
    func `a failure of the file is a problem without its message`(
        failure: StorageFailure, status: Int, problem: String
    ) {
        let found = Problem(StorageError(failure, message: "/srv/photos.sqlite: SQL"))
        #expect(found.kind.status == status && found.kind.rawValue == problem)
        #expect(!found.detail.contains("SQL") && !found.detail.contains("/srv"))
    }

    @Test func `a damaged file is a problem without details`() async throws {
        try await TestServer.with { server in
            try server.service.close()
            #expect(try eventually { try server.client("GET", "/readyz").status == 500 })
            let answer = try server.client("GET", "/readyz")
            #expect(answer.problem == "storage-failed")
            #expect(!answer.text.contains("/") || !answer.text.contains(server.file.folder))
            #expect(!answer.text.lowercased().contains("sql"))
        }
    }
}
