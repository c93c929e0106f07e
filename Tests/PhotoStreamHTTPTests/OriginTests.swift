import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import Testing

/// The requests that pages in browsers may make, by their origin.
@Suite struct OriginTests {
    private static let mine = "http://localhost:5173"
    private static let photo = "/v1/streams/gallery/photos/photo-1"
    private static let record = Array(#"{"width":3,"height":2}"#.utf8)

    /// Writes a photo as a page would; `PORT` in a field is the server's.
    private static func put(_ server: TestServer, _ fields: [String: String]) throws -> HTTPClient.Answer {
        let fields = fields.mapValues { $0.replacing("PORT", with: "\(server.client.port)") }
        return try server.client(
            "PUT", photo, fields.merging(["Content-Type": "application/json"]) { $1 }, body: record)
    }

    private static func revision(_ server: TestServer) throws -> Int64 {
        try server.service.read { try $0.state(of: TestServer.stream) }.revision.rawValue
    }

    /// A server that pages of ``mine`` may use.
    private static func withAllowed(_ test: @escaping @Sendable (TestServer) throws -> Void) async throws {
        var settings = ServerSettings()
        settings.allowedOrigins = [try WebOrigin(mine), try WebOrigin("app://gallery")]
        try await TestServer.with(photos: 5, settings: settings, test)
    }

    @Test(arguments: [
        ["Origin": "http://example.org"], ["Origin": "null"], ["Origin": "http://127.0.0.1:1"], ["Origin": mine],
        ["Origin": "http://127.0.0.1"], ["Origin": "http://127.0.0.1:PORT.example.org"], ["Origin": "127.0.0.1:PORT"],
        ["Origin": "127.0.0.1:PORT/x"],
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "what"],
        ["Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1:PORT"],
    ])
    func `a page of another origin cannot write`(fields: [String: String]) async throws {
        try await TestServer.with(photos: 5) { server in
            let before = try Self.revision(server)
            let answer = try Self.put(server, fields)
            #expect(answer.status == 403 && answer.problem == "foreign-origin", "\(answer.text)")
            let page = fields["Origin"]?.replacing("PORT", with: "\(server.client.port)")
            #expect(
                answer.json["detail"] as? String
                    == "a page of \(page.map { "the origin \"\($0)\"" } ?? "another origin") may not write here; "
                    + "the server's option --allow-origin allows it")
            #expect(try Self.revision(server) == before)
        }
    }

    @Test func `an origin without its scheme is foreign on every route that writes`() async throws {
        try await TestServer.with(photos: 5) { server in
            let before = try Self.revision(server)
            for (operation, sample) in RouteCodeTests.samples where sample.method != "GET" {
                let answer = try RouteCodeTests.send(
                    sample.with("Origin", "127.0.0.1:\(server.client.port)"), server)
                #expect(answer.status == 403 && answer.problem == "foreign-origin", "\(operation): \(answer.text)")
            }
            #expect(try Self.revision(server) == before)
        }
    }

    @Test(arguments: [
        [:], ["Origin": "http://127.0.0.1:PORT"], ["Origin": "HTTPS://127.0.0.1:PORT"],
        ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"],
        // Behind a proxy that gives the server another name.
        ["Sec-Fetch-Site": "same-origin", "Origin": mine],
        ["Origin": "http://[::1]:PORT", "Host": "[::1]:PORT"],
    ])
    func `programs and pages of the server's own origin can write`(fields: [String: String]) async throws {
        try await TestServer.with(photos: 5) { server in
            let before = try Self.revision(server)
            let answer = try Self.put(server, fields)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try Self.revision(server) > before)
        }
    }

    @Test func `pages of other origins can read answers only if allowed`() async throws {
        try await TestServer.with(photos: 5) { server in
            for target in ["/v1/streams", Self.photo, Self.photo + "/image", "/v1/what"] {
                let answer = try server.client("GET", target, ["Origin": Self.mine, "Sec-Fetch-Site": "same-site"])
                #expect(answer.status != 403)
                #expect(!answer.fields.keys.contains { $0.hasPrefix("access-control-") }, "\(target)")
                #expect(answer.fields["vary"]?.contains("Origin") != true, "\(target)")
            }
            let asked = try server.client(
                "OPTIONS", Self.photo, ["Origin": Self.mine, "Access-Control-Request-Method": "PUT"])
            #expect(asked.status == 405)
        }
    }

    @Test func `a page of an allowed origin can read every answer and its fields`() async throws {
        try await Self.withAllowed { server in
            let tag = try #require(try server.client("GET", Self.photo).fields["etag"])
            for (target, fields, status) in [
                ("/v1/streams", [:], 200), (Self.photo, ["If-None-Match": tag], 304), ("/v1/what", [:], 404),
                (Self.photo + "?x=1", [:], 400), ("/healthz", [:], 200),
                ("/v1/streams/gallery/photos/photo-0/image", ["Range": "bytes=0-3"], 206),
            ] as [(String, [String: String], Int)] {
                for origin in [Self.mine, "app://gallery"] {
                    let answer = try server.client("GET", target, fields.merging(["Origin": origin]) { $1 })
                    #expect(answer.status == status)
                    #expect(answer.fields["access-control-allow-origin"] == origin)
                    #expect(answer.fields["access-control-allow-credentials"] == nil)
                    let exposed = answer.fields["access-control-expose-headers"]?.components(separatedBy: ", ") ?? []
                    let names = ["ETag", "Server-Timing", "X-Request-ID", "Location", "Retry-After", "Content-Range"]
                    #expect(Set(names).isSubset(of: exposed), "\(exposed)")
                    #expect(answer.fields["vary"]?.components(separatedBy: ", ").contains("Origin") == true)
                }
                // Another page's answer must not be kept for it, nor the other way round.
                for fields in [fields, fields.merging(["Origin": "http://localhost:5174"]) { $1 }] {
                    let other = try server.client("GET", target, fields)
                    #expect(other.status == status && other.fields["access-control-allow-origin"] == nil)
                    #expect(other.fields["vary"]?.components(separatedBy: ", ").contains("Origin") == true)
                }
            }
        }
    }

    @Test func `a page of an allowed origin can preflight and write`() async throws {
        try await Self.withAllowed { server in
            let question = ["Origin": Self.mine, "Access-Control-Request-Method": "PUT"]
            let answer = try server.client("OPTIONS", Self.photo, question)
            #expect(answer.status == 204 && answer.body.isEmpty)
            #expect(answer.fields["access-control-allow-origin"] == Self.mine)
            let methods = answer.fields["access-control-allow-methods"]?.components(separatedBy: ", ") ?? []
            #expect(Set(methods) == ["GET", "HEAD", "PUT", "PATCH", "DELETE"])
            let fields = answer.fields["access-control-allow-headers"]?.components(separatedBy: ", ") ?? []
            #expect(Set(["Content-Type", "If-Match", "If-None-Match", "Range"]).isSubset(of: fields))
            #expect(answer.fields["access-control-max-age"] == "600")
            #expect(try Self.put(server, ["Origin": Self.mine, "Sec-Fetch-Site": "same-site"]).status == 200)
            #expect(try Self.put(server, ["Origin": "http://localhost:5174"]).status == 403)
            #expect(try server.client("OPTIONS", "/v1/what", question).status == 404)
            // Who does not ask for permission asks for a method that is none.
            #expect(try server.client("OPTIONS", Self.photo, ["Origin": Self.mine]).status == 405)
            let foreign = ["Origin": "http://example.org", "Access-Control-Request-Method": "PUT"]
            #expect(try server.client("OPTIONS", Self.photo, foreign).status == 405)
        }
    }

    @Test(arguments: [
        ("http://localhost:5173", "http://localhost:5173"), ("HTTP://LocalHost:80", "http://localhost"),
        ("https://gallery.example:443", "https://gallery.example"), ("https://h:80", "https://h:80"),
        ("http://[::1]:3000", "http://[::1]:3000"), ("capacitor://localhost", "capacitor://localhost"),
        ("http://a:00080", "http://a"),
    ])
    func `an origin is formatted like by browsers`(text: String, origin: String) throws {
        #expect(try WebOrigin(text).description == origin)
        #expect(try WebOrigin(origin) == WebOrigin(text))
    }

    @Test(arguments: [
        "", "*", "null", "localhost", "localhost:5173", "http://", "http://*", "http://*.example", "http://a/",
        "http://a/b",
        "http://a:0", "http://a:65536", "http://a:", "http://me@a", "http://a b", "http://ä", "http://a,http://b",
        " http://a",
        "1://a", "http://[g]", "http://a?b", "file:///",
    ])
    func `an invalid origin is refused with a message that contains it`(text: String) {
        let error = #expect(throws: ServerError.invalidOrigin(text)) { try WebOrigin(text) }
        #expect(
            error?.description
                == "\"\(text)\" is not an origin; an origin is a scheme, a host and optionally a port, such as http://localhost:5173"
        )
    }
}
