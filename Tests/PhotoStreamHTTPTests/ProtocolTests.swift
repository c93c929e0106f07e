import Foundation
import PhotoStreamHTTP
import Testing

/// The requirements of RFC 9112 for any server, apart from those of this one.
@Suite struct ProtocolTests {
    private static let page = "/v1/streams/gallery/layout/page?width=900&limit=2"

    /// The answers that arrive until the connection ends.
    private static func answers(_ text: String, _ server: TestServer) throws -> [HTTPClient.Answer] {
        let descriptor = try server.client.connected()
        defer { close(descriptor) }
        try HTTPClient.write(Array(text.utf8), to: descriptor)
        return try HTTPClient.answers(HTTPClient.readAll(descriptor))
    }

    @Test func `an HTTP 1.0 request is answered and the connection closed`() async throws {
        try await TestServer.with(photos: 3) { server in
            for target in [Self.page, "/v1/streams", "/v1/openapi.json", "/nothing"] {
                for more in ["", "Connection: keep-alive\r\n"] {
                    let text = "GET \(target) HTTP/1.0\r\nHost: localhost\r\n\(more)\r\n"
                    let answers = try Self.answers(text, server)
                    #expect(answers.map(\.status) == [target == "/nothing" ? 404 : 200], "\(target) \(more)")
                    #expect(answers.first?.body.isEmpty == false)
                }
            }
        }
    }

    @Test func `an absolute target takes precedence over Host`() async throws {
        try await TestServer.with(photos: 3) { server in
            for target in [Self.page, "/v1/streams"] {
                for (address, field, status) in [
                    ("http://localhost:80\(target)", "evil.example", 200),
                    ("http://evil.example\(target)", "localhost", 421),
                    ("http://\(target)", "localhost", 400), ("HTTP://127.0.0.1\(target)", "", 200),
                ] {
                    let fields = (field.isEmpty ? "" : "Host: \(field)\r\n") + "Connection: close\r\n"
                    let answers = try Self.answers("GET \(address) HTTP/1.1\r\n\(fields)\r\n", server)
                    #expect(answers.map(\.status) == [status], "\(address)")
                }
            }
        }
    }

    @Test func `rejects several Host fields`() async throws {
        try await TestServer.with(photos: 3) { server in
            for target in [Self.page, "/v1/streams"] {
                for other in ["localhost", "evil.example"] {
                    let fields = "Host: localhost\r\nHost: \(other)\r\nConnection: close\r\n"
                    let answers = try Self.answers("GET \(target) HTTP/1.1\r\n\(fields)\r\n", server)
                    #expect(answers.map(\.problem) == ["bad-host"], "\(target) \(other)")
                }
            }
        }
    }

    @Test(arguments: [
        ("HELLO / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501, "unknown-method"),
        ("no request\r\n\r\n", 501, "unknown-method"),
        ("GET / HTTP/3.0\r\nHost: localhost\r\n\r\n", 505, "unknown-version"),
        ("GET /v1/streams/caf\u{E9} HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "malformed-request"),
        ("GET / HTTP/1.1\r\nHost localhost\r\n\r\n", 400, "malformed-request"),
        (
            "GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: \(String(repeating: "x", count: 90_000))\r\n\r\n", 431,
            "fields-too-large"
        ),
        ("GET /\(String(repeating: "x", count: 90_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", 431, "fields-too-large"),
        ("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400, "malformed-request"),
    ])
    func `malformed requests are answered`(text: String, status: Int, problem: String) async throws {
        try await TestServer.with(photos: 3) { server in
            let good = ["", "GET \(Self.page) HTTP/1.1\r\nHost: localhost\r\n\r\n"]
            for before in good {
                let answers = try Self.answers(before + text, server)
                #expect(answers.map(\.status) == (before.isEmpty ? [status] : [200, status]), "\(text.prefix(40))")
                let answer = try #require(answers.last)
                #expect(answer.problem == problem && answer.fields["content-type"] == "application/problem+json")
                #expect(answer.fields["connection"] == "close" && answer.fields["x-request-id"]?.isEmpty == false)
                #expect(answer.fields["date"]?.hasSuffix("GMT") == true)
            }
        }
    }

    @Test func `a client that expects a 100 gets one before its body`() async throws {
        try await TestServer.with(photos: 3) { server in
            for (method, target, type, body) in [
                ("PUT", "photos/waited", "application/json", #"{"width":3,"height":2}"#),
                ("POST", "photos", "application/jsonl", #"{"id":"waited","width":4,"height":2}"#),
            ] {
                let descriptor = try server.client.connected()
                defer { close(descriptor) }
                let head = """
                    \(method) /v1/streams/gallery/\(target) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n\
                    Content-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n
                    """
                try HTTPClient.write(Array(head.utf8), to: descriptor)
                let told = "HTTP/1.1 100 Continue\r\n\r\n"
                let begin = HTTPClient.readAll(descriptor, atLeast: told.utf8.count)
                #expect(String(decoding: begin, as: UTF8.self) == told)
                try HTTPClient.write(Array(body.utf8), to: descriptor)
                let answers = try HTTPClient.answers(HTTPClient.readAll(descriptor))
                #expect(answers.count == 1 && [200, 201].contains(answers.first?.status))
            }
        }
    }

    @Test func `a request that is refused before its body gets no 100`() async throws {
        try await TestServer.with(photos: 3) { server in
            for (target, type, length, status) in [
                ("gallery/photos/a", "text/plain", 9, 415), ("gallery/photos/a", "application/json", 2 << 20, 413),
                ("nobody/photos", "application/jsonl", 9, 404), ("gallery/nothing", "application/json", 9, 404),
            ] {
                let method = target.hasSuffix("photos") ? "POST" : "PUT"
                let text = """
                    \(method) /v1/streams/\(target) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n\
                    Content-Length: \(length)\r\nExpect: 100-continue\r\n\r\n
                    """
                let answers = try Self.answers(text, server)
                #expect(answers.map(\.status) == [status], "\(target)")
                #expect(answers.first?.fields["connection"] == "close")
            }
            // A request without a body is not waited for.
            let text = "GET \(Self.page) HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
            let answers = try Self.answers("\(text)\r\n\(text)Connection: close\r\n\r\n", server)
            #expect(answers.map(\.status) == [200, 200])
        }
    }

    @Test func `pipelined requests are answered in order even if one waits`() async throws {
        try await TestServer.with(photos: 3) { server in
            let first = "GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let second = "GET \(Self.page) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let third = """
                PUT /v1/streams/gallery/photos/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n\
                Content-Length: 3\r\nExpect: 100-continue\r\n\r\n
                """
            let answers = try Self.answers(first + second + third, server)
            #expect(answers.map(\.status) == [200, 200, 415])
            #expect(answers.map { $0.fields["connection"] == "close" } == [false, false, true])
        }
    }

    @Test func `an HTTP 1.0 request gets no 100`() async throws {
        try await TestServer.with(photos: 3) { server in
            let body = #"{"caption":"old"}"#
            let answers = try Self.answers(
                """
                PATCH /v1/streams/gallery/photos/photo-1 HTTP/1.0\r\nHost: localhost\r\nExpect: 100-continue\r\n\
                Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
                """, server)
            #expect(answers.map(\.status) == [200])
        }
    }

    @Test(arguments: ["Connection: Close", "Connection: TE, close", "Connection: Upgrade\r\nUpgrade: h2c"])
    func `a connection ends if its client requests it or sends something else than HTTP`(fields: String) async throws {
        try await TestServer.with(photos: 3) { server in
            for request in [
                "GET \(Self.page)", "GET /v1/openapi.json", "DELETE /v1/streams/gallery/photos/none", "CONNECT /",
            ] {
                let text = "\(request) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n"
                let late = "DELETE /v1/streams/gallery/photos/photo-2 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                let answers = try Self.answers(text + late, server)
                #expect(answers.count == 1 && answers.first?.fields["connection"] == "close", "\(request)")
            }
            #expect(try server.client("GET", "/v1/streams/gallery/photos/photo-2").status == 200)
        }
    }

    @Test func `an error after the head is reported once, with a document`() async throws {
        try await TestServer.with(photos: 3) { server in
            let broken = "Host: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n"
            for (text, problems) in [
                // No body is read for it.
                ("GET \(Self.page) HTTP/1.1\r\n\(broken)", [nil]),
                ("PATCH /v1/streams/gallery/photos/photo-1 HTTP/1.1\r\n\(broken)", ["invalid-body"]),
                ("PATCH /nothing HTTP/1.1\r\n\(broken)", ["unknown-path"]),
                ("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nhello\r\n\r\n", [nil, "unknown-method"]),
                ("GET \(Self.page) HTTP/1.1\r\nHost: localhost\r\n\r\nhello\r\n\r\n", [nil, "unknown-method"]),
            ] {
                let answers = try Self.answers(text, server)
                #expect(answers.map(\.problem) == problems, "\(text.prefix(30))")
            }
        }
    }
}
