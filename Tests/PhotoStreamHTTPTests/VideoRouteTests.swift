import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Videos from beneath a root, through sockets.
@Suite struct VideoRouteTests {
    /// The first bytes of a file with brands.
    private static func head(_ brand: String) -> [UInt8] {
        [0, 0, 0, 20] + Array("ftyp\(brand)".utf8) + [0, 0, 2, 0] + Array(brand.utf8)
    }

    /// A file of 300,000 bytes and a few that begins like an MP4 file.
    private static let mp4 = head("isom") + (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 31 >> 3) }

    @Test(
        arguments: [
            ("a.mp4", "isom", nil, "video/mp4"), ("a.MOV", "qt  ", "avc1", "video/mp4"),
            ("a.mov", "qt  ", "jpeg", "video/quicktime"), ("a.mov", "qt  ", nil, "video/quicktime"),
            ("a.3gp", "3gp4", "s263", "video/3gpp"), ("a.html", "mp42", "hvc1", "video/mp4"),
        ] as [(String, String, String?, String)])
    func `a video is sent with a type that browsers play, and under its name`(
        name: String, brand: String, codec: String?, type: String
    ) async throws {
        try await ServedPictures.with { get in
            try get.write(name, Self.head(brand))
            var record = PhotoRecord(id: PhotoID(stored: "photo-1"))
            record.codec = codec.map { .set($0) } ?? .clear
            try TestServer.load([record], into: TestServer.stream, of: get.server.file)
            let answer = try get(name)
            #expect(answer.status == 200 && answer.body == Self.head(brand))
            #expect(answer.fields["content-type"] == type)
            #expect(answer.fields["x-content-type-options"] == "nosniff")
            #expect(answer.fields["accept-ranges"] == "bytes")
            let policy = try #require(answer.fields["content-security-policy"])
            #expect(policy.contains("default-src 'none'") && policy.hasSuffix("sandbox"))
            #expect(answer.fields["content-disposition"]?.contains("filename=\"\(name)\"") == true)
            let target = try get.target(name)
            #expect(try get.server.client("GET", target, ["Accept": type]).status == 200)
            let refused = try get.server.client("GET", target, ["Accept": "image/*"])
            #expect(refused.status == 406 && refused.text.contains("the picture is \(type), which Accept excludes"))
        }
    }

    /// Fields of a request, and the status and bytes of its answer; `TAG` and `DATE` are the validators of the file.
    private static let requests: [(fields: [String: String], status: Int, range: Range<Int>?)] = [
        // RFC 9110, section 14.1.2.
        (["Range": "bytes=0-"], 206, 0..<mp4.count), (["Range": "bytes=0-0"], 206, 0..<1),
        (["Range": "bytes=-1"], 206, mp4.count - 1..<mp4.count), (["Range": "bytes=0-499"], 206, 0..<500),
        (["Range": "bytes=500-999"], 206, 500..<1_000), (["Range": "bytes=-500"], 206, mp4.count - 500..<mp4.count),
        (["Range": "bytes=299000-"], 206, 299_000..<mp4.count),
        (["Range": "bytes=131071-131072"], 206, 131_071..<131_073),
        // A last position beyond the end, and a suffix longer than the file.
        (["Range": "bytes=299999-9999999"], 206, 299_999..<mp4.count),
        (["Range": "bytes=-9999999"], 206, 0..<mp4.count),
        // Section 14.2: an invalid range, another unit and several ranges are ignored.
        (["Range": "bytes=500-499"], 200, nil), (["Range": "seconds=0-1"], 200, nil),
        (["Range": "bytes=abc"], 200, nil),
        (["Range": "bytes=0-1,4-5"], 200, nil), (["Range": "bytes=0-0, -1"], 200, nil),
        // Section 15.5.17.
        (["Range": "bytes=\(mp4.count)-"], 416, nil), (["Range": "bytes=9999999-"], 416, nil),
        (["Range": "bytes=-0"], 416, nil),
        // Section 13.1.5: a validator that is not that of the file gives the whole file.
        (["Range": "bytes=4-7", "If-Range": "TAG"], 206, 4..<8),
        (["Range": "bytes=4-7", "If-Range": "DATE"], 206, 4..<8),
        (["Range": "bytes=4-7", "If-Range": "W/TAG"], 200, nil),
        (["Range": "bytes=4-7", "If-Range": "\"x\""], 200, nil),
        (["Range": "bytes=4-7", "If-Range": "Sun, 06 Nov 1994 08:49:37 GMT"], 200, nil),
        (["Range": "bytes=9999999-", "If-Range": "\"x\""], 200, nil),
        (["Range": "bytes=9999999-", "If-Range": "TAG"], 416, nil),
        (["If-Range": "TAG"], 200, nil),
        // Section 13.2.2: the other conditions come first.
        (["Range": "bytes=4-7", "If-Match": "TAG"], 206, 4..<8),
        (["Range": "bytes=4-7", "If-Match": "\"x\""], 412, nil),
        (["Range": "bytes=9999999-", "If-Match": "\"x\""], 412, nil),
        (["Range": "bytes=4-7", "If-None-Match": "TAG"], 304, nil),
        (["Range": "bytes=9999999-", "If-None-Match": "TAG"], 304, nil),
        (["Range": "bytes=4-7", "If-None-Match": "\"x\""], 206, 4..<8),
        (["Range": "bytes=4-7", "If-Modified-Since": "DATE"], 304, nil),
        (["Range": "bytes=4-7", "If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"], 412, nil),
    ]

    @Test func `every case of a range is answered as RFC 9110 requires`() async throws {
        try await ServedPictures.with { get in
            try get.write("a.mp4", Self.mp4)
            let whole = try get("a.mp4")
            let (tag, date) = (try #require(whole.fields["etag"]), try #require(whole.fields["last-modified"]))
            #expect(!tag.hasPrefix("W/"))
            let target = try get.target("a.mp4")
            for (fields, status, range) in Self.requests {
                let sent = fields.mapValues { $0.replacing("TAG", with: tag).replacing("DATE", with: date) }
                let answer = try get.server.client("GET", target, sent)
                #expect(answer.status == status, "\(fields)")
                let length = Self.mp4.count
                switch status {
                case 206:
                    let range = try #require(range)
                    #expect(answer.body == Array(Self.mp4[range]), "\(fields)")
                    #expect(
                        answer.fields["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)")
                    #expect(answer.fields["content-length"] == String(range.count))
                    #expect(answer.fields["content-type"] == "video/mp4" && answer.fields["etag"] == tag)
                case 200: #expect(answer.body == Self.mp4 && answer.fields["content-range"] == nil, "\(fields)")
                case 416:
                    #expect(answer.fields["content-range"] == "bytes */\(length)")
                    let detail = "the picture has \(length) bytes, and the range includes none of them"
                    #expect(answer.json["detail"] as? String == detail)
                case 304: #expect(answer.body.isEmpty && answer.fields["etag"] == tag)
                default: #expect(answer.problem == "precondition-failed", "\(fields)")
                }
                // Ranges exist for GET only, so that HEAD has the length of the whole file.
                let headStatus = [206, 416].contains(status) ? 200 : status
                let head = try get.server.client("HEAD", target, sent)
                #expect(head.status == headStatus && head.body.isEmpty, "\(fields)")
                if headStatus == 200 { #expect(head.fields["content-length"] == String(length)) }
            }
        }
    }

    @Test func `a video of a gigabyte is not read before it is sent`() async throws {
        try await ServedPictures.with { get in
            try get.write("large.mp4", Self.head("isom"), isOld: false)
            let byteCount = Int64(1) << 30
            try #require(truncate(get.url("large.mp4").path, off_t(byteCount)) == 0)
            try get.age("large.mp4")
            let target = try get.target("large.mp4")
            for (range, first) in [
                ("", 0), ("Range: bytes=0-\r\n", 0), ("Range: bytes=1000000000-\r\n", 1_000_000_000),
            ] {
                let before = try Self.bytesRead()
                let descriptor = try get.server.client.connected()
                defer { close(descriptor) }
                let text = "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(range)\r\n"
                try HTTPClient.write(Array(text.utf8), to: descriptor)
                let answer = String(decoding: HTTPClient.readAll(descriptor, atLeast: 1_000), as: UTF8.self)
                #expect(answer.hasPrefix(range.isEmpty ? "HTTP/1.1 200 " : "HTTP/1.1 206 "))
                #expect(answer.contains("Content-Length: \(byteCount - Int64(first))\r\n"))
                // The bytes in the buffers of the sockets, and those that other tests read in the meantime.
                #expect(try Self.bytesRead() - before < byteCount / 4)
            }
            let tail = try get.server.client("GET", target, ["Range": "bytes=-3"])
            #expect(tail.status == 206 && tail.body == [0, 0, 0])
        }
    }

    /// The number of bytes that this process has read from files and sockets.
    private static func bytesRead() throws -> Int64 {
        let text = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
        return try #require(text.firstMatch(of: /rchar: (\d+)/).flatMap { Int64($0.output.1) })
    }

    @Test func `a thumbnail of a video is never the video itself`() async throws {
        try await ServedPictures.with { get in
            try get.write("a.mp4", Self.head("isom"))
            let answer = try get.server.client("GET", try get.target("a.mp4") + "?size=2560")
            #expect(answer.status == 404 && answer.problem == "no-thumbnail")
            #expect(
                answer.json["detail"] as? String
                    == "this server makes no thumbnails, and the picture is video/mp4; ask for the original")
        }
    }

    @Test func `a share sends videos only with its permission for originals`() async throws {
        try await ServedPictures.with { get in
            try get.write("Anna.mov", Self.head("qt  "))
            _ = try get.target("Anna.mov", id: "Anna.mov")
            for options: ShareOptions in [[], .originals, [.originals, .names]] {
                let share = try get.server.service.createShare(
                    of: TestServer.stream, named: "\(options.rawValue)", showing: options)
                let path = "/s/\(share.token.text)/v1/streams/gallery"
                let list = try get.server.client("GET", path + "/layout/items?width=900&count=100")
                let items = try #require(list.json["items"] as? [[String: Any]])
                let answers = try items.map { item in
                    let photo = try #require(item["photo"] as? String)
                    return try get.server.client("GET", "\(path)/photos/\(NastyTexts.escaped(photo.utf8))/image")
                }
                let videos = answers.filter { $0.fields["content-type"] == "video/quicktime" }
                #expect(videos.count == (options.contains(.originals) ? 1 : 0))
                guard let field = videos.first?.fields["content-disposition"] else { continue }
                #expect(field.contains("Anna") == options.contains(.names))
                #expect(field.contains(".mov\""))
            }
        }
    }
}
