import Foundation
import PhotoStreamTestSupport
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

    @Test func `a second signal ends it immediately`() throws {
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

    @Test func `a hang-up never ends a server without a certificate`() throws {
        let server = try ServedFile(in: photostream.folder)
        for _ in 0..<3 {
            server.signal(SIGHUP)
            #expect(try server.curl("/healthz").contains("running"))
        }
        server.signal(SIGTERM)
        #expect(server.end().status == 0)
    }

    /// Starts a server without waiting for it.
    private func start() throws -> Process {
        let process = Process()
        process.executableURL = try Command.binary()
        process.arguments = ["serve", "--port", "0", "--database", "photostream.sqlite"]
        process.currentDirectoryURL = photostream.folder
        (process.standardOutput, process.standardError) = (Pipe(), Pipe())
        try process.run()
        return process
    }

    /// Waits until a process handles or ignores a signal.
    private func waitUntilHandled(_ signal: Int32, by process: Process) throws {
        let bit = UInt64(1) << UInt64(signal - 1)
        let isHandled = try eventually {
            let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let masks = status.split(separator: "\n").filter { $0.hasPrefix("SigCgt:") || $0.hasPrefix("SigIgn:") }
            return masks.contains { line in
                (UInt64(line.split { $0 == "\t" || $0 == ":" }.last ?? "", radix: 16) ?? 0) & bit != 0
            }
        }
        #expect(isHandled)
    }

    @Test func `a signal during the start ends it with 0, and a hang-up does not end it`() async throws {
        for (number, pause) in [(SIGTERM, 0), (SIGINT, 0), (SIGTERM, 10), (SIGTERM, 30), (SIGTERM, 60)] {
            let process = try start()
            // The first statement of the program handles it, which the loader has to reach.
            try waitUntilHandled(number, by: process)
            kill(process.processIdentifier, SIGHUP)
            try await Task.sleep(for: .milliseconds(pause))
            #expect(process.isRunning)
            kill(process.processIdentifier, number)
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 0, "\(number), \(pause)")
        }
    }
}
