import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Deletions are undone over HTTP.
@Suite struct UndoRouteTests {
    private static let json = ["Content-Type": "application/json"]
    private static let stream = "/v1/streams/gallery"

    @Test func `a deleted photo is listed, skipped by imports, and restored unchanged`() async throws {
        try await TestServer.with(photos: 8) { server in
            func order() throws -> [String] {
                try server.service.read { try $0.photos(of: TestServer.stream) }.photos.map(\.id.rawValue)
            }
            func restore(_ id: String) throws -> HTTPClient.Answer {
                try server.client("POST", "\(Self.stream)/photos/\(id)/restore", Self.json)
            }
            let (before, photo) = (try order(), try server.client("GET", Self.stream + "/photos/photo-1"))
            for id in ["photo-1", "photo-2"] {
                #expect(try server.client("DELETE", "\(Self.stream)/photos/\(id)").status == 204)
            }
            let list = try server.client("GET", Self.stream + "/deleted?limit=1").json
            let entries = try #require(list["photos"] as? [[String: Any]])
            #expect(entries.map { ($0["photo"] as? [String: Any])?["id"] as? String } == ["photo-2"])
            #expect(
                (entries.first?["deletedAt"] as? String)?.hasSuffix("Z") == true && list["truncated"] as? Bool == true)
            let rest = try server.client("GET", Self.stream + "/deleted?after=photo-2")
            #expect((rest.json["photos"] as? [Any])?.count == 1 && rest.text.contains(#""id":"photo-1""#))
            let lines = Array(#"{"id":"photo-1","width":3,"height":2}"#.utf8)
            func load(_ query: String) throws -> [String: Any] {
                try server.client(
                    "POST", Self.stream + "/photos" + query, ["Content-Type": "application/jsonl"], body: lines
                ).json
            }
            let ignored = try load("")
            #expect(ignored["unchanged"] as? Int == 1 && ignored["deleted"] as? Int == 1)
            let put = try server.client(
                "PUT", Self.stream + "/photos/photo-1?source=import", Self.json,
                body: Array(#"{"width":3,"height":2}"#.utf8))
            #expect(put.status == 409 && put.problem == "photo-deleted", "\(put.text)")
            let restored = try restore("photo-1")
            #expect(restored.status == 200 && restored.body == photo.body, "\(restored.text)")
            #expect(restored.fields["etag"] == photo.fields["etag"])
            let loaded = try load("?restore=true")
            #expect(loaded["deleted"] as? Int == 0)
            #expect(try restore("photo-2").status == 200)
            #expect(try order() == before)
            let again = try restore("photo-2")
            #expect(again.status == 404 && again.problem == "unknown-photo", "\(again.text)")
            #expect(again.text.contains("was not deleted in the last 30 days"))
        }
    }

    @Test func `a list of deleted photos shows placeholders and colours`() async throws {
        try await TestServer.with(photos: 3) { server in
            try TestServer.notePicture(in: server.file, now: 1)
            for id in try server.service.read({ try $0.photos(of: TestServer.stream) }).photos.map(\.id.rawValue) {
                #expect(try server.client("DELETE", "\(Self.stream)/photos/\(id)").status == 204)
            }
            let list = try server.client("GET", Self.stream + "/deleted").json
            let entries = try #require(list["photos"] as? [[String: Any]])
            let shown = try #require(
                entries.first { ($0["photo"] as? [String: Any])?["id"] as? String == SampleRecords.id(0) })
            #expect(shown["placeholder"] as? String == "AQID" && shown["color"] as? String == "#102030")
            // Only the unchanged photo can be imported again.
            #expect(entries.count == 3 && entries.count { $0["placeholder"] == nil && $0["color"] == nil } == 2)
        }
    }

    @Test(.withoutPrimary) func `a photo that another one has replaced is not restored`() async throws {
        try await TestServer.with(photos: 3) { server in
            _ = try server.client("DELETE", Self.stream + "/photos/photo-1")
            // Another program knows nothing of deleted photos.
            try server.shell(
                "INSERT INTO photo (streamId, externalId, width, height) SELECT id, 'photo-1', 3, 2 FROM stream LIMIT 1"
            )
            let answer = try server.client("POST", Self.stream + "/photos/photo-1/restore", Self.json)
            #expect(answer.status == 409 && answer.problem == "photo-exists", "\(answer.text)")
            #expect(answer.text.contains("has another photo"))
        }
    }

    @Test func `a stream reports whether it can be edited`() async throws {
        try await TestServer.with(photos: 1) { server in
            let stream = try server.client("GET", Self.stream).json
            #expect(stream["canEdit"] as? Bool == true)
        }
    }
}
