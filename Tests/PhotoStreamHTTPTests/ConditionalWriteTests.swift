import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// `If-Match` on moves and on streams.
@Suite struct ConditionalWriteTests {
    private static let stream = "/v1/streams/gallery"
    private static let photo = stream + "/photos/photo-1"

    private static func fields(_ condition: String?) -> [String: String] {
        ["Content-Type": "application/json", "If-Match": condition ?? ""]
    }

    /// The validators of the answer at an address, plain and compressed.
    private static func tags(_ target: String, _ server: TestServer) throws -> [String] {
        try [[:], ["Accept-Encoding": "gzip"]].map {
            try #require(try server.client("GET", target, $0).fields["etag"])
        }
    }

    @Test func `a photo moves only if the condition matches`() async throws {
        try await TestServer.with(photos: 5) { server in
            func order() throws -> [String] {
                try server.service.read { try $0.photos(of: TestServer.stream) }.photos.map(\.id.rawValue)
            }
            func move(_ body: String, _ condition: String?) throws -> HTTPClient.Answer {
                try server.client("POST", Self.photo + "/move", Self.fields(condition), body: Array(body.utf8))
            }
            let (old, before) = (try Self.tags(Self.photo, server), try order())
            let last = try #require(before.last { $0 != "photo-1" })
            let body = #"{"after":"\#(last)"}"#
            _ = try server.client("PATCH", Self.photo, Self.fields(nil), body: Array(#"{"alt":"new"}"#.utf8))
            let new = try Self.tags(Self.photo, server)
            for wrong in old + ["\"x\"", "W/" + new[0]] {
                let answer = try move(body, wrong)
                #expect(answer.status == 412 && answer.problem == "precondition-failed", "\(wrong): \(answer.text)")
            }
            #expect(try order() == before)
            #expect(try move(body, new[1]).json["moved"] as? Int == 1)
            #expect(try order() == before.filter { $0 != "photo-1" } + ["photo-1"])
            // A photo's place is not part of its tag.
            #expect(try Self.tags(Self.photo, server) == new)
            #expect(try move(#"{"before":"\#(before[0] == "photo-1" ? before[1] : before[0])"}"#, new[0]).status == 200)
            #expect(try move(#"{"after":"none"}"#, "*").status == 404)
            let many = #"{"after":"\#(last)","also":["\#(before.first { $0 != "photo-1" && $0 != last } ?? "")"]}"#
            #expect(try move(many, "\"x\"").status == 412)
            #expect(try move(many, "\(old[0]), \(new[0])").status == 200)
        }
    }

    @Test func `a stream is renamed only if the condition matches`() async throws {
        try await TestServer.with(photos: 5) { server in
            func rename(_ condition: String?) throws -> HTTPClient.Answer {
                try server.client(
                    "PATCH", Self.stream, Self.fields(condition), body: Array(#"{"stream":"other"}"#.utf8))
            }
            let old = try Self.tags(Self.stream, server)
            try server.service.deletePhotos([PhotoID(stored: "photo-1")], from: TestServer.stream)
            let new = try Self.tags(Self.stream, server)
            for wrong in old + ["\"x\"", "W/" + new[0]] { #expect(try rename(wrong).status == 412, "\(wrong)") }
            #expect(try Self.tags(Self.stream, server) == new)
            let renamed = try rename(new[1])
            #expect(renamed.status == 200, "\(renamed.text)")
            #expect(renamed.fields["etag"] == (try Self.tags("/v1/streams/other", server))[0])
            #expect(try rename("*").problem == "unknown-stream")
        }
    }

    @Test(arguments: ["", "?with-photos=true"])
    func `a stream is deleted only if the condition matches`(query: String) async throws {
        try await TestServer.with(photos: query.isEmpty ? 0 : 500) { server in
            if query.isEmpty { try server.service.deletePhotos(Self.all(server), from: TestServer.stream) }
            func delete(_ condition: String?) throws -> HTTPClient.Answer {
                try server.client("DELETE", Self.stream + query, Self.fields(condition))
            }
            let old = try Self.tags(Self.stream, server)
            var record = PhotoRecord(id: PhotoID(stored: "new"))
            record.alt = .set("new")
            _ = try server.service.put(record, in: TestServer.stream)
            if query.isEmpty { try server.service.deletePhotos([record.id], from: TestServer.stream) }
            let (new, count) = (try Self.tags(Self.stream, server), try Self.all(server).count)
            for wrong in old + ["\"x\"", "W/" + new[0]] { #expect(try delete(wrong).status == 412, "\(wrong)") }
            #expect(try Self.all(server).count == count)
            #expect(try Self.tags(Self.stream, server) == new)
            if !query.isEmpty { #expect(try server.client("DELETE", Self.stream, Self.fields(new[0])).status == 409) }
            #expect(try delete(new[1]).status == 204)
            #expect(try delete("*").problem == "unknown-stream")
        }
    }

    private static func all(_ server: TestServer) throws -> [PhotoID] {
        try server.service.read { try $0.photos(of: TestServer.stream, limit: 1_000) }.photos.map(\.id)
    }
}
