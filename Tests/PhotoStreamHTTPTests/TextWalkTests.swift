import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import PhotoStreamWire
import Testing

@testable import PhotoStreamHTTP

/// Texts are bytes: each one that an import accepts as an id reaches its own photo on every route, and no other; each
/// name of a stream its own stream; everything else is refused.
///
/// The routes come from the table, so that a new one is tested as well.
@Suite struct TextWalkTests {
    /// The place of a text in a request.
    private enum Place: Hashable {
        case path(String)
        case query(String)
    }

    /// Two streams that are alike, but for the ids of one of them.
    private static let (texts, plain) = (StreamName(stored: "texts"), StreamName(stored: "plain"))
    private static let json = ["Content-Type": "application/json"]
    private static let ids = NastyTexts.texts.filter { (try? PhotoID($0)) != nil }
    /// Of names that are canonically equivalent there is one stream, and all of them reach it.
    private static let names = NastyTexts.texts.enumerated().filter { number, text in
        (try? StreamName(text)) != nil && NastyTexts.texts.firstIndex(of: text) == number
    }.map(\.element)

    /// The id of the photo of the plain stream that is like one of the other.
    private static func plainID(_ number: Int) -> String { "plain-\(number)" }

    /// The places of ids, or of names of streams, among the parameters of a route.
    private static func places(of route: Route, for name: String) -> [Place] {
        let inPath = route.path.names.contains(name) ? [Place.path(name)] : []
        return inPath
            + route.parameters.compactMap { parameter in
                switch parameter.schema {
                case .photoID, .photoIDs: name == "photo" ? .query(parameter.name) : nil
                case .streamName: name == "stream" ? .query(parameter.name) : nil
                default: nil
                }
            }
    }

    /// Returns the good request of a route, with a text in a place of its address.
    private static func request(
        _ route: Route, stream: StreamName, photo: String, with text: String, in place: Place
    ) throws -> RouteCodeTests.Sample {
        var sample = try #require(RouteCodeTests.samples[route.operation], "\(route.operation) has no sample")
        var values = ["stream": NastyTexts.escaped(stream.rawValue.utf8), "photo": NastyTexts.escaped(photo.utf8)]
        let query = sample.target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        var parameters = query.split(separator: "&").map(String.init)
        switch place {
        case .path(let name): values[name] = text
        case .query(let name):
            parameters.removeAll { $0.hasPrefix(name + "=") }
            parameters.append("\(name)=\(text)")
        }
        var path = route.path.template
        for (name, value) in values { path = path.replacing("{\(name)}", with: value) }
        sample.target = ([path] + (parameters.isEmpty ? [] : [parameters.joined(separator: "&")])).joined(
            separator: "?")
        sample.body = sample.body?.replacing("photo-2", with: "anchor")
        // The put photo also has a picture.
        if route.operation == "putPhoto" {
            sample.body = #"{"width":3,"height":2,"location":"https://example.org/put"}"#
        }
        return sample
    }

    /// Runs a server with both streams.
    private static func with(_ test: @escaping @Sendable (TestServer) throws -> Void) async throws {
        try await TestServer.with(photos: 0) { server in
            for stream in [texts, plain] {
                try server.service.createStream(stream)
                var lines = [#"{"id":"anchor","width":5,"height":5}"#]
                for (number, text) in NastyTexts.texts.enumerated() {
                    // The plain stream has no photo without a counterpart.
                    if stream == plain, (try? PhotoID(text)) == nil { continue }
                    let id = stream == plain ? plainID(number) : text
                    lines.append(
                        """
                        {"id":\(NastyTexts.json(id)),"width":\(100 + number),"height":50,"caption":"\(number)",\
                        "location":"https://example.org/\(number)"}
                        """)
                }
                let answer = try server.client(
                    "POST", "/v1/streams/\(stream)/photos", ["Content-Type": "application/jsonl"],
                    body: Array(lines.joined(separator: "\n").utf8))
                #expect(answer.json["inserted"] as? Int == ids.count + 1, "\(answer.text.prefix(900))")
            }
            try test(server)
        }
    }

    /// The photos of a stream, with the ids of the plain one.
    private static func photos(_ stream: StreamName, _ server: TestServer) throws -> [Photo] {
        var photos: [Photo] = []
        try server.service.read { session in try session.forEachPhoto(of: stream) { photos.append($0) } }
        guard stream == texts else { return photos }
        let numbers = Dictionary(
            uniqueKeysWithValues: NastyTexts.texts.enumerated().map { (PhotoID(stored: $1), $0) })
        return photos.map { photo in
            var photo = photo
            if let number = numbers[photo.id] { photo.id = PhotoID(stored: plainID(number)) }
            return photo
        }
    }

    /// Returns an answer without the differences between two streams, with one mark in place of a photo's id, and
    /// another in place of every other photo's.
    ///
    /// As bytes and scalars: Foundation's JSON parser drops marks, and Swift's strings treat some of these as equal.
    private static func comparable(_ answer: HTTPClient.Answer, id: String) -> [String] {
        var body = answer.body
        for key in ["\"id\":", "\"photo\":"].map({ Array($0.utf8) }) {
            let written = key + JSONWriter.bytes { $0.value(id) }
            let replacement = key + Array("OWN".utf8)
            var place = body.startIndex
            while let found = body[place...].firstRange(of: written) {
                body.replaceSubrange(found, with: replacement)
                place = found.lowerBound + replacement.count
            }
        }
        let states = #/"(revision|state|chainRevision|chainState|nextCursor|cursor|deletedAt)":("[^"]*"|[0-9]+|null)/#
        let ids = #/"(id|photo)":"[^"\\]*(\\.[^"\\]*)*"/#
        let text = String(decoding: body, as: UTF8.self)
            .replacing(states.matchingSemantics(.unicodeScalar)) { "\"\($0.output.1)\":0" }
            .replacing(ids.matchingSemantics(.unicodeScalar)) { "\"\($0.output.1)\":OTHER" }
            .replacing("\"stream\":\"texts\"", with: "\"stream\":\"plain\"")
        return ["\(answer.status)", answer.fields["location"] ?? "", answer.fields["content-type"] ?? "", text]
    }

    @Test func `each id addresses exactly its own photo on every route`() async throws {
        try await Self.with { server in
            #expect(Self.ids.count >= 80)
            // The pictures are at addresses elsewhere, so there are no films.
            let routes = RouteTable.all.routes.filter { $0.operation != "getFilm" }
                .map { ($0, Self.places(of: $0, for: "photo")) }
            #expect(routes.count { !$1.isEmpty } >= 12)
            var before = try Self.photos(Self.plain, server)
            for (number, text) in NastyTexts.texts.enumerated() {
                guard let id = try? PhotoID(text) else { continue }
                let plainID = Self.plainID(number)
                for (route, places) in routes {
                    for place in places {
                        let isOfDeleted = ["restorePhoto", "listDeletedPhotos"].contains(route.operation)
                        if isOfDeleted {
                            try server.service.deletePhotos([id], from: Self.texts)
                            try server.service.deletePhotos([PhotoID(stored: plainID)], from: Self.plain)
                            before = try Self.photos(Self.plain, server)
                        }
                        if ["makeCover", "takeApartStack"].contains(route.operation) {
                            for (id, stream) in [(id, Self.texts), (PhotoID(stored: plainID), Self.plain)] {
                                var record = PhotoRecord(id: id)
                                record.stack = .set(try StackPlace(stack: "s\(number)", rank: 0, kind: .manual))
                                try server.service.edit(record, in: stream)
                            }
                            before = try Self.photos(Self.plain, server)
                        }
                        let own = try Self.request(
                            route, stream: Self.texts, photo: text, with: NastyTexts.escaped(text.utf8), in: place)
                        let other = try Self.request(
                            route, stream: Self.plain, photo: plainID, with: NastyTexts.escaped(plainID.utf8), in: place
                        )
                        let answer = try RouteCodeTests.send(own, server)
                        let plain = try RouteCodeTests.send(other, server)
                        let context: Comment = "\(route.operation) \(place) \(own.target): \(answer.text.prefix(300))"
                        #expect(plain.status < 400, "\(plain.text.prefix(300))")
                        #expect(
                            Self.comparable(answer, id: text)
                                == Self.comparable(plain, id: plainID), context)
                        if route.work.writes {
                            let after = try Self.photos(Self.plain, server)
                            #expect(try Self.photos(Self.texts, server) == after, context)
                            // One is there already, and one has nothing to reset.
                            let mayKeepAll = ["resetPhoto", "movePhoto", "makeCover"].contains(route.operation)
                            #expect(mayKeepAll || before != after, context)
                            before = after
                        }
                        if ["deletePhoto", "listDeletedPhotos"].contains(route.operation) {
                            _ = try server.service.restorePhotos([id], in: Self.texts)
                            _ = try server.service.restorePhotos([PhotoID(stored: plainID)], in: Self.plain)
                            before = try Self.photos(Self.plain, server)
                        }
                    }
                }
            }
        }
    }

    @Test func `ids in bodies address their own photos`() async throws {
        try await Self.with { server in
            for (number, text) in NastyTexts.texts.enumerated() where (try? PhotoID(text)) != nil && text != "none" {
                for side in ["after", "before"] {
                    for (stream, id) in [(Self.texts, text), (Self.plain, Self.plainID(number))] {
                        let answer = try server.client(
                            "POST", "/v1/streams/\(stream)/photos/anchor/move", Self.json,
                            body: Array("{\"\(side)\":\(NastyTexts.json(id))}".utf8))
                        #expect(answer.status == 200, "\(id) \(answer.text.prefix(300))")
                    }
                    let (own, other) = (try Self.photos(Self.texts, server), try Self.photos(Self.plain, server))
                    #expect(own.map(\.id) == other.map(\.id), "\(NastyTexts.escaped(text.utf8))")
                }
            }
        }
    }

    @Test func `invalid ids and bytes that are not UTF-8 are refused on every route`() async throws {
        try await Self.with { server in
            let before = (try Self.photos(Self.texts, server), try Self.photos(Self.plain, server))
            let refused =
                NastyTexts.texts.filter { (try? PhotoID($0)) == nil }.map { Array($0.utf8) } + NastyTexts.broken
            let escapes =
                refused.map(NastyTexts.escaped) + ["%", "%4", "%4g", "%%41", "x%", "%EF%BB%B", "%+1", "%-1", "% 1"]
            for route in RouteTable.all.routes {
                for place in Self.places(of: route, for: "photo") {
                    for text in escapes {
                        let sample = try Self.request(route, stream: Self.texts, photo: "x", with: text, in: place)
                        let answer = try RouteCodeTests.send(sample, server)
                        let problems = ["invalid-name", "bad-escape", "malformed-request"]
                        #expect(
                            problems.contains(answer.problem ?? ""),
                            "\(route.operation) \(place) \(text) \(answer.status): \(answer.text.prefix(300))")
                    }
                }
            }
            #expect(try Self.photos(Self.texts, server) == before.0)
            #expect(try Self.photos(Self.plain, server) == before.1)
        }
    }

    @Test func `unescaped bytes are UTF-8 or refused`() async throws {
        try await Self.with { server in
            let ask = { (bytes: [UInt8], query: Bool) in
                let path = query ? "/v1/streams/texts/photos?id=" : "/v1/streams/texts/photos/"
                return try server.client.exchange(
                    Array("GET \(path)".utf8) + bytes
                        + Array(" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
            }
            for bytes in NastyTexts.broken + [[0xEF, 0xBF, 0xBD, 0x78]] {
                for query in [false, true] {
                    let answer = try ask(bytes, query)
                    #expect(
                        ["bad-escape", "malformed-request"].contains(answer.problem ?? ""),
                        "\(bytes): \(answer.text.prefix(200))")
                }
            }
            // Programs that escape nothing are understood, or refused: they never get another photo.
            for text in Self.ids where text.utf8.contains(where: { $0 >= 0x80 }) && !text.utf8.contains(0x20) {
                let answer = try ask(Array(text.utf8), false)
                let own = JSONWriter.bytes { $0.value(text) }
                #expect(
                    answer.status == 200
                        ? answer.body.firstRange(of: Array("\"id\":".utf8) + own) != nil : answer.status >= 400,
                    "\(NastyTexts.escaped(text.utf8)): \(answer.text.prefix(200))")
            }
        }
    }

    @Test func `each name addresses exactly its own stream on every route`() async throws {
        try await TestServer.with(photos: 0) { server in
            #expect(Self.names.count >= 70)
            var widths: [String: Int] = [:]
            for (number, name) in NastyTexts.texts.enumerated() {
                let answer = try server.client(
                    "POST", "/v1/streams", Self.json, body: Array("{\"stream\":\(NastyTexts.json(name))}".utf8))
                guard let stream = try? StreamName(name) else {
                    #expect(answer.problem == "invalid-name", "\(answer.text)")
                    continue
                }
                guard Self.names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
                    #expect(answer.problem == "stream-exists", "\(answer.text)")
                    continue
                }
                #expect(answer.status == 201, "\(answer.text)")
                // The field Location leads to it.
                let location = try #require(answer.fields["location"])
                #expect(location == "/v1/streams/" + PercentEscapes.encoded(name))
                #expect(
                    try server.client("GET", location).body.firstRange(of: JSONWriter.bytes { $0.value(name) }) != nil)
                let record = "{\"id\":\"photo-1\",\"width\":\(100 + number),\"height\":50}"
                let body = Array((record + "\n" + record.replacing("photo-1", with: "photo-2")).utf8)
                let imported = try server.client(
                    "POST", location + "/photos", ["Content-Type": "application/jsonl"], body: body)
                #expect(imported.status == 200, "\(imported.text)")
                #expect(
                    try server.service.read { try $0.photo(PhotoID(stored: "photo-1"), of: stream) }.pixelSize.width
                        == 100 + number)
                widths[location] = 100 + number
            }
            #expect(widths.count == Self.names.count)
            let all = try server.service.read { try $0.streams() }.map { Array($0.name.rawValue.utf8) }
            #expect(Set(all) == Set(Self.names.map { Array($0.utf8) } + [Array("gallery".utf8)]))
            for route in RouteTable.all.routes where route.path.names.contains("stream") && !route.work.writes {
                // These have no picture, and an event stream has no end.
                guard !["getImage", "getFilm", "getEvents", "getThumbnail"].contains(route.operation) else { continue }
                for (number, name) in NastyTexts.texts.enumerated()
                where Self.names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
                    let sample = try Self.request(
                        route, stream: StreamName(stored: name), photo: "photo-1", with: NastyTexts.escaped(name.utf8),
                        in: .path("stream"))
                    let answer = try RouteCodeTests.send(sample, server)
                    let context: Comment = "\(route.operation) \(sample.target): \(answer.text.prefix(300))"
                    #expect(answer.status == 200, context)
                    // Photos show their stream by their width, other answers by its name.
                    let shown = [JSONWriter.bytes { $0.value(name) }, Array("\(100 + number)".utf8)]
                    #expect(
                        shown.contains { answer.body.firstRange(of: $0) != nil } || answer.body.count < 200, context)
                }
            }
            // Those that write, on the first stream of each pair that programs confuse.
            for name in ["\u{FEFF}x", "\u{E9}", "%41", "x ", "\u{200B}x"] {
                let target = "/v1/streams/" + NastyTexts.escaped(name.utf8)
                #expect(try server.client("DELETE", target + "/photos/photo-1").status == 204)
                #expect(try server.client("DELETE", target + "?with-photos=true").status == 204)
                let left = try server.service.read { try $0.streams() }.map { Array($0.name.rawValue.utf8) }
                #expect(!left.contains(Array(name.utf8)))
            }
            let left = try server.service.read { try $0.streams() }
            #expect(left.count == Self.names.count - 4 && left.count { $0.count == 2 } == left.count - 1)
        }
    }

    @Test func `a list of streams continues after a given name`() async throws {
        try await TestServer.with(photos: 0) { server in
            for name in Self.names { try server.service.createStream(StreamName(name)) }
            let sorted = (Self.names + ["gallery"]).map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
            for (place, name) in sorted.enumerated() {
                let answer = try server.client("GET", "/v1/streams?limit=1&after=" + NastyTexts.escaped(name))
                let next = place + 1 < sorted.count ? String(decoding: sorted[place + 1], as: UTF8.self) : nil
                let shown = next.map { next in JSONWriter.bytes { $0.value(next) } } ?? Array("\"streams\":[]".utf8)
                #expect(answer.body.firstRange(of: shown) != nil, "\(NastyTexts.escaped(name)): \(answer.text)")
            }
        }
    }

    @Test func `a share with names shows each photo with its own id`() async throws {
        try await Self.with { server in
            let token = try server.service.createShare(of: Self.texts, named: "all", showing: [.names, .originals])
                .token
            let sealed = try server.service.createShare(of: Self.texts, named: "sealed", showing: []).token
            let list = try server.client("GET", "/s/\(sealed.text)/v1/streams/texts/layout/items?width=900&count=1000")
            #expect(list.status == 200)
            for (number, text) in NastyTexts.texts.enumerated() where (try? PhotoID(text)) != nil {
                let written = JSONWriter.bytes { $0.value(text) }
                for path in ["/photos/", "/layout/items?width=900&id=", "/layout/locate?width=900&photo="] {
                    let answer = try server.client(
                        "GET", "/s/\(token.text)/v1/streams/texts\(path)\(NastyTexts.escaped(text.utf8))")
                    #expect(answer.status == 200, "\(NastyTexts.escaped(text.utf8)) \(answer.text.prefix(300))")
                    #expect(answer.body.firstRange(of: written) != nil && answer.text.contains("\(100 + number)"))
                }
                // Its sealed id leads back to it.
                let item = try server.client(
                    "GET", "/v1/streams/texts/layout/locate?width=900&photo=\(NastyTexts.escaped(text.utf8))")
                let index = try #require((item.json["item"] as? [String: Any])?["index"] as? Int)
                let items = try #require(list.json["items"] as? [[String: Any]])
                let id = try #require(items[index]["photo"] as? String)
                let photo = try server.client("GET", "/s/\(sealed.text)/v1/streams/texts/photos/\(id)")
                #expect(photo.json["width"] as? Int == 100 + number, "\(photo.text)")
            }
        }
    }

    @Test func `values keep their bytes, and equivalent texts are changes`() async throws {
        try await Self.with { server in
            let target = "/v1/streams/plain/photos/anchor"
            for (index, text) in NastyTexts.texts.enumerated() {
                let written = NastyTexts.json(text)
                // Put and patched, by turns, each after another that may look alike.
                let answer = try server.client(
                    index % 2 == 0 ? "PATCH" : "PUT", target, Self.json,
                    body: Array(
                        "{\"width\":5,\"height\":5,\"title\":\(written),\"tags\":[\(written),\"\\u0041\"]}".utf8))
                guard answer.status == 200 else {
                    #expect(answer.problem == "invalid-photo", "\(answer.text)")
                    continue
                }
                let shown = JSONWriter.bytes { $0.value(text) }
                guard !text.unicodeScalars.allSatisfy(\.properties.isWhitespace) else { continue }
                let photo = try server.service.read { try $0.photo(PhotoID(stored: "anchor"), of: Self.plain) }
                guard let title = photo.title else { continue }
                // A title without the blanks around it, if anything.
                let isWhole = Array(title.utf8) == Array(text.utf8)
                let trimmed = text.unicodeScalars.drop { $0.properties.isWhitespace }
                #expect(isWhole || title.utf8.elementsEqual(String(trimmed).utf8.prefix(title.utf8.count)), "\(text)")
                if isWhole {
                    let read = try server.client("GET", target)
                    #expect(read.body.firstRange(of: Array("\"title\":".utf8) + shown) != nil, "\(read.text)")
                }
            }
        }
    }
}
