import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import Testing

/// The binary form of a page says what its JSON says.
@Suite struct BinaryPageTests {
    private static let page = "/v1/streams/gallery/layout/page?"
    private static let binary = ["Accept": "application/vnd.photostream.page"]

    /// A page as the documentation describes it, read by another hand than the one that writes it.
    private struct Page {
        var flags: UInt16 = 0
        var revision: Int64
        var chainRevision: Int64
        var origin: (x: Int64, y: Int64) = (0, 0)
        var scale: Double
        var index: Int64
        var frames: [[Double]] = []
        var numbers: [Int] = []
        var ids: [String] = []
        var cursor = ""

        init(_ bytes: [UInt8]) throws {
            let data = Data(bytes)
            func number<Number: FixedWidthInteger>(_: Number.Type, at offset: Int) -> Number {
                data[offset..<offset + Number.bitWidth / 8].reversed().reduce(0) {
                    $0 << 8 | Number(truncatingIfNeeded: $1)
                }
            }
            try #require(String(decoding: data[0..<4], as: UTF8.self) == "PSPG")
            try #require(number(UInt16.self, at: 4) == 1)
            flags = number(UInt16.self, at: 6)
            let count = Int(number(UInt32.self, at: 8))
            let cursorCount = Int(number(UInt32.self, at: 12))
            revision = number(Int64.self, at: 16)
            chainRevision = number(Int64.self, at: 24)
            origin = (number(Int64.self, at: 32), number(Int64.self, at: 40))
            scale = Double(bitPattern: number(UInt64.self, at: 48))
            index = number(Int64.self, at: 56)
            for item in 0..<count {
                let start = 64 + 20 * item
                let sides = (0..<4).map { Int64(number(Int32.self, at: start + 4 * $0)) }
                frames.append(
                    [origin.x + sides[0], origin.y + sides[1], sides[2], sides[3]].map { Double($0) / scale })
                numbers.append(Int(number(UInt32.self, at: start + 16)))
            }
            var end = 64 + 20 * count
            if flags & 4 != 0 {
                let starts = (0...count).map { Int(number(UInt32.self, at: end + 4 * $0)) }
                end += 4 * (count + 1)
                for item in 0..<count {
                    ids.append(String(decoding: data[end + starts[item]..<end + starts[item + 1]], as: UTF8.self))
                }
                end += starts[count]
            }
            cursor = String(decoding: data[end...], as: UTF8.self)
            try #require(cursor.utf8.count == cursorCount)
        }
    }

    @Test func `a chain of binary pages is the chain of pages, and its numbers name the photos`() async throws {
        try await TestServer.with { server in
            var question = "width=901&columns=3&display-scale=2"
            for step in 0..<5 {
                let target = Self.page + "limit=37&" + question
                let answer = try server.client("GET", target + "&ids=true", Self.binary)
                #expect(answer.fields["content-type"] == "application/vnd.photostream.page")
                let page = try Page(answer.body)
                let json = try server.client("GET", target).json
                let items = try #require(json["items"] as? [[String: Any]])
                #expect(page.ids == items.map { $0["photo"] as? String ?? "" })
                let frames = items.map { item in
                    let frame = item["frame"] as? [String: Double] ?? [:]
                    return ["x", "y", "width", "height"].map { frame[$0] ?? -1 }
                }
                #expect(page.frames == frames)
                #expect(page.index == Int64(items.first?["index"] as? Int ?? -1))
                #expect(page.revision == Int64(json["revision"] as? Int ?? -1))
                #expect(page.chainRevision == Int64(json["chainRevision"] as? Int ?? -1))
                #expect((page.flags & 1 != 0) == (json["inPlace"] as? Bool))
                #expect((page.flags & 2 != 0) == (json["truncated"] as? Bool))
                let named = try server.client(
                    "GET",
                    "/v1/streams/gallery/layout/items?width=901&from=\(page.numbers[0])&count=\(page.numbers.count)"
                        + "&revision=\(page.revision)&fields=photo")
                let photos = (named.json["items"] as? [[String: Any]] ?? []).map { $0["photo"] as? String ?? "" }
                #expect(photos == page.ids, "\(named.text.prefix(200))")
                #expect(page.numbers == Array(page.numbers[0]..<page.numbers[0] + page.numbers.count))
                let bare = try server.client("GET", target, Self.binary)
                #expect(bare.body.count == 64 + 20 * items.count + page.cursor.utf8.count)
                question = "cursor=" + page.cursor
                // From the third page on there are photos that the chain does not know.
                guard step == 1 else { continue }
                var record = PhotoRecord(id: PhotoID(stored: "new"))
                record.takenAt = .set(
                    try CaptureTime(milliseconds: 4_000_000_000_000, utcOffsetMinutes: 0, precision: .second))
                try TestServer.load([record], into: TestServer.stream, of: server.file)
            }
        }
    }

    @Test func `each form has a validator of its own and refuses what it has no place for`() async throws {
        try await TestServer.with { server in
            let target = Self.page + "width=900"
            let (json, binary) = (try server.client("GET", target), try server.client("GET", target, Self.binary))
            #expect(json.fields["etag"] != binary.fields["etag"])
            let again = Self.binary.merging(["If-None-Match": binary.fields["etag"] ?? ""]) { $1 }
            #expect(try server.client("GET", target, again).status == 304)
            #expect(try server.client("GET", target + "&ids=true").problem == "invalid-parameter")
            #expect(try server.client("GET", target + "&fields=frame", Self.binary).problem == "invalid-parameter")
            let better = ["Accept": "application/json;q=0.5, application/*"]
            #expect(
                try server.client("GET", target, better).fields["content-type"] == "application/vnd.photostream.page")
        }
    }
}
