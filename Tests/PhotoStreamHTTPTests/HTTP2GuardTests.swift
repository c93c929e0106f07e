import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

/// The limits of connections of HTTP/2: each test fails without its guard.
///
/// One after the other, because each client is a process.
@Suite(.serialized) struct HTTP2GuardTests {
    /// A frame without a request that a client may send, and the server answers or ignores.
    enum ControlFrame: CaseIterable {
        case ping, settings, priority

        var bytes: [UInt8] {
            switch self {
            case .ping: HTTP2Client.frame(.ping, payload: Array(repeating: 0, count: 8))
            case .settings: HTTP2Client.frame(.settings)
            // Of stream 1, which depends on none.
            case .priority: HTTP2Client.frame(.priority, stream: 1, payload: [0, 0, 0, 0, 15])
            }
        }
    }

    @Test(arguments: ControlFrame.allCases)
    func `a flood of frames ends the connection, and a browser's number of them does not`(
        frame: ControlFrame
    ) async throws {
        try await HTTP2Tests.with { server in
            let (many, flood) = (
                try HTTP2Client(port: server.client.port), try HTTP2Client(port: server.client.port)
            )
            many.send(Array(repeatElement(frame.bytes, count: 900).joined()))
            many.request("/healthz", on: 3)
            #expect(eventually { !many.frames(.data, of: 3).isEmpty })
            flood.send(Array(repeatElement(frame.bytes, count: 1_200).joined()))
            // ENHANCE_YOUR_CALM
            #expect(eventually { flood.frames(.goAway).first?.code == 11 || flood.isEnded })
            #expect(eventually { flood.isEnded })
            #expect(!many.isEnded)
        }
    }

    @Test func `a head of more than 80 KiB ends the connection, and a shorter one is only refused`() async throws {
        try await HTTP2Tests.with { server in
            let (short, long) = (
                try HTTP2Client(port: server.client.port), try HTTP2Client(port: server.client.port)
            )
            let heads = [70, 90].map { size in
                HTTP2Client.head("/v1/streams", fields: [("x-long", String(repeating: "a", count: size << 10))])
            }
            for (client, head) in zip([short, long], heads) {
                #expect(client.acknowledgeSettings())
                // In frames of 16 KiB, the longest that the server takes.
                let parts = stride(from: 0, to: head.count, by: 16 << 10).map {
                    head[$0..<min($0 + 16 << 10, head.count)]
                }
                for (number, part) in parts.enumerated() {
                    client.send(
                        number == 0 ? .headers : .continuation,
                        flags: (number == 0 ? 1 : 0) | (number == parts.count - 1 ? 4 : 0), stream: 1,
                        payload: Array(part))
                }
            }
            #expect(eventually { short.body(of: 1).contains("fields-too-large") })
            #expect(eventually { long.isEnded })
            #expect(long.frames(.headers).isEmpty && !short.isEnded)
        }
    }

    @Test func `a head that is small only while compressed ends the connection`() async throws {
        try await HTTP2Tests.with { server in
            let (few, many) = (
                try HTTP2Client(port: server.client.port), try HTTP2Client(port: server.client.port)
            )
            let value = String(repeating: "a", count: 3_500)
            for (client, count) in [(few, 15), (many, 40)] {
                #expect(client.acknowledgeSettings())
                // A field that is remembered, and then is the first of the dynamic table: RFC 7541, 6.1 and 6.2.1.
                var field = HTTP2Client.head("/v1/streams", fields: [("x-long", value)])
                let plain = HTTP2Client.head("/v1/streams").count
                field[plain] = 0x40
                client.send(.headers, flags: 5, stream: 1, payload: field + Array(repeating: 0x80 | 62, count: count))
            }
            #expect(eventually { few.body(of: 1).contains("fields-too-large") })
            #expect(eventually { many.isEnded })
            #expect(many.frames(.headers).isEmpty && !few.isEnded)
        }
    }

    @Test func `requests that are reset count as open until the end of the read`() async throws {
        try await HTTP2Tests.with({ $0.requestsPerConnection = 2 }) { server in
            let client = try HTTP2Client(port: server.client.port)
            #expect(client.acknowledgeSettings())
            let head = { HTTP2Client.frame(.headers, flags: 5, stream: $0, payload: HTTP2Client.head("/healthz")) }
            let resets = [UInt32(1), 3, 5].flatMap {
                head($0) + HTTP2Client.frame(.reset, stream: $0, payload: HTTP2Client.bytes(of: 8))
            }
            client.send(resets + head(7))
            #expect(eventually { client.body(of: 7).contains("2 requests of this connection are open") })
            client.request("/healthz", on: 9)
            #expect(eventually { client.body(of: 9).contains("running") })
        }
    }

    /// The part of a connection at which a client stands still.
    enum Standstill: CaseIterable { case beforeThePreface, inAFrame }

    @Test(arguments: Standstill.allCases)
    func `a client that does not begin or finish a frame is disconnected`(standstill: Standstill) async throws {
        try await HTTP2Tests.with({ ($0.headSeconds, $0.idleSeconds) = (1, 600) }) { server in
            let client = try HTTP2Client(port: server.client.port, isBegun: standstill != .beforeThePreface)
            if standstill == .inAFrame { client.send([0, 0, 8, HTTP2Client.Kind.ping.rawValue]) }
            #expect(eventually { client.isEnded })
        }
    }

    /// The frame that a client sends at one byte per second.
    enum SlowFrame: CaseIterable { case settings, headers, continuation }

    @Test(arguments: SlowFrame.allCases)
    func `a client that sends a frame at one byte per second is disconnected`(frame: SlowFrame) async throws {
        try await HTTP2Tests.with({ ($0.headSeconds, $0.idleSeconds) = (2, 600) }) { server in
            let client = try HTTP2Client(port: server.client.port)
            #expect(client.acknowledgeSettings())
            let head = HTTP2Client.head("/v1/streams", fields: [("x-long", String(repeating: "a", count: 100))])
            let bytes: [UInt8]
            switch frame {
            case .settings:
                // INITIAL_WINDOW_SIZE, repeated.
                let setting: [UInt8] = [0, 4, 0, 0, 0xFF, 0xFF]
                bytes = HTTP2Client.frame(.settings, payload: Array(repeatElement(setting, count: 20).joined()))
            case .headers: bytes = HTTP2Client.frame(.headers, flags: 5, stream: 1, payload: head)
            case .continuation:
                client.send(.headers, flags: 1, stream: 1, payload: Array(head.prefix(9)))
                bytes = HTTP2Client.frame(.continuation, flags: 4, stream: 1, payload: Array(head.dropFirst(9)))
            }
            for byte in bytes {
                client.send([byte])
                if eventually(within: .seconds(1), { client.isEnded }) { break }
            }
            #expect(client.isEnded && client.frames(.headers).isEmpty)
            #expect(client.frames(.goAway).first?.code == 11)
        }
    }

    @Test func `a client whose frame NIO ignores is sent a ping, and stays connected if it answers`() async throws {
        try await HTTP2Tests.with({ ($0.headSeconds, $0.idleSeconds) = (5, 600) }) { server in
            let (answering, silent) = (
                try HTTP2Client(port: server.client.port), try HTTP2Client(port: server.client.port)
            )
            for client in [answering, silent] {
                #expect(client.acknowledgeSettings())
                client.request("/healthz", on: 1)
                #expect(eventually { client.frames(.data, of: 1).last?.flags == 1 })
                // For a request that has ended.
                client.send(.window, stream: 1, payload: HTTP2Client.bytes(of: 1_000))
            }
            #expect(eventually { !answering.frames(.ping).isEmpty })
            answering.send(.ping, flags: 1, payload: answering.frames(.ping).first?.payload ?? [])
            #expect(eventually { silent.isEnded })
            answering.request("/healthz", on: 3)
            #expect(eventually { !answering.frames(.data, of: 3).isEmpty && !answering.isEnded })
        }
    }

    @Test func `a connection without a handshake does not delay the end of the server`() async throws {
        try await HTTP2Tests.with({ ($0.headSeconds, $0.idleSeconds, $0.endSeconds) = (600, 600, 600) }) { server in
            let silent = try server.client.connected()
            defer { close(silent) }
            // The server accepts connections in their order.
            #expect(try HTTP2Tests.curl(server, "/healthz", "--http2").hasSuffix("\n2 200"))
            server.stop()
            var byte = UInt8(0)
            #expect(eventually { recv(silent, &byte, 1, Int32(MSG_DONTWAIT)) == 0 })
        }
    }

    @Test func `one address may open a quarter of all requests`() throws {
        let requests = SharedBudget(limit: 8, of: .http2Requests)
        let one = BoundedClient(address: try ServerAddress("10.0.0.1"))
        let other = BoundedClient(address: try ServerAddress("10.0.0.2"))
        var places = [try requests.place(for: one), try requests.place(for: one)]
        let problem = try #require(throws: Problem.self) { try requests.place(for: one) }
        #expect(problem.kind == .overloaded && problem.detail == "2 requests of this address are open; close one")
        places.append(try requests.place(for: other))
        for _ in 0..<5 { places.append(try requests.place(for: .server)) }
        let full = try #require(throws: Problem.self) { try requests.place(for: .server) }
        #expect(full.detail == "8 requests of HTTP/2 are open; ask again later")
        places.removeFirst()
        places.append(try requests.place(for: one))
        withExtendedLifetime(places) {}
    }

    @Test(.enabled(if: OwnAddress.first != nil, "this machine has an address of a network"))
    func `requests of another machine are counted over all its connections`() async throws {
        let host = try #require(OwnAddress.first)
        let all = try ServerAddress("0.0.0.0")
        try await HTTP2Tests.with({ ($0.access.address, $0.http2Requests) = (all, 8) }) { server in
            let token = try server.service.createToken(named: "a", scope: .read).token.text
            let fields = [("authorization", "Bearer \(token)")]
            let clients = try (0..<3).map { _ in try HTTP2Client(port: server.client.port, host: host) }
            for client in clients.prefix(2) {
                client.request("/v1/streams/gallery/events", on: 1, fields: fields)
                #expect(eventually { client.body(of: 1).contains("event: state") }, "\(client.body(of: 1))")
            }
            clients[2].request("/healthz", on: 1)
            #expect(eventually { clients[2].body(of: 1).contains("2 requests of this address are open; close one") })
            clients[0].send(.reset, stream: 1, payload: HTTP2Client.bytes(of: 8))
            var stream: UInt32 = 1
            let isAnswered = eventually {
                stream += 2
                clients[2].request("/healthz", on: stream)
                return eventually(within: .seconds(2)) { !clients[2].body(of: stream).isEmpty }
                    && clients[2].body(of: stream).contains("running")
            }
            #expect(isAnswered)
        }
    }

    @Test(.enabled(if: OwnAddress.first != nil, "this machine has an address of a network"))
    func `unread answers of another machine take at most a quarter of the memory`() async throws {
        let host = try #require(OwnAddress.first)
        let all = try ServerAddress("0.0.0.0")
        try await HTTP2Tests.with({ ($0.access.address, $0.answerMemory) = (all, 2 << 20) }) { server in
            let token = try server.service.createToken(named: "a", scope: .read).token.text
            let page = "/v1/streams/gallery/layout/page?width=900&limit=300"
            let connect = { (host: String) in
                // INITIAL_WINDOW_SIZE is 0.
                try HTTP2Client(port: server.client.port, host: host, settings: [0, 4, 0, 0, 0, 0])
            }
            let ask = { (client: HTTP2Client, stream: UInt32) in
                client.request(page, on: stream, fields: [("authorization", "Bearer \(token)")])
                client.send(.window, stream: stream, payload: HTTP2Client.bytes(of: 1_000))
                _ = eventually { !client.body(of: stream).isEmpty }
            }
            // Far fewer than fill the memory, were they counted for their connections alone.
            let clients = try (0..<10).map { _ in try connect(host) }
            for client in clients { ask(client, 1) }
            #expect(clients[0].body(of: 1).hasPrefix(#"{"stream""#))
            let last = try #require(clients.last)
            #expect(last.body(of: 1).contains("the answers of this address that have not been read are too large"))
            let here = try connect("127.0.0.1")
            ask(here, 1)
            #expect(here.body(of: 1).hasPrefix(#"{"stream""#))
            for client in clients { client.send(.reset, stream: 1, payload: HTTP2Client.bytes(of: 8)) }
            var stream: UInt32 = 1
            let isAnswered = eventually {
                stream += 2
                ask(last, stream)
                return last.body(of: stream).hasPrefix(#"{"stream""#)
            }
            #expect(isAnswered)
        }
    }
}
