import Foundation
import PhotoStreamTestSupport
import Synchronization
import Testing

/// `kill -9` of servers that take uploads: no picture without a photo is left, and no photo without a picture.
///
/// `PHOTOSTREAM_UPLOAD_KILLS=500 swift test --filter UploadKillTests` kills more often.
@Suite struct UploadKillTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try photostream("streams", "create", "holiday")
        try FileManager.default.createDirectory(at: photostream.url("new"), withIntermediateDirectories: false)
    }

    /// The servers that run, and the names that were acknowledged.
    private struct State {
        var ports: [String] = []
        var acknowledged: Set<String> = []
        var uploaderCount = 4
        var isOver = false
    }

    private func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: photostream.url("new").path))
    }

    private func photos() throws -> Set<String> {
        let runner = ProcessRunner(folder: photostream.folder.path)
        let database = photostream.url("photostream.sqlite").path
        return Set(try runner.sqlite(database, "SELECT externalId FROM photo").split(separator: "\n").map(String.init))
    }

    @Test func `uploads to servers that are killed leave both a file and its photo, or neither`() throws {
        let kills = ProcessInfo.processInfo.environment["PHOTOSTREAM_UPLOAD_KILLS"].flatMap(Int.init) ?? 16
        let picture = [UInt8](try Data(contentsOf: Command.samples.appending(path: "pictures/orientation-6.jpg")))
        let folder = photostream.folder
        let state = Mutex(State())
        func start() throws -> ServedFile { try ServedFile(in: folder, "--uploads", "holiday=new") }
        var servers = [try start(), try start()]
        state.withLock { $0.ports = servers.map(\.port) }
        for number in 0..<4 {
            Thread.detachNewThread {
                defer { state.withLock { $0.uploaderCount -= 1 } }
                var count = 0
                while true {
                    let (port, isOver) = state.withLock { ($0.ports[number % 2], $0.isOver) }
                    if isOver { return }
                    count += 1
                    let name = "\(number)-\(count).jpg"
                    let head = """
                        POST /v1/streams/holiday/pictures?name=\(name) HTTP/1.1\r
                        Content-Type: image/jpeg\r
                        Content-Length: \(picture.count)
                        """
                    guard RawRequest(head, body: picture, port: port)?.status() == 201 else { continue }
                    state.withLock { _ = $0.acknowledged.insert(name) }
                }
            }
        }
        var random = SplitMix64(seed: 77)
        for round in 0..<kills {
            // The test is about random moments of wall time, so this wait is intended.
            Thread.sleep(forTimeInterval: 0.05 + random.fraction() * 0.6)
            let killed = random.int(in: 0...1)
            servers[killed].signal(SIGKILL)
            _ = servers[killed].end()
            servers[killed] = try start()
            #expect(!servers[killed].port.isEmpty, "round \(round)")
            state.withLock { $0.ports[killed] = servers[killed].port }
        }
        state.withLock { $0.isOver = true }
        #expect(eventually { state.withLock { $0.uploaderCount } == 0 })
        for server in servers {
            server.signal(SIGTERM)
            _ = server.end()
        }
        // What the last kill left is finished at the next start.
        let last = try start()
        defer { last.signal(SIGTERM) }
        #expect(try eventually { try names() == photos() })
        let (files, acknowledged) = (try names(), state.withLock { $0.acknowledged })
        #expect(!acknowledged.isEmpty && acknowledged.isSubset(of: files), "\(acknowledged.subtracting(files))")
        #expect(files.allSatisfy { !$0.hasPrefix(".") })
        let runner = ProcessRunner(folder: photostream.folder.path)
        let database = photostream.url("photostream.sqlite").path
        #expect(try eventually { try runner.sqlite(database, "SELECT count(*) FROM upload") == "0\n" })
    }
}
