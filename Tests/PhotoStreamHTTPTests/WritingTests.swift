import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Streams and photos are made, changed, moved and deleted.
@Suite struct WritingTests {
    private static let json = ["Content-Type": "application/json"]
    private static let patch = ["Content-Type": "application/merge-patch+json"]
    private static let lines = ["Content-Type": "application/jsonl"]

    @Test func `a stream is created, renamed and deleted`() async throws {
        try await TestServer.with(photos: 5) { server in
            let made = try server.client("POST", "/v1/streams", Self.json, body: Array(#"{"stream":"été 1"}"#.utf8))
            #expect(made.status == 201)
            #expect(made.fields["location"] == "/v1/streams/%C3%A9t%C3%A9%201")
            #expect(try server.client("GET", made.fields["location"] ?? "").body == made.body)
            let again = try server.client("POST", "/v1/streams", Self.json, body: Array(#"{"stream":"été 1"}"#.utf8))
            #expect(again.status == 409)
            #expect(again.problem == "stream-exists")
            let target = "/v1/streams/%C3%A9t%C3%A9%201"
            let taken = try server.client("PATCH", target, Self.patch, body: Array(#"{"stream":"gallery"}"#.utf8))
            #expect(taken.problem == "stream-exists")
            let renamed = try server.client("PATCH", target, Self.patch, body: Array(#"{"stream":"b"}"#.utf8))
            #expect(renamed.status == 200)
            #expect(renamed.json["stream"] as? String == "b")
            #expect(try server.client("GET", target).status == 404)
            #expect(try server.client("DELETE", "/v1/streams/b").status == 204)
            let kept = try server.client("DELETE", "/v1/streams/gallery")
            #expect(kept.status == 409)
            #expect(kept.problem == "stream-not-empty")
            #expect(try server.client("DELETE", "/v1/streams/gallery?with-photos=true").status == 204)
            #expect(try server.client("GET", "/v1/streams").text == #"{"streams":[],"truncated":false}"#)
        }
    }

    @Test func `a photo is written, changed, moved and deleted`() async throws {
        try await TestServer.with(photos: 5) { server in
            let target = "/v1/streams/gallery/photos/a%2Fb"
            let body = #"{"width":300,"height":200,"caption":"One","tags":["x"],"takenAt":"2024-05-06T07:08:09Z"}"#
            let made = try server.client("PUT", target, Self.json, body: Array(body.utf8))
            #expect(made.status == 201, "\(made.text)")
            #expect(made.json["id"] as? String == "a/b")
            let shown = try server.client("GET", target)
            #expect(shown.body == made.body)
            #expect(shown.fields["etag"] == made.fields["etag"])
            // An answer can be sent back.
            let same = try server.client("PUT", target, Self.json, body: shown.body)
            #expect(same.status == 200, "\(same.text)")
            #expect(same.body == made.body)
            let changed = try server.client(
                "PATCH", target, Self.patch, body: Array(#"{"caption":null,"alt":"A"}"#.utf8))
            #expect(changed.status == 200)
            #expect(changed.json["caption"] == nil)
            #expect(changed.json["alt"] as? String == "A")
            #expect(changed.json["width"] as? Int == 300)
            let whole = try server.client("PUT", target, Self.json, body: Array(#"{"width":9,"height":9}"#.utf8))
            #expect(whole.json["alt"] == nil)
            #expect(whole.json["tags"] == nil)
            let moved = try server.client(
                "POST", target + "/move", Self.json, body: Array(#"{"before":"photo-4"}"#.utf8))
            #expect(moved.json["moved"] as? Int == 1, "\(moved.text)")
            let order = try server.service.read { try $0.photos(of: TestServer.stream, limit: 2) }.photos.map(
                \.id.rawValue)
            #expect(order == ["a/b", "photo-4"])
            #expect(try server.client("DELETE", target).status == 204)
            #expect(try server.client("GET", target).status == 404)
            #expect(try server.client("DELETE", target).status == 404)
        }
    }

    @Test func `a write with source import behaves like an import`() async throws {
        try await TestServer.with(photos: 5) { server in
            let (target, photos) = ("/v1/streams/gallery/photos/p", "/v1/streams/gallery/photos")
            func patch(_ query: String, _ body: String) throws -> HTTPClient.Answer {
                try server.client("PATCH", target + query, Self.patch, body: Array(body.utf8))
            }
            func load(_ record: String) throws {
                let answer = try server.client("POST", photos, Self.lines, body: Array(record.utf8))
                #expect(answer.status == 200, "\(answer.text)")
            }
            let made = try server.client(
                "PUT", target + "?source=import", Self.json,
                body: Array(#"{"width":3,"height":2,"caption":"One","alt":"A","takenAt":"2024"}"#.utf8))
            #expect(made.status == 201, "\(made.text)")
            #expect(made.json["captionSource"] as? String == "import")
            // Nothing is marked, so an import still counts.
            try load(#"{"id":"p","caption":"Two"}"#)
            #expect(try server.client("GET", target).json["caption"] as? String == "Two")
            #expect(try patch("?source=import", #"{"caption":"Three"}"#).json["caption"] as? String == "Three")
            try load(#"{"id":"p","caption":"Four"}"#)
            #expect(try server.client("GET", target).json["caption"] as? String == "Four")
            // A person's edit wins, and stays a person's; the other fields take the import's values.
            #expect(try patch("?source=person", #"{"caption":"Mine"}"#).json["captionSource"] as? String == "person")
            let kept = try patch("?source=import", #"{"caption":"Five","alt":null,"tags":["x"]}"#)
            #expect(kept.status == 200)
            #expect(kept.json["caption"] as? String == "Mine" && kept.json["captionSource"] as? String == "person")
            #expect(kept.json["alt"] == nil && kept.json["tags"] as? [String] == ["x"])
            let whole = try server.client(
                "PUT", target + "?source=import", Self.json, body: Array(#"{"width":30,"height":10}"#.utf8))
            #expect(whole.status == 200 && whole.json["caption"] as? String == "Mine")
            #expect(whole.json["tags"] == nil && whole.json["takenAt"] == nil && whole.json["width"] as? Int == 30)
            try load(#"{"id":"p","width":5,"height":5,"alt":"B"}"#)
            let last = try server.client("GET", target).json
            #expect(last["width"] as? Int == 5 && last["alt"] as? String == "B")
            // Importing the same record again changes nothing.
            let revision = try server.client("GET", "/v1/streams/gallery").json["revision"] as? Int
            #expect(try patch("?source=import", #"{"alt":"B","caption":"Six"}"#).status == 200)
            #expect(try server.client("GET", "/v1/streams/gallery").json["revision"] as? Int == revision)
        }
    }

    @Test func `a write with source import refuses what a person's write refuses`() async throws {
        try await TestServer.with(photos: 5) { server in
            let target = "/v1/streams/gallery/photos/photo-1"
            func send(_ method: String, _ query: String, _ body: String) throws -> HTTPClient.Answer {
                try server.client(method, target + query, Self.json, body: Array(body.utf8))
            }
            let before = try server.client("GET", target).body
            for method in ["PUT", "PATCH"] {
                let wrong = try send(method, "?source=robot", #"{"width":3,"height":2}"#)
                #expect(wrong.status == 400 && wrong.problem == "invalid-parameter")
                #expect(wrong.json["detail"] as? String == "source is \"robot\", but must be person or import")
                #expect(wrong.json["parameter"] as? String == "source")
                let bad = try send(method, "?source=import", #"{"width":3,"height":2,"takenAt":"some day"}"#)
                #expect(bad.status == 422 && bad.json["parameter"] as? String == "takenAt", "\(bad.text)")
                #expect(bad.json["detail"] as? String == "\"some day\" is not a date")
                #expect(try send(method, "?source=import", #"{"width":0,"height":2}"#).problem == "invalid-photo")
                #expect(try send(method, "?source=import", #"{"colour":"red"}"#).problem == "invalid-photo")
                let stale = try server.client(
                    method, target + "?source=import", Self.json.merging(["If-Match": "\"x\""]) { $1 },
                    body: Array(#"{"width":3,"height":2}"#.utf8))
                #expect(stale.status == 412)
            }
            #expect(try server.client("GET", target).body == before)
            let missing = try server.client(
                "PATCH", "/v1/streams/gallery/photos/none?source=import", Self.patch, body: Array("{}".utf8))
            #expect(missing.problem == "unknown-photo")
            let bulk = try server.client(
                "POST", "/v1/streams/gallery/photos?source=import", Self.lines, body: Array("{}".utf8))
            #expect(bulk.problem == "unknown-parameter")
        }
    }

    @Test func `several photos move together or not at all`() async throws {
        try await TestServer.with(photos: 8) { server in
            let target = "/v1/streams/gallery/photos/photo-1/move"
            func order() throws -> [String] {
                try server.service.read { try $0.photos(of: TestServer.stream) }.photos.map(\.id.rawValue)
            }
            let others = try order().filter { !["photo-1", "photo-5", "photo-2"].contains($0) }
            func move(_ body: String) throws -> HTTPClient.Answer {
                try server.client("POST", target, Self.json, body: Array(body.utf8))
            }
            let behind = try move(#"{"after":"photo-7","also":["photo-5","photo-2"]}"#)
            #expect(behind.status == 200 && behind.json["moved"] as? Int == 3, "\(behind.text)")
            #expect(others[0] == "photo-7")
            let expected = ["photo-7", "photo-1", "photo-5", "photo-2"] + others.dropFirst()
            #expect(try order() == expected)
            #expect(try move(#"{"after":"photo-7","also":["photo-5","photo-2"]}"#).json["moved"] as? Int == 0)
            for (also, status) in [
                (#"["photo-5","none"]"#, 404), (#"["photo-7"]"#, 422), (#"["photo-5","photo-5"]"#, 422),
                (#"["photo-1"]"#, 422), (#""photo-5""#, 400), ("[5]", 400), (#"[""]"#, 400),
                ("[" + (0..<1_000).map { "\"n\($0)\"" }.joined(separator: ",") + "]", 400),
            ] {
                let answer = try move(#"{"before":"photo-7","also":\#(also)}"#)
                #expect(answer.status == status, "\(also.prefix(40)): \(answer.text)")
                #expect(answer.json["parameter"] as? String == "also")
            }
            #expect(try order() == expected)
        }
    }

    @Test func `a write is applied only if the photo is the one that the client knows`() async throws {
        try await TestServer.with(photos: 5) { server in
            let target = "/v1/streams/gallery/photos/photo-1"
            let tag = try #require(try server.client("GET", target).fields["etag"])
            let packed = try #require(try server.client("GET", target, ["Accept-Encoding": "gzip"]).fields["etag"])
            let body = Array(#"{"caption":"new"}"#.utf8)
            for wrong in ["\"x\"", "W/" + tag] {
                for method in ["PATCH", "PUT", "DELETE"] {
                    let fields = Self.json.merging(["If-Match": wrong]) { $1 }
                    let answer = try server.client(method, target, fields, body: body)
                    #expect(answer.status == 412, "\(method) \(wrong)")
                    #expect(answer.problem == "precondition-failed")
                }
            }
            #expect(try server.client("GET", target).fields["etag"] == tag)
            let first = try server.client("PATCH", target, Self.json.merging(["If-Match": packed]) { $1 }, body: body)
            #expect(first.status == 200)
            #expect(first.fields["etag"] != tag)
            let second = try server.client("PATCH", target, Self.json.merging(["If-Match": tag]) { $1 }, body: body)
            #expect(second.status == 412)
            let new = Self.json.merging(["If-None-Match": "*"]) { $1 }
            #expect(try server.client("PUT", target, new, body: Array("{}".utf8)).status == 412)
            #expect(
                try server.client("PUT", "/v1/streams/gallery/photos/new", new, body: Array("{}".utf8)).status == 201)
            let gone = Self.json.merging(["If-Match": "*"]) { $1 }
            #expect(
                try server.client("PUT", "/v1/streams/gallery/photos/none", gone, body: Array("{}".utf8)).status == 412)
        }
    }

    @Test func `a bulk import reports the outcome of each record`() async throws {
        try await TestServer.with(photos: 5) { server in
            let body = """
                {"id":"new","width":3,"height":2}
                {"id":"photo-1","caption":"told"}
                {"id":"zero","width":0,"height":2}
                {"id":"new","width":9,"height":9}
                not json
                {"id":"date","width":3,"height":2,"takenAt":"yesterday"}

                """
            let answer = try server.client(
                "POST", "/v1/streams/gallery/photos", ["Content-Type": "application/x-ndjson; charset=utf-8"],
                body: Array(body.utf8))
            #expect(answer.status == 200, "\(answer.text)")
            let counts = ["read", "inserted", "updated", "unchanged", "duplicate", "rejected"]
            #expect(counts.map { answer.json[$0] as? Int } == [6, 2, 1, 0, 1, 2])
            let rejects = try #require(answer.json["rejects"] as? [[String: Any]])
            #expect(rejects.map { $0["line"] as? Int } == [3, 5])
            #expect(rejects.first?["id"] as? String == "zero")
            #expect((answer.json["warnings"] as? [[String: Any]])?.first?["field"] as? String == "takenAt")
            let stream = try server.client("GET", "/v1/streams/gallery")
            #expect(stream.text.contains(#""source":"body""#))
            #expect(!stream.text.contains("photostream-body"))
        }
    }

    @Test(arguments: [
        ("application/json", #"[{"id":"new","width":3,"height":2},{"id":"zero","width":0,"height":2}]"#, 1),
        ("text/csv; charset=utf-8", "id,width,height\nnew,3,2\nzero,0,2\n", 3),
    ])
    func `a bulk import accepts other formats, too`(type: String, body: String, line: Int) async throws {
        try await TestServer.with(photos: 1) { server in
            let answer = try server.client(
                "POST", "/v1/streams/gallery/photos", ["Content-Type": type], body: Array(body.utf8))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json["inserted"] as? Int == 1 && answer.json["rejected"] as? Int == 1)
            let rejects = try #require(answer.json["rejects"] as? [[String: Any]])
            #expect(rejects.map { $0["line"] as? Int } == [line])
            let broken = try server.client(
                "POST", "/v1/streams/gallery/photos", ["Content-Type": type], body: Array("{".utf8))
            #expect(broken.status == 200 ? broken.json["inserted"] as? Int == 0 : broken.problem == "invalid-body")
        }
    }

    @Test func `importing an export of another order counts the skipped moves`() async throws {
        try await TestServer.with(photos: 0) { server in
            func moves(leftOutOf order: String) throws -> Int? {
                let lines = """
                    {"photostreamExport":1,"order":"\(order)"}
                    {"id":"\(order)","width":3,"height":2,"takenAt":"1866","movedTo":"2026-11-21T08:38:53.000"}
                    """
                let target = "/v1/streams/gallery/photos"
                let answer = try server.client("POST", target, Self.lines, body: Array(lines.utf8))
                #expect(answer.status == 200 && answer.json["inserted"] as? Int == 1, "\(answer.text)")
                return answer.json["ignoredMoves"] as? Int
            }
            let counts = [try moves(leftOutOf: "newest"), try moves(leftOutOf: "oldest")]
            #expect(counts == [0, 1])
        }
    }

    @Test func `every member of an answer is described as a member of a body`() async throws {
        try await TestServer.with(photos: 0) { server in
            let document = try server.client("GET", "/v1/openapi.json").json
            func members(_ name: String) throws -> Set<String> {
                let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: Any])
                let schema = try #require(schemas[name] as? [String: Any])
                return Set(try #require(schema["properties"] as? [String: Any]).keys)
            }
            let shown = try members("Photo")
            #expect(!shown.isEmpty)
            #expect(try shown.subtracting(members("PhotoRecord")) == [])
        }
    }

    @Test(arguments: PhotoField.allCases)
    func `every field of an answer can be sent back, and is cleared by null`(field: PhotoField) async throws {
        try await TestServer.with(photos: 2) { server in
            let target = "/v1/streams/gallery/photos/photo-1"
            var photo = try server.service.read { try $0.photo(PhotoID("photo-1"), of: TestServer.stream) }
            photo = try server.service.edit(
                try PhotoRecord(id: photo.id, setting: field, isSecond: true), in: TestServer.stream)
            let shown = try server.client("GET", target)
            #expect(try server.client("PUT", target, Self.json, body: Array(shown.text.utf8)).status == 200)
            let after = try server.service.read { try $0.photo(photo.id, of: TestServer.stream) }
            var expected = photo
            expected.editedFields = after.editedFields
            if expected.caption != nil { expected.captionSource = .person }
            if expected.takenAt != nil { expected.takenAtSource = .person }
            #expect(after == expected)
            #expect(after.editedFields == PhotoFields(rawValue: 1 << UInt32(PhotoField.allCases.count) - 1))
            let nulls = field.row.members.map { "\"\($0)\":null" }.joined(separator: ",")
            #expect(try server.client("PATCH", target, Self.json, body: Array("{\(nulls)}".utf8)).status == 200)
            let cleared = try server.service.read { try $0.photo(photo.id, of: TestServer.stream) }
            #expect(cleared == Photo.applying(PhotoRecord(id: photo.id, clearing: field), to: after, by: .person))
        }
    }

    @Test func `a photo is a favourite until an edit ends that, and no import changes it back`() async throws {
        try await TestServer.with(photos: 2) { server in
            let target = "/v1/streams/gallery/photos/photo-1"
            func patch(_ body: String, _ query: String = "") throws -> [String: Any] {
                let answer = try server.client("PATCH", target + query, Self.json, body: Array(body.utf8))
                #expect(answer.status == 200, "\(answer.text)")
                return answer.json
            }
            #expect(try server.client("GET", target).json["favourite"] == nil)
            #expect(try patch(#"{"favourite":true}"#, "?source=import")["favourite"] as? Bool == true)
            #expect(try server.client("GET", target).json["edited"] == nil)
            let items = try server.client("GET", "/v1/streams/gallery/layout/items?width=600&fields=photo,favourite")
                .json
            let shown = try #require(items["items"] as? [[String: Any]])
            #expect(shown.filter { $0["favourite"] as? Bool == true }.map { $0["photo"] as? String } == ["photo-1"])
            #expect(shown.count == 2)
            let ended = try patch(#"{"favourite":false}"#)
            #expect(ended["favourite"] == nil && ended["edited"] as? [String] == ["favourite"])
            #expect(try patch(#"{"favourite":true}"#, "?source=import")["favourite"] == nil)
            #expect(try patch(#"{"favourite":true}"#)["favourite"] as? Bool == true)
            #expect(try patch(#"{"favourite":null}"#)["favourite"] == nil)
        }
    }

    @Test(arguments: [
        (#"{"rating":3.5}"#, "rating must be a whole number or null"),
        (#"{"title":1}"#, "title must be a text or null"),
        (#"{"width":"9"}"#, "width must be a number or null"),
        (#"{"tags":["a",1]}"#, "tags must be a list, each element a text or null"),
        (#"{"rating":7}"#, "\"7\" is not a rating from -1 to 5"),
        (#"{"favourite":1}"#, "favourite must be a Boolean or null"),
        (#"{"favourite":"true"}"#, "favourite must be a Boolean or null"),
    ])
    func `an invalid value is refused with its rule`(body: String, reason: String) async throws {
        try await TestServer.with(photos: 2) { server in
            let answer = try server.client(
                "PATCH", "/v1/streams/gallery/photos/photo-1", ["Content-Type": "application/merge-patch+json"],
                body: Array(body.utf8))
            #expect(answer.status == 422 && answer.json["detail"] as? String == reason, "\(answer.text)")
        }
    }

    @Test func `each refused write is a problem and changes nothing`() async throws {
        let photo = "/v1/streams/gallery/photos/photo-1"
        let deep = String(repeating: #"{"a":"#, count: 65) + "1" + String(repeating: "}", count: 65)
        func longText(_ member: String, _ count: Int) -> String {
            "{\"\(member)\":\"\(String(repeating: "x", count: count))\"}"
        }
        let cases: [(String, String, [String: String], String, Int, String)] = [
            ("POST", "/v1/streams", [:], "{}", 415, "unsupported-media-type"),
            ("POST", "/v1/streams", ["Content-Type": "text/plain"], "{}", 415, "unsupported-media-type"),
            ("POST", "/v1/streams", Self.json, "{", 400, "invalid-body"),
            ("POST", "/v1/streams", Self.json, "[]", 400, "invalid-body"),
            ("POST", "/v1/streams", Self.json, "{}", 400, "invalid-body"),
            ("POST", "/v1/streams", Self.json, #"{"stream":5}"#, 400, "invalid-body"),
            ("POST", "/v1/streams", Self.json, #"{"stream":"a","b":""}"#, 400, "invalid-body"),
            ("POST", "/v1/streams", Self.json, #"{"stream":"a/b"}"#, 400, "invalid-name"),
            ("POST", "/v1/streams", Self.json, deep, 400, "invalid-body"),
            ("PATCH", "/v1/streams/none", Self.json, #"{"stream":"a"}"#, 404, "unknown-stream"),
            ("DELETE", "/v1/streams/gallery?with-photos=maybe", [:], "", 400, "invalid-parameter"),
            ("PUT", photo, Self.json, "{", 400, "invalid-body"),
            ("PUT", photo, Self.json, deep, 400, "invalid-body"),
            ("PUT", photo, Self.json, #"{"id":"photo-2"}"#, 422, "invalid-photo"),
            ("PUT", photo, Self.json, #"{"width":0,"height":3}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"takenAt":"yesterday"}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"captoin":"x"}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, longText("caption", 65_537), 422, "invalid-photo"),
            ("PUT", photo, Self.json, longText("alt", 4_097), 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"alt":"a\u0000b"}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"captionSource":{}}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"caption":false}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"placeholder":5}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"latitude":"5","longitude":"6"}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"orientation":true}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"orientation":1.5}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"tags":["a",5]}"#, 422, "invalid-photo"),
            ("PUT", photo, Self.json, #"{"width":"3","height":2}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"metrics":1}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"rating":6}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"rating":"5"}"#, 422, "invalid-photo"),
            ("PUT", photo, Self.json, #"{"rating":2.5}"#, 422, "invalid-photo"),
            ("PATCH", photo, Self.json, longText("title", 4_097), 422, "invalid-photo"),
            ("PATCH", photo, Self.json, #"{"camera":5}"#, 422, "invalid-photo"),
            ("PATCH", "/v1/streams/gallery/photos/none", Self.patch, "{}", 404, "unknown-photo"),
            ("PUT", "/v1/streams/none/photos/x", Self.json, "{}", 404, "unknown-stream"),
            (
                "PATCH", photo, Self.json.merging(["Content-Encoding": "gzip"]) { $1 }, "{}", 415,
                "unsupported-content-coding"
            ),
            ("POST", photo + "/move", Self.json, "{}", 400, "invalid-body"),
            ("POST", photo + "/move", Self.json, #"{"before":"photo-2","after":"photo-2"}"#, 400, "invalid-body"),
            ("POST", photo + "/move", Self.json, #"{"before":"none"}"#, 404, "unknown-photo"),
            ("POST", photo + "/move", Self.json, #"{"before":"photo-1"}"#, 422, "invalid-move"),
            (
                "POST", "/v1/streams/gallery/photos", ["Content-Type": "text/plain"], "{}", 415,
                "unsupported-media-type"
            ),
            ("POST", "/v1/streams/gallery/photos", Self.lines, "", 400, "invalid-body"),
            ("POST", "/v1/streams/none/photos", Self.lines, #"{"id":"a"}"#, 404, "unknown-stream"),
            ("PUT", photo, Self.json.merging(["Content-Length": "2000000"]) { $1 }, "{}", 413, "body-too-large"),
        ]
        try await TestServer.with(photos: 5) { server in
            let revision = try server.service.read { try $0.stream(TestServer.stream) }.revision
            for (method, target, fields, body, status, problem) in cases {
                let answer = try server.client(method, target, fields, body: Array(body.utf8))
                #expect(answer.status == status, "\(method) \(target) \(body.prefix(40)): \(answer.text)")
                #expect(answer.problem == problem, "\(method) \(target) \(body.prefix(40)): \(answer.text)")
            }
            let long = try server.client(
                "PATCH", photo, Self.json, body: Array(#"{"alt":""#.utf8) + [UInt8](repeating: 97, count: 1 << 20))
            #expect(long.status == 413)
            #expect(try server.service.read { try $0.stream(TestServer.stream) }.revision == revision)
            #expect(try server.service.read { try $0.streams() }.count == 1)
        }
    }

    @Test func `concurrent imports beyond the limit are refused with the time to wait`() async throws {
        var settings = ServerSettings()
        settings.imports = 1
        try await TestServer.with(photos: 1, settings: settings) { server in
            let record = { (number: Int) in "{\"id\":\"n-\(number)\",\"width\":3,\"height\":2}\n" }
            let body = Array((0..<60_000).map(record).joined().utf8)
            let statuses = try atOnce(3) { _ in
                try server.client("POST", "/v1/streams/gallery/photos", Self.lines, body: body)
            }
            #expect(statuses.contains { $0.status == 200 })
            let refused = statuses.filter { $0.status == 429 }
            #expect(refused.allSatisfy { $0.problem == "too-many-imports" && $0.fields["retry-after"] == "5" })
            #expect(statuses.allSatisfy { $0.status == 200 || $0.status == 429 })
            #expect(!refused.isEmpty)
        }
    }

    @Test func `a write that another program holds up for too long reports it`() async throws {
        let file = try TemporaryDatabase()
        let service = try PhotoStreamService(
            path: file.path, access: .readWrite, busyTimeoutMilliseconds: 50, primary: file.primary
        ) { 1 }
        try service.createStream(TestServer.stream)
        try await TestServer.with(service, file) { server in
            let holder = try FileHolder(file.path)
            let answer = try server.client("DELETE", "/v1/streams/gallery")
            #expect(answer.status == 503)
            #expect(answer.problem == "busy")
            #expect(answer.fields["retry-after"] == "1")
            #expect(try server.client("GET", "/v1/streams/gallery/layout?width=900").status == 200)
            try holder.release()
            #expect(try server.client("DELETE", "/v1/streams/gallery").status == 204)
        }
    }
}
