import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import Testing

/// The binary form of pages, rectangles and items contains the same values as their JSON.
@Suite struct BinaryFramesTests {
    private static let page = "/v1/streams/gallery/layout/page?"
    private static let binary = ["Accept": "application/vnd.photostream.page"]

    /// An answer as the documentation describes it, read by another hand than the one that writes it.
    private struct Page {
        /// An element that is not a photo.
        struct Element {
            var frame: [Double]
            var zIndex: Int
            var path: [Int]
            var kind: Int
        }

        var flags: UInt16 = 0
        var revision: Int64
        var chainRevision: Int64
        var origin: (x: Int64, y: Int64) = (0, 0)
        var scale: Double
        var index: Int64
        var frames: [[Double]] = []
        var numbers: [Int] = []
        var contentSize: [Double] = []
        var elements: [Element] = []
        var ids: [String] = []
        var cursor = ""
        var state: String
        var chainState: String

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
            state = Revision(revision, tag: number(Int64.self, at: data.count - 16)).state
            chainState = Revision(chainRevision, tag: number(Int64.self, at: data.count - 8)).state
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
            if flags & 8 != 0 {
                contentSize = [0, 8].map { Double(number(Int64.self, at: end + $0)) / scale }
                let elementCount = Int(number(UInt32.self, at: end + 16))
                for element in 0..<elementCount {
                    let start = end + 20 + 56 * element
                    elements.append(
                        Element(
                            frame: (0..<4).map { Double(number(Int64.self, at: start + 8 * $0)) / scale },
                            zIndex: Int(number(Int64.self, at: start + 32)),
                            path: (0..<3).map { Int(number(UInt32.self, at: start + 40 + 4 * $0)) },
                            kind: Int(number(UInt32.self, at: start + 52))))
                }
                end += 20 + 56 * elementCount
            }
            if flags & 4 != 0 {
                let starts = (0...count).map { Int(number(UInt32.self, at: end + 4 * $0)) }
                end += 4 * (count + 1)
                for item in 0..<count {
                    ids.append(String(decoding: data[end + starts[item]..<end + starts[item + 1]], as: UTF8.self))
                }
                end += starts[count]
            }
            cursor = String(decoding: data[end..<data.count - 16], as: UTF8.self)
            try #require(cursor.utf8.count == cursorCount)
        }
    }

    @Test func `a chain of binary pages equals the chain of JSON pages`() async throws {
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
                #expect(page.state == json["state"] as? String && page.chainState == json["chainState"] as? String)
                #expect((page.flags & 1 != 0) == (json["inPlace"] as? Bool))
                #expect((page.flags & 2 != 0) == (json["truncated"] as? Bool))
                let named = try server.client(
                    "GET",
                    "/v1/streams/gallery/layout/items?width=901&from=\(page.numbers[0])&count=\(page.numbers.count)"
                        + "&revision=\(page.state)&fields=photo")
                let photos = (named.json["items"] as? [[String: Any]] ?? []).map { $0["photo"] as? String ?? "" }
                #expect(photos == page.ids, "\(named.text.prefix(200))")
                #expect(page.numbers == Array(page.numbers[0]..<page.numbers[0] + page.numbers.count))
                let bare = try server.client("GET", target, Self.binary)
                #expect(bare.body.count == 80 + 20 * items.count + page.cursor.utf8.count)
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

    /// The numbers of a JSON object, or -1.
    private static func numbers(_ object: Any?, _ names: [String]) -> [Double] {
        let object = object as? [String: Any] ?? [:]
        return names.map { object[$0] as? Double ?? -1 }
    }

    /// Compares a binary answer about a whole layout with its JSON.
    private static func expectSame(_ page: Page, _ json: [String: Any], _ target: String) throws {
        let items = try #require(json["items"] as? [[String: Any]], "\(target)")
        let sides = ["x", "y", "width", "height"]
        #expect(page.frames == items.map { numbers($0["frame"], sides) }, "\(target)")
        #expect(page.numbers == items.map { $0["index"] as? Int ?? -1 }, "\(target)")
        #expect(page.index == Int64(items.first?["index"] as? Int ?? 0))
        #expect(page.contentSize == numbers(json["contentSize"], ["width", "height"]))
        #expect(page.revision == Int64(json["revision"] as? Int ?? -1) && page.chainRevision == page.revision)
        #expect(page.state == json["state"] as? String && page.chainState == page.state)
        #expect(page.flags & 8 != 0 && page.flags & 1 != 0)
        #expect((page.flags & 2 != 0) == (json["truncated"] as? Bool ?? false))
        let elements = json["elements"] as? [[String: Any]] ?? []
        let kinds = ["", "section-background", "separator", "badge", "section-header", "section-footer"]
        #expect(page.elements.map { kinds[$0.kind] } == elements.map { $0["kind"] as? String ?? "?" }, "\(target)")
        #expect(page.elements.map(\.frame) == elements.map { numbers($0["frame"], sides) }, "\(target)")
        #expect(page.elements.map(\.zIndex) == elements.map { $0["zIndex"] as? Int ?? -9 }, "\(target)")
        let paths = elements.map { element in ["section", "item", "index"].map { element[$0] as? Int ?? -1 } }
        #expect(page.elements.map(\.path) == paths, "\(target)")
    }

    private static let sectioned =
        "section-by=month&header-size=30&footer-size=10&section-background=true&badge-size=9,9&line-spacing=4"

    @Test(arguments: [
        "width=901&columns=3&display-scale=2&" + sectioned,
        "width=900&algorithm=justified&separator-thickness=2&pin-headers=true&" + sectioned,
        "height=400&scroll-direction=horizontal&layout-direction=right-to-left&" + sectioned,
        "width=900&algorithm=map&zoom=3&item-size=20,10&header-size=20",
    ])
    func `binary rectangles and items have the photos and elements of their JSON`(options: String) async throws {
        try await TestServer.with { server in
            let layout = "/v1/streams/gallery/layout"
            var question = "/rect?rect=0,0,900,1500&limit=13&" + options
            for step in 0..<3 {
                let target = layout + question
                let page = try Page(try server.client("GET", target + "&ids=true", Self.binary).body)
                let json = try server.client("GET", target).json
                try Self.expectSame(page, json, target)
                #expect(page.ids == (json["items"] as? [[String: Any]])?.map { $0["photo"] as? String ?? "" })
                #expect(page.cursor == json["nextCursor"] as? String ?? "")
                #expect(step > 0 || !page.elements.isEmpty, "\(target)")
                let bare = try Page(try server.client("GET", target, Self.binary).body)
                try Self.expectSame(bare, json, target)
                #expect(bare.ids.isEmpty && bare.cursor == page.cursor)
                guard !page.cursor.isEmpty else { break }
                question = "/rect?limit=20&cursor=" + page.cursor
            }
            for question in ["/items?from=40&count=11&", "/items?from=295&count=20&", "/items?from=300&"] {
                let target = layout + question + options
                let json = try server.client("GET", target).json
                let page = try Page(try server.client("GET", target + "&ids=true", Self.binary).body)
                try Self.expectSame(page, json, target)
                #expect(page.ids == (json["items"] as? [[String: Any]])?.map { $0["photo"] as? String ?? "" })
                try Self.expectSame(try Page(try server.client("GET", target, Self.binary).body), json, target)
            }
            let target = layout + "/items?id=photo-5&id=none&id=photo-298&" + options
            let page = try Page(try server.client("GET", target + "&ids=true", Self.binary).body)
            try Self.expectSame(page, try server.client("GET", target).json, target)
            #expect(page.ids == ["photo-5", "photo-298"])
            // Returned ids need not be requested.
            #expect(try Page(try server.client("GET", target, Self.binary).body).ids == page.ids)
        }
    }

    @Test(arguments: ["/rect?rect=0,0,900,900&width=900", "/items?width=900"])
    func `the binary form of rectangles and items is negotiated like that of pages`(target: String) async throws {
        try await TestServer.with { server in
            let target = "/v1/streams/gallery/layout" + target
            let (json, binary) = (try server.client("GET", target), try server.client("GET", target, Self.binary))
            #expect(json.fields["content-type"] == "application/json")
            #expect(binary.fields["content-type"] == "application/vnd.photostream.page")
            #expect(json.fields["etag"] != binary.fields["etag"])
            let again = Self.binary.merging(["If-None-Match": binary.fields["etag"] ?? ""]) { $1 }
            #expect(try server.client("GET", target, again).status == 304)
            #expect(try server.client("GET", target + "&ids=true").problem == "invalid-parameter")
            #expect(try server.client("GET", target + "&fields=frame", Self.binary).problem == "invalid-parameter")
        }
    }

    @Test func `each form has its own validator and refuses options that it cannot express`() async throws {
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
