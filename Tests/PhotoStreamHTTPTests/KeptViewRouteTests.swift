import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// The routes of streams with the name of a kept view.
@Suite struct KeptViewRouteTests {
    private typealias Sample = RouteCodeTests.Sample

    private static let json = ["Content-Type": "application/json"]
    private static let view = StreamName(stored: "kept")
    /// Operations that a kept view refuses; all others with a stream in their path answer about it.
    private static let refused: Set<String> = [
        "importPhotos", "putPhoto", "movePhoto", "resetPhoto", "takeApartStack", "makeCover",
        "uploadPicture", "moveAlbum", "deleteAlbum",
    ]

    /// Runs a server whose photos have the rating 5 if their number is less than 5; these are in the kept view.
    private static func with(
        needsTokens: Bool = false, _ test: @escaping @Sendable (TestServer) throws -> Void
    ) async throws {
        try await TestServer.with(photos: 10, needsTokens: needsTokens) { server in
            for number in 0..<10 {
                var record = PhotoRecord(id: PhotoID(stored: SampleRecords.id(number)))
                record.rating = .set(number < 5 ? 5 : 1)
                try server.service.edit(record, in: TestServer.stream)
            }
            try server.service.createView(
                view, of: TestServer.stream, where: Condition(parsing: "rating:5 -tag:secret"), description: "Best")
            try test(server)
        }
    }

    /// The requests of all operations with a stream in their path.
    private static var requests: [(name: String, sample: Sample)] {
        RouteCodeTests.samples.filter { $0.value.target.contains("/streams/gallery") }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    @Test func `every route of a stream answers about a kept view, or refuses it`() async throws {
        try await Self.with { server in
            for (name, sample) in Self.requests where !["deleteStream", "renameStream"].contains(name) {
                if name == "restorePhoto" {
                    try server.service.deletePhotos([PhotoID(stored: "photo-4")], from: TestServer.stream)
                }
                let request = sample.of(stream: "kept").replacing("photo-9", with: "photo-4")
                let answer = try RouteCodeTests.send(request, server)
                if Self.refused.contains(name) {
                    #expect(answer.status == 409 && answer.problem == "kept-view", "\(name): \(answer.text)")
                    #expect(
                        answer.json["detail"] as? String
                            == "\"kept\" is a kept view, which has no photos of its own; do this with the stream that it shows"
                    )
                } else {
                    #expect([200, 204].contains(answer.status), "\(name): \(answer.text)")
                    if let stream = answer.json["stream"] as? String { #expect(stream == "kept", "\(name)") }
                }
                if name == "deletePhoto" {
                    try server.service.restorePhotos([PhotoID(stored: "photo-1")], in: TestServer.stream)
                }
            }
        }
    }

    @Test func `photos that do not meet the rule are unknown to every route`() async throws {
        try await Self.with { server in
            let others = ["photo-0": "photo-9", "photo-1": "photo-8"]
            for (name, sample) in Self.requests where sample.target.contains("photo-") && !Self.refused.contains(name) {
                var request = sample.of(stream: "kept")
                for (photo, other) in others { request = request.replacing(photo, with: other) }
                let answer = try RouteCodeTests.send(request, server)
                #expect(answer.status == 404 && answer.problem == "unknown-photo", "\(name): \(answer.text)")
            }
            let items = try server.client(
                "GET", "/v1/streams/kept/layout/items?width=900&id=photo-1&id=photo-8&id=none")
            #expect(items.json["missing"] as? [String] == ["photo-8", "none"])
            let listed = try server.client("GET", "/v1/streams/kept/photos?id=photo-1&id=photo-8")
            #expect(listed.json["missing"] as? [String] == ["photo-8"])
            let after = try server.client("GET", "/v1/streams/kept/photos?after=photo-8")
            #expect(after.status == 404 && after.json["parameter"] as? String == "after")
            #expect(try server.client("GET", "/v1/streams/gallery/photos/photo-8").json["rating"] as? Int == 1)
        }
    }

    @Test func `a kept view is created, shown, changed, renamed and deleted`() async throws {
        try await Self.with { server in
            let body = #"{"stream":"low","source":"gallery","where":"rating:>0 rating:1","description":"The rest"}"#
            let made = try server.client("POST", "/v1/streams", Self.json, body: Array(body.utf8))
            #expect(made.status == 201 && made.fields["location"] == "/v1/streams/low", "\(made.text)")
            #expect(
                made.json["source"] as? String == "gallery" && made.json["where"] as? String == "rating:1.. rating:1")
            #expect(made.json["description"] as? String == "The rest" && made.json["count"] as? Int == 5)
            #expect(made.json["pictures"] == nil && made.json["imports"] == nil)
            let tag = try #require(try server.client("GET", "/v1/streams/low").fields["etag"])
            let change = try server.client(
                "PATCH", "/v1/streams/low", Self.json.merging(["If-Match": tag]) { $1 },
                body: Array(#"{"stream":"all","where":"rating:1..5","description":""}"#.utf8))
            #expect(change.status == 200 && change.json["stream"] as? String == "all", "\(change.text)")
            #expect(change.json["count"] as? Int == 10 && change.json["description"] == nil)
            let stale = try server.client(
                "PATCH", "/v1/streams/all", Self.json.merging(["If-Match": tag]) { $1 },
                body: Array(#"{"where":"rating:1"}"#.utf8))
            #expect(stale.status == 412)
            let streams = try #require(try server.client("GET", "/v1/streams").json["streams"] as? [[String: Any]])
            #expect(streams.compactMap { $0["stream"] as? String } == ["all", "gallery", "kept"])
            #expect(streams.compactMap { $0["count"] as? Int } == [10, 10, 5])
            let refused = try server.client("DELETE", "/v1/streams/gallery?with-photos=true")
            #expect(refused.status == 409 && refused.problem == "stream-in-use", "\(refused.text)")
            #expect((refused.json["detail"] as? String)?.contains("kept view \"all\" and 1 more") == true)
            #expect(try server.client("DELETE", "/v1/streams/all").status == 204)
            #expect(try server.client("GET", "/v1/streams/all").status == 404)
        }
    }

    @Test(arguments: [
        (#"{"stream":"x","where":"a"}"#, "where belongs to a kept view, which has a source", "where"),
        (#"{"stream":"x","description":"a"}"#, "description belongs to a kept view, which has a source", "description"),
        (#"{"stream":"x","source":"gallery"}"#, "the body has a source, but no member where", "where"),
        (
            #"{"stream":"x","source":"gallery","where":"a","order":"manual"}"#,
            "a kept view has the order of its source", "order"
        ),
        (#"{"stream":"x","source":"gallery","where":"place:a"}"#, "no photo has the value of \"place:a\"", "where"),
        (
            #"{"stream":"x","source":"gallery","where":""}"#,
            "the rule is met by every photo; a kept view needs a condition, such as rating:>=4", "where"
        ),
        (#"{"stream":"x","source":"gallery","where":5}"#, "where must be a text", "where"),
    ])
    func `bad kept views are refused with a sentence`(body: String, detail: String, parameter: String) async throws {
        try await Self.with { server in
            let answer = try server.client("POST", "/v1/streams", Self.json, body: Array(body.utf8))
            #expect(answer.status == 400 && answer.problem == "invalid-body", "\(answer.text)")
            #expect(answer.json["detail"] as? String == detail && answer.json["parameter"] as? String == parameter)
        }
    }

    @Test func `bad changes are refused with a sentence`() async throws {
        try await Self.with { server in
            func refusal(_ stream: String, _ body: String) throws -> String? {
                let answer = try server.client("PATCH", "/v1/streams/\(stream)", Self.json, body: Array(body.utf8))
                #expect(answer.status == 400 && answer.problem == "invalid-body", "\(answer.text)")
                return answer.json["detail"] as? String
            }
            let rule = try refusal("gallery", #"{"where":"a"}"#)
            #expect(rule == "\"gallery\" is a stream; only a kept view has a rule, a description and a cover")
            let unknown = try refusal("kept", #"{"where":"tga:a"}"#)
            #expect(unknown?.hasPrefix("Column 1: \"tga:\" is not") == true)
            #expect(try refusal("kept", "{}") == "the body has no member stream")
            #expect(try refusal("kept", #"{"source":"gallery"}"#) == "the body has an unknown member \"source\"")
        }
    }

    @Test func `another rule makes another answer in the same state, which is not cached for ever`() async throws {
        try await Self.with { server in
            let target = "/v1/streams/kept/layout/items?width=900"
            let first = try server.client("GET", target)
            let (tag, revision) = (try #require(first.fields["etag"]), try #require(first.json["state"] as? String))
            #expect(try server.client("GET", target, ["If-None-Match": tag]).status == 304)
            let fixed = try server.client("GET", "/v1/streams/kept/layout?width=900&revision=\(revision)")
            #expect(fixed.status == 200 && fixed.fields["cache-control"] == "private, no-cache")
            try server.service.changeStream(Self.view, where: Condition(parsing: "rating:1"))
            let second = try server.client("GET", target, ["If-None-Match": tag])
            #expect(second.status == 200 && second.json["state"] as? String == revision && second.body != first.body)
        }
    }

    @Test func `a token of a kept view sees nothing else`() async throws {
        try await Self.with(needsTokens: true) { server in
            let token = try server.service.createToken(named: "kept", scope: .write, stream: Self.view).token.text
            let fields = ["Authorization": "Bearer " + token]
            let list = try server.client("GET", "/v1/streams", fields)
            let streams = try #require(list.json["streams"] as? [[String: Any]])
            #expect(streams.compactMap { $0["stream"] as? String } == ["kept"] && streams[0]["source"] == nil)
            for target in ["/v1/streams/gallery", "/v1/streams/gallery/photos/photo-1"] {
                #expect(try server.client("GET", target, fields).status == 403)
            }
            #expect(try server.client("GET", "/v1/streams/kept/photos/photo-1", fields).status == 200)
            #expect(try server.client("GET", "/v1/streams/kept/photos/photo-8", fields).status == 404)
            let thumbnail = "/v1/images/\(TestServer.pictureKey)/640.webp"
            #expect(try server.client("GET", thumbnail, fields).status == 200)
            var record = PhotoRecord(id: PhotoID(stored: "photo-0"))
            record.rating = .set(1)
            try server.service.edit(record, in: TestServer.stream)
            #expect(try server.client("GET", thumbnail, fields).status == 404)
        }
    }

    @Test func `a token of a stream reads its kept views, and those of no other`() async throws {
        try await Self.with(needsTokens: true) { server in
            let (other, hidden) = (StreamName(stored: "other"), StreamName(stored: "hidden"))
            try server.service.createStream(other)
            try server.service.createView(hidden, of: other, where: Condition(parsing: "a"))
            let token = try server.service.createToken(named: "t", scope: .read, stream: TestServer.stream).token.text
            let fields = ["Authorization": "Bearer " + token]
            let streams = try #require(
                try server.client("GET", "/v1/streams", fields).json["streams"] as? [[String: Any]])
            #expect(streams.compactMap { $0["stream"] as? String } == ["gallery", "kept"])
            #expect(streams.last?["source"] as? String == "gallery")
            #expect(try server.client("GET", "/v1/streams/kept/photos", fields).status == 200)
            for name in ["hidden", "other", "none"] {
                #expect(try server.client("GET", "/v1/streams/\(name)", fields).status == 403)
            }
        }
    }

    @Test func `a share of a kept view shows its photos alone, and not its rule`() async throws {
        try await Self.with(needsTokens: true) { server in
            let made = try server.service.createShare(of: Self.view, named: "s", showing: [.names, .originals])
            let link = "/s/" + made.token.text
            func get(_ target: String) throws -> HTTPClient.Answer { try server.client("GET", link + target) }
            let list = try get("/v1/streams")
            let streams = try #require(list.json["streams"] as? [[String: Any]])
            #expect(streams.count == 1 && streams[0]["count"] as? Int == 5)
            for hidden in ["source", "where", "description", "secret", "gallery", "Best"] {
                let shown = try get("/v1/streams/kept").text
                #expect(!list.text.contains("\"\(hidden)") && !shown.contains("\"\(hidden)"))
            }
            for target in [
                "photos/photo-8", "photos/photo-8/stack", "photos/photo-8/image",
                "layout/locate?width=900&photo=photo-8",
            ] {
                let answer = try get("/v1/streams/kept/" + target)
                #expect(answer.status == 404, "\(target): \(answer.text)")
            }
            let items = try get("/v1/streams/kept/layout/items?width=900&id=photo-1&id=photo-8")
            #expect(items.json["missing"] as? [String] == ["photo-8"])
            #expect((items.json["items"] as? [Any])?.count == 1)
            for name in ["gallery", "none"] { #expect(try get("/v1/streams/\(name)").status == 404) }
            // Words find no hidden value, although the rule reads one.
            let words = try get("/v1/streams/kept/layout?width=900&where=rating:5")
            #expect(words.status == 400, "\(words.text)")
            let all = try get("/v1/streams/kept/layout?width=900&where=has:caption%20OR%20-has:caption")
            #expect(all.json["count"] as? Int == 5 && (all.json["where"] as? String)?.contains("rating") == false)
        }
    }
}
