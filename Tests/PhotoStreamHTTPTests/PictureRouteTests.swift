import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Pictures from beneath a root, through sockets.
@Suite struct PictureRouteTests {
    private static let jpeg = ServedPictures.jpeg

    @Test func `a file is sent byte for byte, with its type and validators`() async throws {
        try await ServedPictures.with { get in
            // Three blocks and a bit.
            let bytes = Self.jpeg + (0..<400_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
            try get.write("a.html", bytes)
            let answer = try get("a.html")
            #expect(answer.status == 200)
            #expect(answer.body == bytes)
            #expect(answer.fields["content-type"] == "image/jpeg")
            #expect(answer.fields["x-content-type-options"] == "nosniff")
            #expect(answer.fields["accept-ranges"] == "bytes")
            #expect(answer.fields["last-modified"] == "Sun, 09 Sep 2001 01:46:40 GMT")
            #expect(answer.fields["cache-control"] == "private, no-cache")
            #expect(answer.fields["content-security-policy"]?.contains("default-src 'none'") == true)
            #expect(answer.fields["cross-origin-resource-policy"] == "same-site")
            #expect(answer.fields["content-encoding"] == nil)
            let tag = try #require(answer.fields["etag"])
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("-\(bytes.count)\""))
            let packed = try get("a.html", ["Accept-Encoding": "gzip"])
            #expect(packed.fields["content-encoding"] == nil && packed.body == bytes)
            let head = try get.server.client("HEAD", get.target("a.html"))
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.fields["content-length"] == String(bytes.count))
            for name in ["etag", "last-modified", "content-type", "accept-ranges"] {
                #expect(head.fields[name] == answer.fields[name])
            }
        }
    }

    @Test(arguments: [
        ("image/jpeg", 200), ("image/webp", 406), ("image/webp, image/jpeg;q=0.1", 200), ("image/*", 200),
        ("image/avif,image/webp,image/*,*/*;q=0.8", 200), ("image/*, image/jpeg;q=0", 406), ("", 200),
    ])
    func `a picture of a type that the client does not accept is refused`(accept: String, status: Int) async throws {
        try await ServedPictures.with { get in
            try get.write("a.jpg", Self.jpeg)
            let target = try get.target("a.jpg")
            for fields in [[:], ["Range": "bytes=0-1"], ["If-None-Match": "*"]] {
                let answer = try get.server.client("GET", target, fields.merging(["Accept": accept]) { $1 })
                let expected = status == 406 ? 406 : fields["Range"] != nil ? 206 : fields.isEmpty ? 200 : 304
                #expect(answer.status == expected, "\(fields)")
                if status == 406 {
                    #expect(answer.problem == "not-acceptable" && answer.text.contains("the picture is image/jpeg"))
                    #expect(answer.fields["cache-control"] == "no-store")
                } else {
                    // Every client gets the same bytes, and revalidates each time, so nothing has to be kept apart.
                    #expect(answer.fields["vary"] == nil)
                }
            }
        }
    }

    @Test func `ids and streams are decoded once`() async throws {
        try await ServedPictures.with { get in
            try get.write("x.jpg", Self.jpeg)
            let target = try get.target("x.jpg", id: "2023/é %2F")
            #expect(target.contains("2023%2F%C3%A9%20%252F"))
            #expect(try get.server.client("GET", target).body == Self.jpeg)
        }
    }

    @Test func `ranges are answered in part, and invalid ranges with the whole file`() async throws {
        try await ServedPictures.with { get in
            let bytes = Self.jpeg + (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 31 >> 3) }
            try get.write("a.jpg", bytes)
            let target = try get.target("a.jpg")
            let last = bytes.count - 1
            let parts: [(field: String, range: ClosedRange<Int>)] = [
                ("bytes=0-0", 0...0), ("bytes=5-9", 5...9), ("bytes=131071-131072", 131_071...131_072),
                ("bytes=-7", last - 6...last), ("bytes=200000-", 200_000...last), ("bytes=0-99999999", 0...last),
            ]
            for (field, range) in parts {
                let answer = try get.server.client("GET", target, ["Range": field])
                #expect(answer.status == 206, "\(field)")
                #expect(
                    answer.fields["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound)/\(bytes.count)")
                #expect(answer.body == Array(bytes[range]), "\(field)")
                #expect(answer.fields["etag"] != nil && answer.fields["content-type"] == "image/jpeg")
            }
            for field in ["bytes=0-1,5-6", "bytes=9-5", "pages=1-2", "bytes", "bytes=-"] {
                let answer = try get.server.client("GET", target, ["Range": field])
                #expect(answer.status == 200 && answer.body == bytes, "\(field)")
            }
            for field in ["bytes=\(bytes.count)-", "bytes=-0"] {
                let answer = try get.server.client("GET", target, ["Range": field])
                #expect(answer.status == 416, "\(field)")
                #expect(answer.problem == "unsatisfiable-range")
                #expect(answer.fields["content-range"] == "bytes */\(bytes.count)")
            }
            let head = try get.server.client("HEAD", target, ["Range": "bytes=0-0"])
            #expect(head.status == 200 && head.fields["content-length"] == String(bytes.count))
        }
    }

    @Test func `a matching validator avoids sending, and a download resumes only with the same file`() async throws {
        try await ServedPictures.with { get in
            try get.write("a.jpg", Self.jpeg + [1, 2, 3])
            let first = try get("a.jpg")
            let (tag, date) = (try #require(first.fields["etag"]), try #require(first.fields["last-modified"]))
            for fields in [["If-None-Match": tag], ["If-None-Match": "W/" + tag], ["If-Modified-Since": date]] {
                let answer = try get("a.jpg", fields)
                #expect(answer.status == 304 && answer.body.isEmpty, "\(fields)")
                #expect(answer.fields["etag"] == tag && answer.fields["content-length"] == nil)
                #expect(answer.fields["cache-control"] == "private, no-cache")
            }
            for value in [tag, date] {
                let answer = try get("a.jpg", ["Range": "bytes=4-", "If-Range": value])
                #expect(answer.status == 206 && answer.body == [1, 2, 3])
            }
            #expect(try get("a.jpg", ["If-Match": "\"x\""]).problem == "precondition-failed")
            #expect(try get("a.jpg", ["If-Match": "\"x\""]).status == 412)
            #expect(try get("a.jpg", ["If-Match": tag]).status == 200)
            // Other bytes of the same length, with the time set back: only the system's own timestamp shows it.
            try get.write("a.jpg", Self.jpeg + [4, 5, 6])
            let again = try get("a.jpg", ["If-None-Match": tag])
            #expect(again.status == 200 && again.body == Self.jpeg + [4, 5, 6] && again.fields["etag"] != tag)
            let whole = try get("a.jpg", ["Range": "bytes=4-", "If-Range": tag])
            #expect(whole.status == 200 && whole.body == Self.jpeg + [4, 5, 6])
        }
    }

    @Test func `a file that was just written has no strong validator`() async throws {
        try await ServedPictures.with { get in
            try get.write("new.jpg", Self.jpeg + [1], isOld: false)
            // The time is recent even if the test takes long.
            try get.age("new.jpg", to: 4_000_000_000)
            let answer = try get("new.jpg")
            let tag = try #require(answer.fields["etag"])
            #expect(tag.hasPrefix("W/\""))
            #expect(answer.fields["last-modified"] == nil)
            // Good enough to keep it, not to go on with it.
            #expect(try get("new.jpg", ["If-None-Match": tag]).status == 304)
            for value in [tag, String(tag.dropFirst(2))] {
                #expect(try get("new.jpg", ["Range": "bytes=0-0", "If-Range": value]).status == 200)
            }
            #expect(try get("new.jpg", ["Range": "bytes=0-0"]).status == 206)
        }
    }

    @Test func `remote addresses are redirected to and never fetched`() async throws {
        try await ServedPictures.with { get in
            // No server listens there: a request to it would fail.
            let answer = try get("http://127.0.0.1:1/é b.jpg?x=1")
            #expect(answer.status == 307)
            #expect(answer.fields["location"] == "http://127.0.0.1:1/%C3%A9%20b.jpg?x=1")
            #expect(answer.fields["referrer-policy"] == "no-referrer")
            #expect(answer.fields["cache-control"] == "private, no-cache")
            #expect(answer.body.isEmpty)
            let head = try get.server.client("HEAD", get.target("https://host/a.jpg") + "?size=640")
            #expect(head.status == 307 && head.fields["location"] == "https://host/a.jpg")
        }
    }

    @Test func `without a worker, a size redirects to the original`() async throws {
        try await ServedPictures.with { get in
            try get.write("a.jpg", Self.jpeg)
            let target = try get.target("a.jpg")
            for size in ["160", "240", "320", "480", "640", "960", "1280", "1920", "2560"] {
                let answer = try get.server.client("GET", target + "?size=" + size)
                #expect(answer.status == 307 && answer.fields["location"] == "image", "\(size)")
            }
            #expect(try get.server.client("GET", target + "?size=original").body == Self.jpeg)
            for size in ["", "0", "321", "0160", "640x480", "Original", "-1"] {
                let answer = try get.server.client("GET", target + "?size=" + size)
                #expect(answer.status == 400 && answer.problem == "invalid-parameter", "\(size)")
                #expect(answer.json["parameter"] as? String == "size")
            }
            // If there is no file, no size is promised either.
            #expect(try get.server.client("GET", get.target("none.jpg") + "?size=320").status == 404)
        }
    }

    // PostgreSQL keeps no text with a NUL character, as one of the locations has it.
    @Test(.withoutPrimary) func `a picture that cannot be served is a problem without a path`() async throws {
        try await ServedPictures.with { get in
            let folder = TestServer.pictures(get.server.file)
            try Data(Self.jpeg).write(to: folder.appending(path: "../secret.jpg"))
            try get.write("page.jpg", Array("<!DOCTYPE html><script>alert(1)</script>".utf8))
            try get.write("drawing.svg", Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8))
            #expect(mkfifo(get.url("pipe.jpg").path, 0o600) == 0)
            try FileManager.default.createSymbolicLink(
                atPath: get.url("out.jpg").path, withDestinationPath: "../secret.jpg")
            let cases: [(location: String?, problem: String)] = [
                (nil, "no-picture"), ("ftp://host/a.jpg", "no-picture"), ("https://me:word@host/a.jpg", "no-picture"),
                ("none.jpg", "picture-not-found"), ("../secret.jpg", "picture-not-found"),
                (folder.appending(path: "../secret.jpg").path, "picture-not-found"), ("out.jpg", "picture-not-found"),
                ("/etc/passwd", "picture-not-found"), ("first.png\u{0}", "picture-not-found"),
                ("page.jpg", "not-a-picture"), ("drawing.svg", "not-a-picture"), ("pipe.jpg", "not-a-picture"),
                (".", "not-a-picture"),
            ]
            for (location, problem) in cases {
                let answer = try get(location)
                #expect(answer.status == 404, "\(location ?? "none")")
                #expect(answer.problem == problem, "\(location ?? "none")")
                #expect(answer.fields["content-type"] == "application/problem+json")
                #expect(answer.fields["x-content-type-options"] == "nosniff")
                let text = answer.text
                #expect(text.contains("\\\"photo-1\\\""))
                #expect(!text.contains("secret") && !text.contains("pictures/") && !text.contains("host"))
            }
            let refused = try get.server.client("GET", get.target("page.jpg"), ["Accept": "text/html"])
            #expect(refused.status == 406)
        }
    }

    @Test func `a photo with a new location has another picture at once`() async throws {
        try await ServedPictures.with { get in
            try get.write("a.jpg", Self.jpeg + [1])
            try get.write("b.jpg", Self.jpeg + [2])
            let tag = try #require(try get("a.jpg").fields["etag"])
            let answer = try get("b.jpg", ["If-None-Match": tag])
            #expect(answer.status == 200 && answer.body == Self.jpeg + [2])
            for root in try get.server.service.roots() { try get.server.service.removeRoot(root.path) }
            #expect(try get("b.jpg").problem == "picture-not-found")
        }
    }

    @Test func `the sample collection is served`() async throws {
        let samples = RealData.packageRoot().appending(path: "SampleData")
        try await TestServer.with(photos: 0) { server in
            try server.service.addRoot(samples.path(percentEncoded: false))
            let lines = try String(contentsOf: samples.appending(path: "photos.jsonl"), encoding: .utf8)
            var count = 0
            let get = ServedPictures(server: server)
            for line in lines.split(separator: "\n") {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                guard let location = object?["location"] as? String, location.hasPrefix("pictures/") else { continue }
                let answer = try get(location)
                #expect(answer.body == [UInt8](try Data(contentsOf: samples.appending(path: location))))
                count += 1
            }
            #expect(count > 50)
        }
    }

    @Test(.enabled(if: RealData.isAvailable())) func `real files are served or refused by their content`()
        async throws
    {
        let folder = RealData.directory().appending(path: "images")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        try await TestServer.with(photos: 0) { server in
            try server.service.addRoot(folder.path(percentEncoded: false), for: TestServer.stream)
            let get = ServedPictures(server: server)
            var (served, refused) = (0, 0)
            for name in names {
                let bytes = [UInt8]((try? Data(contentsOf: folder.appending(path: name))) ?? Data())
                let answer = try get(name)
                if answer.status == 200 {
                    served += 1
                    #expect(answer.body == bytes, "\(name)")
                    #expect(answer.fields["content-type"]?.hasPrefix("image/") == true)
                    #expect(!name.hasSuffix(".svg") && !name.hasSuffix(".ico"))
                } else {
                    refused += 1
                    #expect(answer.problem == "not-a-picture", "\(name)")
                }
            }
            #expect(served > 280 && refused > 20, "\(served) \(refused)")
        }
    }
}
