import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

/// HTTP/2: the same answers as of HTTP/1.1, and the same guards.
@Suite struct HTTP2Tests {
    /// Runs a server with TLS for a test.
    static func with(
        photos count: Int = 300, _ change: (inout ServerSettings) -> Void = { _ in },
        _ test: @escaping @Sendable (TestServer) throws -> Void
    ) async throws {
        let folder = try TemporaryDatabase()
        var settings = ServerSettings()
        settings.tlsFiles = try TestCertificate(in: folder.folder).files
        change(&settings)
        try await TestServer.with(photos: count, settings: settings, test)
        withExtendedLifetime(folder) {}
    }

    static func curl(_ server: TestServer, _ target: String, _ arguments: String...) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/curl")
        process.arguments =
            ["--silent", "--insecure", "--max-time", "60", "--write-out", "\n%{http_version} %{http_code}"] + arguments
            + ["https://localhost:\(server.client.port)\(target)"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    @Test func `clients that offer HTTP/2 use it, others HTTP/1·1, with the same answers`() async throws {
        try await Self.with { server in
            let page = "/v1/streams/gallery/layout/page?width=900&limit=300"
            for target in [page, "/v1/openapi.json", "/v1/streams/none"] {
                let (new, old) = (
                    try Self.curl(server, target, "--http2"), try Self.curl(server, target, "--http1.1")
                )
                let status = target.hasSuffix("none") ? 404 : 200
                #expect(new.hasSuffix("\n2 \(status)") && old.hasSuffix("\n1.1 \(status)"))
                #expect(new.dropLast(5) == old.dropLast(7) && new.count > 100)
            }
            let body = #"{"stream":"new"}"#
            for fields in ["Expect:", "Expect: 100-continue"] {
                let answer = try Self.curl(
                    server, "/v1/streams", "--http2", "-H", fields, "-H", "Content-Type: application/json",
                    "--data-binary", body)
                #expect(answer.hasSuffix(fields.hasSuffix("continue") ? "\n2 409" : "\n2 201"), "\(answer)")
            }
        }
    }

    @Test func `a head beyond the limits is refused, and the connection continues`() async throws {
        try await Self.with({ ($0.addressLimit, $0.fieldLimit) = (300, 2_000) }) { server in
            let client = try HTTP2Client(port: server.client.port)
            client.request("/v1/streams?after=" + String(repeating: "a", count: 300), on: 1)
            client.request("/v1/streams", on: 3, fields: [("x-long", String(repeating: "a", count: 2_000))])
            client.request("/v1/streams", on: 5, fields: [("host", "example.org")])
            client.request("/v1/streams", on: 9)
            #expect(eventually { client.body(of: 1).contains("address-too-long") })
            #expect(eventually { client.body(of: 3).contains("fields-too-large") })
            #expect(eventually { client.body(of: 5).contains("bad-host") })
            #expect(eventually { client.body(of: 9).contains(#""stream":"gallery""#) })
            // CONNECT has no path.
            let connect = HTTP2Client.head(of: [(":method", "CONNECT"), (":authority", "localhost")])
            client.send(.headers, flags: 5, stream: 11, payload: connect)
            #expect(eventually { client.body(of: 11).contains("malformed-request") })
            #expect(client.frames(.goAway).isEmpty && !client.isEnded)
            // A frame that cannot be part of a request ends the connection.
            client.request("example", on: 13, method: "CONNECT")
            #expect(eventually { client.isEnded })
        }
    }

    @Test func `resetting requests immediately ends the connection and leaves nothing behind`() async throws {
        try await Self.with { server in
            let client = try HTTP2Client(port: server.client.port)
            for number in 0..<1_200 as Range<UInt32> {
                client.request("/v1/streams", on: 2 * number + 1)
                client.send(.reset, stream: 2 * number + 1, payload: HTTP2Client.bytes(of: 8))
            }
            // ENHANCE_YOUR_CALM
            #expect(eventually { client.frames(.goAway).first?.code == 11 || client.isEnded })
            #expect(eventually { client.isEnded })
            #expect(try Self.curl(server, "/v1/streams", "--http2").hasSuffix("\n2 200"))
        }
    }

    @Test(arguments: [false, true])
    func `an unfinished head closes the connection`(isTrickled: Bool) async throws {
        try await Self.with({ ($0.headSeconds, $0.idleSeconds) = (isTrickled ? 1 : 600, 600) }) { server in
            let client = try HTTP2Client(port: server.client.port)
            client.send(.headers, stream: 1, payload: HTTP2Client.head("/v1/streams"))
            let isClosed = eventually {
                // One field after the other, or one byte.
                let part = HTTP2Client.frame(.continuation, stream: 1, payload: [0, 1, 0x61, 1, 0x62])
                if isTrickled { client.send([part[0]]) } else { client.send(part) }
                return client.isEnded
            }
            #expect(isClosed)
            #expect(try Self.curl(server, "/v1/streams", "--http2").hasSuffix("\n2 200"))
        }
    }

    @Test func `an answer without window times out, and others are sent`() async throws {
        try await Self.with({ $0.idleSeconds = 1 }) { server in
            // INITIAL_WINDOW_SIZE is 0.
            let client = try HTTP2Client(port: server.client.port, settings: [0, 4, 0, 0, 0, 0])
            client.request("/v1/openapi.json", on: 1)
            // CANCEL
            #expect(eventually { client.frames(.reset, of: 1).first?.code == 8 })
            #expect(client.frames(.headers, of: 1).count == 1 && client.frames(.data, of: 1).isEmpty)
            client.request("/healthz", on: 3)
            client.send(.window, stream: 3, payload: HTTP2Client.bytes(of: 1_000))
            #expect(eventually { !client.frames(.data, of: 3).isEmpty })
        }
    }

    @Test func `unread answers take little memory`()
        async throws
    {
        try await Self.with({ $0.answerMemory = 4 << 20 }) { server in
            // INITIAL_WINDOW_SIZE is 0.
            let connect = { try HTTP2Client(port: server.client.port, settings: [0, 4, 0, 0, 0, 0]) }
            let (one, other) = (try connect(), try connect())
            // 20 MB of answers, were they copied for each request.
            let streams = (0..<66).map { UInt32(2 * $0 + 1) }
            for stream in streams { one.request("/v1/openapi.json", on: stream) }
            #expect(eventually { streams.allSatisfy { one.frames(.headers, of: $0).count == 1 } })
            // A refusal has a separate window.
            for stream in streams { one.send(.window, stream: stream, payload: HTTP2Client.bytes(of: 20)) }
            #expect(eventually { streams.allSatisfy { one.body(of: $0).hasPrefix(#"{"openapi""#) } })
            // A quarter of a megabyte for one connection.
            let page = "/v1/streams/gallery/layout/page?width=900&limit=300"
            for stream in streams {
                other.request(page, on: stream)
                other.send(.window, stream: stream, payload: HTTP2Client.bytes(of: 1_000))
            }
            #expect(eventually { streams.contains { other.body(of: $0).contains("of this connection") } })
            #expect(streams.contains { other.body(of: $0).hasPrefix(#"{"stream""#) })
            // Others are answered, and so is this one once it has read.
            #expect(try Self.curl(server, page, "--http2").hasSuffix("\n2 200"))
            for stream in streams {
                other.send(.reset, stream: stream, payload: HTTP2Client.bytes(of: 8))
            }
            var stream = UInt32(2 * streams.count - 1)
            let isAnswered = eventually {
                stream += 2
                other.request(page, on: stream)
                other.send(.window, stream: stream, payload: HTTP2Client.bytes(of: 1_000))
                return eventually(within: .seconds(2)) { !other.body(of: stream).isEmpty }
                    && other.body(of: stream).hasPrefix(#"{"stream""#)
            }
            #expect(isAnswered)
        }
    }

    @Test func `a trickling body is refused alone`() async throws {
        try await Self.with({ $0.bodySeconds = 1 }) { server in
            let client = try HTTP2Client(port: server.client.port)
            client.request(
                "/v1/streams", on: 1, method: "POST", fields: [("content-type", "application/json")], hasBody: true)
            let isRefused = eventually {
                if client.frames(.reset, of: 1).isEmpty { client.send(.data, stream: 1, payload: [0x20]) }
                return client.body(of: 1).contains("body-too-slow")
            }
            #expect(isRefused)
            client.request("/healthz", on: 3)
            #expect(eventually { !client.frames(.data, of: 3).isEmpty })
        }
    }

    @Test func `a connection without a request is closed`() async throws {
        // A slow machine has any time for the handshake and the first frame, whose limits would end it otherwise.
        try await Self.with({ ($0.idleSeconds, $0.headSeconds) = (1, 600) }) { server in
            let (fresh, used) = (
                try HTTP2Client(port: server.client.port), try HTTP2Client(port: server.client.port)
            )
            used.request("/healthz", on: 1)
            // They answer no ping.
            for client in [fresh, used] {
                #expect(eventually { client.frames(.goAway).first?.code == 0 })
                #expect(eventually { client.isEnded })
            }
        }
    }

    @Test func `a connection without a handshake is closed`() async throws {
        try await Self.with({ ($0.idleSeconds, $0.headSeconds) = (600, 1) }) { server in
            let silent = try server.client.connected()
            defer { close(silent) }
            #expect(HTTPClient.readAll(silent).isEmpty)
            var byte = UInt8(0)
            #expect(recv(silent, &byte, 1, Int32(MSG_DONTWAIT)) == 0)
        }
    }

    @Test func `a fold ends when its request is reset`() async throws {
        try await Self.with(photos: 30_000, { $0.requestSeconds = 600 }) { server in
            let client = try HTTP2Client(port: server.client.port)
            let held = try HeldFold(server.service, width: 700)
            defer { held.release() }
            let begin = server.service.work.resolvedLayoutCount
            client.request("/v1/streams/gallery/layout?width=700", on: 1)
            #expect(eventually { server.service.work.awaitedFoldCount > 0 })
            client.send(.reset, stream: 1, payload: HTTP2Client.bytes(of: 8))
            // The request leaves the lane although the fold is paused.
            #expect(
                eventually {
                    let text = (try? Self.curl(server, "/metrics", "--http2")) ?? ""
                    return text.contains("photostream_lane_requests{lane=\"long\"} 0")
                })
            #expect(server.service.work.resolvedLayoutCount == begin)
        }
    }

    @Test func `requests beyond the limits of a connection and of the server are refused`() async throws {
        try await Self.with({ ($0.requestsPerConnection, $0.http2Requests) = (3, 5) }) { server in
            let (one, other) = (
                try HTTP2Client(port: server.client.port), try HTTP2Client(port: server.client.port)
            )
            let events = "/v1/streams/gallery/events"
            for client in [one, other] {
                // MAX_CONCURRENT_STREAMS is among the server's settings.
                #expect(
                    eventually {
                        client.frames(.settings).first?.payload.starts(with: [0, 3, 0, 0, 0, 3]) == true
                    })
            }
            for stream in [1, 3, 5] as [UInt32] {
                one.request(events, on: stream)
                #expect(eventually { one.body(of: stream).contains("event: state") })
            }
            for stream in [1, 3] as [UInt32] {
                other.request(events, on: stream)
                #expect(eventually { other.body(of: stream).contains("event: state") })
            }
            other.request(events, on: 5)
            #expect(eventually { other.body(of: 5).contains("5 requests of HTTP/2 are open; ask again later") })
            // It has not acknowledged the settings, either.
            one.request(events, on: 7)
            #expect(eventually { one.body(of: 7).contains("requests of this connection are open") })
        }
    }

    @Test func `when the server ends, clients are notified and events send bye`() async throws {
        try await Self.with { server in
            let client = try HTTP2Client(port: server.client.port)
            client.request("/v1/streams/gallery/events", on: 1)
            #expect(eventually { client.body(of: 1).contains("event: state") })
            server.stop()
            #expect(eventually { client.frames(.goAway).first?.code == 0 })
            #expect(eventually { client.body(of: 1).contains("event: bye") })
            // The answer has its end.
            #expect(eventually { client.frames(.data, of: 1).last?.flags == 1 })
            #expect(eventually { client.isEnded })
        }
    }

    @Test(.enabled(if: OwnAddress.first != nil, "this machine has an address of a network"))
    func `a connection beyond the limit of a machine is closed, and its others continue`() async throws {
        let host = try #require(OwnAddress.first)
        let all = try ServerAddress("0.0.0.0")
        try await Self.with({ ($0.access.address, $0.connectionsPerAddress) = (all, 2) }) { server in
            let connect = { try HTTP2Client(port: server.client.port, host: host) }
            let kept = [try connect(), try connect()]
            for client in kept {
                client.request("/healthz", on: 1)
                #expect(eventually { client.frames(.headers, of: 1).count == 1 })
            }
            let excess = try connect()
            // ENHANCE_YOUR_CALM
            #expect(eventually { excess.frames(.goAway).first?.code == 11 })
            #expect(eventually { excess.isEnded })
            for client in kept {
                client.request("/healthz", on: 3)
                #expect(eventually { client.frames(.headers, of: 3).count == 1 })
            }
        }
    }
}

/// The addresses of this machine.
enum OwnAddress {
    /// One of IPv4 that is not 127.0.0.1, so that its connections are counted.
    static let first: String? = {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        for place in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let place, let address = place.pointee.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
                place.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            var text = [CChar](repeating: 0, count: 64)
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, size, &text, 64, nil, 0, NI_NUMERICHOST) == 0 else { continue }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return nil
    }()
}
