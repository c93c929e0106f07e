import Foundation
import PhotoStreamHTTP
import Testing

/// Uploads take one of few places.
@Suite struct ImportPlaceTests {
    private static let body = Array((#"{"id":"standing","width":3,"height":2}"# + "\n").utf8)
    private static let target = "/v1/streams/gallery/photos"
    private static let lines = ["Content-Type": "application/jsonl"]

    /// The head of an upload, whose body is still to come.
    private static func head(_ stream: String) -> [UInt8] {
        Array(
            """
            POST /v1/streams/\(stream)/photos HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/jsonl\r\n\
            Content-Length: \(body.count)\r\n\r\n
            """.utf8)
    }

    /// The first line of what is answered to a head alone.
    private static func answer(toHeadFor stream: String, _ server: TestServer) throws -> String {
        let descriptor = try server.client.connected()
        defer { close(descriptor) }
        try HTTPClient.write(head(stream), to: descriptor)
        return String(decoding: HTTPClient.readAll(descriptor, atLeast: 12).prefix(12), as: UTF8.self)
    }

    @Test func `an upload takes its place before its body comes, and is refused before it`() async throws {
        var settings = ServerSettings()
        settings.imports = 1
        try await TestServer.with(photos: 1, settings: settings) { server in
            #expect(try Self.answer(toHeadFor: "none", server) == "HTTP/1.1 404")
            let standing = try server.client.connected()
            defer { close(standing) }
            try HTTPClient.write(Self.head("gallery") + Self.body.prefix(5), to: standing)
            var isTaken = false
            for _ in 0..<400 where !isTaken {
                isTaken = try server.client("POST", Self.target, Self.lines, body: Self.body).status == 429
            }
            try #require(isTaken)
            #expect(try Self.answer(toHeadFor: "gallery", server) == "HTTP/1.1 429")
            // More than sockets hold, of a client that reads when it has sent all.
            let large = [UInt8](repeating: 10, count: 16 << 20)
            #expect(
                try server.client("POST", Self.target, Self.lines, body: large).problem == "too-many-imports")
            try HTTPClient.write(Array(Self.body.dropFirst(5)), to: standing)
            let answer = HTTPClient.readAll(standing, atLeast: 12)
            #expect(String(decoding: answer.prefix(12), as: UTF8.self) == "HTTP/1.1 200")
            #expect(try server.client("POST", Self.target, Self.lines, body: Self.body).status == 200)
        }
    }
}
