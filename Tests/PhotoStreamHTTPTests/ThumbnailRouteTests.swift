import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamService
import PhotoStreamTestSupport
import Synchronization
import Testing

/// Thumbnails over sockets, from a decoder that can be held.
@Suite struct ThumbnailRouteTests {
    private struct Served {
        let get: ServedPictures
        let decoder: StandInDecoder

        var client: HTTPClient { self.get.server.client }

        /// Writes a large picture, and gives its address.
        func add(_ name: String, _ text: String, id: String = "photo-1") throws -> String {
            try get.write(name, ServedPictures.jpeg + Array(text.utf8))
            return try get.target(name, id: id)
        }

        /// The key of a photo's picture, once it is known.
        func key(of id: String = "photo-1") throws -> String {
            let found = Mutex<String?>(nil)
            _ = try eventually {
                let picture = try client("GET", "/v1/streams/gallery/photos/\(id)").json["picture"] as? [String: Any]
                found.withLock { $0 = picture?["key"] as? String }
                return picture != nil
            }
            return try #require(found.withLock { $0 })
        }
    }

    private static func with(
        limit: Int = 512, _ test: @escaping @Sendable (Served) throws -> Void
    ) async throws {
        let file = try TemporaryDatabase()
        let service = try TestServer.service(file)
        try service.createStream(TestServer.stream)
        try TestServer.load(SampleRecords.records(5), into: TestServer.stream, of: file)
        try FileManager.default.createDirectory(at: TestServer.pictures(file), withIntermediateDirectories: true)
        try service.addRoot(TestServer.pictures(file).path(percentEncoded: false))
        let decoder = StandInDecoder()
        try await TestServer.with(service, file, decoder: decoder, thumbnailLimit: limit) { server in
            defer { decoder.release() }
            try test(Served(get: ServedPictures(server: server), decoder: decoder))
        }
    }

    private static let chromium = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"

    @Test func `the format is negotiated, and both formats have immutable addresses`() async throws {
        try await Self.with { served in
            let target = try served.add("a.jpg", "first") + "?size=320"
            for (accept, type) in [
                (nil, "image/webp"), ("*/*", "image/webp"), (Self.chromium, "image/webp"), ("image/jpeg", "image/jpeg"),
                ("image/webp;q=0.5, image/*", "image/jpeg"), ("image/*", "image/webp"),
            ] {
                let answer = try served.client("GET", target, ["Accept": accept ?? ""])
                #expect(answer.status == 200 && answer.fields["content-type"] == type, "\(accept ?? "none")")
                #expect(answer.fields["vary"] == "Accept" && answer.fields["cache-control"] == "private, no-cache")
                #expect(answer.fields["content-security-policy"]?.contains("sandbox") == true)
                #expect(answer.fields["cross-origin-resource-policy"] == "same-site")
                #expect(answer.fields["x-content-type-options"] == "nosniff")
                let tag = try #require(answer.fields["etag"])
                let again = try served.client("GET", target, ["Accept": accept ?? "", "If-None-Match": tag])
                #expect(again.status == 304 && again.fields["etag"] == tag && again.body.isEmpty)
                let key = try served.key()
                #expect(tag == "\"\(key)-320-\(type == "image/webp" ? "webp" : "jpg")\"")
                let immutable = try served.client(
                    "GET", "/v1/images/\(key)/320.\(type == "image/webp" ? "webp" : "jpg")")
                #expect(immutable.body == answer.body && immutable.fields["etag"] == tag)
                #expect(immutable.fields["cache-control"] == "private, max-age=31536000, immutable")
                #expect(immutable.fields["vary"] == nil && immutable.fields["content-type"] == type)
                let head = try served.client("HEAD", target, ["Accept": accept ?? ""])
                #expect(head.fields["content-length"] == String(answer.body.count) && head.body.isEmpty)
            }
            for accept in ["text/html", "application/json", "image/png"] {
                let answer = try served.client("GET", target, ["Accept": accept])
                #expect(answer.status == 406 && answer.problem == "not-acceptable", "\(accept)")
            }
            // One decode of the default sizes, and one for JPEG.
            #expect(served.decoder.requests.count == 2)
            #expect(served.decoder.urgencies.allSatisfy { $0 == .foreground })
        }
    }

    @Test func `64 clients that request a missing thumbnail cause one decode`() async throws {
        try await Self.with { served in
            let target = try served.add("a.jpg", "first") + "?size=640"
            served.decoder.hold()
            let answers = Mutex<[HTTPClient.Answer]>([])
            let group = DispatchGroup()
            for _ in 0..<64 {
                group.enter()
                Thread.detachNewThread {
                    let answer = try? served.client("GET", target)
                    answers.withLock { if let answer { $0.append(answer) } }
                    group.leave()
                }
            }
            #expect(eventually { served.decoder.requests.count == 1 })
            Thread.sleep(forTimeInterval: 0.3)
            // Short questions are answered meanwhile.
            #expect(try served.client("GET", "/v1/streams/gallery").status == 200)
            served.decoder.release()
            group.wait()
            let all = answers.withLock { $0 }
            #expect(all.count == 64 && all.allSatisfy { $0.status == 200 })
            #expect(Set(all.map(\.body)).count == 1)
            #expect(served.decoder.requests.count == 1)
        }
    }

    @Test func `requests beyond the queue are refused with a time, and abandoned ones dropped`() async throws {
        try await Self.with(limit: 3) { served in
            let targets = try (1..<5).map {
                try served.add("\($0).jpg", "\($0)", id: "photo-\($0 == 3 ? 0 : $0)") + "?size=320"
            }
            served.decoder.hold()
            let waiting = try targets.prefix(3).map { target in
                let descriptor = try served.client.connected()
                try HTTPClient.write(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), to: descriptor)
                return descriptor
            }
            #expect(eventually { served.decoder.activeCount == 3 })
            let refused = try served.client("GET", targets[3])
            #expect(refused.status == 503 && refused.problem == "overloaded" && refused.fields["retry-after"] == "1")
            #expect(refused.fields["cache-control"] == "no-store")
            for descriptor in waiting { close(descriptor) }
            #expect(eventually { served.decoder.activeCount == 0 })
            #expect(served.decoder.droppedCount == 3)
            served.decoder.release()
            #expect(try eventually { try served.client("GET", targets[3]).status == 200 })
        }
    }

    @Test func `a picture that cannot be decoded is a problem for programs and a pixel for images`()
        async throws
    {
        try await Self.with { served in
            let target = try served.add("a.jpg", "damaged") + "?size=320"
            for accept in ["", "*/*"] {
                let answer = try served.client("GET", target, ["Accept": accept])
                #expect(answer.status == 404 && answer.problem == "no-thumbnail", "\(answer.text)")
                #expect(answer.text.contains("the file is cut off") && answer.fields["cache-control"] == "no-store")
            }
            let image = try served.client("GET", target, ["Accept": Self.chromium])
            #expect(image.status == 200 && image.fields["content-type"] == "image/png")
            #expect(image.fields["cache-control"] == "no-store" && image.fields["etag"] == nil)
            #expect(image.fields["vary"] == "Accept")
            #expect(Self.pixel(of: image.body) == [0x80, 0x80, 0x80])
            #expect(served.decoder.requests.count == 1)
            let color = Array(##"{"color":"#b98a90"}"##.utf8)
            let patched = try served.client(
                "PATCH", "/v1/streams/gallery/photos/photo-1", ["Content-Type": "application/json"], body: color)
            #expect(patched.status == 200)
            #expect(
                Self.pixel(of: try served.client("GET", target, ["Accept": Self.chromium]).body) == [0xB9, 0x8A, 0x90])
            #expect(
                try eventually {
                    let pictures = try served.client("GET", "/v1/streams/gallery").json["pictures"] as? [String: Int]
                    return pictures == ["ready": 0, "failed": 1, "pending": 4]
                })
        }
    }

    /// The colour of a PNG file of one pixel, as another program sees it.
    private static func pixel(of png: [UInt8]) -> [UInt8]? {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            """
            import sys, zlib, struct
            data, at, pixels = sys.stdin.buffer.read(), 8, b''
            assert data[:8] == b'\\x89PNG\\r\\n\\x1a\\n'
            while at < len(data):
                size, = struct.unpack('>I', data[at:at + 4])
                assert zlib.crc32(data[at + 4:at + 8 + size]) == struct.unpack('>I', data[at + 8 + size:at + 12 + size])[0]
                if data[at + 4:at + 8] == b'IDAT': pixels += data[at + 8:at + 8 + size]
                at += 12 + size
            line = zlib.decompress(pixels)
            assert len(line) == 4 and line[0] == 0
            print(*line[1:])
            """,
        ]
        (process.standardInput, process.standardOutput) = (input, output)
        guard (try? process.run()) != nil else { return nil }
        try? input.fileHandleForWriting.write(contentsOf: Data(png))
        try? input.fileHandleForWriting.close()
        let text = (try? output.fileHandleForReading.readToEnd()).flatMap { String(decoding: $0, as: UTF8.self) } ?? ""
        process.waitUntilExit()
        return text.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0) }
    }

    @Test func `a small web picture is sent unchanged, unless a person has turned it`() async throws {
        try await Self.with { served in
            let target = try served.add("a.jpg", "small")
            func edit(_ body: String) throws {
                let answer = try served.client(
                    "PATCH", "/v1/streams/gallery/photos/photo-1", ["Content-Type": "application/json"],
                    body: Array(body.utf8))
                #expect(answer.status == 200, "\(answer.text)")
            }
            try edit(#"{"width":300,"height":200}"#)
            let original = try served.client("GET", target)
            let small = try served.client("GET", target + "?size=320")
            #expect(small.body == original.body && small.fields["content-type"] == "image/jpeg")
            #expect(small.fields["vary"] == "Accept" && small.fields["etag"] == original.fields["etag"])
            #expect(served.decoder.requests.isEmpty)
            #expect(try served.client("GET", target + "?size=240").body != original.body)
            let webP = try served.client("GET", target + "?size=320", ["Accept": "image/webp"])
            #expect(webP.fields["content-type"] == "image/webp")
            let key = try served.key()
            try edit(#"{"orientation":6}"#)
            // The old address is gone with the old orientation, and the picture is turned at the new one.
            #expect(try served.client("GET", "/v1/images/\(key)/320.webp").status == 404)
            let turned = try served.client("GET", target + "?size=320")
            #expect(turned.body != original.body && turned.fields["content-type"] == "image/webp")
            #expect(served.decoder.requests.last?.orientation == .right)
            let other = try served.key()
            #expect(other != key)
            #expect(try served.client("GET", "/v1/images/\(other)/320.webp").body == turned.body)
        }
    }

    @Test func `answers and validators change when pictures are decoded`() async throws {
        try await Self.with { served in
            let target = try served.add("a.jpg", "first") + "?size=320"
            let layout = "/v1/streams/gallery/layout/"
            let shown = [
                layout + "page?width=900", layout + "rect?width=900&rect=0,0,900,90000", layout + "items?width=900",
                layout + "locate?width=900&photo=photo-1", "/v1/streams/gallery/photos",
                layout + "items?width=900&fields=photo,color", "/v1/streams/gallery/photos/photo-1",
            ]
            let others = [layout + "page?width=900&fields=photo,frame", layout.dropLast() + "?width=900"]
            let before = try (shown + others).map { try #require(try served.client("GET", $0).fields["etag"]) }
            _ = try served.client("GET", target)
            let key = try served.key()
            for (target, tag) in zip(shown, before) {
                let answer = try served.client("GET", target, ["If-None-Match": tag])
                #expect(answer.status == 200, "\(target)")
                #expect(answer.text.contains("color"), "\(target)")
                let revision = try served.client("GET", "/v1/streams/gallery").json["state"] as? String ?? ""
                if target.contains("page") {
                    // An answer that may still change is not cached for ever.
                    let asked = try served.client("GET", target + "&revision=\(revision)")
                    #expect(asked.fields["cache-control"] == "private, no-cache")
                }
            }
            for (target, tag) in zip(others, before.suffix(2)) {
                #expect(try served.client("GET", target, ["If-None-Match": tag]).status == 304, "\(target)")
            }
            let items = try served.client("GET", layout + "items?width=900").json["items"] as? [[String: Any]]
            let item = try #require(items?.first { $0["photo"] as? String == "photo-1" })
            #expect(item["pictureKey"] as? String == key)
            #expect((item["placeholder"] as? String).flatMap { Data(base64Encoded: $0) }?.count == 25)
            #expect(items?.filter { $0["pictureKey"] != nil }.count == 1)
            // A client that has read the photo before the decode may write it, and sending it back changes nothing.
            let path = "/v1/streams/gallery/photos/photo-1"
            let photo = try served.client("GET", path)
            let json = ["Content-Type": "application/json", "If-Match": before[6]]
            let written = try served.client("PUT", path, json, body: photo.body)
            #expect(written.status == 200, "\(written.text)")
            #expect(
                written.json["color"] == nil && (written.json["picture"] as? [String: Any])?["key"] as? String == key)
            #expect(try served.client("GET", path).fields["etag"] == written.fields["etag"])
        }
    }

    @Test func `the binary form has keys, colours and placeholders`() async throws {
        try await Self.with { served in
            _ = try served.client("GET", served.add("a.jpg", "first") + "?size=320")
            let key = try #require(PictureKey(try served.key()))
            let target = "/v1/streams/gallery/layout/page?width=900"
            let binary = ["Accept": "application/vnd.photostream.page"]
            // Without the tags at their ends.
            func body(_ target: String) throws -> [UInt8] {
                Array(try served.client("GET", target, binary).body.dropLast(16))
            }
            let (plain, ids) = (try body(target), try body(target + "&ids=true"))
            let all = try body(target + "&ids=true&pictures=true")
            #expect(plain.count == 64 + 5 * 20 && all.starts(with: plain[..<6]))
            #expect(all[6] == ids[6] | 16)
            let start = all[ids.count...]
            let texts = try #require(
                try served.client("GET", target).json["items"] as? [[String: Any]]
            ).map { $0["placeholder"] as? String ?? "" }
            let position = try #require(texts.firstIndex { !$0.isEmpty })
            for number in 0..<5 {
                let picture = start.dropFirst(20 * number).prefix(20)
                #expect(Array(picture.prefix(16)) == (number == position ? key.bytes : Array(repeating: 0, count: 16)))
                #expect(picture.last == (number == position ? 1 : 0))
            }
            #expect(start.count == 5 * 20 + 6 * 4 + 36)
            #expect(String(decoding: start.suffix(36), as: UTF8.self) == texts[position])
            let items = try #require(try served.client("GET", target).json["items"] as? [[String: Any]])
            let sized = try body(target + "&ids=true&pictures=true&sizes=true")
            #expect(sized[6] == all[6] | 64 && Array(sized[7..<all.count]) == Array(all[7...]))
            let sizes: [UInt32] = items.flatMap { item in
                [item["pixelWidth"], item["pixelHeight"]].compactMap { ($0 as? Int).map { UInt32($0) } }
            }
            let bytes = sizes.flatMap { size in withUnsafeBytes(of: size.littleEndian) { [UInt8]($0) } }
            #expect([UInt8](sized[all.count...]) == bytes)
            for parameter in ["pictures", "sizes"] {
                let json = try served.client("GET", target + "&\(parameter)=true")
                #expect(json.status == 400 && json.json["parameter"] as? String == parameter)
            }
        }
    }

    @Test func `an address without a valid size, format or picture is a problem`() async throws {
        try await Self.with { served in
            _ = try served.client("GET", served.add("a.jpg", "first") + "?size=320")
            let key = try served.key()
            for file in [
                "320", "320.png", "321.webp", "0320.webp", ".webp", "320.webp.jpg", "original.jpg", "-320.webp",
            ] {
                let answer = try served.client("GET", "/v1/images/\(key)/\(file)")
                #expect(answer.status == 400 && answer.json["parameter"] as? String == "file", "\(file)")
            }
            for other in ["x", String(key.dropLast()), key + "A", String(repeating: "A", count: 22)] {
                #expect(try served.client("GET", "/v1/images/\(other)/320.webp").problem == "picture-not-found")
            }
            #expect(try served.client("GET", "/v1/images/\(key)/320.webp", ["Accept": "text/html"]).status == 406)
        }
    }
}
