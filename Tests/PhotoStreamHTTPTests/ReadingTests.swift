import Foundation
import PhotoStreamHTTP
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire
import Testing

/// Questions over a socket get what the service answers, as the command prints it.
@Suite struct ReadingTests {
    private static let base = "/v1/streams/gallery/layout"
    private static let options = "width=900&columns=3&section-by=day&header-size=24&badge-size=10,10"

    private static func key() throws -> LayoutKey {
        try LayoutKey(
            LayoutConfiguration(
                containerLength: 900, sections: SectionParameters(sectioning: .day, headerReferenceSize: 24),
                badgeSize: Size(width: 10, height: 10),
                algorithm: .masonry(MasonryParameters(columns: .count(3)))))
    }

    private static func text(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return writer.text
    }

    @Test func `every layout query returns the service's answer`() async throws {
        try await TestServer.with { server in
            let (service, key, stream) = (server.service, try Self.key(), TestServer.stream)
            func ask(_ target: String) throws -> String {
                let answer = try server.client("GET", Self.base + target + "&" + Self.options)
                #expect(answer.status == 200, "\(target): \(answer.text.prefix(300))")
                return answer.text
            }
            let layout = try service.read { try $0.layout(key, of: stream).summary(sectionLimit: 100) }
            #expect(try ask("?limit=100") == Self.text { $0.value(layout) })
            let few = try service.read { try $0.layout(key, of: stream).summary(sectionsFrom: 3, sectionLimit: 2) }
            #expect(try ask("?limit=2&from-section=3") == Self.text { $0.value(few) })
            let page = try service.read { try $0.layout(key, of: stream).page(limit: 7) }
            #expect(try ask("/page?limit=7") == Self.text { $0.value(page) })
            let second = try service.read {
                try $0.layout(key, of: stream).page(.after(try #require(page.nextCursor)), limit: 7)
            }
            #expect(try ask("/page?limit=7&cursor=\(page.nextCursor ?? "")") == Self.text { $0.value(second) })
            let rect = Rect(x: 0, y: 500, width: 900, height: 2_000_000)
            let met = try service.read { try $0.layout(key, of: stream).rect(.first(in: rect), limit: 5) }
            #expect(try ask("/rect?rect=0,500,900,2000000&limit=5") == Self.text { $0.value(met) })
            let rest = try service.read {
                try $0.layout(key, of: stream).rect(.after(try #require(met.nextCursor)), limit: 9)
            }
            #expect(try ask("/rect?limit=9&cursor=\(met.nextCursor ?? "")") == Self.text { $0.value(rest) })
            let items = try service.read { try $0.layout(key, of: stream).items(from: 40, count: 11) }
            #expect(try ask("/items?from=40&count=11") == Self.text { $0.value(items) })
            let headers = try service.read { try $0.layout(key, of: stream).elements(ofKind: .sectionHeader, limit: 4) }
            #expect(try ask("/elements?kind=section-header&limit=4") == Self.text { $0.value(headers) })
            let badges = try service.read { try $0.layout(key, of: stream).elements(ofKind: .badge, section: 2) }
            #expect(try ask("/elements?kind=badge&section=2") == Self.text { $0.value(badges) })
            let slashed = PhotoID(stored: SampleRecords.id(13))
            let place = try service.read { try $0.layout(key, of: stream).locate(slashed) }
            #expect(try ask("/locate?photo=2023%2F%C3%A9t%C3%A9+13") == Self.text { $0.value(place) })
            let point = try service.read { try $0.layout(key, of: stream).at(Point(x: 400, y: 900.5)) }
            #expect(try ask("/at?x=400&y=900.5") == Self.text { $0.value(point) })
            let scrubber = try service.read { try $0.layout(key, of: stream).scrubber(steps: 9) }
            #expect(try ask("/scrubber?steps=9") == Self.text { $0.value(scrubber) })
            let target = try service.read {
                try $0.layout(key, of: stream).target(
                    forProposed: Point(x: 0, y: 1_234), velocity: 1, viewport: Size(width: 900, height: 500),
                    snapping: .lineStarts)
            }
            #expect(try ask("/target?x=0&y=1234&velocity=1&viewport=900,500") == Self.text { $0.value(target) })
            let first = try service.read { try $0.layout(key, of: stream).firstPaint(limit: 6) }
            #expect(try ask("?first=6") == Self.text { $0.value(first) })
        }
    }

    @Test func `photos are read from any position up to the stream's end`() async throws {
        try await TestServer.with(photos: 20) { server in
            func ask(_ stream: String, _ first: Int) throws -> HTTPClient.Answer {
                try server.client("GET", "/v1/streams/\(stream)/layout/items?width=900&fields=photo&from=\(first)")
            }
            try server.service.createStream(StreamName(stored: "empty"))
            for (stream, count) in [("gallery", 20), ("empty", 0)] {
                for first in Set([0, count - 1, count]) where first >= 0 {
                    let answer = try ask(stream, first)
                    #expect(answer.status == 200 && (answer.json["items"] as? [Any])?.count == count - first)
                }
                for first in [count + 1, .max] {
                    let answer = try ask(stream, first)
                    #expect(answer.status == 404 && answer.problem == "index-out-of-range")
                    #expect(
                        answer.json["detail"] as? String
                            == "the first position is \(first), but must be 0 to \(count), which is the stream's end")
                }
            }
        }
    }

    @Test func `scrolling stops inside the content for any target`() async throws {
        try await TestServer.with(photos: 20) { server in
            func rest(_ direction: String, _ x: String, _ y: String) throws -> [String: Double]? {
                let options = direction == "vertical" ? "width=900" : "height=900&scroll-direction=horizontal"
                let answer = try server.client(
                    "GET", "\(Self.base)/target?\(options)&snap=none&viewport=300,200&x=\(x)&y=\(y)")
                let size = try #require(answer.json["contentSize"] as? [String: Double], "\(answer.text)")
                let offset = try #require(answer.json["contentOffset"] as? [String: Double])
                return offset == ["x": 0, "y": 0] ? [:] : size.merging(offset) { $1 }
            }
            for direction in ["vertical", "horizontal"] {
                for far in ["9007199254740993", "1e300"] {
                    let end = try #require(try rest(direction, far, far))
                    #expect(end["x"] == (end["width"] ?? 0) - 300 && end["y"] == (end["height"] ?? 0) - 200)
                    #expect(try rest(direction, "-" + far, "-" + far) == [:])
                }
            }
        }
    }

    @Test func `a change of the index alone is not an update`() async throws {
        try await TestServer.with(photos: 0) { server in
            // A line of the newer month has room for one more.
            func put(_ id: String, month: Int) throws {
                let body = #"{"width":3,"height":2,"takenAt":"2026-0\#(month)-01T12:00:00Z"}"#
                let answer = try server.client(
                    "PUT", "/v1/streams/gallery/photos/\(id)", ["Content-Type": "application/json"],
                    body: Array(body.utf8))
                #expect(answer.status == 201)
            }
            for id in ["a", "b", "c"] { try put(id, month: 2) }
            for id in ["d", "e"] { try put(id, month: 1) }
            let options = "width=400&algorithm=grid&columns=2&section-by=month&rect=0,0,400,4000"
            func indices() throws -> [String: Int] {
                let answer = try server.client("GET", Self.base + "/rect?fields=photo,index&" + options)
                let items = try #require(answer.json["items"] as? [[String: Any]], "\(answer.text)")
                return Dictionary(
                    uniqueKeysWithValues: items.compactMap { item in
                        (item["photo"] as? String).flatMap { id in (item["index"] as? Int).map { (id, $0) } }
                    })
            }
            let (before, revision) = (
                try indices(), try server.service.read { try $0.state(of: TestServer.stream) }.revision.state
            )
            try put("new", month: 2)
            let answer = try server.client("GET", Self.base + "/updates?since=\(revision)&" + options)
            for kind in ["insertions", "deletions", "moves", "reloads"] {
                let told = try #require(answer.json[kind] as? [[String: Any]], "\(answer.text)")
                #expect(!told.contains { ["d", "e"].contains($0["photo"] as? String) }, "\(kind)")
            }
            let after = try indices()
            for id in ["d", "e"] { #expect(after[id] == before[id].map { $0 + 1 } && after[id] != nil) }
        }
    }

    @Test func `a map is queried like any layout and returns its world`() async throws {
        try await TestServer.with { server in
            let (service, stream) = (server.service, TestServer.stream)
            let map = MapParameters(zoom: 3, itemSize: Size(width: 20, height: 10))
            let key = try LayoutKey(LayoutConfiguration(containerLength: 900, algorithm: .map(map)))
            func ask(_ target: String) throws -> HTTPClient.Answer {
                try server.client("GET", Self.base + target + "&width=900&algorithm=map&zoom=3&item-size=20,10")
            }
            let layout = try service.read { try $0.layout(key, of: stream).summary() }
            let summary = try ask("?limit=100")
            #expect(summary.text == Self.text { $0.value(layout) })
            #expect(summary.json["world"] != nil)
            let rect = Rect(x: 0, y: 0, width: 4_000, height: 4_000)
            let met = try service.read { try $0.layout(key, of: stream).rect(.first(in: rect), limit: 5) }
            #expect(try ask("/rect?rect=0,0,4000,4000&limit=5").text == Self.text { $0.value(met) })
            let items = try service.read { try $0.layout(key, of: stream).items(from: 40, count: 11) }
            #expect(try ask("/items?from=40&count=11").text == Self.text { $0.value(items) })
            let first = try service.read { try $0.layout(key, of: stream).firstPaint(limit: 6) }
            #expect(try ask("?first=6").text == Self.text { $0.value(first) })
            let sectioned = try ask("/page?section-by=day")
            #expect(sectioned.status == 400)
            #expect(sectioned.json["parameter"] as? String == "section-by")
        }
    }

    @Test func `a layout key replaces all options`() async throws {
        try await TestServer.with { server in
            let options = try server.client("GET", Self.base + "/page?" + Self.options)
            let key = try #require(options.json["layoutKey"] as? String)
            let escaped = try #require(key.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let same = try server.client("GET", Self.base + "/page?layout-key=" + escaped)
            #expect(same.status == 200)
            #expect(same.body == options.body)
            let both = try server.client("GET", Self.base + "/page?columns=2&layout-key=" + escaped)
            #expect(both.status == 400)
            #expect(both.problem == "invalid-layout")
        }
    }

    @Test func `streams, photos and changes are listed`() async throws {
        try await TestServer.with { server in
            let stream = TestServer.stream
            let list = try server.client("GET", "/v1/streams")
            let streams = try server.service.read { try $0.streams() }
            // The file does not know that the server takes uploads.
            func taking(_ text: String) -> String { text.replacing(#""canUpload":false"#, with: #""canUpload":true"#) }
            #expect(list.text == taking(Self.text { $0.value(StreamList(streams)) }))
            let one = try server.client("GET", "/v1/streams/gallery")
            let summary = try server.service.read { try $0.stream(stream) }
            #expect(one.text == taking(Self.text { $0.value(summary) }))
            let stats = try server.client("GET", "/v1/streams/gallery/stats")
            let counted = try #require(try server.service.read { try $0.stats(of: stream) }.streams.first)
            #expect(stats.text == Self.text { $0.value(counted) })
            let photos = try server.client("GET", "/v1/streams/gallery/photos?limit=5&after=photo-298")
            let expected = try server.service.read { try $0.photos(of: stream, after: PhotoID("photo-298"), limit: 5) }
            #expect(photos.text == Self.text { $0.value(StreamPhotosList(expected, of: stream)) })
            let photo = try server.client("GET", "/v1/streams/gallery/photos/2023%2F%C3%A9t%C3%A9%20293")
            let stored = try server.service.read { try $0.photo(PhotoID(SampleRecords.id(293)), of: stream) }
            #expect(photo.text == Self.text { $0.value(stored) })
            let revision = summary.revision
            try server.service.deletePhotos([PhotoID(stored: "photo-5")], from: stream)
            let target = "/v1/streams/gallery/changes?since=\(revision.state)"
            let changes = try server.client("GET", target)
            #expect(changes.fields["content-type"] == "application/jsonl")
            #expect(changes.jsonLines.count == 2)
            #expect(changes.jsonLines.last?["change"] as? String == "deleted")
            let whole = try server.client("GET", target, ["Accept": "application/json"])
            let answer = try server.service.read { try $0.changes(of: stream, since: revision) }
            #expect(whole.text == Self.text { $0.value(answer) })
            let first = try server.client("GET", "/v1/streams/gallery/changes?since=0&limit=100")
            #expect(first.jsonLines.first?["complete"] as? Bool == false)
            let next = try #require(first.jsonLines.first?["state"] as? String)
            let second = try server.client("GET", "/v1/streams/gallery/changes?since=\(next)&limit=10000")
            #expect(second.jsonLines.first?["complete"] == nil)
            let inserted = (first.jsonLines + second.jsonLines).count { $0["change"] as? String == "inserted" }
            #expect(inserted == 300 && first.jsonLines.count == 101)
            let ahead = try server.client("GET", "/v1/streams/gallery/changes?since=99999999")
            #expect(ahead.jsonLines.count == 1)
            #expect(ahead.jsonLines.first?["reload"] != nil)
            let updates = try server.client(
                "GET", Self.base + "/updates?since=\(revision.state)&rect=0,0,900,900&" + Self.options)
            let told = try server.service.read {
                try $0.layout(Self.key(), of: stream).updates(
                    since: revision, in: Rect(x: 0, y: 0, width: 900, height: 900))
            }
            #expect(updates.text == Self.text { $0.value(told) })
            for keeping in ScrollKeeping.allCases {
                let kept = try server.client(
                    "GET",
                    Self.base + "/updates?since=\(revision.state)&rect=0,0,900,900&keep=\(keeping.rawValue)&"
                        + Self.options)
                let told = try server.service.read {
                    try $0.layout(try Self.key(), of: stream).updates(
                        since: revision, in: Rect(x: 0, y: 0, width: 900, height: 900), keeping: keeping)
                }
                #expect(kept.text == Self.text { $0.value(told) })
            }
        }
    }

    @Test func `photos and items are returned by id, and unknown ids reported`() async throws {
        try await TestServer.with { server in
            let (service, stream) = (server.service, TestServer.stream)
            var record = PhotoRecord(id: PhotoID(stored: "a,b&c=d+e"))
            record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 30, height: 20)))
            try TestServer.load([record], into: stream, of: server.file)
            let query = "id=photo-7&id=a,b%26c%3Dd%2Be&id=none&id=photo-7&id=2023%2F%C3%A9t%C3%A9+13&id=x,y"
            let ids = ["photo-7", "a,b&c=d+e", "none", "photo-7", SampleRecords.id(13), "x,y"].map {
                PhotoID(stored: $0)
            }
            let list = try server.client("GET", "/v1/streams/gallery/photos?" + query)
            let answer = try service.read { try $0.photos(withIDs: ids, of: stream) }
            #expect(list.text == Self.text { $0.value(StreamPhotosList(answer, of: stream)) })
            #expect(answer.photos.map(\.id) == [ids[0], ids[1], ids[4]])
            #expect(list.json["missing"] as? [String] == ["none", "x,y"])
            #expect(list.json["truncated"] as? Bool == false)
            let items = try server.client("GET", Self.base + "/items?" + query + "&" + Self.options)
            let placed = try service.read { try $0.layout(try Self.key(), of: stream).items(withIDs: ids) }
            #expect(items.text == Self.text { $0.value(placed) })
            #expect(items.json["missing"] as? [String] == ["none", "x,y"])
            #expect(items.json["truncated"] as? Bool == false)
            // The order of the ids is part of the query.
            let (one, other) = (
                try server.client("GET", "/v1/streams/gallery/photos?id=photo-7&id=photo-9"),
                try server.client("GET", "/v1/streams/gallery/photos?id=photo-9&id=photo-7")
            )
            #expect(one.fields["etag"] != other.fields["etag"])
            let tagged = ["If-None-Match": one.fields["etag"] ?? ""]
            #expect(try server.client("GET", "/v1/streams/gallery/photos?id=photo-7&id=photo-9", tagged).status == 304)
            let many = String(repeating: "id=x&", count: 1_000)
            #expect(try server.client("GET", "/v1/streams/gallery/photos?" + many).status == 200)
            let tooMany = try server.client("GET", "/v1/streams/gallery/photos?" + many + "id=x")
            #expect(tooMany.problem == "invalid-parameter" && tooMany.json["parameter"] as? String == "id")
            #expect(
                tooMany.json["detail"] as? String == "id is given 1001 times, but must be at most 1000")
        }
    }

    @Test func `fields select the members of items`() async throws {
        try await TestServer.with { server in
            let answer = try server.client("GET", Self.base + "/page?limit=3&fields=frame,photo&" + Self.options)
            let items = try #require(answer.json["items"] as? [[String: Any]])
            #expect(items.count == 3)
            #expect(items.allSatisfy { Set($0.keys) == ["frame", "photo"] })
        }
    }

    @Test func `the server reports that it is live and ready`() async throws {
        try await TestServer.with { server in
            let (health, readiness) = (try server.client("GET", "/healthz"), try server.client("GET", "/readyz"))
            #expect(health.json["status"] as? String == "running")
            #expect(readiness.json["status"] as? String == "ready")
        }
    }

    @Test func `HEAD returns the fields of GET without a body`() async throws {
        try await TestServer.with { server in
            let target = Self.base + "/page?limit=3&" + Self.options
            let (get, head) = (try server.client("GET", target), try server.client("HEAD", target))
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head.fields["content-length"] == String(get.body.count))
            #expect(head.fields["etag"] == get.fields["etag"])
        }
    }

    @Test func `many queries on one connection are answered in order`() async throws {
        try await TestServer.with { server in
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let last = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let descriptor = try server.client.connected()
            defer { close(descriptor) }
            try HTTPClient.write(Array((request + request + last).utf8), to: descriptor)
            let text = String(decoding: HTTPClient.readAll(descriptor), as: UTF8.self)
            let words = text.split(separator: "\n").filter { $0.hasPrefix("{") }.map { String($0.prefix(20)) }
            #expect(text.components(separatedBy: "HTTP/1.1 200 OK").count == 4, "\(words)")
        }
    }
}
