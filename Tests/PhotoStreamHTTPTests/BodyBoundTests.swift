import Foundation
import NIOCore
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

/// Bodies are bounded in memory and in time.
@Suite struct BodyBoundTests {
    private static let json = ["Content-Type": "application/json"]
    private static let lines = ["Content-Type": "application/jsonl"]

    /// Begins a request whose body does not come to its end.
    private static func begin(
        _ head: String, expects: Bool = false, body: [UInt8], of count: Int, _ server: TestServer
    ) throws -> Int32 {
        let descriptor = try server.client.connected()
        let expectation = expects ? "Expect: 100-continue\r\n" : ""
        let text = "\(head) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(count)\r\n\(expectation)"
        let type = head.contains("POST") ? "application/jsonl" : "application/json"
        try HTTPClient.write(Array("\(text)Content-Type: \(type)\r\n\r\n".utf8) + body, to: descriptor)
        return descriptor
    }

    @Test func `unfinished bodies stay within their budget, and others are refused meanwhile`()
        async throws
    {
        var settings = ServerSettings()
        // Their slowness is not what ends the bodies, even on a busy machine.
        (settings.bodyMemory, settings.bodyRate) = (200_000, 1)
        try await TestServer.with(photos: 1, settings: settings) { server in
            let part = [UInt8](repeating: 32, count: 40_000)
            let body = Array(#"{"width":3,"height":2,"caption":"\#(String(repeating: "x", count: 60_000))"}"#.utf8)
            // One after the other: several that exceed the budget together may all be refused.
            var (clients, answer): ([Int32], HTTPClient.Answer?) = ([], nil)
            let isRefused = try eventually {
                clients.append(
                    try Self.begin(
                        "PUT /v1/streams/gallery/photos/p\(clients.count)", body: part, of: 1_000_000, server))
                answer = try server.client("PUT", "/v1/streams/gallery/photos/other", Self.json, body: body)
                return answer?.status == 503
            }
            #expect(isRefused && answer?.problem == "overloaded" && answer?.fields["retry-after"] == "1")
            for client in clients { close(client) }
            #expect(
                try eventually {
                    try server.client("PUT", "/v1/streams/gallery/photos/other", Self.json, body: body).status < 300
                })
        }
    }

    @Test func `a trickling body times out and frees its slot`() async throws {
        var settings = ServerSettings()
        (settings.imports, settings.bodySeconds) = (1, 1)
        try await TestServer.with(photos: 1, settings: settings) { server in
            // The server asks for the body once the request has the only slot.
            let client = try Self.begin("POST /v1/streams/gallery/photos", expects: true, body: [], of: 1_000, server)
            defer { close(client) }
            let begin = HTTPClient.readAll(client, atLeast: 1)
            try HTTPClient.write([123], to: client)
            let (target, body) = ("/v1/streams/gallery/photos", Array("{\"id\":\"a\",\"width\":1,\"height\":1}\n".utf8))
            #expect(try eventually { try server.client("POST", target, Self.lines, body: body).status == 200 })
            let answers = try HTTPClient.answers(begin + HTTPClient.readAll(client))
            #expect(answers.map(\.status) == [100, 408], "\(answers.map(\.text))")
            #expect(answers.last?.problem == "body-too-slow" && answers.last?.fields["connection"] == "close")
        }
    }

    @Test func `only the time spent waiting for the client counts`() {
        let start = NIODeadline.now()
        func after(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }
        var rate = BodyRate(least: 1_000, longest: .seconds(60))
        rate.wait(now: start)
        #expect(!rate.isTooSlow(now: after(9)))
        rate.receive(1_000, now: after(9))
        // The server is busy with what has come.
        #expect(!rate.isTooSlow(now: after(1_000)))
        rate.wait(now: after(1_000))
        #expect(!rate.isTooSlow(now: after(1_001)))
        #expect(rate.isTooSlow(now: after(1_003)))
        rate.receive(1_000_000, now: after(1_003))
        rate.wait(now: after(1_003))
        #expect(!rate.isTooSlow(now: after(1_050)))
        // Fast enough, but too long in all.
        #expect(rate.isTooSlow(now: after(1_052)))
    }

    @Test(arguments: ["gzip, chunked", "gzip\r\nTransfer-Encoding: chunked", "identity, chunked"])
    func `a body with another transfer coding is refused`(coding: String) async throws {
        try await TestServer.with(photos: 1) { server in
            let descriptor = try server.client.connected()
            defer { close(descriptor) }
            let head =
                "PUT /v1/streams/gallery/photos/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            let body = "\r\n1\r\n{\r\n0\r\n\r\n"
            try HTTPClient.write(Array("\(head)Transfer-Encoding: \(coding)\r\n\(body)".utf8), to: descriptor)
            let answers = try HTTPClient.answers(HTTPClient.readAll(descriptor))
            #expect(answers.map(\.status) == [501] && answers.first?.problem == "unknown-transfer-coding")
        }
    }

    @Test func `unread answers stay within their budget`() async throws {
        var settings = ServerSettings()
        settings.answerMemory = 8 << 20
        try await TestServer.with(photos: 0, settings: settings) { server in
            let records = SampleRecords.records(1_000).map { record in
                var record = record
                record.caption = .set(String(repeating: "long ", count: 1_200))
                return record
            }
            try TestServer.load(records, into: TestServer.stream, of: server.file)
            let target = "/v1/streams/gallery/photos?limit=1000"
            let client = try server.client.connected(window: 4_096)
            try HTTPClient.write(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), to: client)
            _ = HTTPClient.readAll(client, atLeast: 1)
            let refused = try server.client("GET", target)
            #expect(refused.status == 503 && refused.problem == "overloaded", "\(refused.text.prefix(200))")
            #expect(try server.client("GET", "/v1/streams/gallery/photos?limit=10").status == 200)
            close(client)
            #expect(try eventually { try server.client("GET", target).status == 200 })
        }
    }

    @Test func `connections beyond the limit wait for their turn`() async throws {
        var settings = ServerSettings()
        settings.connections = 1
        try await TestServer.with(photos: 1, settings: settings) { server in
            let request = Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            let first = try server.client.connected()
            try HTTPClient.write(request, to: first)
            #expect(!HTTPClient.readAll(first, atLeast: 1).isEmpty)
            let second = try server.client.connected()
            defer { close(second) }
            try HTTPClient.write(request, to: second)
            var ready = pollfd(fd: second, events: Int16(POLLIN), revents: 0)
            #expect(poll(&ready, 1, 300) == 0)
            close(first)
            #expect(String(decoding: HTTPClient.readAll(second, atLeast: 12), as: UTF8.self).hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test(arguments: ["1048577", "9223372036854775807", "9223372036854775808", "18446744073709551615"])
    func `a length beyond the limit is refused before the body arrives`(length: String) async throws {
        try await TestServer.with(photos: 1) { server in
            for expects in ["", "Expect: 100-continue\r\n"] {
                let descriptor = try server.client.connected()
                defer { close(descriptor) }
                let head = """
                    PUT /v1/streams/gallery/photos/p HTTP/1.1\r\nHost: localhost\r\n\
                    Content-Type: application/json\r\nContent-Length: \(length)\r\n\(expects)\r\n
                    """
                try HTTPClient.write(Array(head.utf8), to: descriptor)
                let answer = String(decoding: HTTPClient.readAll(descriptor, atLeast: 12), as: UTF8.self)
                #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(length): \(answer)")
            }
        }
    }
}
