import Foundation
import PhotoStreamTestSupport
import Testing

/// The end of `photostream serve` in every possible state: within its time, and with its work cancelled.
///
/// One after the other, since each of them keeps all processors busy.
@Suite(.serialized) struct ServeEndStateTests {
    /// The state of a server when it receives the signal to end.
    enum State: String, CaseIterable {
        case idle, halfHead, halfBody, unreadAnswer, coldFold, optimalBreaks, stats, importing, chunking
        case waitingWrite, storing, lockedStoring
    }

    private static let photoCount = 300_000
    /// More than run at once, so that work is running however fast the machine is.
    private static let clientCount = 24
    /// The time that a test allows beyond the settings, for a process to be scheduled on a busy machine.
    private static let margin = Duration.seconds(10)

    /// A file with many photos and without derived data.
    private static let template = Result {
        let photostream = try Command()
        try photostream.makeManyPhotos(photoCount)
        return photostream
    }

    private let photostream: Command
    private var path: String { photostream.url("photostream.sqlite").path }

    init() throws {
        photostream = try Command()
        try FileManager.default.copyItem(
            at: try Self.template.get().url("photostream.sqlite"), to: photostream.url("photostream.sqlite"))
    }

    @Test(arguments: State.allCases) func `it ends within its seconds`(state: State) throws {
        let server = try serve(endSeconds: 1)
        let scene = try Scene(state, server, path)
        let start = ContinuousClock.now
        server.signal(SIGTERM)
        let (status, errors) = server.end()
        let length = start.duration(to: .now)
        try scene.end()
        #expect(status == 0, "\(errors)")
        #expect(length < .seconds(1) + Self.margin, "\(errors)")
    }

    @Test(arguments: State.allCases) func `running work is cancelled by a second signal`(state: State) throws {
        let server = try serve(endSeconds: 86_400)
        let scene = try Scene(state, server, path)
        server.signal(SIGTERM)
        // Connections are refused after the first signal.
        while server.isRunning, try !server.curl("/healthz").isEmpty {}
        let start = ContinuousClock.now
        server.signal(SIGTERM)
        let (status, errors) = server.end()
        let length = start.duration(to: .now)
        try scene.end()
        #expect(status == 0, "\(errors)")
        #expect(length < Self.margin, "\(errors)")
    }

    private func serve(endSeconds: Int) throws -> ServedFile {
        try ServedFile(
            in: photostream.folder,
            environment: ["PHOTOSTREAM_END_SECONDS": "\(endSeconds)", "PHOTOSTREAM_IDLE_SECONDS": "86400"])
    }

    /// Clients that bring a server into a state.
    private final class Scene {
        private var clients: [Int32] = []
        private var holder: FileHolder?
        private let server: ServedFile

        init(_ state: State, _ server: ServedFile, _ path: String) throws {
            self.server = server
            switch state {
            case .idle: #expect(try server.curl("/healthz").contains("running"))
            case .halfHead:
                clients = [server.send(Self.get("/healthz") + "GET /v1/str")]
                awaitAnswer()
            case .halfBody:
                clients = [server.send(Self.posting(Self.get("/healthz"), 100, "{\"id\""))]
                awaitAnswer()
            case .unreadAnswer:
                let target = "/v1/streams/many/photos?limit=1000"
                clients = [server.send(String(repeating: Self.get(target), count: 1_000))]
                awaitAnswer()
            case .coldFold: try ask { "/v1/streams/many/layout?width=\(700 + $0)" }
            case .optimalBreaks:
                // All photos are wide enough to be alone on a line, and none has to be.
                try ask {
                    """
                    /v1/streams/many/layout?width=\(90_000 + $0)&algorithm=justified&breaks=optimal\
                    &breakout-every=1000000
                    """
                }
            case .stats: try ask { _ in "/v1/streams/many/stats" }
            case .importing:
                let records = (0..<300_000).map { #"{"id":"new-\#($0)","width":640,"height":480}"# }
                let body = records.joined(separator: "\n")
                clients = [server.send(Self.posting("", body.utf8.count, body))]
                try #require(try eventually { try Self.photoCount(server) > ServeEndStateTests.photoCount })
            case .chunking:
                // The record is imported at once; the data derived from all photos take long.
                let body = #"{"id":"new","width":640,"height":480}"#
                try work { clients = [server.send(Self.posting("", body.utf8.count, body))] }
            case .waitingWrite:
                holder = try FileHolder(path)
                let body = #"{"caption":"new"}"#
                clients = [
                    server.send(
                        """
                        PATCH /v1/streams/many/photos/photo-9 HTTP/1.1\r\nHost: localhost\r\n\
                        Content-Type: application/merge-patch+json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
                        """)
                ]
                // The next request is answered while the write waits.
                #expect(try server.curl("/healthz").contains("running"))
            case .storing, .lockedStoring:
                #expect(try server.curl("/v1/streams/many/layout?width=900").contains("contentSize"))
                if state == .lockedStoring { holder = try FileHolder(path) }
            }
        }

        /// Closes the connections of the clients.
        func end() throws {
            for client in clients { close(client) }
            try holder?.release()
        }

        private static func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n" }

        private static func posting(_ before: String, _ length: Int, _ body: String) -> String {
            """
            \(before)POST /v1/streams/many/photos HTTP/1.1\r\nHost: localhost\r\n\
            Content-Type: application/jsonl\r\nContent-Length: \(length)\r\n\r\n\(body)
            """
        }

        private static func photoCount(_ server: ServedFile) throws -> Int {
            try server.json("/v1/streams/many")["count"] as? Int ?? 0
        }

        /// Waits for the first byte of an answer.
        private func awaitAnswer() {
            var byte: UInt8 = 0
            for client in clients { #expect(recv(client, &byte, 1, 0) == 1) }
        }

        /// Sends requests that take long.
        private func ask(_ target: (Int) -> String) throws {
            try work { clients = (0..<ServeEndStateTests.clientCount).map { server.ask(target($0)) } }
        }

        /// Begins work that takes long, and waits until the server has spent some time on it.
        private func work(_ begin: () -> Void) throws {
            let before = server.processorSeconds
            begin()
            try #require(eventually { server.processorSeconds > before + 0.3 })
        }
    }
}
