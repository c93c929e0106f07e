import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Edits and moves are taken back over HTTP.
@Suite struct ResetRouteTests {
    private static let json = ["Content-Type": "application/json"]
    private static let photo = "/v1/streams/gallery/photos/photo-1"

    private func post(_ server: TestServer, _ target: String, _ body: String) throws -> HTTPClient.Answer {
        try server.client("POST", target, Self.json, body: Array(body.utf8))
    }

    @Test func `a reset returns the photo, and imports apply again`() async throws {
        try await TestServer.with(photos: 5) { server in
            let edit = Array(#"{"caption":"Mine","alt":"A","width":300,"height":200}"#.utf8)
            let edited = try server.client("PATCH", Self.photo, Self.json, body: edit)
            #expect(edited.json["edited"] as? [String] == ["size", "caption", "alt"], "\(edited.text)")
            // An answer can be sent back.
            #expect(try server.client("PUT", Self.photo, Self.json, body: edited.body).status == 200)
            let reset = try post(server, Self.photo + "/reset", #"{"fields":["caption","takenAt"]}"#)
            #expect(reset.status == 200 && reset.json["caption"] as? String == "Mine", "\(reset.text)")
            #expect(reset.json["captionSource"] as? String == "import")
            #expect((reset.json["edited"] as? [String])?.contains("caption") == false)
            #expect(reset.fields["etag"] == (try server.client("GET", Self.photo).fields["etag"]))
            let all = try post(server, Self.photo + "/reset", "{}")
            #expect(all.json["edited"] == nil && all.json["alt"] as? String == "A")
            let lines = Array(#"{"id":"photo-1","caption":"Theirs","alt":null}"#.utf8)
            let load = try server.client(
                "POST", "/v1/streams/gallery/photos", ["Content-Type": "application/jsonl"], body: lines)
            #expect(load.json["updated"] as? Int == 1)
            let shown = try server.client("GET", Self.photo).json
            #expect(shown["caption"] as? String == "Theirs" && shown["alt"] == nil)
        }
    }

    @Test func `moves of one or several photos are reset`() async throws {
        try await TestServer.with(photos: 8) { server in
            func order() throws -> [String] {
                try server.service.read { try $0.photos(of: TestServer.stream) }.photos.map(\.id.rawValue)
            }
            let before = try order()
            let others = before.filter { $0 != "photo-1" }
            let body = #"{"after":"\#(others[6])","also":["\#(others[0])","\#(others[1])"]}"#
            #expect(try post(server, Self.photo + "/move", body).json["moved"] as? Int == 3)
            #expect(try order() != before)
            let back = try post(
                server, Self.photo + "/move", #"{"reset":true,"also":["\#(others[0])","\#(others[1])"]}"#)
            #expect(back.json["moved"] as? Int == 3, "\(back.text)")
            #expect(try order() == before)
            #expect(try post(server, Self.photo + "/move", #"{"reset":true}"#).json["moved"] as? Int == 0)
        }
    }

    @Test(arguments: [
        (
            "/reset", #"{"fields":["colour"]}"#, "invalid-body", "fields",
            "there is no field \"colour\"; the fields are size, "
        ),
        ("/reset", #"{"fields":[]}"#, "invalid-body", "fields", "fields is empty; leave it out for all fields"),
        ("/reset", #"{"fields":"caption"}"#, "invalid-body", "fields", "fields must be a list of texts"),
        ("/reset", #"{"also":["photo-2"]}"#, "invalid-body", "also", "the body has an unknown member \"also\""),
        ("/move", #"{"reset":false}"#, "invalid-body", "reset", "reset must be true"),
        (
            "/move", #"{"reset":true,"before":"photo-2"}"#, "invalid-body", "reset",
            "the body must have one of before, after and reset"
        ),
        ("/move", "{}", "invalid-body", "before", "the body must have one of before, after and reset"),
        (
            "/move", #"{"reset":true,"also":["none"]}"#, "unknown-photo", "also",
            "stream \"gallery\" has no photo \"none\""
        ),
    ])
    func `malformed bodies are refused with the reason`(
        path: String, body: String, problem: String, parameter: String, detail: String
    ) async throws {
        try await TestServer.with(photos: 3) { server in
            let before = try server.client("GET", "/v1/streams/gallery").text
            let answer = try post(server, Self.photo + path, body)
            #expect(answer.problem == problem && answer.json["parameter"] as? String == parameter, "\(answer.text)")
            #expect((answer.json["detail"] as? String)?.hasPrefix(detail) == true, "\(answer.text)")
            #expect(try server.client("GET", "/v1/streams/gallery").text == before)
        }
    }

    @Test func `conditions apply, and a manual stream refuses to reset a move`() async throws {
        try await TestServer.with(photos: 3) { server in
            let stale = Self.json.merging(["If-Match": "\"x\""]) { $1 }
            #expect(try server.client("POST", Self.photo + "/reset", stale, body: Array("{}".utf8)).status == 412)
            let move = Array(#"{"reset":true,"also":["photo-2"]}"#.utf8)
            #expect(try server.client("POST", Self.photo + "/move", stale, body: move).status == 412)
            let tag = try #require(try server.client("GET", Self.photo).fields["etag"])
            let fresh = Self.json.merging(["If-Match": tag]) { $1 }
            #expect(try server.client("POST", Self.photo + "/move", fresh, body: move).status == 200)
            #expect(try server.client("POST", Self.photo + "/reset", fresh, body: Array("{}".utf8)).status == 200)
            try server.service.createStream(StreamName(stored: "hand"), order: .manual)
            let lines = Array(#"{"id":"a","width":3,"height":2}"#.utf8)
            _ = try server.client("POST", "/v1/streams/hand/photos", ["Content-Type": "application/jsonl"], body: lines)
            let refused = try post(server, "/v1/streams/hand/photos/a/move", #"{"reset":true}"#)
            #expect(refused.status == 422 && refused.problem == "invalid-move")
            #expect(refused.json["parameter"] as? String == "reset")
        }
    }
}
