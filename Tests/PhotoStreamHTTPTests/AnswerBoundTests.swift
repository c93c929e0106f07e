import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// An answer is bounded in bytes, regardless of the size of photos.
@Suite struct AnswerBoundTests {
    /// Photos with captions that take three answers.
    private static func withLongCaptions(_ test: @escaping @Sendable (TestServer) throws -> Void) async throws {
        try await TestServer.with(photos: 0) { server in
            let records = SampleRecords.records(360).map { record in
                var record = record
                record.caption = .set(String(repeating: "caption ", count: 8_000))
                return record
            }
            try TestServer.load(records, into: TestServer.stream, of: server.file)
            try test(server)
        }
    }

    /// The ids of the photos of a chain of bounded answers.
    private static func ids(
        _ server: TestServer, from target: String, member: String, id: String, next: ([String: Any]) -> String?
    ) throws -> [String] {
        var (ids, target): ([String], String?) = ([], target)
        while let address = target {
            let answer = try server.client("GET", address)
            #expect(answer.status == 200 && answer.body.count < 9 << 20, "\(answer.text.prefix(300))")
            let items = answer.json[member] as? [[String: Any]] ?? []
            #expect((1..<360).contains(items.count), "\(address)")
            ids += items.compactMap { $0[id] as? String }
            target = next(answer.json)
        }
        return ids
    }

    @Test(arguments: ["masonry", "justified&target-line-height=200"])
    func `pages, rectangles, items and lists end at the limit and can be continued`(algorithm: String) async throws {
        try await Self.withLongCaptions { server in
            let layout = "/v1/streams/gallery/layout"
            let options = "width=900&algorithm=\(algorithm)"
            let order = (0..<360).map { SampleRecords.id(359 - $0) }
            for isKnown in [false, true] {
                if isKnown { _ = try server.client("GET", "\(layout)?\(options)") }
                let pages = try Self.ids(
                    server, from: "\(layout)/page?\(options)&limit=1000", member: "items", id: "photo"
                ) { json in (json["nextCursor"] as? String).map { "\(layout)/page?limit=1000&cursor=\($0)" } }
                #expect(pages == order, "\(algorithm) \(isKnown)")
            }
            let met = try Self.ids(
                server, from: "\(layout)/rect?\(options)&rect=0,0,900,1000000000&limit=1000", member: "items",
                id: "photo"
            ) { json in (json["nextCursor"] as? String).map { "\(layout)/rect?limit=1000&cursor=\($0)" } }
            #expect(met == order)
            var position = 0
            let items = try Self.ids(
                server, from: "\(layout)/items?\(options)&count=1000", member: "items", id: "photo"
            ) { json in
                position += (json["items"] as? [Any])?.count ?? 0
                return position < json["count"] as? Int ?? 0
                    ? "\(layout)/items?\(options)&count=1000&from=\(position)" : nil
            }
            #expect(items == order)
        }
    }

    @Test func `lists of photos end at the limit, and changes report too many`() async throws {
        try await Self.withLongCaptions { server in
            let photos = try Self.ids(
                server, from: "/v1/streams/gallery/photos?limit=1000", member: "photos", id: "id"
            ) { json in
                let last = (json["photos"] as? [[String: Any]])?.last?["id"] as? String ?? ""
                let id = last.replacing("/", with: "%2F").replacing(" ", with: "%20").replacing("é", with: "%C3%A9")
                return json["truncated"] as? Bool == true
                    ? "/v1/streams/gallery/photos?limit=1000&after=\(id)" : nil
            }
            #expect(photos == (0..<360).map { SampleRecords.id(359 - $0) })
            let changes = try server.client("GET", "/v1/streams/gallery/changes?since=0")
            #expect(changes.body.count < 1_000 && changes.text.contains("too-many"), "\(changes.text.prefix(300))")
        }
    }
}
