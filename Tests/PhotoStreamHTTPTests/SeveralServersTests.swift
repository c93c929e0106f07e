import Foundation
import HTTPTypes
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPrimary
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamHTTP

/// Two servers with one primary and the same folder of pictures; only the first decodes.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct SeveralServersTests {
    /// A server and its decoder.
    struct Served {
        let server: TestServer
        let decoder: StandInDecoder
        let follower: Follower

        var client: HTTPClient { server.client }

        /// The photo as its address shows it.
        func photo(_ number: Int) throws -> HTTPClient.Answer {
            try client("GET", "/v1/streams/gallery/photos/photo-\(number)")
        }

        /// The key of a photo's picture; `nil` before it is shown.
        func key(_ number: Int = 1) throws -> String? {
            (try photo(number).json["picture"] as? [String: Any])?["key"] as? String
        }

        /// Has a photo's thumbnail made, and returns the key under which it is shown then.
        func decode(_ number: Int = 1, size: Int = 640) throws -> String {
            let answer = try client("GET", "/v1/streams/gallery/photos/photo-\(number)/image?size=\(size)")
            try #require(answer.status == 200, "\(answer.text)")
            try #require(try eventually { try key(number) != nil })
            return try #require(try key(number))
        }

        func patch(_ number: Int, ifMatch tag: String?, title: String) throws -> HTTPClient.Answer {
            try client(
                "PATCH", "/v1/streams/gallery/photos/photo-\(number)",
                ["Content-Type": "application/json", "If-Match": tag ?? ""],
                body: Array("{\"title\":\"\(title)\"}".utf8))
        }
    }

    private static let photoCount = 12

    /// A folder with the pictures of the photos `photo-1` and so on, deleted with its last reference.
    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appending(path: "PhotoStream-\(UUID().uuidString)")
            .path(percentEncoded: false)

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for number in 1...photoCount { try write(number, "content \(number)") }
        }

        func write(_ number: Int, _ text: String, seconds: Double = 1_000_000_000) throws {
            let file = path + "/\(number).jpg"
            try Data(ServedPictures.jpeg + Array(text.utf8)).write(to: URL(filePath: file))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: file)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// A file that follows a primary, whether or not the tests run with one.
    private static func replica(of primary: TestPrimary, as own: PostgresPrimary) throws -> TemporaryDatabase {
        let file = try TemporaryDatabase()
        if TestPrimary.isOn { try FileManager.default.removeItem(atPath: file.path) }
        try ReplicaFile.prepare(file.path, of: own)
        return file
    }

    /// Runs one server after another, and a test when all run.
    private static func run(
        _ count: Int, of primary: TestPrimary, running: [Served] = [], settings: ServerSettings = ServerSettings(),
        prepare: @escaping @Sendable (PhotoStreamService, Int) throws -> Void,
        _ test: @escaping @Sendable ([Served]) throws -> Void
    ) async throws {
        let own = PostgresPrimary(primary.address)
        let file = try replica(of: primary, as: own)
        let service = try PhotoStreamService(path: file.path, access: .existing, primary: own) { 1 }
        try prepare(service, running.count)
        let follower = Follower(own, of: service.database, name: file.path)
        follower.start()
        defer { follower.stop() }
        let decoder = StandInDecoder()
        try await TestServer.with(service, file, settings: settings, decoder: decoder, follower: follower) { server in
            let all = running + [Served(server: server, decoder: decoder, follower: follower)]
            guard all.count < count else { return try test(all) }
            // This thread is the test's own, and waits for the next server's test.
            let outcome = Mutex<Result<Void, any Error>?>(nil)
            let done = DispatchSemaphore(value: 0)
            Task(executorPreference: ThreadExecutor.servers) {
                do {
                    try await run(
                        count, of: primary, running: all, settings: settings, prepare: prepare, test)
                    outcome.withLock { $0 = .success(()) }
                } catch {
                    outcome.withLock { $0 = .failure(error) }
                }
                done.signal()
            }
            done.wait()
            try outcome.withLock { $0 }?.get()
        }
    }

    private static func with(
        _ test:
            @escaping @Sendable (_ first: Served, _ second: Served, _ write: (Int, String, Double) throws -> Void)
            throws -> Void
    ) async throws {
        let primary = try TestPrimary()
        let folder = try Folder()
        try primary.psql(
            """
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('gallery', 1);
            INSERT INTO photo (streamId, externalId, width, height, location, caption)
            SELECT 1, 'photo-' || i, 4000, 3000, i || '.jpg', 'a caption' FROM generate_series(1, \(photoCount)) i
            """)
        try await run(2, of: primary) { service, number in
            // Declared once, by the first server.
            if number == 0 { try service.addRoot(folder.path, on: .everyServer) }
        } _: { servers in
            try test(servers[0], servers[1]) { try folder.write($0, $1, seconds: $2) }
        }
    }

    @Test func `a key from one server is found by another, which creates the thumbnail`()
        async throws
    {
        try await Self.with { first, second, _ in
            for number in 1...4 {
                let key = try first.decode(number)
                for file in ["160.webp", "640.webp", "320.jpg"] {
                    let answers = try [first, second].map { try $0.client("GET", "/v1/images/\(key)/\(file)") }
                    #expect(answers.map(\.status) == [200, 200], "\(file)")
                    #expect(
                        answers[0].body == answers[1].body && answers[0].fields["etag"] == answers[1].fields["etag"])
                }
            }
            #expect(try second.client("GET", "/v1/images/AAAAAAAAAAAAAAAAAAAAAA/160.webp").status == 404)
        }
    }

    @Test func `a key of other content is unknown, and its photo is decoded locally`() async throws {
        try await Self.with { first, second, write in
            let key = try first.decode()
            try write(1, "another content", 1_000_000_900)
            let answer = try second.client("GET", "/v1/images/\(key)/160.webp")
            #expect(answer.status == 404 && answer.problem == "picture-not-found")
            // The new content is shown by both, from either.
            _ = try second.decode(size: 480)
            #expect(try eventually { try second.key() != key && first.key() == second.key() })
            #expect(second.decoder.requests.count == 1)
        }
    }

    @Test func `validators and answers are equal on all servers after one has decoded`() async throws {
        try await Self.with { first, second, _ in
            for number in 1...3 { _ = try first.decode(number) }
            let revision = { (served: Served) in
                try served.server.service.read { try $0.pictureRevision(of: TestServer.stream) }
            }
            try #require(try eventually { try revision(first) == revision(second) && second.key(3) != nil })
            var compared: Set<String> = []
            // Counts of data that a file has stored itself are its own, and a stream of events has no validator.
            for route in RouteTable.all.routes
            where route.method == .get && route.isCacheable && route.operation != "getStats" {
                var sample = try #require(RouteCodeTests.samples[route.operation])
                if route.operation == "getImage" { sample.target = "/v1/streams/gallery/photos/photo-1/image?size=640" }
                if route.operation == "getThumbnail" {
                    sample.target = "/v1/images/\(try #require(try first.key()))/640.webp"
                }
                for coding in ["", "gzip"] {
                    sample.fields["Accept-Encoding"] = coding
                    let answers = try [first, second].map { try RouteCodeTests.send(sample, $0.server) }
                    guard let tag = answers[0].fields["etag"] else { continue }
                    #expect(answers.map(\.status) == [200, 200], "\(route.operation)")
                    #expect(answers[1].fields["etag"] == tag, "\(route.operation) \(coding)")
                    #expect(answers[0].body == answers[1].body, "\(route.operation)")
                    var again = sample
                    again.fields["If-None-Match"] = tag
                    #expect(try RouteCodeTests.send(again, second.server).status == 304, "\(route.operation)")
                    compared.insert(route.operation)
                }
            }
            #expect(
                compared.isSuperset(of: [
                    "getPhoto", "getStream", "listStreams", "listPhotos", "getLayout", "getPage", "getRect", "getItems",
                    "locatePhoto", "getImage", "getThumbnail",
                ]), "\(compared.sorted())")
            #expect(
                second.decoder.requests.allSatisfy { $0.file.path == "1.jpg" }, "only the thumbnail that was asked for")
        }
    }

    @Test func `If-Match from one server is valid on another, before and after a decode`() async throws {
        try await Self.with { first, second, _ in
            let before = try first.photo(1).fields["etag"]
            _ = try first.decode()
            let after = try first.photo(1).fields["etag"]
            #expect(before != after)
            // At once, whether or not the other server has seen the result.
            #expect(try second.patch(1, ifMatch: after, title: "one").status == 200)
            #expect(try first.patch(1, ifMatch: after, title: "two").status == 412)
            try #require(try eventually { try first.photo(1).json["title"] as? String == "one" })
            let third = try first.photo(1).fields["etag"]
            _ = try second.decode(2)
            #expect(try second.patch(1, ifMatch: third, title: "three").status == 200)
            #expect(try second.patch(2, ifMatch: first.photo(2).fields["etag"], title: "x").status == 200)
            // Read from the server of the last write, which may be ahead of the other.
            let stream = try second.client("GET", "/v1/streams/gallery").fields["etag"]
            _ = try first.decode(3)
            let renamed = try first.client(
                "PATCH", "/v1/streams/gallery",
                ["Content-Type": "application/json", "If-Match": try #require(stream)],
                body: Array(#"{"stream":"gallery"}"#.utf8))
            #expect(renamed.status == 200, "\(renamed.text)")
        }
    }

    @Test func `a copy with another time is decoded once and does not affect the others`() async throws {
        try await Self.with { first, second, write in
            let key = try first.decode()
            try #require(try eventually { try second.key() == key })
            try write(1, "content 1", 1_234_567_890)
            let tag = try first.photo(1).fields["etag"]
            for _ in 0..<3 { #expect(try second.decode(size: 960) == key) }
            // The time of this machine's copy is noted a moment later.
            let count = {
                try? second.server.service.database.read { try $0.picture(photoRowID: 1)?.modifiedNanoseconds }
            }
            try #require(eventually { count() == 1_234_567_890_000_000_000 })
            let decodes = second.decoder.requests.count
            #expect(try second.decode(size: 960) == key && second.decoder.requests.count == decodes)
            #expect(try first.photo(1).fields["etag"] == tag)
        }
    }

    @Test func `a picture that fails on one server is shown as decoded by another`() async throws {
        try await Self.with { first, second, write in
            let key = try first.decode()
            try #require(try eventually { try second.key() == key })
            try write(1, "damaged", 1_000_000_777)
            let answer = try second.client("GET", "/v1/streams/gallery/photos/photo-1/image?size=480")
            #expect(answer.status == 404 || answer.status == 422 || answer.status == 409, "\(answer.status)")
            try #require(
                eventually {
                    (try? second.server.service.database.read { try $0.picture(photoRowID: 1)?.state }) == .failed
                })
            #expect(try first.key() == key && second.key() == key)
        }
    }

    @Test func `a photo that moves or is deleted elsewhere loses its result on all servers`() async throws {
        let primary = try TestPrimary()
        let folder = try Folder()
        try primary.psql(
            """
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('gallery', 1);
            INSERT INTO photo (streamId, externalId, width, height, location)
            SELECT 1, 'photo-' || i, 4000, 3000, i || '.jpg' FROM generate_series(1, \(Self.photoCount)) i
            """)
        try await Self.run(2, of: primary) { service, number in
            if number == 0 { try service.addRoot(folder.path, on: .everyServer) }
        } _: { servers in
            let (first, second) = (servers[0], servers[1])
            for number in 1...5 { _ = try first.decode(number) }
            try #require(try eventually { try second.key(5) != nil })
            try primary.psql(
                """
                UPDATE photo SET location = '9.jpg' WHERE externalId = 'photo-1';
                UPDATE photo SET orientation = 6 WHERE externalId = 'photo-2';
                UPDATE photo SET title = 'kept' WHERE externalId = 'photo-3';
                UPDATE photo SET id = 99 WHERE externalId = 'photo-4';
                DELETE FROM photo WHERE externalId = 'photo-5'
                """)
            #expect(try primary.psql("SELECT string_agg(id::text, ',' ORDER BY id) FROM picture").contains("3"))
            #expect(try primary.psql("SELECT count(*) FROM picture").contains("1"))
            for served in [first, second] {
                try #require(try eventually { try served.photo(5).status == 404 })
                #expect(try served.key(1) == nil && served.key(2) == nil && served.key(4) == nil)
                #expect(try served.key(3) != nil)
                let rows = try served.server.service.database.read { try $0.shownPictures(photoRowIDs: 1...100) }
                #expect(Array(rows.keys) == [3])
            }
            // No result for a photo that does not exist.
            #expect(throws: (any Error).self) {
                try primary.psql(
                    """
                    INSERT INTO picture (id, streamId, byteCount, modifiedNanoseconds, orientation, hash, pictureKey)
                    SELECT 5, 1, 1, 1, 1, hash, pictureKey FROM picture
                    """)
            }
        }
    }

    @Test func `a root is declared once, and removed once`() async throws {
        try await Self.with { first, second, _ in
            let services = [first.server.service, second.server.service]
            for service in services {
                try #require(try eventually { try service.roots().count == 1 })
                let root = try #require(try service.roots().first)
                #expect(root.reach == .everyServer && root.state == .open)
            }
            let path = try #require(try services[0].roots().first?.path)
            #expect(throws: RootError.exists(path, stream: nil)) { try services[1].addRoot(path, on: .everyServer) }
            try services[1].removeRoot(path)
            #expect(try eventually { try services.allSatisfy { try $0.roots().isEmpty } })
            let answer = try first.client("GET", "/v1/streams/gallery/photos/photo-1/image")
            #expect(answer.status == 404)
        }
    }
}
