import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamHTTP

/// Signed addresses of thumbnails, requested directly and through nginx as a CDN.
@Suite struct SignedAddressTests {
    private static let nginx = "/usr/sbin/nginx"
    static let hasNginx = FileManager.default.isExecutableFile(atPath: nginx)
    /// The number of thumbnails of the walk; 10,000 for the figure in the documents.
    private static let thumbnailCount =
        Int(ProcessInfo.processInfo.environment["PHOTOSTREAM_CDN_THUMBNAILS"] ?? "") ?? 300
    private static let day: Int64 = 86_400_000
    /// Two hours after the start of a half day, in milliseconds since 1970.
    private static let start: Int64 = 1_800_021_600_000

    /// A server that needs tokens and shows signed addresses, with its own clock.
    private struct Signed {
        let server: TestServer
        let clock: Clock
        let base: String
        private let token: String

        init(_ server: TestServer, clock: Clock, base: String) throws {
            (self.server, self.clock, self.base) = (server, clock, base)
            token = try server.service.createToken(named: UUID().uuidString, scope: .admin).token.text
            try server.service.showImages(at: base)
        }

        var proof: [String: String] { ["Authorization": "Bearer \(token)"] }

        func get(_ target: String, _ fields: [String: String] = [:]) throws -> HTTPClient.Answer {
            try server.client("GET", target, fields)
        }

        /// The signed addresses of the thumbnails of all photos, by their sizes, without the base.
        func targets(link: String = "") throws -> [[String: String]] {
            var (all, after): ([[String: String]], String?) = ([], nil)
            while true {
                let rest = after.map {
                    "&after=\($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
                }
                let answer = try get(
                    "\(link)/v1/streams/gallery/photos?limit=1000\(rest ?? "")", link.isEmpty ? proof : [:])
                let photos = try #require(answer.json["photos"] as? [[String: Any]], "\(answer.text.prefix(200))")
                for photo in photos {
                    guard let picture = photo["picture"] as? [String: Any] else { continue }
                    let addresses = try #require(picture["thumbnails"] as? [String: String])
                    all.append(
                        try addresses.mapValues { address in
                            try #require(address.hasPrefix(base + "/v1/images/"), "\(address)")
                            return String(address.dropFirst(base.count))
                        })
                }
                guard answer.json["truncated"] as? Bool == true || photos.count == 1_000,
                    let last = photos.last?["id"] as? String
                else { return all }
                after = last
            }
        }
    }

    /// The time of a server.
    final class Clock: Sendable {
        private let time = Mutex<Int64>(start)
        var now: Int64 { time.withLock { $0 } }
        func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    }

    private static func with(
        photos count: Int = 3, pictures: Int = 2, base: String = "https://img.example.org",
        _ test: @escaping @Sendable (Signed) throws -> Void
    ) async throws {
        let file = try TemporaryDatabase()
        let clock = Clock()
        let service = try PhotoStreamService(
            path: file.path, access: .readWrite, logger: TestServer.quiet, primary: file.primary
        ) {
            clock.now
        }
        try service.createStream(TestServer.stream)
        try TestServer.load(SampleRecords.records(count), into: TestServer.stream, of: file)
        try addThumbnails(pictures, to: service, file)
        var settings = ServerSettings()
        settings.access.hostNames = ["photos.example.org"]
        settings.requestsPerMinute = 10_000_000
        try await TestServer.with(service, file, settings: settings, needsTokens: true) { server in
            try test(Signed(server, clock: clock, base: base))
        }
    }

    /// Stores thumbnails of the first photos, as if their pictures had been decoded.
    private static func addThumbnails(_ count: Int, to service: PhotoStreamService, _ file: TemporaryDatabase) throws {
        let store = try PictureStore(path: service.pictureStorePath, budgetBytes: 1 << 30) { 1 }
        let database = try PhotoDatabase(path: file.path, access: .existing, primary: file.primary)
        defer { try? database.close() }
        func key(_ number: Int) throws -> PictureKey {
            try #require(PictureKey(bytes: (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8) &+ $0) }))
        }
        try store.add(
            (0..<count).map { number in
                (
                    try key(number),
                    [
                        StoredThumbnail(
                            kind: ThumbnailKind(.pixels320, as: .webP), width: 320, height: 240,
                            bytes: Array("thumbnail \(number) 320".utf8)),
                        StoredThumbnail(
                            kind: ThumbnailKind(.pixels640, as: .webP), width: 640, height: 480,
                            bytes: Array("thumbnail \(number) 640".utf8)),
                    ]
                )
            })
        try database.write { writer in
            let stream = try #require(try writer.reader.stream(named: TestServer.stream))
            let rows = try (0..<count).map { number in
                let id = PhotoID(stored: SampleRecords.id(number))
                let photo = try #require(try writer.reader.picturedPhoto(streamID: stream.id, id: id))
                let row = PictureRow(
                    byteCount: 1, modifiedNanoseconds: 1, orientation: .up, state: .ready,
                    fileHash: Array(repeating: 1, count: 32), key: try key(number))
                return (photo: photo, row: row)
            }
            try writer.savePictures(rows, now: 1)
        }
    }

    @Test func `a signed address returns its thumbnail to anyone and allows caching`() async throws {
        try await Self.with { signed in
            let targets = try signed.targets()
            #expect(
                targets.count == 2
                    && targets.allSatisfy { Set($0.keys) == Set(ThumbnailSize.allCases.map { String($0.rawValue) }) })
            let target = try #require(targets[0]["640"])
            for fields in [[:], ["Cookie": "photostream=old"], ["Authorization": "Bearer wrong"]] as [[String: String]]
            {
                let answer = try signed.get(target, fields)
                #expect(answer.status == 200 && answer.text.hasSuffix(" 640"), "\(answer.text.prefix(200))")
                // At least twelve hours, and at most a day.
                let control = try #require(answer.fields["cache-control"])
                let seconds = try #require(control.firstMatch(of: /^public, max-age=(\d+), immutable$/)?.output.1)
                #expect((43_200...86_400).contains(try #require(Int(seconds))))
                #expect(answer.fields["cross-origin-resource-policy"] == "cross-origin")
                let tag = try #require(answer.fields["etag"])
                #expect(try signed.get(target, ["If-None-Match": tag]).status == 304)
            }
            // It shows nothing else, and no key of a picture.
            let photos = try signed.get("/v1/streams/gallery/photos", signed.proof)
            let keys = (photos.json["photos"] as? [[String: Any]] ?? []).compactMap {
                ($0["picture"] as? [String: Any])?["key"] as? String
            }
            #expect(keys.count == 2)
            for key in keys {
                #expect(!targets.contains { $0.values.contains { $0.contains(key) } })
                #expect(try signed.get("/v1/images/\(key)/640.webp").status == 401)
            }
            let query = try #require(target.split(separator: "?").last)
            #expect(try signed.get("/v1/streams/gallery/photos?\(query)").status == 401)
        }
    }

    @Test func `an altered or expired address is refused`() async throws {
        try await Self.with { signed in
            let targets = try signed.targets()
            let (target, other) = (try #require(targets[0]["640"]), try #require(targets[1]["640"]))
            let parts = try #require(target.wholeMatch(of: #//v1/images/([^/]+)/640\.webp\?e=(\d+)&s=(.+)/#)?.output)
            let (key, expiry, code) = (parts.1, parts.2, parts.3)
            let otherKey = try #require(other.split(separator: "/").dropFirst(2).first)
            let otherCode = try #require(other.split(separator: "=").last)
            let later = try #require(Int64(expiry)) + 86_400
            for altered in [
                "/v1/images/\(key)/320.webp?e=\(expiry)&s=\(code)", "/v1/images/\(key)/640.jpg?e=\(expiry)&s=\(code)",
                "/v1/images/\(key)/2560.webp?e=\(expiry)&s=\(code)", "/v1/images/\(key)/641.webp?e=\(expiry)&s=\(code)",
                "/v1/images/\(otherKey)/640.webp?e=\(expiry)&s=\(code)",
                "/v1/images/\(key)/640.webp?e=\(expiry)&s=\(otherCode)",
                "/v1/images/\(key)/640.webp?e=\(later)&s=\(code)", "/v1/images/\(key)/640.webp?e=0\(expiry)&s=\(code)",
                "/v1/images/\(key)/640.webp?e=\(expiry)&s=", "/v1/images/\(key)/640.webp?e=\(expiry)",
                "/v1/images/\(key)/640.webp?s=\(code)", "/v1/images/\(key)/640.webp?e=\(expiry)&s=\(code)A",
                "/v1/images/\(key)/640.webp?e=\(expiry)&s=\(code.dropLast())",
                "/v1/images/\(key)/640.webp?e=&s=\(code)", "/v1/images/\(key)/640.webp?e=\(Int64.min)&s=\(code)",
                "/v1/images/\(key)/640.webp?e=\(Int64.max)&s=\(code)", "/v1/images/\(key)/640.webp?e=-1&s=\(code)",
            ] {
                // A token makes no difference: the address decides.
                for fields in [[:], signed.proof] {
                    let answer = try signed.get(altered, fields)
                    #expect(
                        answer.status == 403 && answer.problem == "unsigned-address", "\(altered): \(answer.status)")
                    #expect(answer.fields["cache-control"]?.contains("public") != true)
                }
            }
            #expect(try signed.get(target).status == 200)
            signed.clock.advance(by: 11 * 3_600_000)
            #expect(try signed.get(target).status == 200)
            signed.clock.advance(by: 13 * 3_600_000)
            #expect(try signed.get(target).status == 403)
            #expect(try signed.targets()[0]["640"] != target)
        }
    }

    @Test func `answers of half a day show the same addresses, and validators change with them`() async throws {
        try await Self.with { signed in
            let page = "/v1/streams/gallery/layout/page?width=900"
            let first = try signed.get(page, signed.proof)
            let tag = try #require(first.fields["etag"])
            let photo = try #require(try signed.get("/v1/streams/gallery/photos/photo-0", signed.proof).fields["etag"])
            signed.clock.advance(by: 9 * 3_600_000)
            #expect(try signed.get(page, signed.proof.merging(["If-None-Match": tag]) { $1 }).status == 304)
            signed.clock.advance(by: 2 * 3_600_000)
            let second = try signed.get(page, signed.proof.merging(["If-None-Match": tag]) { $1 })
            #expect(second.status == 200 && second.body != first.body)
            let later = try #require(second.fields["etag"])
            try signed.server.service.rotateImageKey()
            #expect(try signed.get(page, signed.proof.merging(["If-None-Match": later]) { $1 }).status == 200)
            // A write goes by the photo, which has not changed.
            let patched = try signed.server.client(
                "PATCH", "/v1/streams/gallery/photos/photo-0",
                signed.proof.merging(["If-Match": photo, "Content-Type": "application/json"]) { $1 },
                body: Array(#"{"title":"new"}"#.utf8))
            #expect(patched.status == 200, "\(patched.text)")
        }
    }

    @Test func `an address counts only while the server shows such addresses, and for a day at most`() async throws {
        try await Self.with { signed in
            let target = try #require(try signed.targets()[0]["640"])
            try signed.server.service.showImages(at: nil)
            #expect(try signed.get(target).status == 403)
            try signed.server.service.showImages(at: signed.base)
            #expect(try signed.get(target).status == 200)
            // As if it had been signed for a later time, by someone who has the key.
            signed.clock.advance(by: -Self.day)
            #expect(try signed.get(target).status == 403)
        }
    }

    @Test func `a backup is not enough to sign addresses`() async throws {
        try await Self.with { signed in
            try signed.server.service.rotateImageKey()
            try signed.server.service.rotateImageKey()
            let database = signed.server.service.database
            let keys = try database.read { try $0.storedImageKeys() }
            let path = database.path + ".backup"
            defer { try? FileManager.default.removeItem(atPath: path) }
            try DatabaseBackup(path: database.path).write(to: path)
            let bytes = try Data(contentsOf: URL(filePath: path))
            for key in [keys.current, keys.former] {
                #expect(bytes.range(of: Data(try #require(key))) == nil)
            }
            let copy = try PhotoDatabase(path: path, access: .readOnly)
            let copied = try copy.read { try $0.storedImageKeys() }
            #expect(copied.current == nil && copied.former == nil)
            try copy.close()
        }
    }

    @Test func `two keys are valid at once`() async throws {
        try await Self.with { signed in
            let first = try #require(try signed.targets()[0]["320"])
            try signed.server.service.rotateImageKey()
            let second = try #require(try signed.targets()[0]["320"])
            #expect(try first != second && signed.get(first).status == 200 && signed.get(second).status == 200)
            try signed.server.service.rotateImageKey()
            let third = try #require(try signed.targets()[0]["320"])
            #expect(try signed.get(first).status == 403 && signed.get(second).status == 200)
            #expect(try signed.get(third).status == 200)
        }
    }

    @Test func `an unsigned address redirects to the signed one, or to the thumbnail without a base`()
        async throws
    {
        try await Self.with { signed in
            let photo = try signed.get("/v1/streams/gallery/photos/photo-0", signed.proof)
            let picture = try #require(photo.json["picture"] as? [String: Any])
            let key = try #require(picture["key"] as? String)
            let answer = try signed.get("/v1/images/\(key)/640.webp", signed.proof)
            #expect(answer.status == 307 && answer.fields["cache-control"] == "private, max-age=3600")
            #expect(answer.fields["location"] == (picture["thumbnails"] as? [String: String])?["640"])
            #expect(try signed.get("/v1/images/\(key)/640.webp").status == 401)
            #expect(try signed.get("/v1/images/AAAAAAAAAAAAAAAAAAAAAA/640.webp", signed.proof).status == 404)
            let page = try signed.get("/", ["Accept": "text/html"])
            let policy = try #require(page.fields["content-security-policy"])
            #expect(policy.contains("img-src 'self' https://img.example.org blob:;"))
            #expect(policy.contains("media-src 'self' https://img.example.org;"))
            try signed.server.service.showImages(at: nil)
            let own = try signed.get("/v1/images/\(key)/640.webp", signed.proof)
            #expect(own.status == 200 && own.fields["cache-control"] == "private, max-age=31536000, immutable")
            let plain = try signed.get("/", ["Accept": "text/html"])
            let ownPolicy = try #require(plain.fields["content-security-policy"])
            #expect(ownPolicy.contains("img-src 'self' blob:; media-src 'self';"))
            let without = try signed.get("/v1/streams/gallery/photos/photo-0", signed.proof)
            #expect((without.json["picture"] as? [String: Any])?["thumbnails"] == nil)
        }
    }

    @Test func `addresses in a share are the same and expire within a day after it`() async throws {
        try await Self.with { signed in
            let service = signed.server.service
            let link = "/s/" + (try service.createShare(of: TestServer.stream, named: "shown").token.text)
            let items = try signed.get(link + "/v1/streams/gallery/layout/items?width=900&count=100")
            let shown = try #require(items.json["items"] as? [[String: Any]], "\(items.text)")
            let addresses = shown.compactMap { ($0["thumbnails"] as? [String: String])?["320"] }
            let own = Set(try signed.targets().compactMap { $0["320"] }.map { signed.base + $0 })
            #expect(addresses.count == 2 && Set(addresses) == own)
            let key = try #require(shown.compactMap { $0["pictureKey"] as? String }.first)
            let redirect = try signed.get("\(link)/v1/images/\(key)/320.webp")
            #expect(redirect.status == 307 && own.contains(redirect.fields["location"] ?? ""))
            try service.revoke(.share, named: "shown")
            #expect(try signed.get("\(link)/v1/images/\(key)/320.webp").status == 404)
            let target = String(try #require(addresses.first).dropFirst(signed.base.count))
            #expect(try signed.get(target).status == 200)
            signed.clock.advance(by: Self.day)
            #expect(try signed.get(target).status == 403)
        }
    }

    // MARK: - Through nginx

    /// The example of Documentation/Scaling.md, as it is printed but for addresses and folders.
    private static func configuration(folder: String, port: Int, server: Int) throws -> String {
        let page = URL(filePath: #filePath).appending(path: "../../../Documentation/Scaling.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "    proxy_cache_path ")).lowerBound
        let end = try #require(text.range(of: "\n    }\n\n", range: start..<text.endIndex)).upperBound
        // The first address is the server's; there is no second one here.
        let printed = String(text[start..<end])
            .replacing(#/ server 10\.0\.0\.2:8080;/#, with: "")
            .replacing("10.0.0.1:8080", with: "127.0.0.1:\(server)")
            .replacing("/var/cache/nginx/photostream", with: "\(folder)/cache")
            .replacing("listen 80", with: "listen 127.0.0.1:\(port)")
        return """
            error_log \(folder)/nginx-errors.log; pid \(folder)/nginx.pid; daemon off; events {}
            http {
                access_log off;
                client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/temporary;
                fastcgi_temp_path \(folder)/fastcgi; uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
            \(printed)
            }
            """
    }

    /// Runs nginx before a server for a test.
    private static func withCDN(
        pictures: Int, _ test: @escaping @Sendable (Signed, HTTPClient) throws -> Void
    ) async throws {
        let port = try FreePort.choose()
        try await with(photos: pictures, pictures: pictures, base: "http://127.0.0.1:\(port)") { signed in
            let folder = signed.server.file.folder
            let file = folder + "/cdn.conf"
            try configuration(folder: folder, port: port, server: signed.server.client.port)
                .write(toFile: file, atomically: true, encoding: .utf8)
            let process = Process()
            process.executableURL = URL(filePath: nginx)
            process.arguments = ["-e", folder + "/nginx-errors.log", "-c", file]
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.run()
            defer {
                process.terminate()
                process.waitUntilExit()
            }
            let edge = HTTPClient(port: port)
            try #require(eventually { (try? edge("GET", "/").status) == 404 })
            try test(signed, edge)
        }
    }

    /// The number of thumbnails that the server has sent.
    private static func sentCount(_ signed: Signed) throws -> Int {
        let text = try signed.get("/metrics", signed.proof).text
        return text.split(separator: "\n").filter {
            $0.hasPrefix("photostream_requests_total") && $0.contains("/v1/images/")
        }.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0) { $0 + Int($1) }
    }

    @Test(.enabled(if: SignedAddressTests.hasNginx, "nginx is not installed"))
    func `through a CDN, the second viewer causes no request`() async throws {
        let count = Self.thumbnailCount
        try await Self.withCDN(pictures: (count + 1) / 2) { signed, edge in
            // Both viewers have their addresses from separate answers, an hour apart.
            let first = try signed.targets().flatMap { [$0["320"], $0["640"]].compactMap { $0 } }.prefix(count)
            signed.clock.advance(by: 3_600_000)
            let second = try signed.targets().flatMap { [$0["320"], $0["640"]].compactMap { $0 } }.prefix(count)
            #expect(first == second && first.count == count && Set(first).count == count)
            var bodies: Set<[UInt8]> = []
            for target in first {
                let answer = try edge("GET", target, ["User-Agent": "first"])
                #expect(answer.status == 200)
                bodies.insert(answer.body)
            }
            #expect(bodies.count == count)
            let before = try Self.sentCount(signed)
            #expect(before == count)
            var hitCount = 0
            for target in second {
                let answer = try edge("GET", target, ["User-Agent": "second", "Cookie": "other=1"])
                #expect(answer.status == 200 && bodies.contains(answer.body))
                if answer.fields["x-cache"] == "HIT" { hitCount += 1 }
            }
            #expect(try Self.sentCount(signed) == before, "the server was asked again")
            #expect(hitCount == count)
            print("the second walk of \(count) thumbnails: \(hitCount) hits")
        }
    }

    @Test(.enabled(if: SignedAddressTests.hasNginx, "nginx is not installed"))
    func `a CDN refuses expired, altered and unsigned addresses even if cached`()
        async throws
    {
        try await Self.withCDN(pictures: 2) { signed, edge in
            let targets = try signed.targets()
            let target = try #require(targets[0]["640"])
            #expect(try edge("GET", target).fields["x-cache"] == "MISS")
            #expect(try edge("GET", target).fields["x-cache"] == "HIT")
            for altered in [
                target.replacing("640.webp", with: "320.webp"), target.replacing("640.webp", with: "640.jpg"),
                String(target.dropLast()) + (target.last == "A" ? "B" : "A"), target + "A",
                target.replacing("e=1", with: "e=2"),
            ] {
                for _ in 0..<2 {
                    let answer = try edge("GET", altered)
                    #expect(answer.status == 403 && answer.fields["x-cache"] != "HIT", "\(altered): \(answer.status)")
                }
            }
            let bare = String(try #require(target.split(separator: "?").first))
            // The edge passes no token and no cookie on.
            #expect(try edge("GET", bare, signed.proof).status == 401)
            #expect(try edge("GET", "/v1/streams", signed.proof).status == 404)
            // What nginx has kept ends with the address.
            let other = try #require(targets[1]["640"])
            signed.clock.advance(by: Self.day)
            #expect(try edge("GET", other).status == 403)
        }
    }
}
