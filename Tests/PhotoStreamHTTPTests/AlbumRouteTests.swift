import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// The routes of albums.
@Suite struct AlbumRouteTests {
    private static let json = ["Content-Type": "application/json"]
    private static let albums = "/v1/streams/gallery/albums"

    private static func send(
        _ method: String, _ album: String, _ body: String? = nil, _ fields: [String: String] = [:],
        to server: TestServer
    ) throws -> HTTPClient.Answer {
        let path = albums + "/" + PercentEscapes.encoded(album)
        return try server.client(method, path, json.merging(fields) { $1 }, body: body.map { Array($0.utf8) })
    }

    private static func list(_ server: TestServer, _ query: String = "") throws -> [String] {
        let answer = try server.client("GET", albums + query)
        return (answer.json["albums"] as? [[String: Any]] ?? []).map { album in
            "\(album["value"] ?? "") \(album["count"] ?? "") \(album["where"] ?? "")"
        }
    }

    @Test func `an album is filled, listed, shown, renamed and removed`() async throws {
        try await TestServer.with(photos: 6) { server in
            let added = try Self.send("POST", "Italy/2025", #"{"add":["photo-1","photo-2"]}"#, to: server)
            #expect(added.status == 200 && added.text == #"{"album":"Italy/2025","changed":2}"#, "\(added.text)")
            let moved = try Self.send("POST", "italy", #"{"add":["photo-4"],"remove":["photo-1"]}"#, to: server)
            #expect(moved.json["changed"] as? Int == 2, "\(moved.text)")
            #expect(try Self.list(server) == ["Italy 2 album:italy", "Italy/2025 1 album:italy/2025"])
            #expect(
                try Self.list(server, "?where=album:italy/2025") == [
                    "Italy 1 album:italy", "Italy/2025 1 album:italy/2025",
                ])
            let shown = try server.client("GET", "/v1/streams/gallery/layout?width=900&where=album:Italy")
            #expect(shown.json["count"] as? Int == 2, "\(shown.text)")
            let photo = try server.client("GET", "/v1/streams/gallery/photos/photo-2")
            #expect(photo.json["albums"] as? [String] == ["Italy/2025"])
            #expect(photo.json["edited"] as? [String] == ["albums"])
            let renamed = try Self.send("PATCH", "Italy", #"{"album":"Europe/Italy"}"#, to: server)
            #expect(renamed.text == #"{"album":"Europe/Italy","changed":2}"#, "\(renamed.text)")
            #expect(
                try Self.list(server).map { $0.split(separator: " ")[0] } == [
                    "Europe", "Europe/Italy", "Europe/Italy/2025",
                ])
            #expect(try Self.send("DELETE", "Europe/Italy", to: server).json["changed"] as? Int == 2)
            #expect(try Self.list(server) == [])
        }
    }

    @Test func `bodies that are wrong are explained`() async throws {
        try await TestServer.with(photos: 3) { server in
            try server.service.changeAlbum("Best", adding: [PhotoID(stored: "photo-1")], in: TestServer.stream)
            let view = try Condition(parsing: "album:best")
            try server.service.createView(StreamName(stored: "best"), of: TestServer.stream, where: view)
            let wrong:
                [(
                    method: String, album: String, body: String?, status: Int, kind: String, member: String,
                    detail: String
                )] = [
                    (
                        "POST", "Best", "{}", 400, "invalid-body", "add",
                        "add and remove name 0 photos, but must name 1 to 10000"
                    ),
                    ("POST", "Best", #"{"add":"photo-1"}"#, 400, "invalid-body", "add", "add must be a list of texts"),
                    (
                        "POST", "Best", #"{"add":["none"]}"#, 404, "unknown-photo", "add",
                        "stream \"gallery\" has no photo \"none\""
                    ),
                    (
                        "POST", "Best", #"{"remove":["none"]}"#, 404, "unknown-photo", "remove",
                        "stream \"gallery\" has no photo \"none\""
                    ),
                    (
                        "POST", "a//b", #"{"add":["photo-1"]}"#, 400, "invalid-name", "album",
                        "the path of the album \"a//b\" has a slash without a name next to it"
                    ),
                    ("PATCH", "Best", "{}", 400, "invalid-body", "album", "the body has no member album"),
                    (
                        "PATCH", "Best", #"{"album":"a/"}"#, 400, "invalid-body", "album",
                        "the path of the album \"a/\" has a slash without a name next to it"
                    ),
                    (
                        "PATCH", "Best", #"{"album":"best/x"}"#, 400, "invalid-body", "album",
                        "the album \"Best\" cannot be moved into itself"
                    ),
                    (
                        "PATCH", "None", #"{"album":"x"}"#, 404, "unknown-album", "album",
                        "no photo of stream \"gallery\" is in the album \"None\""
                    ),
                    (
                        "DELETE", "None", nil, 404, "unknown-album", "album",
                        "no photo of stream \"gallery\" is in the album \"None\""
                    ),
                    (
                        "DELETE", "Best", nil, 409, "album-in-use", "album",
                        "the album \"Best\" is in the rule of the kept view \"best\"; change it first"
                    ),
                ]
            for (method, album, body, status, kind, member, detail) in wrong {
                let answer = try Self.send(method, album, body, to: server)
                #expect(answer.status == status && answer.problem == kind, "\(answer.text)")
                #expect(
                    answer.json["parameter"] as? String == member && answer.json["detail"] as? String == detail,
                    "\(answer.text)")
            }
        }
    }

    @Test func `a token for reading changes no album, and a share does not know albums`() async throws {
        try await TestServer.with(photos: 3, needsTokens: true) { server in
            try server.service.changeAlbum("Best", adding: [PhotoID(stored: "photo-1")], in: TestServer.stream)
            let token = try server.service.createToken(named: "a", scope: .read).token.text
            let fields = ["Authorization": "Bearer \(token)"]
            #expect(try Self.send("POST", "Best", #"{"add":["photo-2"]}"#, fields, to: server).status == 403)
            #expect(try server.client("GET", Self.albums, fields).status == 200)
            let link =
                "/s/" + (try server.service.createShare(of: TestServer.stream, named: "s", showing: []).token.text)
            #expect(try server.client("GET", link + Self.albums).status == 404)
            let unknown = try server.client("GET", link + "/v1/streams/gallery/layout?width=900&where=album:Best")
            #expect(unknown.status == 400 && !unknown.text.contains("Best"), "\(unknown.text)")
            #expect(try server.client("GET", link + "/v1/streams/gallery/facets").json["albums"] == nil)
        }
    }
}
