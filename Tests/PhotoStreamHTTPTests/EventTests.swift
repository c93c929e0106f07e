import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// The events of a stream.
@Suite struct EventTests {
    private static let stream = "/v1/streams/gallery"
    private static let target = stream + "/events"
    private static let json = ["Content-Type": "application/json"]

    private static func revision(_ server: TestServer) throws -> Int {
        try #require(try server.client("GET", stream).json["revision"] as? Int)
    }

    private static func state(_ server: TestServer) throws -> String {
        try #require(try server.client("GET", stream).json["state"] as? String)
    }

    /// The state of an earlier revision.
    private static func state(_ server: TestServer, at revision: Int) throws -> String {
        let database = try server.file.open(.existing)
        defer { try? database.close() }
        return try database.read { try $0.tagged(Int64(revision)).state }
    }

    /// Adds or replaces a photo.
    private static func put(_ id: String, _ server: TestServer, caption: String = "new") throws {
        let body = Array(#"{"width":3,"height":2,"caption":"\#(caption)"}"#.utf8)
        let answer = try server.client("PUT", "\(stream)/photos/\(id)", json, body: body)
        try #require([200, 201].contains(answer.status), "\(answer.text)")
    }

    @Test func `events begin with the retry time and the state`() async throws {
        try await TestServer.with(photos: 3) { server in
            let reader = try EventReader(server.client, Self.target, ["Accept-Encoding": "gzip"])
            #expect(reader.status == 200)
            #expect(reader.fields["content-type"] == "text/event-stream")
            #expect(reader.fields["cache-control"] == "no-cache, no-transform")
            #expect(reader.fields["x-accel-buffering"] == "no")
            #expect(reader.fields["content-encoding"] == nil && reader.fields["content-length"] == nil)
            let first = try #require(reader.nextBlock())
            #expect(first.name == nil && (2_000...5_000).contains(first.retry ?? 0))
            let second = try #require(reader.nextBlock())
            let revision = try Self.revision(server)
            #expect(
                try second.name == "state" && second.id == Self.state(server)
                    && second.json["revision"] as? Int == revision)
            let times = try (0..<10).map { _ in try EventReader(server.client).nextBlock()?.retry }
            #expect(Set(times).count > 5)
        }
    }

    @Test func `HEAD returns the fields without events`() async throws {
        try await TestServer.with(photos: 1) { server in
            let answer = try server.client("HEAD", Self.target)
            #expect(answer.status == 200 && answer.fields["content-type"] == "text/event-stream")
            #expect(answer.body.isEmpty)
        }
    }

    /// A write, and the change that it makes.
    struct Write: Sendable, CustomTestStringConvertible {
        let method: String
        let target: String
        var type = "application/json"
        var body = ""
        let change: String

        var testDescription: String { "\(method) \(target)" }
    }

    @Test(arguments: [
        Write(method: "PUT", target: "/photos/added", body: #"{"width":3,"height":2}"#, change: "inserted added"),
        Write(
            method: "PATCH", target: "/photos/photo-1", type: "application/merge-patch+json",
            body: #"{"caption":"edited"}"#, change: "updated photo-1"),
        Write(method: "DELETE", target: "/photos/photo-2", change: "deleted photo-2"),
        Write(method: "POST", target: "/photos/photo-1/move", body: #"{"after":"photo-5"}"#, change: "moved photo-1"),
        Write(
            method: "POST", target: "/photos", type: "application/jsonl",
            body: #"{"id":"imported","width":3,"height":2}"# + "\n", change: "inserted imported"),
    ])
    func `a write sends a change in the form of the changes operation`(write: Write) async throws {
        try await TestServer.with(photos: 8) { server in
            let readers = try (0..<3).map { _ in try EventReader(server.client) }
            let before = try #require(readers.map { $0.next("state") }.first??.id)
            let answer = try server.client(
                write.method, Self.stream + write.target, write.body.isEmpty ? [:] : ["Content-Type": write.type],
                body: write.body.isEmpty ? nil : Array(write.body.utf8))
            try #require((200..<300).contains(answer.status), "\(answer.text)")
            let changes = try server.client(
                "GET", "\(Self.stream)/changes?since=\(before)", ["Accept": "application/json"])
            for reader in readers {
                let event = try #require(reader.next())
                #expect(event.name == "change" && event.changes == [write.change])
                #expect(event.data == changes.text && event.id == event.json["state"] as? String)
                #expect(try event.id == Self.state(server))
            }
        }
    }

    @Test(arguments: [("DELETE", "gallery?with-photos=true", ""), ("PATCH", "gallery", #"{"stream":"renamed"}"#)])
    func `deleting a stream ends its events`(method: String, target: String, body: String) async throws {
        try await TestServer.with(photos: 5) { server in
            let reader = try EventReader(server.client)
            #expect(reader.next()?.name == "state")
            let answer = try server.client(
                method, "/v1/streams/" + target, body.isEmpty ? [:] : Self.json,
                body: body.isEmpty ? nil : Array(body.utf8))
            try #require((200..<300).contains(answer.status))
            // Deleting takes several transactions: the photos, then the stream.
            var last: EventReader.Event?
            while let event = reader.next() { last = event }
            #expect(last?.name == "resync" && last?.id != nil)
            #expect(try server.client("GET", Self.target).problem == "unknown-stream")
        }
    }

    @Test func `a new stream of the same name requires a resync`() async throws {
        try await TestServer.with(photos: 5) { server in
            let reader = try EventReader(server.client)
            #expect(reader.next()?.name == "state")
            let before = try EventReader(server.client).next()?.id ?? ""
            // In one transaction, so that no look comes between.
            try server.shell(
                """
                BEGIN; UPDATE stream SET name = 'old' WHERE name = 'gallery';
                INSERT INTO stream (name, createdAtMilliseconds, streamOrder)
                    SELECT 'gallery', 1, streamOrder FROM stream WHERE name = 'old'; COMMIT
                """)
            let event = try #require(reader.next())
            #expect(event.name == "resync" && event.id == "0")
            #expect(
                try EventReader(server.client, Self.target, ["Last-Event-ID": "\(before)"]).next()?.name == "resync")
        }
    }

    @Test func `a client that reconnects receives the changes that it missed`() async throws {
        try await TestServer.with(photos: 3) { server in
            let start = try Self.state(server)
            for number in 0..<3 { try Self.put("late-\(number)", server) }
            let now = try Self.state(server)
            let revision = try Self.revision(server)
            func first(_ query: String, _ id: String? = nil) throws -> EventReader.Event? {
                try EventReader(
                    server.client, Self.target + query, id.map { ["Last-Event-ID": $0] } ?? [:]
                ).next()
            }
            let all = (0..<3).map { "inserted late-\($0)" }
            for event in [try first("", start), try first("?since=\(start)"), try first("?since=\(now)", start)] {
                #expect(event?.name == "change" && event?.id == now)
                #expect(Set(event?.changes ?? []) == Set(all))
            }
            #expect(try first("", Self.state(server, at: revision - 1))?.changes == ["inserted late-2"])
            for event in [try first("", now), try first("?since=\(now)"), try first("?since=0", now)] {
                #expect(event?.name == "state" && event?.id == now)
            }
            #expect(try first("", "\(revision + 1).1")?.name == "resync")
            // A revision alone, or with the tag of another history.
            #expect(try first("", "\(revision)")?.name == "resync")
            #expect(try first("?since=\(revision - 1).1")?.name == "resync")
            #expect(try first("?since=0")?.changes.count == 6)
        }
    }

    @Test func `up to a hundred changes are sent, more require a resync`() async throws {
        try await TestServer.with(photos: 0) { server in
            let reader = try EventReader(server.client)
            #expect(reader.next()?.name == "state")
            try TestServer.load(SampleRecords.records(100), into: TestServer.stream, of: server.file)
            let event = try #require(reader.next())
            #expect(event.name == "change" && event.changes.count == 100)
            try TestServer.load(SampleRecords.records(101, from: 200), into: TestServer.stream, of: server.file)
            let other = try #require(reader.next())
            #expect(try other.name == "resync" && other.id == Self.state(server))
            #expect(other.json["state"] as? String == other.id)
            #expect(try EventReader(server.client, Self.target + "?since=0").next()?.name == "resync")
            // Few changes with long texts.
            let records = SampleRecords.records(10, from: 900).map { record in
                var record = record
                record.caption = .set(String(repeating: "long ", count: 12_000))
                return record
            }
            try TestServer.load(records, into: TestServer.stream, of: server.file)
            #expect(reader.next()?.name == "resync")
            try Self.put("short", server)
            #expect(reader.next()?.changes == ["inserted short"])
        }
    }

    @Test func `during an import, resyncs become less frequent`() async throws {
        try await TestServer.with(photos: 0) { server in
            let reader = try EventReader(server.client)
            #expect(reader.next()?.name == "state")
            let start = ContinuousClock.now
            var count = 0
            while ContinuousClock.now - start < .seconds(2.5) {
                let records = SampleRecords.records(150, from: 1_000 + count)
                try TestServer.load(records, into: TestServer.stream, of: server.file)
                count += 150
            }
            let end = try Self.state(server)
            var ids: [String] = []
            while ids.last != end {
                let event = try #require(reader.next())
                #expect(event.name == "resync")
                ids.append(event.id ?? "")
            }
            // After 100, 200, 400 and 800 ms, then once a second.
            let most = Int((reader.readAt - start) / .seconds(1)) + 5
            #expect((1...most).contains(ids.count), "\(ids)")
        }
    }

    @Test func `a change that was removed from the log requires a resync`() async throws {
        let file = try TemporaryDatabase()
        let service = try PhotoStreamService(
            path: file.path, access: .readWrite, chunkSize: .standard,
            log: ChangeLog(keptRowCount: 5, slackRowCount: 1), primary: file.primary
        ) { 1 }
        try service.createStream(TestServer.stream)
        try await TestServer.with(service, file) { server in
            for number in 0..<20 { try Self.put("p\(number)", server) }
            #expect(try EventReader(server.client, Self.target + "?since=2").next()?.name == "resync")
            let now = try Self.revision(server)
            #expect(
                try EventReader(server.client, Self.target + "?since=\(Self.state(server, at: now - 2))").next()?
                    .changes.count == 2)
        }
    }

    @Test func `each commit of another process arrives`() async throws {
        try await TestServer.with(photos: 9) { server in
            let reader = try EventReader(server.client)
            #expect(reader.next()?.name == "state")
            for number in 0..<9 {
                try server.shell("UPDATE photo SET caption = 'other \(number)' WHERE externalId = 'photo-1'")
                #expect(reader.next()?.changes == ["updated photo-1"])
            }
        }
    }

    @Test func `a client receives at most one message in 50 ms`() async throws {
        try await TestServer.with(photos: 3) { server in
            let readers = try (0..<2).map { _ in try EventReader(server.client) }
            for reader in readers { #expect(reader.next()?.name == "state") }
            let start = ContinuousClock.now
            for number in 0..<300 { try Self.put("photo-1", server, caption: "\(number)") }
            let end = try Self.state(server)
            for reader in readers {
                var count = 0
                while let event = reader.next() {
                    count += 1
                    if event.id == end { break }
                }
                let most = Int((reader.readAt - start) / .milliseconds(50)) + 2
                #expect(count > 0 && count <= most, "\(count) messages, at most \(most)")
            }
        }
    }

    @Test func `comments keep an idle connection open`() async throws {
        var settings = ServerSettings()
        settings.idleSeconds = 1
        settings.eventTimes.heartbeat = .milliseconds(300)
        try await TestServer.with(photos: 1, settings: settings) { server in
            let reader = try EventReader(server.client)
            #expect(reader.next()?.name == "state")
            let start = ContinuousClock.now
            for _ in 0..<10 { #expect(reader.nextBlock()?.isComment == true) }
            #expect(reader.readAt - start > .seconds(2.9))
            try Self.put("added", server)
            #expect(reader.next()?.changes == ["inserted added"])
        }
        settings.eventTimes.heartbeat = .seconds(3_600)
        try await TestServer.with(photos: 1, settings: settings) { server in
            let reader = try EventReader(server.client)
            #expect(reader.next()?.name == "state")
            Thread.sleep(forTimeInterval: 2.5)
            try Self.put("added", server)
            #expect(reader.next()?.changes == ["inserted added"])
        }
    }

    @Test func `a server that ends sends bye and does not wait for clients`() async throws {
        var settings = ServerSettings()
        settings.endSeconds = 60
        try await TestServer.with(photos: 1, settings: settings) { server in
            let readers = try (0..<5).map { _ in try EventReader(server.client) }
            for reader in readers { #expect(reader.next()?.name == "state") }
            server.stop()
            for reader in readers {
                let event = reader.next()
                #expect(event?.name == "bye" && event?.data == "{}" && event?.id == nil)
                #expect(reader.nextBlock() == nil)
            }
            let start = ContinuousClock.now
            #expect(eventually { (try? server.client("GET", "/healthz")) == nil })
            #expect(ContinuousClock.now - start < .seconds(30))
        }
    }

    @Test func `clients beyond the limit are refused`() async throws {
        var settings = ServerSettings()
        settings.eventClients = 2
        try await TestServer.with(photos: 1, settings: settings) { server in
            var readers = try (0..<2).map { _ in try EventReader(server.client) }
            for reader in readers { #expect(reader.next()?.name == "state") }
            let refused = try server.client("GET", Self.target)
            #expect(refused.status == 503 && refused.problem == "overloaded" && refused.fields["retry-after"] != nil)
            #expect(try server.client("GET", Self.stream).status == 200)
            readers.removeLast()
            #expect(eventually { (try? EventReader(server.client).next()?.name) == "state" })
        }
    }

    @Test func `clients that disconnect immediately free their slots`() async throws {
        var settings = ServerSettings()
        settings.eventClients = 2
        try await TestServer.with(photos: 1, settings: settings) { server in
            let request = Array("GET \(Self.target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            for _ in 0..<400 {
                let socket = try server.client.connected()
                try HTTPClient.write(request, to: socket)
                close(socket)
            }
            var readers: [EventReader] = []
            let areFree = try eventually {
                let reader = try EventReader(server.client)
                if reader.status == 200 { readers.append(reader) }
                return readers.count == 2
            }
            #expect(areFree)
        }
    }

    @Test func `event streams take no slots from requests`() async throws {
        var settings = ServerSettings()
        (settings.readers, settings.requestLimit) = (1, 1)
        try await TestServer.with(photos: 3, settings: settings) { server in
            let readers = try (0..<40).map { _ in try EventReader(server.client) }
            for reader in readers { #expect(reader.status == 200) }
            try Self.put("added", server)
            #expect(try server.client("GET", Self.stream + "/photos/added").status == 200)
            for reader in readers { #expect(reader.next() != nil) }
        }
    }

    @Test(
        arguments: [
            ("/v1/streams/none/events", [:], 404, "unknown-stream"),
            (target + "?since=-1", [:], 400, "invalid-parameter"), (target + "?since=x", [:], 400, "invalid-parameter"),
            (target, ["Last-Event-ID": "x"], 400, "invalid-parameter"),
            (target, ["Last-Event-ID": "3."], 400, "invalid-parameter"),
            (target, ["Last-Event-ID": "-3"], 400, "invalid-parameter"),
            (target + "?revision=1", [:], 400, "unknown-parameter"),
            (target, ["Accept": "application/json"], 406, "not-acceptable"),
        ] as [(String, [String: String], Int, String)])
    func `invalid subscriptions are problems`(
        target: String, fields: [String: String], status: Int, problem: String
    ) async throws {
        try await TestServer.with(photos: 1) { server in
            let answer = try server.client("GET", target, fields)
            #expect(answer.status == status && answer.problem == problem, "\(answer.text)")
        }
    }

    @Test func `new thumbnails are reported at most once a second`() async throws {
        let file = try TemporaryDatabase()
        let now = { @Sendable in Int64(Date().timeIntervalSince1970 * 1_000) }
        let service = try PhotoStreamService(path: file.path, access: .readWrite, primary: file.primary, now: now)
        try service.createStream(TestServer.stream)
        try TestServer.load(SampleRecords.records(4), into: TestServer.stream, of: file)
        try await TestServer.with(service, file) { server in
            let readers = [try EventReader(server.client), try EventReader(server.client)]
            let state = try Self.state(server)
            for reader in readers { #expect(reader.next()?.name == "state") }
            let start = ContinuousClock.now
            for _ in 0..<10 {
                try TestServer.notePicture(in: file, now: now())
                Thread.sleep(forTimeInterval: 0.15)
            }
            for reader in readers {
                let numbers = (0..<2).map { _ in reader.next("pictures") }
                let counters = numbers.compactMap { $0?.json["pictureRevision"] as? Int }
                #expect(counters.count == 2 && counters == counters.sorted() && Set(counters).count == 2)
                #expect(numbers.allSatisfy { $0?.id == nil })
                // At once, then after a second.
                #expect(reader.readAt - start > .milliseconds(900))
            }
            // The last step is due then.
            Thread.sleep(forTimeInterval: 1.2)
            // A client that comes back cannot know which it has missed.
            let back = try EventReader(server.client, Self.target, ["Last-Event-ID": state])
            #expect(back.next()?.name == "state")
            #expect(back.next()?.name == "pictures")
            // One that has just read the stream has missed none.
            let new = try EventReader(server.client, Self.target + "?since=\(state)")
            #expect(new.next()?.name == "state")
            try Self.put("added", server)
            #expect(new.next()?.name == "change")
        }
    }

    @Test func `replacing the file ends events`() async throws {
        try await TestServer.with(photos: 3) { server in
            let reader = try EventReader(server.client)
            #expect(reader.next()?.name == "state")
            let (path, other) = (server.file.path, try TemporaryDatabase())
            try other.open().close()
            try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
            try FileManager.default.copyItem(atPath: other.path, toPath: path)
            #expect(reader.next()?.name == "bye")
            #expect(reader.next() == nil)
            let answer = try server.client("GET", Self.target)
            #expect(answer.status == 503 && answer.problem == "file-moved" && answer.fields["retry-after"] != nil)
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
            let again = try EventReader(server.client)
            #expect(again.next()?.name == "state")
            try Self.put("added", server)
            #expect(again.next()?.changes == ["inserted added"])
        }
    }

    @Test func `a read-only file can be followed`() async throws {
        let file = try TemporaryDatabase()
        let writing = try PhotoStreamService(path: file.path, access: .readWrite, primary: file.primary) { 1 }
        try writing.createStream(TestServer.stream)
        try TestServer.load(SampleRecords.records(3), into: TestServer.stream, of: file)
        let reading = try PhotoStreamService(path: file.path, access: .readOnly) { 1 }
        try await TestServer.with(reading, file) { server in
            let reader = try EventReader(server.client)
            #expect(reader.next()?.name == "state")
            try TestServer.load(SampleRecords.records(1, from: 5), into: TestServer.stream, of: file)
            #expect(reader.next()?.changes == ["inserted photo-5"])
        }
        try writing.close()
    }

    @Test func `a client that does not read is disconnected, and others continue`() async throws {
        var settings = ServerSettings()
        settings.eventTimes.clientTimeout = .seconds(1)
        let records = LogRecords()
        try await TestServer.with(photos: 2, settings: settings, logger: records.logger) { server in
            let stalled = try server.client.connected(window: 4_096)
            defer { close(stalled) }
            try HTTPClient.write(
                Array("GET \(Self.target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), to: stalled)
            _ = HTTPClient.readAll(stalled, atLeast: 1)
            let reader = try EventReader(server.client)
            #expect(reader.next()?.name == "state")
            // More than the system accepts for a client that does not read.
            let caption = String(repeating: "long ", count: 12_000)
            let closed = { records.all.contains { $0.message.hasPrefix("connections were closed whose") } }
            var number = 0
            while !closed(), number < 2_000 {
                number += 1
                try Self.put("long", server, caption: "\(caption) \(number)")
                #expect(reader.next()?.changes == [(number == 1 ? "inserted" : "updated") + " long"])
            }
            #expect(closed())
            #expect(number * caption.utf8.count < 100 << 20)
            try Self.put("after", server)
            #expect(reader.next()?.changes == ["inserted after"])
        }
    }

    /// Follows a stream by its events alone, and connects again now and then.
    @Test(arguments: [1 as UInt64, 2, 3])
    func `events lead to the state of the stream`(seed: UInt64) async throws {
        try await TestServer.with(photos: 10) { server in
            var random = SplitMix64(seed: seed)
            var (ids, last): (Set<String>, String?) = ([], "0")
            var reader = try EventReader(server.client, Self.target + "?since=0")
            /// Applies events until that revision.
            func follow(to state: String) throws {
                while last != state {
                    let event = try #require(reader.next())
                    switch event.name {
                    case "change":
                        #expect(event.json["sinceState"] as? String == last)
                        for change in event.json["changes"] as? [[String: Any]] ?? [] {
                            let (kind, id) = (change["change"] as? String, change["id"] as? String ?? "")
                            if kind == "deleted" {
                                #expect(ids.remove(id) != nil)
                            } else if kind == "inserted" {
                                #expect(ids.insert(id).inserted)
                            } else {
                                #expect(ids.contains(id))
                            }
                        }
                    case "state": #expect(event.id == last)
                    case "pictures": continue
                    default: Issue.record("\(event)")
                    }
                    last = event.id
                }
            }
            func writeSome() throws {
                for _ in 0..<Int.random(in: 1...20, using: &random) {
                    let id = "p\(Int.random(in: 0..<12, using: &random))"
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: _ = try server.client("DELETE", "\(Self.stream)/photos/\(id)")
                    case 1: try Self.put(id, server, caption: "\(random.next())")
                    default:
                        _ = try server.client(
                            "POST", "\(Self.stream)/photos/\(id)/move", Self.json,
                            body: Array(#"{"after":"photo-\#(Int.random(in: 0..<3, using: &random))"}"#.utf8))
                    }
                }
            }
            for round in 0..<12 {
                try writeSome()
                if round % 3 == 2 {
                    reader = try EventReader(server.client, Self.target, ["Last-Event-ID": last ?? "0"])
                    try writeSome()
                }
                // A write that is seen for certain.
                try Self.put("marker-\(round)", server)
                try follow(to: try Self.state(server))
                let photos = try server.client("GET", Self.stream + "/photos?limit=100").json["photos"]
                let expected = try #require(photos as? [[String: Any]]).compactMap { $0["id"] as? String }
                #expect(ids == Set(expected))
            }
        }
    }
}
