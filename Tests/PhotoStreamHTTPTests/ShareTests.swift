import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import PhotoStreamWire
import Testing

/// The links of shares: the parts that they show, and those that they hide.
@Suite(.withoutPrimary) struct ShareTests {
    /// The operations that a share may ask, and no others.
    private static let shared: Set<String> = [
        "getHome", "getGalleryFile", "getSession", "listStreams", "getStream", "getFacets", "getChanges", "getEvents",
        "getPhoto",
        "listStack", "getImage", "getFilm", "getThumbnail", "getLayout", "getPage", "getRect", "getItems",
        "getCluster", "getElements", "locatePhoto", "getItemAt", "getScrubber", "getTarget",
        "getUpdates", "findPlaces",
    ]

    /// Texts of photos that no share shows, regardless of its options.
    private static let hidden = [
        "/srv/secret-folder", "secret-file.jpg", "SN-4711", "secret-hash", "AAAAAAAAAAAAAAAAAAAAAQ", "Owner of camera",
        "Lens of owner", "Secret Person", "999.99", "fileName",
        "secret-import", "photostream_",
    ]
    /// The members that answers of a share may have, and no others.
    private static let members: Set<String> = [
        // Photos.
        "photo", "id", "picture", "key", "pictureKey", "width", "height", "orientation", "pixelWidth", "pixelHeight",
        "takenAt", "takenAtPrecision", "title", "caption", "alt", "tags", "color", "placeholder", "metrics", "index",
        "years", "value",
        "kind", "section", "item", "frame", "x", "y", "captionExtent", "zIndex", "hidden", "duration", "codec", "film",
        "stack", "stackRank", "stackKind", "stackCount", "stackKinds", "photos",
        // Answers.
        "stream", "streams", "order", "count", "revision", "state", "canEdit", "canUpload", "truncated", "layoutKey",
        "where", "contentSize", "sectionCount", "sections", "firstIndex", "nextSection", "page", "chainRevision",
        "chainState",
        "inPlace",
        "items", "elements", "nextCursor", "missing", "matches", "complete", "next", "cursor", "insertion", "before",
        "after", "contentOffset", "stops", "offset", "day", "precision", "since", "sinceState", "changes", "change",
        "updated",
        "oldContentSize", "oldBounds", "newBounds", "anchor", "insertions", "deletions", "moves", "reloads", "old",
        "new", "initial", "final", "alpha", "reload", "reason", "message",
        // Cities.
        "places", "country", "countryCode", "latitude", "longitude", "population",
        // Of the share itself, and problems.
        "scope", "name", "share", "showsPositions", "showsNames", "sendsOriginals", "type", "status", "detail",
        "parameter",
    ]

    /// The names of all members of an answer.
    private static func members(of answer: HTTPClient.Answer) -> Set<String> {
        func names(_ value: Any) -> Set<String> {
            if let object = value as? [String: Any] {
                return object.reduce(into: []) { $0.formUnion(names($1.value).union([$1.key])) }
            }
            return (value as? [Any] ?? []).reduce(into: []) { $0.formUnion(names($1)) }
        }
        return names([answer.json] + answer.jsonLines)
    }

    /// The position of every photo, as its digits begin.
    private static let position = ["47.1234", "8.5678"]

    /// Runs a server that needs tokens, with photos that have every field.
    private static func with(
        settings: ServerSettings = ServerSettings(), logger: LogRecords? = nil,
        _ test: @escaping @Sendable (TestServer) throws -> Void
    ) async throws {
        try await TestServer.with(
            photos: 30, settings: settings, needsTokens: true, logger: logger?.logger ?? TestServer.quiet
        ) { server in
            try server.shell(
                """
                UPDATE photo SET latitude = 47.1234, longitude = 8.5678, camera = 'Owner of camera SN-4711',
                    contentHash = 'secret-hash', tags = '["sea"]', title = 'Title', rating = 4,
                    lens = 'Lens of owner', people = '["Secret Person"]', albums = '["Secret Album"]', aperture = 99999, takenAtSource = 4,
                    duration = 12500, codec = 'avc1', favourite = 1;
                UPDATE photo SET location = '/srv/secret-folder/secret-file.jpg' WHERE location IS NULL;
                """)
            try server.service.createStream(StreamName("other"))
            try test(server)
        }
    }

    private static func link(
        _ server: TestServer, _ options: ShareOptions = [], named name: String = UUID().uuidString,
        of stream: StreamName = TestServer.stream
    ) throws -> String {
        "/s/" + (try server.service.createShare(of: stream, named: name, showing: options).token.text)
    }

    @Test func `unknown methods are refused with those that a share may use`() async throws {
        try await Self.with { server in
            let link = try Self.link(server)
            for target in ["/", "/v1/streams", "/v1/streams/gallery", "/v1/streams/gallery/layout"] {
                let answer = try server.client("TRACE", link + target)
                #expect(answer.status == 405 && answer.fields["allow"] == "GET, HEAD", "\(target): \(answer.text)")
            }
            for target in ["/metrics", "/v1/none"] {
                let answer = try server.client("TRACE", link + target)
                #expect(answer.status == 404 && answer.fields["allow"] == nil, "\(target): \(answer.text)")
            }
        }
    }

    /// The members that a schema of the description requires, and the objects beneath them, are those that a share shows.
    private static func check(_ value: Any, _ schema: [String: Any], in schemas: [String: Any], at place: String) {
        if let name = (schema["$ref"] as? String)?.split(separator: "/").last {
            guard let other = schemas[String(name)] as? [String: Any] else {
                Issue.record("\(place): \(name) is not described")
                return
            }
            return check(value, other, in: schemas, at: place)
        }
        if let object = value as? [String: Any] {
            for name in schema["required"] as? [String] ?? [] {
                #expect(object[name] != nil, "\(place) has no \(name)")
            }
            let properties = schema["properties"] as? [String: Any] ?? [:]
            for (name, member) in object {
                guard let schema = properties[name] as? [String: Any] else { continue }
                check(member, schema, in: schemas, at: "\(place).\(name)")
            }
        } else if let list = value as? [Any], let items = schema["items"] as? [String: Any] {
            for item in list { check(item, items, in: schemas, at: place + "[]") }
        }
    }

    private static let schemas = Dictionary(uniqueKeysWithValues: Schemas.all.map { ($0.name, $0.schema) })

    /// Checks that an answer has no other members than those that its shape describes for shares.
    private static func check(_ value: Any, hasOnlySharedMembersOf schema: Schema, at place: String) {
        switch schema {
        case .named(let name):
            guard let other = schemas[name] else { return _ = Issue.record("\(place): \(name) is not described") }
            check(value, hasOnlySharedMembersOf: other, at: place)
        case .nullable(let inner):
            if !(value is NSNull) { check(value, hasOnlySharedMembersOf: inner, at: place) }
        case .array(let element):
            for item in value as? [Any] ?? [] { check(item, hasOnlySharedMembersOf: element, at: place + "[]") }
        case .anyOf(let schemas):
            // Changes, or the reason for reading the stream again.
            let isReload = (value as? [String: Any])?["reload"] != nil
            guard let schema = isReload ? schemas.last : schemas.first else { return }
            check(value, hasOnlySharedMembersOf: schema, at: place)
        case .object(let members):
            for (name, content) in value as? [String: Any] ?? [:] {
                guard let member = members.first(where: { $0.name == name && $0.sharedForm != nil }) else {
                    Issue.record("\(place).\(name) is not described for shares")
                    continue
                }
                check(content, hasOnlySharedMembersOf: member.schema, at: "\(place).\(name)")
            }
        default: break
        }
    }

    @Test(arguments: [ShareOptions(), [.names, .positions]])
    func `answers have the required members, and only those described for shares`(
        options: ShareOptions
    ) async throws {
        try await Self.with { server in
            let token = try server.service.createToken(named: "description", scope: .read).token.text
            let document = try server.client("GET", "/v1/openapi.json", ["Authorization": "Bearer " + token]).json
            let components = try #require(document["components"] as? [String: Any])
            let schemas = try #require(components["schemas"] as? [String: Any])
            let link = try Self.link(server, options)
            var count = 0
            for path in (try #require(document["paths"] as? [String: [String: [String: Any]]])).values {
                for operation in path.values where operation["x-photostream-share"] as? Bool == true {
                    guard let name = operation["operationId"] as? String, name != "getEvents",
                        let answers = operation["responses"] as? [String: [String: Any]],
                        let content = answers["200"]?["content"] as? [String: [String: Any]],
                        let schema = content["application/json"]?["schema"] as? [String: Any]
                    else { continue }
                    let answer = try Self.send(name, server, link: link)
                    guard answer.status == 200, !answer.json.isEmpty else { continue }
                    count += 1
                    Self.check(answer.json, schema, in: schemas, at: name)
                    let shape = (schema["$ref"] as? String)?.split(separator: "/").last.map(String.init)
                    Self.check(answer.json, hasOnlySharedMembersOf: .named(try #require(shape)), at: name)
                }
            }
            #expect(count > 10)
        }
    }

    /// Sends a sample with a link, its ids and keys replaced by those of the share.
    private static func send(
        _ name: String, _ server: TestServer, link: String, _ fields: [String: String] = [:]
    ) throws -> HTTPClient.Answer {
        var sample = try #require(RouteCodeTests.samples[name])
        let ids = try Self.ids(server, link)
        let first = try #require(ids.last)
        sample.fields["Authorization"] = nil
        sample.fields.merge(fields) { $1 }
        sample.target = sample.target.replacing("photo-0", with: first).replacing("photo-1", with: ids[ids.count - 2])
            .replacing(TestServer.pictureKey, with: try Self.key(server, link))
        sample.target = link + sample.target
        return try RouteCodeTests.send(sample, server)
    }

    /// The ids of all photos, as a share shows them.
    private static func ids(_ server: TestServer, _ link: String) throws -> [String] {
        try items(server, link).map { try #require($0["photo"] as? String) }
    }

    private static func items(_ server: TestServer, _ link: String) throws -> [[String: Any]] {
        let answer = try server.client("GET", link + "/v1/streams/gallery/layout/items?width=900&count=100")
        return try #require(answer.json["items"] as? [[String: Any]], "\(answer.text)")
    }

    /// The key of the first photo's picture, as a share shows it.
    private static func key(_ server: TestServer, _ link: String) throws -> String {
        try #require(items(server, link).compactMap { $0["pictureKey"] as? String }.first)
    }

    @Test func `a share may use exactly the listed operations`() async throws {
        try await Self.with { server in
            let admin = try server.service.createToken(named: "admin", scope: .admin).token.text
            let fields = ["Authorization": "Bearer \(admin)"]
            // Maps need positions.
            let link = try Self.link(server, [.originals, .positions])
            let document = try server.client("GET", "/v1/openapi.json", fields)
            let paths = try #require(document.json["paths"] as? [String: [String: [String: Any]]])
            #expect(paths.values.flatMap(\.values).count == RouteCodeTests.samples.count)
            for (operations, operation) in paths.values.flatMap({ path in path.values.map { (path.values, $0) } }) {
                let name = try #require(operation["operationId"] as? String)
                let isAddress = operations.contains { Self.shared.contains($0["operationId"] as? String ?? "") }
                // A token changes nothing beneath a link.
                for more in [[:], fields] {
                    let answer = try Self.send(name, server, link: link, more)
                    guard Self.shared.contains(name) else {
                        let expected = isAddress ? (405, "method-not-allowed") : (404, "unknown-path")
                        #expect(answer.status == expected.0 && answer.problem == expected.1, "\(name): \(answer.text)")
                        #expect(answer.fields["allow"] == (isAddress ? "GET, HEAD" : nil), "\(name)")
                        continue
                    }
                    #expect(answer.status == 200, "\(name): \(answer.status) \(answer.text.prefix(300))")
                }
            }
            for other in ["/v1/streams/other", "/v1/streams/unknown/layout?width=9", "/what", "/s\(link)/", "/v1"] {
                let answer = try server.client("GET", link + other)
                #expect(answer.status == 404 && answer.problem == "unknown-path", "\(other): \(answer.text)")
            }
            for method in ["POST", "PUT", "PATCH", "DELETE"] {
                let answer = try server.client(method, link + "/v1/streams/gallery/layout", body: [])
                #expect(answer.status == 405, "\(method): \(answer.text)")
            }
        }
    }

    @Test(arguments: [ShareOptions(), .positions, .names, .originals, [.positions, .names, .originals]])
    func `answers do not contain hidden values`(options: ShareOptions) async throws {
        try await Self.with { server in
            let link = try Self.link(server, options, named: "secret-import")
            try server.service.deletePhotos([PhotoID(stored: "photo-8")], from: TestServer.stream)
            var hidden = Self.hidden
            if !options.contains(.positions) { hidden += Self.position }
            if !options.contains(.names) { hidden += ["photo-", "2023/"] }
            let (ids, key) = (try Self.ids(server, link), try Self.key(server, link))
            let all = [
                "fields=index,photo,location,latitude,longitude,contentHash,camera,rating,pictureKey,tags,lens,people,albums,"
                    + "aperture,takenAt,takenAtSource,duration,codec,favourite"
            ]
            for name in Self.shared.sorted() {
                for more in [[], all] {
                    for accept in ["*/*", "application/vnd.photostream.page", "application/json"] {
                        var sample = try #require(RouteCodeTests.samples[name])
                        sample.target = sample.target.replacing("photo-0", with: try #require(ids.last))
                            .replacing("photo-1", with: ids[ids.count - 2]).replacing(TestServer.pictureKey, with: key)
                        for part in more { sample = sample.adding(part) }
                        if accept.contains("page") { sample = sample.adding("ids=true&pictures=true") }
                        if name == "getImage" { sample = sample.adding("size=640") }
                        sample.fields["Accept"] = accept
                        sample.target = link + sample.target
                        let answer = try RouteCodeTests.send(sample, server)
                        let positions: Set = ["latitude", "longitude", "world", "bounds"]
                        let allowed = Self.members.union(options.contains(.positions) ? positions : [])
                        #expect(Self.members(of: answer).subtracting(allowed) == [], "\(name)")
                        // The name of a film begins like the ids here: FileDispositionTests.
                        let head = answer.fields.filter { name != "getFilm" || $0.key != "content-disposition" }
                            .map { "\($0): \($1)" }.joined(separator: "\n")
                        for text in hidden where !["getGalleryFile", "getHome"].contains(name) {
                            #expect(!answer.text.contains(text), "\(name) \(accept): \(text)")
                            #expect(!head.contains(text), "\(name) \(accept): \(text) in \(head)")
                        }
                        #expect(answer.fields["referrer-policy"] == "no-referrer" || answer.status >= 400)
                        let caching = answer.fields["cache-control"] ?? ""
                        #expect(["private", "no-store", "no-cache"].contains { caching.contains($0) }, "\(name)")
                    }
                }
            }
            // The contents of the link exist.
            let item = try #require(Self.items(server, link).last)
            #expect(item["title"] as? String == "Title" && item["tags"] as? [String] == ["sea"])
            #expect((item["latitude"] != nil) == options.contains(.positions))
            #expect((item["photo"] as? String == "photo-0") == options.contains(.names))
        }
    }

    @Test func `a search of a share does not find the names of people`() async throws {
        try await Self.with { server in
            let search = "/v1/streams/gallery/layout?width=900&where="
            let token = try server.service.createToken(named: "owner", scope: .read).token.text
            let own = try server.client(
                "GET", search + "secret%20person", ["Authorization": "Bearer \(token)"])
            #expect(own.json["count"] as? Int == 30, "\(own.text)")
            let link = try Self.link(server)
            #expect(try server.client("GET", link + search + "secret%20person").json["count"] as? Int == 0)
            #expect(try server.client("GET", link + search + "sea").json["count"] as? Int == 30)
        }
    }

    @Test func `a view of a share shows its condition, with only members that shares have`() async throws {
        try await Self.with { server in
            let link = try Self.link(server)
            for question in ["layout?", "layout/page?", "layout/rect?rect=0,0,900,900&", "layout/scrubber?"] {
                let target = link + "/v1/streams/gallery/\(question)width=900&where="
                let answer = try server.client("GET", target + "Sea%20is:landscape")
                #expect(answer.json["where"] as? String == "sea is:landscape", "\(answer.text)")
                #expect(Self.members(of: answer).isSubset(of: Self.members))
                #expect(try server.client("GET", target + "camera:secret").problem == "invalid-parameter")
            }
        }
    }

    @Test func `a share does not tell which photos met a condition before`() async throws {
        try await Self.with { server in
            let link = try Self.link(server)
            for question in ["changes?since=0&", "layout/updates?since=0&rect=0,0,9,9&width=900&"] {
                let target = link + "/v1/streams/gallery/\(question)where="
                let answer = try server.client("GET", target + "sea", ["Accept": "application/json"])
                let reload = answer.json["reload"] as? [String: Any]
                #expect(reload?["reason"] as? String == "condition", "\(answer.text)")
            }
            let all = try server.client(
                "GET", link + "/v1/streams/gallery/changes?since=0", ["Accept": "application/json"])
            #expect((all.json["changes"] as? [Any])?.count == 30)
        }
    }

    @Test func `photos are found by the ids of the share`() async throws {
        try await Self.with { server in
            let link = try Self.link(server)
            let ids = try Self.ids(server, link)
            #expect(Set(ids).count == 30 && ids.allSatisfy { $0.count > 40 })
            let layout = link + "/v1/streams/gallery/layout"
            for (index, id) in ids.enumerated().prefix(3) {
                let place = try server.client("GET", layout + "/locate?width=900&photo=\(id)")
                let item = try #require(place.json["item"] as? [String: Any])
                #expect(item["index"] as? Int == index && item["photo"] as? String == id)
                let photo = try server.client("GET", link + "/v1/streams/gallery/photos/\(id)")
                #expect(photo.json["id"] as? String == id)
            }
            let chosen = try server.client("GET", layout + "/items?width=900&id=\(ids[4])&id=\(ids[2])")
            let items = try #require(chosen.json["items"] as? [[String: Any]])
            #expect(items.map { $0["index"] as? Int } == [4, 2] && (chosen.json["missing"] as? [Any])?.isEmpty == true)
            for (name, foreign) in [
                ("an id", "photo-1"), ("of another share", try Self.ids(server, Self.link(server))[0]),
                ("changed", String(ids[0].dropLast()) + (ids[0].hasSuffix("A") ? "Q" : "A")),
            ] {
                for target in ["/layout/locate?width=900&photo=\(foreign)", "/photos/\(foreign)"] {
                    let answer = try server.client("GET", link + "/v1/streams/gallery" + target)
                    #expect(answer.status == 404 && answer.problem == "unknown-photo", "\(name): \(answer.text)")
                    #expect(answer.json["detail"] as? String == "the share has no such photo")
                }
            }
            // Its id reveals nothing about a deleted photo.
            try server.service.deletePhotos([PhotoID(stored: "photo-29")], from: TestServer.stream)
            let gone = try server.client("GET", link + "/v1/streams/gallery/photos/\(ids[0])")
            #expect(gone.status == 404 && !gone.text.contains("photo-29"), "\(gone.text)")
        }
    }

    @Test func `cursors and validators are valid for one share only`() async throws {
        try await Self.with { server in
            let (link, other) = (try Self.link(server), try Self.link(server))
            let admin = try server.service.createToken(named: "admin", scope: .read).token.text
            let page = "/v1/streams/gallery/layout/page"
            let first = try server.client("GET", link + page + "?width=900&limit=5")
            let cursor = try #require(first.json["nextCursor"] as? String)
            let next = try server.client("GET", link + page + "?limit=5&cursor=\(cursor)")
            let indices = (next.json["items"] as? [[String: Any]])?.map { $0["index"] as? Int ?? -1 }
            #expect(next.status == 200 && indices == Array(5..<10))
            let own = try server.client(
                "GET", page + "?width=900&limit=5", ["Authorization": "Bearer \(admin)"])
            let plain = try #require(own.json["nextCursor"] as? String)
            let changed = String(cursor.dropLast(3)) + "AAA"
            for (target, forged) in [(other, cursor), (link, plain), (link, changed)] {
                let answer = try server.client("GET", target + page + "?limit=5&cursor=\(forged)")
                #expect(answer.status == 400 && answer.problem == "invalid-cursor", "\(answer.text)")
            }
            let outside = try server.client(
                "GET", page + "?cursor=\(cursor)", ["Authorization": "Bearer \(admin)"])
            #expect(outside.status == 400 && outside.problem == "invalid-cursor")

            let tag = try #require(first.fields["etag"])
            #expect(tag != own.fields["etag"] && !tag.contains("photo"))
            let same = page + "?width=900&limit=5"
            #expect(try server.client("GET", link + same, ["If-None-Match": tag]).status == 304)
            #expect(try server.client("GET", link + same, ["If-None-Match": "W/\"x\", \(tag)"]).status == 304)
            for (target, forged) in [(other, tag), (link, own.fields["etag"] ?? ""), (link, "\"x\"")] {
                #expect(try server.client("GET", target + same, ["If-None-Match": forged]).status == 200)
            }
            // A file of the gallery is the same for all.
            let file = try server.client("GET", link + "/gallery/main.js")
            let again = try server.client(
                "GET", link + "/gallery/main.js", ["If-None-Match": try #require(file.fields["etag"])])
            #expect(file.status == 200 && again.status == 304)
        }
    }

    @Test func `the binary form has the ids, keys and cursor of the share`() async throws {
        try await Self.with { server in
            let link = try Self.link(server)
            let target = link + "/v1/streams/gallery/layout/page?width=900&limit=30&ids=true&pictures=true"
            let binary = ["Accept": "application/vnd.photostream.page"]
            let answer = try server.client("GET", target, binary)
            #expect(answer.status == 200 && answer.fields["content-type"] == "application/vnd.photostream.page")
            let text = String(decoding: answer.body, as: Unicode.ASCII.self)
            for id in try Self.ids(server, link) { #expect(text.contains(id)) }
            let shown = try #require(PictureKey(Self.key(server, link)))
            #expect(answer.body.firstRange(of: shown.bytes) != nil)
            let own = try #require(PictureKey(TestServer.pictureKey))
            #expect(answer.body.firstRange(of: own.bytes) == nil && !text.contains("photo-"))
            let short = try server.client("GET", target.replacing("limit=30", with: "limit=3"), binary)
            let count = short.body[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
            let cursor = String(decoding: short.body.dropLast(16).suffix(count), as: UTF8.self)
            let next = try server.client(
                "GET", link + "/v1/streams/gallery/layout/page?limit=3&cursor=\(cursor)")
            #expect(next.status == 200 && (next.json["items"] as? [[String: Any]])?.first?["index"] as? Int == 3)
        }
    }

    @Test func `maps require positions, and originals require originals`() async throws {
        try await Self.with { server in
            let (link, open) = (try Self.link(server), try Self.link(server, [.positions, .originals]))
            let map = "/v1/streams/gallery/layout?width=900&algorithm=map"
            let refused = try server.client("GET", link + map)
            #expect(refused.status == 400 && refused.problem == "invalid-layout")
            #expect(refused.json["detail"] as? String == "this share shows no positions and therefore no maps")
            let shown = try server.client("GET", open + map)
            #expect(shown.status == 200)
            let key =
                try #require(shown.json["layoutKey"] as? String).addingPercentEncoding(
                    withAllowedCharacters: .alphanumerics) ?? ""
            let byKey = try server.client("GET", link + "/v1/streams/gallery/layout?layout-key=\(key)")
            #expect(byKey.status == 400 && byKey.problem == "invalid-layout")

            for (share, isSent) in [(link, false), (open, true)] {
                let id = try #require(Self.ids(server, share).last)
                let image = share + "/v1/streams/gallery/photos/\(id)/image"
                for query in ["", "?size=original"] {
                    let answer = try server.client("GET", image + query)
                    #expect(answer.status == (isSent ? 200 : 403), "\(answer.text)")
                    #expect(isSent ? answer.body == SamplePicture.bytes : answer.problem == "insufficient-scope")
                    let part = try server.client("GET", image + query, ["Range": "bytes=0-3"])
                    #expect(part.status == (isSent ? 206 : 403))
                }
                let tag = try server.client("GET", image).fields["etag"]
                #expect((tag != nil) == isSent)
            }
        }
    }

    @Test func `a share without originals sends neither redirects nor small originals`() async throws {
        try await ServedPictures.with { pictures in
            let server = pictures.server
            let link = try Self.link(server)
            _ = try pictures.target("https://example.org/secret-place.jpg", id: "photo-2")
            // So small that it is its own thumbnail.
            try pictures.write("small.jpg", ServedPictures.jpeg + Array("SN-4711".utf8))
            var record = PhotoRecord(id: PhotoID(stored: "photo-4"))
            record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 100, height: 80)))
            record.location = .set("small.jpg")
            try TestServer.load([record], into: TestServer.stream, of: server.file)
            let plain = try server.client("GET", "/v1/streams/gallery/photos/photo-4/image?size=160")
            #expect(plain.status == 200 && plain.text.contains("SN-4711"))
            for (id, location) in [("photo-2", "secret-place"), ("photo-4", "SN-4711")] {
                let found = try server.service.read { session in
                    try session.photos(of: TestServer.stream, after: nil, limit: 100).photos.map(\.id.rawValue)
                }
                let index = try #require(found.firstIndex(of: id))
                let shown = try Self.ids(server, link)[index]
                for size in ["160", "2560"] {
                    let answer = try server.client(
                        "GET", link + "/v1/streams/gallery/photos/\(shown)/image?size=\(size)")
                    #expect(answer.status == 404 && answer.fields["location"] == nil, "\(id): \(answer.status)")
                    #expect(!answer.text.contains(location) && !answer.text.contains(id))
                }
            }
        }
    }

    @Test func `an ended or invalid link shows nothing`() async throws {
        try await Self.with { server in
            let token = try server.service.createToken(named: "phone", scope: .admin).token.text
            let share = try server.service.createShare(of: TestServer.stream, named: "grandma").token
            let link = "/s/\(share.text)"
            #expect(try server.client("GET", link + "/v1/session").json["scope"] as? String == "read")
            try server.service.revoke(.share, named: "grandma")
            for secret in [share.text, token, "x", String(repeating: "A", count: 43)] {
                let answer = try server.client("GET", "/s/\(secret)/v1/streams")
                #expect(answer.status == 404 && answer.problem == "share-ended", "\(answer.text)")
                #expect(
                    answer.json["detail"] as? String
                        == "this link shows nothing: it has expired or was revoked, or is incomplete")
                let page = try server.client("GET", "/s/\(secret)/", ["Accept": "text/html,*/*;q=0.8"])
                #expect(page.status == 404 && page.text.contains("<h1>This link has ended</h1>"))
                // Styled like the page of a sign-in link, whose policy allows exactly that style.
                let other = try server.client("GET", "/sign-in/x", ["Accept": "text/html"])
                func style(_ answer: HTTPClient.Answer) -> Substring {
                    answer.text.split(separator: "style>").dropFirst().first ?? ""
                }
                #expect(style(page) == style(other) && style(page).contains("max-width"))
                let policy = page.fields["content-security-policy"]
                #expect(
                    policy == other.fields["content-security-policy"] && policy?.contains("style-src 'sha256-") == true)
                #expect(page.fields["referrer-policy"] == "no-referrer" && !page.text.contains("<script"))
                #expect(page.fields["referrer-policy"] == "no-referrer" && page.fields["cache-control"] == "no-store")
            }
            // Nor is the secret a token.
            let used = try server.client("GET", "/v1/streams", ["Authorization": "Bearer \(share.text)"])
            #expect(used.status == 401 && used.problem == "invalid-token")
            for _ in 0..<12 { _ = try server.client("GET", "/s/wrong/") }
            var late = try server.client("GET", "/s/wrong/")
            for _ in 0..<20 where late.status != 429 { late = try server.client("GET", "/s/wrong/") }
            #expect(late.status == 429 && late.problem == "too-many-attempts")
            // A right link is let in from the same address.
            #expect(try server.client("GET", Self.link(server) + "/v1/streams").status == 200)
        }
    }

    @Test func `limits of a link apply to all its visitors together`() async throws {
        var settings = ServerSettings()
        settings.requestsPerMinute = 10
        try await Self.with(settings: settings) { server in
            let (link, other) = (try Self.link(server), try Self.link(server))
            for _ in 0..<10 { #expect(try server.client("GET", link + "/v1/streams").status == 200) }
            let late = try server.client("GET", link + "/v1/streams")
            #expect(late.status == 429 && late.problem == "too-many-requests" && late.fields["retry-after"] != nil)
            #expect(try server.client("GET", other + "/v1/streams").status == 200)
        }
    }

    @Test func `events have the ids of the share and end with it`() async throws {
        try await Self.with { server in
            let link = try Self.link(server, named: "grandma")
            let kept = try Self.link(server)
            let id = try #require(Self.ids(server, link).first { _ in true })
            let reader = try EventReader(server.client, link + "/v1/streams/gallery/events")
            let other = try EventReader(server.client, kept + "/v1/streams/gallery/events")
            #expect(reader.next()?.name == "state" && other.next()?.name == "state")
            try server.service.deletePhotos([PhotoID(stored: "photo-29")], from: TestServer.stream)
            let change = try #require(reader.next("change"))
            #expect(change.changes == ["deleted \(id)"] && !change.data.contains("photo-"))
            let seen = try #require(other.next("change"))
            #expect(seen.changes != change.changes && !seen.data.contains("photo-"))
            try server.service.revoke(.share, named: "grandma")
            let start = ContinuousClock.now
            #expect(reader.next() == nil)
            // The server looks twice a second; the limit is for a busy machine.
            #expect(ContinuousClock.now - start < .seconds(30))
            let again = try EventReader(server.client, link + "/v1/streams/gallery/events")
            #expect(again.status == 404)
        }
    }

    @Test func `events end when their share expires`() async throws {
        try await Self.with { server in
            // The time of the server advances by three seconds with every look.
            let now = try server.service.createShare(of: TestServer.stream).summary.createdAtMilliseconds
            let share = try server.service.createShare(of: TestServer.stream, expiresAtMilliseconds: now + 300_000)
            let link = "/s/" + share.token.text
            let reader = try EventReader(server.client, link + "/v1/streams/gallery/events")
            #expect(reader.next()?.name == "state")
            #expect(try eventually { try server.client("GET", link + "/v1/session").problem == "share-ended" })
            #expect(reader.next("bye") == nil)
        }
    }

    @Test func `the page and all its requests are beneath the link`() async throws {
        try await Self.with { server in
            let link = try Self.link(server)
            let bare = try server.client("GET", link)
            #expect(bare.status == 308 && bare.fields["location"] == link + "/")
            let page = try server.client("GET", link + "/")
            #expect(page.status == 200 && page.fields["content-type"]?.hasPrefix("text/html") == true)
            #expect(page.fields["content-security-policy"]?.contains("script-src 'self'") == true)
            let addresses = page.text.matches(of: /(?:href|src)="([^"]+)"/).map { String($0.output.1) }
            #expect(Set(addresses).isSuperset(of: ["gallery/opening.js", "gallery/gallery.css", "gallery/icon.svg"]))
            for address in addresses {
                #expect(!address.hasPrefix("/"), "\(address)")
                #expect(try server.client("GET", link + "/" + address).status == 200, "\(address)")
            }
        }
    }

    @Test func `secrets are removed from logs`() async throws {
        let logs = LogRecords()
        try await Self.with(logger: logs) { server in
            let link = try Self.link(server)
            let secret = String(link.dropFirst(3))
            for target in [
                link + "/v1/streams", link, link + "/what", "/" + link + "/", "/x/\(secret)", link + "/v1/streams?x=1",
            ] {
                _ = try server.client("GET", target)
            }
            #expect(!logs.all.contains { $0.text.contains(secret) })
            #expect(logs.all.contains { $0.text.contains("/s/-/v1/streams") })
        }
    }
}
