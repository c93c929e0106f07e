import ArgumentParser
import Foundation

/// Clients that follow a stream while another process writes to it.
struct HTTPEventsBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "http-events",
        abstract: "The lag of clients that follow a stream, some of which never read, while another process writes.",
        discussion: """
            The sqlite3 shell changes captions of photos, each in a transaction. A lag is the time from just before a write to \
            the moment at which a client has read the event with its revision; every change counts for every client that \
            reads. All share the machine. Needs `ulimit -n` of more than twice the clients.
            """)

    @Option(help: "The number of photos.")
    var count = 100_000

    @Option(help: "The number of clients.")
    var clients = 1_000

    @Option(help: "The number of clients among them that never read.")
    var stalled = 50

    @Option(help: "The number of writes a second.")
    var writes = 1_000

    @Option(help: "The seconds of the load.")
    var seconds = 60

    @Option(help: "The photostream command; default is the main package's release build.")
    var photostream: String?

    func run() throws {
        let command = try Tool.photostream(photostream)
        setenv("PHOTOSTREAM_CONNECTIONS", "\(2 * clients + 100)", 1)
        setenv("PHOTOSTREAM_EVENT_CLIENTS", "\(clients)", 1)
        try Tool.withFolder { folder in
            let subject = try HTTPSubject(command, count: count, in: folder)
            defer { subject.server.stop() }
            let client = try SocketClient(port: subject.server.port)
            func ask(_ target: String) throws -> [String: Any] {
                let body = try client.get("/v1/streams/bench\(target)", accept: "application/json").body
                return try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
            }
            let photos = (try ask("/photos?limit=1000")["photos"] as? [[String: Any]] ?? []).compactMap {
                $0["id"] as? String
            }
            guard let state = try ask("")["state"] as? String, !photos.isEmpty else {
                throw Tool.Failure(description: "the stream has no photos")
            }
            let load = EventLoad(
                port: subject.server.port, file: subject.file, stream: "bench", photos: photos, clients: clients,
                stalled: stalled, writesPerSecond: writes, seconds: seconds)
            let before = (memory: try subject.server.ownMemory(), time: try subject.server.processorTime())
            let result = try load.run(since: state)
            let time = try subject.server.processorTime() - before.time
            print("\(clients) clients, of which \(stalled) never read; \(writes) writes a second for \(seconds) s")
            print("lag in ms: p50 \(result.lag(0.5)), p99 \(result.lag(0.99)), worst \(result.lag(1))")
            print("messages \(result.messages), of which resync \(result.resyncs)")
            print("closed: \(result.closedStalled) that never read, \(result.closedOthers) others")
            print(
                "server: \(before.memory) MB before, \(try subject.server.ownMemory()) after, "
                    + "\(try subject.server.peakMemory()) at most (with maps); processor \(cell(time, places: 1)) s")
        }
    }
}
