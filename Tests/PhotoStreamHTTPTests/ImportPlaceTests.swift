import Foundation
import PhotoStreamHTTP
import PhotoStreamTestSupport
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

    /// The first line of the answer to a head alone.
    private static func answer(toHeadFor stream: String, _ server: TestServer) throws -> String {
        let descriptor = try server.client.connected()
        defer { close(descriptor) }
        try HTTPClient.write(head(stream), to: descriptor)
        return String(decoding: HTTPClient.readAll(descriptor, atLeast: 12).prefix(12), as: UTF8.self)
    }

    /// An upload that is not complete yet.
    private static func standing(_ server: TestServer) throws -> Int32 {
        let descriptor = try server.client.connected()
        try HTTPClient.write(head("gallery") + body.prefix(5), to: descriptor)
        return descriptor
    }

    private static func isAnswered(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    @Test func `an upload takes its slot before its body arrives, and is refused before it`() async throws {
        var settings = ServerSettings()
        settings.imports = 1
        try await TestServer.with(photos: 1, settings: settings) { server in
            #expect(try Self.answer(toHeadFor: "none", server) == "HTTP/1.1 404")
            var standing = try Self.standing(server)
            defer { close(standing) }
            let isTaken = try eventually {
                let status = try server.client("POST", Self.target, Self.lines, body: Self.body).status
                // The other upload may have had the place at that moment.
                if Self.isAnswered(standing) {
                    close(standing)
                    standing = try Self.standing(server)
                    return false
                }
                return status == 429
            }
            try #require(isTaken)
            #expect(try Self.answer(toHeadFor: "gallery", server) == "HTTP/1.1 429")
            // More than sockets can buffer, from a client that reads only after it has sent everything.
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
