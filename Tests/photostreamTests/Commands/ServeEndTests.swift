import Foundation
import Testing

/// `photostream serve` ends even while clients do nothing.
@Suite struct ServeEndTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try photostream.importSamples()
    }

    /// A complete request, and one whose body is incomplete.
    private static let halfBody = """
        GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n\
        POST /v1/streams/demo/photos HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/jsonl\r\n\
        Content-Length: 100\r\n\r\n{"id"
        """

    /// Far more answers than sockets hold.
    private static let unread = String(
        repeating: "GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 1_000)

    /// Sends requests, and waits for the first byte of an answer: by then the server has begun.
    private func begin(_ requests: String, _ server: ServedFile) -> Int32 {
        let descriptor = server.send(requests)
        var byte: UInt8 = 0
        #expect(recv(descriptor, &byte, 1, 0) == 1)
        return descriptor
    }

    @Test func `it ends even if clients neither read responses nor send bodies, and logs that`() throws {
        let server = try ServedFile(
            in: photostream.folder,
            environment: ["PHOTOSTREAM_END_SECONDS": "1", "PHOTOSTREAM_IDLE_SECONDS": "86400"])
        let clients = [Self.unread, Self.halfBody].map { begin($0, server) }
        defer { for client in clients { close(client) } }
        server.signal(SIGTERM)
        let (status, errors) = server.end()
        #expect(status == 0)
        #expect(errors.contains("connections=2"), "\(errors)")
    }

    @Test func `a second signal ends it at once`() throws {
        let server = try ServedFile(
            in: photostream.folder,
            environment: ["PHOTOSTREAM_END_SECONDS": "86400", "PHOTOSTREAM_IDLE_SECONDS": "86400"])
        let client = begin(Self.halfBody, server)
        defer { close(client) }
        server.signal(SIGTERM)
        // A refused connection proves that the shutdown has begun.
        while server.isRunning, try !server.curl("/healthz").isEmpty {}
        #expect(server.isRunning)
        server.signal(SIGINT)
        let (status, errors) = server.end()
        #expect(status == 0)
        #expect(errors.contains("connections=1"), "\(errors)")
    }
}
