import Foundation
import PhotoStreamHTTP
import Testing

/// Clients that stand still.
@Suite struct StalledClientTests {
    @Test func `a client that takes nothing of its answers is given up`() async throws {
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
            for _ in 0..<400 where !Self.isClosed(descriptor, to: server.client.port) {
                Thread.sleep(forTimeInterval: 0.05)
            }
            #expect(Self.isClosed(descriptor, to: server.client.port))
            #expect(begin.count + HTTPClient.readAll(descriptor).count < count * byteCount)
            #expect(try server.client("GET", target).status == 200)
        }
    }

    /// Whether the server's side of a connection is closed with bytes left to send, as the system tells: its client, which has not read,
    /// cannot see the end.
    private static func isClosed(_ descriptor: Int32, to port: Int) -> Bool {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0, let file = fopen("/proc/net/tcp", "r") else { return false }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, 1 << 20, file)
        let table = String(decoding: bytes[..<count], as: UTF8.self)
        let sides = [port, Int(in_port_t(bigEndian: address.sin_port))].map { String(format: ":%04X", $0) }
        return table.split(separator: "\n").contains { line in
            let columns = line.split(separator: " ")
            return columns.count > 3 && columns[1].hasSuffix(sides[0]) && columns[2].hasSuffix(sides[1])
                && columns[3] == "04"
        }
    }
}
