import Foundation
import PhotoStreamModel
import PhotoStreamService
import Synchronization
import Testing

@testable import PhotoStreamHTTP

/// Sign-in links, and the sessions that they begin.
@Suite struct SignInTests {
    private static func withTokens(
        logger: LogRecords? = nil, _ test: @escaping @Sendable (TestServer) throws -> Void
    ) async throws {
        try await TestServer.with(photos: 3, needsTokens: true, logger: logger?.logger ?? TestServer.quiet, test)
    }

    private static func cookie(_ answer: HTTPClient.Answer) throws -> [String: String] {
        let field = try #require(answer.fields["set-cookie"])
        return ["Cookie": String(field.prefix { $0 != ";" })]
    }

    @Test func `a link signs in once, and only by POST`() async throws {
        try await Self.withTokens { server in
            let link = try server.service.createOperatorsLink().path
            for method in ["GET", "GET", "HEAD", "GET"] {
                let page = try server.client(method, link)
                #expect(page.status == 200 && page.fields["set-cookie"] == nil)
                #expect(
                    page.fields["content-type"] == "text/html; charset=utf-8"
                        || page.fields["content-type"] == "text/html")
                #expect(page.fields["cache-control"] == "no-store" && page.fields["referrer-policy"] == "same-origin")
                if method == "GET" { #expect(page.text.contains("<form method=\"post\"><button>")) }
            }
            let begun = try server.client("POST", link, body: [])
            #expect(begun.status == 303 && begun.fields["location"] == "/")
            let cookie = try Self.cookie(begun)
            let session = try server.client("GET", "/v1/session", cookie).json
            #expect(session["scope"] as? String == "admin" && session["name"] as? String == "serve")
            for method in ["GET", "POST"] {
                let again = try server.client(method, link, ["Accept": "text/html"])
                #expect(again.status == 404 && again.fields["set-cookie"] == nil)
                #expect(again.text.contains("This link has ended"))
                let program = try server.client(method, link, ["Accept": "*/*"])
                #expect(program.status == 404 && program.problem == "sign-in-link-ended")
            }
            #expect(try server.client("GET", "/v1/streams", cookie).status == 200)
        }
    }

    @Test func `of concurrent uses of a link, one signs in`() async throws {
        try await Self.withTokens { server in
            let link = try server.service.createOperatorsLink().path
            let statuses = try atOnce(8) { _ in try server.client("POST", link, body: []).status }
            #expect(statuses.filter { $0 == 303 }.count == 1 && statuses.filter { $0 == 404 }.count == 7)
        }
    }

    @Test func `a page of another origin cannot use a link`() async throws {
        try await Self.withTokens { server in
            let link = try server.service.createOperatorsLink().path
            for origin in ["http://example.org", "null", "127.0.0.1:\(server.client.port)"] {
                let answer = try server.client("POST", link, ["Origin": origin], body: [])
                #expect(answer.status == 403 && answer.problem == "foreign-origin", "\(origin)")
            }
            let own = try server.client("POST", link, ["Origin": "http://127.0.0.1:\(server.client.port)"], body: [])
            #expect(own.status == 303)
        }
    }

    @Test func `the secrets of links, sessions and tokens are not interchangeable`() async throws {
        try await Self.withTokens { server in
            let link = String(try server.service.createOperatorsLink().path.dropFirst("/sign-in/".count))
            for secret in [link, "photostream_" + link] {
                let bearing = ["Authorization": "Bearer \(secret)"]
                #expect(try server.client("GET", "/v1/streams", bearing).status == 401)
                #expect(try server.client("GET", "/v1/streams", ["Cookie": "photostream=\(secret)"]).status == 401)
            }
            let cookie = try Self.cookie(server.client("POST", "/sign-in/" + link, body: []))
            let session = (cookie["Cookie"] ?? "").dropFirst("photostream=".count)
            #expect(try server.client("POST", "/sign-in/\(session)", body: []).status == 404)
        }
    }

    @Test func `revoking the token of a link ends its sessions and their events`() async throws {
        try await Self.withTokens { server in
            let cookie = try Self.cookie(
                server.client("POST", try server.service.createOperatorsLink().path, body: []))
            let reader = try EventReader(server.client, "/v1/streams/gallery/events", cookie)
            #expect(reader.next()?.name == "state")
            let left = try server.service.createOperatorsLink().path
            try server.service.revoke(.token, named: PhotoStreamService.operatorTokenName)
            #expect(reader.next() == nil)
            #expect(try server.client("GET", "/v1/streams", cookie).status == 401)
            #expect(try server.client("POST", left, body: []).status == 404)
        }
    }

    @Test func `signing out ends the events of the session`() async throws {
        try await Self.withTokens { server in
            let cookie = try Self.cookie(
                server.client("POST", try server.service.createOperatorsLink().path, body: []))
            let reader = try EventReader(server.client, "/v1/streams/gallery/events", cookie)
            #expect(reader.next()?.name == "state")
            #expect(try server.client("DELETE", "/v1/session", cookie).status == 204)
            #expect(reader.next() == nil)
        }
    }

    @Test func `pages are isolated from pages that open them`() async throws {
        try await Self.withTokens { server in
            let link = try server.service.createOperatorsLink().path
            let share = "/s/" + (try server.service.createShare(of: TestServer.stream).token.text) + "/"
            for target in ["/", link, share, "/s/\(String(repeating: "A", count: 43))/"] {
                let answer = try server.client("GET", target, ["Accept": "text/html"])
                #expect(answer.fields["content-type"]?.hasPrefix("text/html") == true, "\(target): \(answer.status)")
                #expect(answer.fields["cross-origin-opener-policy"] == "same-origin", "\(target)")
            }
        }
    }

    @Test(arguments: [
        "/x/s/SECRET%2Fv1", "/gallery/SECRET;x", "/photos/s/SECRET=", "/photostream_SECRETx", "/s/SECRET/v1/streams",
        "/sign-in/SECRET", "/sign-in/SECRET.", "/%73ign-in/,SECRET,SECRET", "/a%20SECRET",
        "/v1/streams/SECRET/photos/SECRET",
    ])
    func `mistyped secrets are not logged`(target: String) async throws {
        let logs = LogRecords()
        try await Self.withTokens(logger: logs) { server in
            let secret = String(try server.service.createOperatorsLink().path.dropFirst("/sign-in/".count))
            let escaped = secret.utf8.map { "%" + String($0, radix: 16) }.joined()
            let twice = escaped.replacing("%", with: "%25")
            let entirely = escaped.utf8.map { "%" + String($0, radix: 16) }.joined()
            for spelling in [secret, escaped, twice, entirely] {
                _ = try server.client("GET", target.replacing("SECRET", with: spelling))
            }
            #expect(logs.all.contains { $0.text.contains("-") })
            for text in [secret, escaped, twice, entirely] {
                #expect(!logs.all.contains { $0.text.contains(text) }, "\(target)")
            }
        }
    }

    @Test func `a character that is escaped any number of times is a character of a secret`() {
        let letter = "%" + String(repeating: "25", count: 1_000) + "41"
        #expect(("/s/" + String(repeating: letter, count: 43) + "/v1").withoutSecrets == "/s/-/v1")
        let shorter = "/s/" + String(repeating: letter, count: 42) + "/v1"
        #expect(shorter.withoutSecrets == shorter)
    }
}
