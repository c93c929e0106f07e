import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamPrimary
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import ServiceLifecycle
import Synchronization
import Testing

/// A server whose file is a replica.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct ReplicaRouteTests {
    private static func with(
        _ primary: TestPrimary, needsTokens: Bool = false,
        _ test: @escaping @Sendable (TestServer, Follower) throws -> Void
    ) async throws {
        let file = try TemporaryDatabase()
        let own = PostgresPrimary(primary.address)
        if TestPrimary.isOn { try FileManager.default.removeItem(atPath: file.path) }
        try ReplicaFile.prepare(file.path, of: own)
        let service = try PhotoStreamService(path: file.path, access: .existing, primary: own) { 1 }
        let follower = Follower(own, of: service.database, name: file.path)
        follower.start()
        defer { follower.stop() }
        try await TestServer.with(service, file, needsTokens: needsTokens, follower: follower) {
            try test($0, follower)
        }
    }

    private static func primary(on server: PostgresServer? = nil) throws -> TestPrimary {
        let primary = try TestPrimary(on: server)
        try primary.psql(
            """
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('gallery', 1);
            INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'p' || i, 40, 30 FROM generate_series(1, 9) i
            """)
        return primary
    }

    private static let photo = "/v1/streams/gallery/photos/p1"

    @Test func `a write at one server is visible at another by its revision`() async throws {
        let primary = try Self.primary()
        try await Self.with(primary) { first, _ in
            let other = PostgresPrimary(primary.address)
            let file = try TemporaryDatabase(name: "other.sqlite")
            if TestPrimary.isOn { try FileManager.default.removeItem(atPath: file.path) }
            try ReplicaFile.prepare(file.path, of: other)
            let database = try PhotoDatabase(path: file.path, access: .existing, primary: other)
            let written = try database.write { writer in
                var record = PhotoRecord(id: PhotoID(stored: "p1"))
                record.title = .set("new")
                return try writer.edit(streamID: 1, record: record)
            }
            #expect(written?.photo.title == "new")
            let state = try #require(try database.read { try $0.logEnd() })
            // A busy server may need more than the half second for which it waits.
            #expect(
                try eventually {
                    let answer = try first.client("GET", Self.photo, ["If-Revision-At-Least": state.state])
                    return answer.status == 200 && answer.json["title"] as? String == "new"
                })
            let later = try first.client("GET", Self.photo, ["If-Revision-At-Least": "\(state.rawValue + 1).1"])
            #expect(later.status == 503 && later.problem == "revision-missing")
            #expect(later.fields["retry-after"] == "1")
            // The tag of another history, and a revision alone.
            for lost in ["\(state.rawValue).1", "\(state.rawValue)", "\(state.rawValue + 1)"] {
                let refused = try first.client("GET", Self.photo, ["If-Revision-At-Least": lost])
                #expect(refused.status == 409 && refused.problem == "other-revision", "\(lost)")
            }
            let patched = try first.client(
                "PATCH", Self.photo, ["Content-Type": "application/json"], body: Array("{\"title\":\"newer\"}".utf8))
            #expect(
                patched.status == 200
                    && patched.fields["photostream-revision"]?.hasPrefix("\(state.rawValue + 1).") == true)
        }
    }

    @Test func `a server without its primary answers reads with a warning`() async throws {
        let server = try PostgresServer()
        try await Self.with(Self.primary(on: server)) { first, follower in
            #expect(try first.client("GET", "/readyz").json["warning"] == nil)
            let tag = try first.client("GET", Self.photo).fields["etag"]
            server.stop()
            let refused = try first.client(
                "PATCH", Self.photo, ["Content-Type": "application/json"], body: Array("{\"title\":\"x\"}".utf8))
            #expect(refused.status == 503 && refused.problem == "primary-unavailable")
            #expect(refused.fields["retry-after"] == "1")
            #expect(try first.client("GET", Self.photo).fields["etag"] == tag)
            #expect(
                try eventually {
                    try first.client("GET", "/readyz").json["warning"] as? String
                        == "the primary does not answer: writes are refused, and answers may be old"
                })
            try server.start()
            #expect(try eventually { try first.client("GET", "/readyz").json["warning"] == nil })
            let patched = try first.client(
                "PATCH", Self.photo, ["Content-Type": "application/json"], body: Array("{\"title\":\"x\"}".utf8))
            #expect(patched.status == 200)
        }
    }

    @Test func `a session begun at one server is valid at another, even without the primary`() async throws {
        let postgres = try PostgresServer()
        let primary = try Self.primary(on: postgres)
        try await Self.with(primary, needsTokens: true) { first, _ in
            let other = PostgresPrimary(primary.address)
            let file = try TemporaryDatabase(name: "other.sqlite")
            if TestPrimary.isOn { try FileManager.default.removeItem(atPath: file.path) }
            try ReplicaFile.prepare(file.path, of: other)
            let service = try PhotoStreamService(path: file.path, access: .existing, primary: other) { 1 }
            let secret = String(try service.createOperatorsLink().path.dropFirst("/sign-in/".count))
            let begun = try #require(try service.beginSession(withLink: secret))
            let cookie = ["Cookie": "photostream=\(begun.text)"]
            #expect(try first.client("GET", "/v1/session", cookie).json["name"] as? String == "serve")
            let link = try service.createOperatorsLink().path
            #expect(try eventually { try first.client("GET", link).status == 200 })
            postgres.stop()
            #expect(try first.client("GET", "/v1/streams", cookie).status == 200)
            for (method, target, fields) in [("POST", link, [:]), ("DELETE", "/v1/session", cookie)] {
                let answer = try first.client(method, target, fields)
                #expect(answer.status == 503 && answer.problem == "primary-unavailable", "\(answer.text)")
            }
            try postgres.start()
            #expect(try eventually { try first.client("POST", link).status == 303 })
            #expect(try first.client("DELETE", "/v1/session", cookie).status == 204)
            #expect(try first.client("GET", "/v1/streams", cookie).status == 401)
            try service.close()
        }
    }

    @Test func `a replica that cannot follow is ready for reads, but not for writes`() async throws {
        let primary = try Self.primary()
        try await Self.with(primary) { first, _ in
            #expect(try first.client("GET", "/readyz?write").status == 200)
            let identity = try primary.psql("SELECT value FROM identity")
            try primary.psql("UPDATE identity SET value = 'other'")
            for target in ["/readyz?write", "/readyz?write=true"] {
                #expect(try eventually { try first.client("GET", target).status == 503 }, "\(target)")
                #expect(try first.client("GET", target).problem == "replica-stopped")
            }
            for target in ["/readyz", "/readyz?write=false"] {
                let answer = try first.client("GET", target)
                #expect(answer.status == 200, "\(target)")
                #expect((answer.json["warning"] as? String)?.hasPrefix("the file cannot follow its primary: ") == true)
            }
            #expect(try first.client("GET", "/readyz?write=1").status == 400)
            #expect(try first.client("GET", "/metrics").text.contains("photostream_replica_stopped 1"))
            #expect(try first.client("GET", Self.photo).status == 200)
            let refused = try first.client(
                "PATCH", Self.photo, ["Content-Type": "application/json"], body: Array("{\"title\":\"x\"}".utf8))
            #expect(refused.status == 503 && refused.problem == "primary-unavailable")
            try primary.psql("UPDATE identity SET value = '\(identity)'")
            #expect(try eventually { try first.client("GET", "/readyz?write").status == 200 })
        }
    }

    @Test func `a row that no file can hold affects nothing else`() async throws {
        let primary = try Self.primary()
        try await Self.with(primary) { first, _ in
            try primary.dropChecks(of: "photo")
            try primary.psql("UPDATE photo SET width = -1 WHERE id = 2")
            #expect(
                try eventually {
                    (try first.client("GET", "/readyz").json["warning"] as? String)?.hasPrefix("rows of the primary")
                        == true
                })
            #expect(try first.client("GET", "/readyz?write").status == 200)
            #expect(try first.client("GET", "/v1/streams/gallery/photos/p2").status == 404)
            let patched = try first.client(
                "PATCH", Self.photo, ["Content-Type": "application/json"], body: Array("{\"title\":\"x\"}".utf8))
            #expect(patched.status == 200)
            let metrics = try first.client("GET", "/metrics").text
            #expect(metrics.contains("photostream_replica_skipped_rows 1"))
            #expect(metrics.contains("photostream_replica_stopped 0"))
            #expect(metrics.contains("photostream_replica_lost_photos_total 0"))
        }
    }

    @Test func `imports into a stream at two servers do not interrupt each other`() async throws {
        let primary = try Self.primary()
        try await Self.with(primary) { first, _ in
            let other = PostgresPrimary(primary.address)
            let file = try TemporaryDatabase(name: "other.sqlite")
            if TestPrimary.isOn { try FileManager.default.removeItem(atPath: file.path) }
            try ReplicaFile.prepare(file.path, of: other)
            let database = try PhotoDatabase(path: file.path, access: .existing, primary: other)
            // The import of the other server continues while this one begins and ends more than are kept.
            let run = try database.write {
                try $0.startImportRun(streamID: 1, sources: ["HTTP"], replacesInterrupted: false, now: 1)
            }
            let record = Array("{\"id\":\"new\",\"width\":4,\"height\":3}\n".utf8)
            for _ in 1...22 {
                let answer = try first.client(
                    "POST", "/v1/streams/gallery/photos", ["Content-Type": "application/jsonl"], body: record)
                #expect(answer.status == 200, "\(answer.text)")
            }
            try database.write { try $0.finishImportRun(runID: run, counts: ImportTotals(), now: 2) }
            // Once it has ended, it is one of the runs that make room.
            #expect(try database.read { try $0.importRuns(streamID: 1, limit: 50).last?.id } == run)
            _ = try first.client(
                "POST", "/v1/streams/gallery/photos", ["Content-Type": "application/jsonl"], body: record)
            #expect(try primary.psql("SELECT count(*) FROM importRun WHERE id = \(run)") == "0")
            #expect(try primary.psql("SELECT count(*) FROM importRun") == "20")
        }
    }

    private static func metrics(_ server: TestServer) throws -> [String: Double] {
        let text = try server.client("GET", "/metrics").text
        try MetricsTests.checkForm(of: text)
        try MetricsTests.checkFamilies(of: text)
        return try MetricsTests.values(text)
    }

    @Test func `metrics contain the lag and the waiting, repeated and refused writes`() async throws {
        let postgres = try PostgresServer()
        let primary = try Self.primary(on: postgres)
        try await Self.with(primary) { first, _ in
            @Sendable func write(_ title: String) throws -> Int {
                try first.client(
                    "PATCH", Self.photo, ["Content-Type": "application/json"],
                    body: Array("{\"title\":\"\(title)\"}".utf8)
                ).status
            }
            #expect(try write("a") == 200)
            let revision = Double(try first.service.lastRevision())
            for name in ["photostream_replica_revision", "photostream_primary_revision"] {
                #expect(try eventually { try Self.metrics(first)[name] == revision }, "\(name)")
            }
            let calm = try Self.metrics(first)
            #expect(calm["photostream_replica_lag_changes"] == 0 && calm["photostream_replica_lag_seconds"] == 0)
            #expect(calm["photostream_primary_lock_wait_seconds_count"] == 1)
            #expect(calm["photostream_primary_lock_wait_seconds_bucket{le=\"+Inf\"}"] == 1)
            #expect(try #require(calm["photostream_primary_lock_wait_seconds_sum"]) > 0)
            #expect(calm["photostream_primary_write_retries_total"] == 0)
            // A transaction that holds the photo only, and is not ended.
            let session = try OpenSession(at: postgres, database: primary.name)
            try session.run("BEGIN; UPDATE photo SET caption = 'open' WHERE id = 1")
            // It is named while the write waits.
            let holder = Mutex<(key: String, value: Double)?>(nil)
            let statuses = try atOnce(2) { number in
                guard number == 1 else { return try write("b") }
                return try eventually {
                    let found = try Self.metrics(first)
                        .first { $0.key.hasPrefix("photostream_primary_lock_holder_seconds{") }
                    if let found { holder.withLock { $0 = found } }
                    return found != nil
                } ? 200 : 0
            }
            #expect(statuses.sorted() == [200, 503])
            let held = try Self.metrics(first)
            #expect(held["photostream_primary_writes_refused_total{reason=\"held-up\"}"] == 1)
            #expect(try #require(held["photostream_primary_write_retries_total"]) > 3)
            let named = try #require(holder.withLock { $0 })
            #expect(named.value > 0, "\(named)")
            #expect(
                named.key.contains("of photos (psql)\",role=\"photos\",application=\"psql\",holds_up=\"some rows\""))
            session.end()
            // One that holds all writers.
            let other = try OpenSession(at: postgres, database: primary.name)
            try other.run("BEGIN; LOCK TABLE photo IN EXCLUSIVE MODE")
            #expect(try write("c") == 200)
            #expect(try Self.metrics(first)["photostream_primary_sessions_ended_total"] == 1)
            postgres.stop()
            #expect(try write("d") == 503)
            #expect(try Self.metrics(first)["photostream_primary_writes_refused_total{reason=\"unavailable\"}"] == 1)
            try postgres.start()
            // The file skips a row that it cannot hold, and does not lag because of it.
            try primary.dropChecks(of: "photo")
            try primary.psql("UPDATE photo SET width = -1 WHERE id IN (2, 3)")
            #expect(try eventually { try Self.metrics(first)["photostream_replica_skipped_rows"] == 2 })
            #expect(
                try eventually {
                    let found = try Self.metrics(first)
                    return found["photostream_primary_revision"] == revision + 3
                        && found["photostream_replica_lag_changes"] == 0
                })
        }
    }

    @Test func `events report changes made with plain SQL`() async throws {
        let primary = try Self.primary()
        try await Self.with(primary) { first, _ in
            let before = try first.service.read { try $0.stream(TestServer.stream) }.revision.state
            try primary.psql("UPDATE photo SET title = 'sql' WHERE id = 3")
            #expect(
                try eventually {
                    let answer = try first.client("GET", "/v1/streams/gallery/changes?since=\(before)")
                    return answer.text.contains("\"p3\"")
                })
        }
    }
}
