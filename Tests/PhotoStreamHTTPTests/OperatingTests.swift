import Foundation
import Logging
import Metrics
import MetricsTestKit
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Synchronization
import Testing

/// The operator's view of a server: counts, logs, whether it is ready.
@Suite struct OperatingTests {
    private static let page = "/v1/streams/gallery/layout/page?width=900&limit=5"

    @Test func `requests are counted and timed by route, method and status`() async throws {
        let metrics = TestMetrics()
        try await TestServer.with(photos: 20, metrics: metrics) { server in
            let template = "/v1/streams/{stream}/layout/page"
            var asked: [(route: String, method: String, status: Int, count: Int)] = []
            func ask(_ method: String, _ target: String, _ count: Int, _ route: String, _ status: Int) throws {
                for _ in 0..<count { #expect(try server.client(method, target).status == status) }
                asked.append((route, route == "none" ? "none" : "GET", status, count))
            }
            try ask("GET", Self.page, 3, template, 200)
            try ask("GET", Self.page.replacing("gallery", with: "unknown"), 2, template, 404)
            try ask("GET", Self.page + "&limit=6", 1, template, 400)
            try ask("GET", "/healthz", 4, "/healthz", 200)
            try ask("GET", "/nothing/here", 2, "none", 404)
            try ask("POST", Self.page, 1, "none", 405)
            for (route, method, status, count) in asked {
                let dimensions = [
                    ("http.route", route), ("http.request.method", method), ("http.response.status_code", "\(status)"),
                ]
                #expect(
                    metrics.counterTotal(label: "http.server.requests", dimensions: dimensions) == count,
                    "\(route) \(status)")
                let times = try metrics.expectTimer("http.server.request.duration", dimensions).values
                #expect(times.count == count && times.allSatisfy { $0 > 0 })
            }
            // No address that a client invents becomes a dimension.
            #expect(metrics.counters(label: "http.server.requests").count == asked.count)
        }
    }

    @Test func `each request is logged with its id and without its parameters`() async throws {
        let records = LogRecords()
        try await TestServer.with(photos: 20, logger: records.logger) { server in
            let cursor = try #require(try server.client("GET", Self.page).json["nextCursor"] as? String)
            let (before, target) = (records.all.count, "/v1/streams/gallery/layout/page")
            let good = try server.client("GET", target + "?limit=5&cursor=\(cursor)")
            let bad = try server.client("GET", target + "?cursor=secret\(cursor)", ["Cookie": "a=secret"])
            #expect(good.status == 200 && bad.status == 400)
            try server.service.close()
            let failed = try server.client("GET", target + "?cursor=\(cursor)")
            #expect(failed.status == 500)
            let told = records.all.dropFirst(before)
            for answer in [good, bad, failed] {
                let id = try #require(answer.fields["x-request-id"])
                let record = try #require(told.first { $0.message == "request" && $0.metadata["hb.request.id"] == id })
                #expect(record.level == .info)
                #expect(record.metadata["method"] == "GET" && record.metadata["path"] == target)
                #expect(record.metadata["operation"] == "getPage")
                #expect(record.metadata["status"] == "\(answer.status)")
                #expect(record.metadata["bytes"] == "\(answer.body.count)")
                #expect(Double(record.metadata["milliseconds"] ?? "") ?? -1 >= 0)
            }
            let errors = told.filter { $0.level >= .error }
            #expect(errors.count == 1)
            #expect(errors.first?.metadata["hb.request.id"] == failed.fields["x-request-id"])
            #expect(errors.first?.metadata["problem"] == "storage-failed")
            #expect(errors.first?.metadata["error"]?.isEmpty == false)
            #expect(records.all.allSatisfy { !$0.text.contains(cursor) && !$0.text.contains("secret") })
            let ids = records.all.filter { $0.message == "request" }.compactMap { $0.metadata["hb.request.id"] }
            #expect(Set(ids).count == ids.count && ids.count == 4)
        }
    }

    @Test func `it is live but not ready if its file is gone`() async throws {
        try await TestServer.with(photos: 1) { server in
            #expect(try server.client("GET", "/readyz").json["status"] as? String == "ready")
            try server.service.close()
            #expect(try eventually { try server.client("GET", "/readyz").status == 500 })
            let readiness = try server.client("GET", "/readyz")
            #expect(readiness.problem == "storage-failed")
            #expect(readiness.fields["cache-control"] == "no-store")
            let health = try server.client("GET", "/healthz")
            #expect(health.status == 200 && health.json["status"] as? String == "running")
        }
    }

    @Test(arguments: [FileFate.moved, .deleted, .replaced])
    func `it is not ready if its file was replaced or removed`(where file: FileFate) async throws {
        try await TestServer.with(photos: 1) { server in
            let (path, aside) = (server.file.path, server.file.path + ".aside")
            #expect(try server.client("GET", "/readyz").status == 200)
            // A second name keeps the file, regardless of the first one.
            try FileManager.default.linkItem(atPath: path, toPath: aside)
            switch file {
            case .deleted: try FileManager.default.removeItem(atPath: path)
            case .moved: try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
            case .replaced:
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.copyItem(atPath: aside, toPath: path)
            }
            #expect(try eventually { try server.client("GET", "/readyz").status == 503 })
            let readiness = try server.client("GET", "/readyz")
            #expect(readiness.problem == "file-moved", "\(readiness.text)")
            #expect(readiness.fields["retry-after"] == "5" && !readiness.text.contains(path))
            #expect(try server.client("GET", "/healthz").status == 200)
            if file == .replaced { try FileManager.default.removeItem(atPath: path) }
            try FileManager.default.moveItem(atPath: aside, toPath: path)
            #expect(try eventually { try server.client("GET", "/readyz").status == 200 })
        }
    }

    /// The fate of a file that is open.
    enum FileFate { case moved, deleted, replaced }

    @Test func `it is ready while all threads are busy`() async throws {
        var settings = ServerSettings()
        settings.requestLimit = 0
        try await TestServer.with(photos: 1, settings: settings, needsTokens: true) { server in
            let token = try server.service.createToken(named: "monitor", scope: .read).token.text
            let proof = ["Authorization": "Bearer \(token)"]
            let refused = try server.client("GET", "/v1/streams", proof)
            #expect(refused.problem == "overloaded")
            #expect(try server.client("GET", "/readyz").status == 200)
            #expect(try server.client("GET", "/healthz").status == 200)
            // Tokens are looked up nevertheless.
            #expect(try server.client("GET", "/metrics", proof).status == 200)
            #expect(try server.client("GET", "/v1/streams").status == 401)
        }
    }

    @Test func `it is not ready, and has no metrics, while the watcher of the file is stuck`() async throws {
        var settings = ServerSettings()
        settings.eventTimes.conditionLimit = .seconds(3)
        let gate = LogGate("event streams end")
        try await TestServer.with(photos: 1, settings: settings, logger: gate.logger) { server in
            defer { gate.open() }
            let reader = try EventReader(server.client)
            #expect(reader.next()?.name == "state")
            #expect(try eventually { try server.client("GET", "/readyz").status == 200 })
            // The watcher logs that another file is at the path, and waits at the gate.
            let other = try TemporaryDatabase()
            try other.open().close()
            let path = server.file.path
            try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
            try FileManager.default.copyItem(atPath: other.path, toPath: path)
            #expect(gate.isReached())
            for target in ["/readyz", "/readyz?write", "/metrics"] {
                var answer = try server.client("GET", target)
                #expect(
                    try eventually {
                        answer = try server.client("GET", target)
                        return answer.status == 503 && answer.problem == "overloaded"
                    }, "\(target) \(answer.text)")
                #expect(answer.fields["retry-after"] == "1")
            }
            #expect(try server.client("GET", "/healthz").status == 200)
            gate.open()
            #expect(try eventually { try server.client("GET", "/readyz").problem == "file-moved" })
            #expect(try !server.client("GET", "/metrics").text.contains("photostream_database_bytes"))
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
            #expect(try eventually { try server.client("GET", "/readyz").status == 200 })
            #expect(try server.client("GET", "/metrics").text.contains("photostream_database_bytes"))
        }
    }

    @Test func `it is ready while another program writes`() async throws {
        try await TestServer.with(photos: 1) { server in
            let holder = try FileHolder(server.file.path)
            #expect(try server.client("GET", "/readyz").status == 200)
            try holder.release()
        }
    }

    @Test func `while it ends, it is not ready and finishes requests`() async throws {
        try await TestServer.with(photos: 1) { server in
            let body = Array("{\"id\":\"late\",\"width\":3,\"height\":2}\n".utf8)
            let descriptor = try server.client.connected()
            defer { close(descriptor) }
            let head = """
                POST /v1/streams/gallery/photos HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/jsonl\r\n\
                Content-Length: \(body.count)\r\nExpect: 100-continue\r\n\r\n
                """
            try HTTPClient.write(Array(head.utf8), to: descriptor)
            // Before that the connection counts as one without a request, and may be closed.
            let told = "HTTP/1.1 100 Continue\r\n\r\n"
            #expect(String(decoding: HTTPClient.readAll(descriptor, atLeast: told.utf8.count), as: UTF8.self) == told)
            try HTTPClient.write(Array(body.prefix(5)), to: descriptor)
            #expect(try server.client("GET", "/readyz").status == 200)
            server.stop()
            var statuses: Set<Int> = []
            let isRefused = eventually {
                guard let status = try? server.client("GET", "/readyz").status else { return true }
                statuses.insert(status)
                return false
            }
            #expect(isRefused && statuses.isSubset(of: [200]))
            try HTTPClient.write(Array(body.dropFirst(5)), to: descriptor)
            let answer = String(decoding: HTTPClient.readAll(descriptor), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains(#""inserted":1"#), "\(answer.prefix(300))")
        }
    }
}

/// A logger at which the first record with a certain beginning waits.
private final class LogGate: Sendable {
    private let beginning: String
    private let (reached, opened) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    init(_ beginning: String) {
        self.beginning = beginning
    }

    var logger: Logger { Logger(label: "test") { _ in Handler(gate: self) } }

    func isReached() -> Bool { reached.wait(timeout: .now() + 60) == .success }

    func open() { opened.signal() }

    private struct Handler: LogHandler {
        let gate: LogGate
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            guard "\(event.message)".hasPrefix(gate.beginning) else { return }
            gate.reached.signal()
            gate.opened.wait()
        }
    }
}

/// The records that a server has logged.
final class LogRecords: Sendable {
    /// One record.
    struct Record: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]

        /// All of it.
        var text: String { message + " " + metadata.map { "\($0)=\($1)" }.sorted().joined(separator: " ") }
    }

    private let records = Mutex<[Record]>([])

    /// The records so far.
    var all: [Record] { records.withLock { $0 } }

    /// A logger that takes note of everything.
    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(records: self) }
        logger.logLevel = .trace
        return logger
    }

    private func add(_ record: Record) {
        records.withLock { $0.append(record) }
    }

    private struct Handler: LogHandler {
        let records: LogRecords
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            records.add(
                Record(level: event.level, message: "\(event.message)", metadata: all.mapValues { "\($0)" }))
        }
    }
}
