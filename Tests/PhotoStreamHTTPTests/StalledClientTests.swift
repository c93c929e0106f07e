import Foundation
import PhotoStreamHTTP
import PhotoStreamTestSupport
import Testing

/// Clients that stop reading or writing.
@Suite struct StalledClientTests {
    @Test func `a client that does not read its answers is disconnected`() async throws {
        var settings = ServerSettings()
        settings.idleSeconds = 1
        try await TestServer.with(photos: 1, settings: settings) { server in
            let target = "/v1/openapi.json"
            let byteCount = try server.client("GET", target).body.count
            // More than the sockets of both sides hold.
            let count = (64 << 20) / byteCount
            let request = "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let descriptor = try server.client.connected()
            defer { close(descriptor) }
            try HTTPClient.write(Array(String(repeating: request, count: count).utf8), to: descriptor)
            let begin = HTTPClient.readAll(descriptor, atLeast: 1)
            #expect(eventually { Self.isClosed(descriptor, to: server.client.port) })
            #expect(begin.count + HTTPClient.readAll(descriptor).count < count * byteCount)
            #expect(try server.client("GET", target).status == 200)
        }
    }

    @Test func `a client that does not read the last bytes is disconnected, too`() async throws {
        var settings = ServerSettings()
        settings.idleSeconds = 1
        try await TestServer.with(settings: settings) { server in
            let request = Array(
                "GET /v1/streams/gallery/layout/page?width=900&limit=150 HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            let length = try server.client("GET", "/v1/streams/gallery/layout/page?width=900&limit=150").body.count
            let descriptor = try server.client.connected(window: 4_096)
            defer { close(descriptor) }
            // One by one, until the sockets hold less than was answered: the server has the rest, less than one answer.
            var answered = 0
            while Self.heldByteCount(descriptor, to: server.client.port) >= answered, answered < 256 << 20 {
                try HTTPClient.write(request, to: descriptor)
                answered += length
                _ = eventually(within: .milliseconds(100)) {
                    Self.heldByteCount(descriptor, to: server.client.port) >= answered
                }
            }
            // Now and then the system takes a few bytes more for the client, ever more rarely.
            #expect(eventually { Self.isGone(descriptor, to: server.client.port) })
        }
    }

    /// Whether the server's side of a connection is closed, with bytes left to send or after the system has given them up.
    private static func isGone(_ descriptor: Int32, to port: Int) -> Bool {
        lines(of: descriptor, to: port).server.map { $0[3] == "04" } ?? true
    }

    /// Whether the server's side of a connection is closed with bytes left to send, according to the system: its
    /// client, which has not read, cannot see the end.
    private static func isClosed(_ descriptor: Int32, to port: Int) -> Bool {
        lines(of: descriptor, to: port).server.map { $0[3] } == "04"
    }

    /// The number of bytes of answers that wait in the sockets of both sides.
    private static func heldByteCount(_ descriptor: Int32, to port: Int) -> Int {
        let (server, client) = lines(of: descriptor, to: port)
        let sending = server.flatMap { Int($0[4].prefix(8), radix: 16) } ?? 0
        return sending + (client.flatMap { Int($0[4].suffix(8), radix: 16) } ?? 0)
    }

    /// The system's table rows for both sides of a connection, by columns.
    private static func lines(of descriptor: Int32, to port: Int) -> (server: [Substring]?, client: [Substring]?) {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0, let file = fopen("/proc/net/tcp", "r") else { return (nil, nil) }
        defer { fclose(file) }
        let sides = [port, Int(in_port_t(bigEndian: address.sin_port))].map { String(format: ":%04X", $0) }
        // Line by line, because the table has tens of thousands of rows on a busy machine.
        var (line, capacity) = (UnsafeMutablePointer<CChar>?.none, 0)
        defer { free(line) }
        var all: [[Substring]] = []
        while getline(&line, &capacity, file) > 0 {
            guard let line, sides.allSatisfy({ strstr(line, $0) != nil }) else { continue }
            all.append(String(cString: line).split(separator: " "))
        }
        return (
            all.first { $0[1].hasSuffix(sides[0]) && $0[2].hasSuffix(sides[1]) },
            all.first { $0[1].hasSuffix(sides[1]) && $0[2].hasSuffix(sides[0]) }
        )
    }
}
