import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import PhotoStreamWire
import Testing

@testable import PhotoStreamHTTP

/// Heads, connections and requests beyond the limits are refused, each with its own problem.
@Suite struct LimitTests {
    private static func problem(_ answer: [UInt8]) -> (line: String, text: String) {
        let text = String(decoding: answer, as: UTF8.self)
        return (String(text.prefix { !$0.isNewline }), text)
    }

    @Test func `an address or fields that are too long are refused alone`() async throws {
        var settings = ServerSettings()
        (settings.addressLimit, settings.fieldLimit) = (300, 2_000)
        try await TestServer.with(photos: 1, settings: settings) { server in
            let long = try server.client("GET", "/v1/streams?after=" + String(repeating: "a", count: 300))
            #expect(long.status == 414 && long.problem == "address-too-long", "\(long.text)")
            #expect(long.json["detail"] as? String == "the address has more than 300 bytes")
            #expect(long.fields["connection"] == "close")
            let fields = try server.client("GET", "/v1/streams", ["X-Long": String(repeating: "a", count: 2_000)])
            #expect(fields.status == 431 && fields.problem == "fields-too-large", "\(fields.text)")
            #expect(fields.json["detail"] as? String == "the fields have more than 2000 bytes")
            #expect(try server.client("GET", "/v1/streams").status == 200)
        }
    }

    @Test(arguments: ["G", "GET /v1/streams HTTP/1.1\r\nHost: loc", "GET / HTTP/1.1\r\nHost: localhost\r\nX: "])
    func `a head that does not end in time closes the connection`(begin: String) async throws {
        var settings = ServerSettings()
        (settings.headSeconds, settings.idleSeconds) = (1, 86_400)
        try await TestServer.with(photos: 1, settings: settings) { server in
            let descriptor = try server.client.connected()
            defer { close(descriptor) }
            try HTTPClient.write(Array(begin.utf8), to: descriptor)
            let (line, text) = Self.problem(HTTPClient.readAll(descriptor))
            #expect(line == "HTTP/1.1 408 Request Timeout" && text.contains("urn:photostream:problem:head-too-slow"))
        }
    }

    @Test func `a client that keeps sending single bytes is disconnected`() async throws {
        var settings = ServerSettings()
        (settings.headSeconds, settings.idleSeconds) = (1, 86_400)
        try await TestServer.with(photos: 1, settings: settings) { server in
            let descriptor = try server.client.connected()
            defer { close(descriptor) }
            // The answer to the first request does not extend the time of the second.
            try HTTPClient.write(Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), to: descriptor)
            let first = Self.problem(HTTPClient.readAll(descriptor, atLeast: 12))
            #expect(first.line == "HTTP/1.1 200 OK")
            try HTTPClient.write(Array("GET / HTTP/1.1\r\nX: ".utf8), to: descriptor)
            let isClosed = eventually {
                var byte = UInt8(ascii: "a")
                return send(descriptor, &byte, 1, Int32(MSG_NOSIGNAL)) < 0
            }
            #expect(isClosed)
        }
    }

    @Test func `a slow body does not count as a slow head`() async throws {
        var settings = ServerSettings()
        settings.headSeconds = 1
        try await TestServer.with(photos: 1, settings: settings) { server in
            let descriptor = try server.client.connected()
            defer { close(descriptor) }
            let body = #"{"stream":"later"}"#
            let head = "POST /v1/streams HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            try HTTPClient.write(Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n".utf8), to: descriptor)
            let start = ContinuousClock.now
            // Longer than a head may take; another connection shows that the server goes on.
            while ContinuousClock.now - start < .milliseconds(1_200) {
                #expect(try server.client("GET", "/healthz").status == 200)
            }
            try HTTPClient.write(Array(body.utf8), to: descriptor)
            #expect(Self.problem(HTTPClient.readAll(descriptor, atLeast: 12)).line == "HTTP/1.1 201 Created")
        }
    }

    @Test func `requests per minute are limited by token, and unlimited for this machine`() async throws {
        var settings = ServerSettings()
        settings.requestsPerMinute = 3
        try await TestServer.with(photos: 1, settings: settings) { server in
            let (one, other) = (
                try server.service.createToken(named: "one", scope: .read).token.text,
                try server.service.createToken(named: "other", scope: .read).token.text
            )
            let fields = ["Authorization": "Bearer \(one)"]
            for _ in 0..<3 { #expect(try server.client("GET", "/v1/streams", fields).status == 200) }
            let refused = try server.client("GET", "/v1/streams", fields)
            #expect(refused.status == 429 && refused.problem == "too-many-requests", "\(refused.text)")
            let wait = try #require(refused.fields["retry-after"].flatMap { Int($0) })
            #expect((1...20).contains(wait))
            #expect(refused.json["detail"] as? String == "3 requests a minute are allowed; wait \(wait) s")
            #expect(try server.client("GET", "/v1/streams", ["Authorization": "Bearer \(other)"]).status == 200)
            for _ in 0..<9 { #expect(try server.client("GET", "/v1/streams").status == 200) }
        }
    }

    @Test func `computed layouts per minute are limited by token, and known ones do not count`() async throws {
        var settings = ServerSettings()
        settings.layoutsPerMinute = 2
        try await TestServer.with(photos: 20_000, settings: settings) { server in
            let token = try server.service.createToken(named: "a", scope: .read).token.text
            let fields = ["Authorization": "Bearer \(token)"]
            let layout = "/v1/streams/gallery/layout?width="
            for width in [500, 501] { #expect(try server.client("GET", layout + "\(width)", fields).status == 200) }
            let refused = try server.client("GET", layout + "502", fields)
            #expect(refused.status == 429 && refused.problem == "too-many-requests", "\(refused.text)")
            let detail = try #require(refused.json["detail"] as? String)
            #expect(detail.hasPrefix("2 layouts that must be computed a minute are allowed; wait "))
            // Another process stores chunks: others than those with which the layouts were computed.
            let other = try PhotoStreamService(
                path: server.file.path, access: .readWrite, primary: server.file.primary, now: { 1 })
            let key = try LayoutKey(LayoutConfiguration(containerLength: 900))
            _ = try other.read { try $0.layout(key, of: TestServer.stream).summary() }
            try other.storeDerived()
            try other.close()
            for width in [500, 501] {
                let known = try server.client("GET", layout + "\(width)", fields)
                #expect(known.status == 200, "\(known.text)")
            }
            #expect(try server.client("GET", layout + "503").status == 200)
        }
    }

    @Test func `a bucket fills evenly, and full ones are forgotten`() throws {
        let limit = RateLimit(perMinute: 60)
        let (client, start) = (CountedClient.holder("a"), ContinuousClock.now)
        for _ in 0..<60 { #expect(limit.wait(of: [client], at: start) == nil) }
        #expect(limit.wait(of: [client], at: start)?.seconds == 1)
        #expect(limit.wait(of: [.holder("b")], at: start) == nil)
        #expect(limit.wait(of: [client], at: start + .seconds(1)) == nil)
        #expect(limit.wait(of: [client], at: start + .seconds(1))?.seconds == 1)
        for _ in 0..<60 { #expect(limit.wait(of: [client], at: start + .seconds(600)) == nil) }
        #expect(limit.wait(of: [client], at: start + .seconds(600))?.seconds == 1)
        let slow = RateLimit(perMinute: 1)
        #expect(slow.wait(of: [client], at: start) == nil)
        #expect(slow.wait(of: [client], at: start)?.seconds == 60)
    }

    @Test func `connections are limited for other machines, and unlimited for this one and trusted servers`() throws {
        var settings = ServerSettings()
        settings.connectionsPerAddress = 2
        settings.access.proxies = [try ServerAddress("10.0.0.9")]
        let connections = SharedBudget.connections(settings)
        func open(_ address: ServerAddress) throws(Problem) -> SharedBudget.Share {
            try connections.place(for: BoundedClient(address: settings.access.counted(address)))
        }
        let (one, other) = (try ServerAddress("10.0.0.1"), try ServerAddress("10.0.0.2"))
        var places = [try open(one), try open(one)]
        let problem = try #require(throws: Problem.self) { try open(one) }
        #expect(problem.kind == .overloaded && problem.detail == "2 connections of this address are open; close one")
        places.append(try open(other))
        places.removeFirst()
        places.append(try open(one))
        #expect(throws: Problem.self) { try open(one) }
        for _ in 0..<9 { places += [try open(.loopback), try open(ServerAddress("10.0.0.9"))] }
        #expect(connections.count == 21)
        places = []
        #expect(connections.count == 0)
    }

    @Test func `each setting has one name and a valid default`() {
        let all = ServerSetting.all
        #expect(Set(all.map(\.name)).count == all.count && Set(all.map(\.field)).count == all.count)
        for setting in all {
            #expect(setting.range.contains(setting.value(in: ServerSettings())), "\(setting.name)")
            #expect(setting.about.hasSuffix("."), "\(setting.about)")
        }
    }
}

extension Problem: Equatable {
    static func == (one: Problem, other: Problem) -> Bool {
        JSONWriter.bytes { $0.value(one) } == JSONWriter.bytes { $0.value(other) }
    }
}
