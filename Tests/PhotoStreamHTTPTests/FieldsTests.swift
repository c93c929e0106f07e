import Foundation
import PhotoStreamModel
import PhotoStreamService
import Testing

@testable import PhotoStreamHTTP

/// The members that clients choose, and those of headers.
@Suite struct FieldsTests {
    private static let layout = "/v1/streams/gallery/layout"

    @Test func `photos without a layout have the chosen members`() async throws {
        try await TestServer.with(photos: 20) { server in
            let all = try #require(
                try server.client("GET", "/v1/streams/gallery/photos?limit=20").json["photos"] as? [[String: Any]])
            for fields in ["photo", "photo,pixelWidth,pixelHeight", "takenAt,tags,caption", "photo,pictureKey", ""] {
                let query = "fields=\(fields)"
                let invalid = fields.isEmpty
                let answer = try server.client("GET", "/v1/streams/gallery/photos?limit=20&\(query)")
                guard !invalid else {
                    #expect(answer.problem == "invalid-parameter", "\(answer.text)")
                    continue
                }
                let some = try #require(answer.json["photos"] as? [[String: Any]], "\(answer.text)")
                #expect(some.count == all.count)
                let names = ["photo": "id", "pixelWidth": "width", "pixelHeight": "height", "pictureKey": "picture"]
                var wanted = Set(fields.split(separator: ",").map { names[String($0)] ?? String($0) })
                if fields.contains("takenAt") { wanted.insert("takenAtPrecision") }
                for (photo, whole) in zip(some, all) {
                    // The sources of values and the state of the file are always shown.
                    let expected = whole.filter {
                        wanted.contains($0.key) || ["edited", "fileFields", "film"].contains($0.key)
                    }
                    #expect(NSDictionary(dictionary: photo) == NSDictionary(dictionary: expected), "\(fields)")
                }
                let byID = try server.client("GET", "/v1/streams/gallery/photos?id=photo-1&\(query)")
                let one = try #require((byID.json["photos"] as? [[String: Any]])?.first, "\(byID.text)")
                #expect((one["id"] != nil) == wanted.contains("id"))
            }
            let unknown = try server.client("GET", "/v1/streams/gallery/photos?fields=photo,picture")
            #expect(unknown.problem == "invalid-parameter" && unknown.json["parameter"] as? String == "fields")
        }
    }

    @Test func `updates show the inserted photos if members are chosen`() async throws {
        try await TestServer.with(photos: 40) { server in
            let options = "width=900&columns=3&rect=0,0,900,900"
            let before = try #require(
                try server.client("GET", Self.layout + "?width=900").json["state"] as? String)
            for (id, width) in [("new", 30), ("photo-3", 77)] {
                let body = #"{"width":\#(width),"height":20,"takenAt":"2031-01-01","caption":"\#(id)"}"#
                let put = try server.client(
                    "PUT", "/v1/streams/gallery/photos/\(id)", ["Content-Type": "application/json"],
                    body: Array(body.utf8))
                #expect([200, 201].contains(put.status), "\(put.text)")
            }
            let target = Self.layout + "/updates?since=\(before)&\(options)"
            let plain = try server.client("GET", target).json
            func updates(_ answer: [String: Any], _ kind: String) throws -> [[String: Any]] {
                try #require(answer[kind] as? [[String: Any]])
            }
            #expect(try updates(plain, "insertions").allSatisfy { $0["item"] == nil })
            let fields = "photo,frame,caption,pictureKey,pixelWidth"
            let shown = try server.client("GET", target + "&fields=" + fields).json
            for kind in ["insertions", "reloads", "moves", "deletions"] {
                let (some, same) = (try updates(shown, kind), try updates(plain, kind))
                #expect(some.count == same.count)
                for (update, bare) in zip(some, same) {
                    var rest = update
                    let item = rest.removeValue(forKey: "item") as? [String: Any]
                    #expect(NSDictionary(dictionary: rest) == NSDictionary(dictionary: bare))
                    let hasItem =
                        ["insertions", "reloads"].contains(kind) && bare["new"] != nil
                        && bare["kind"] as? String == "item"
                    #expect((item != nil) == hasItem, "\(kind): \(update)")
                    guard let item, let id = bare["photo"] as? String else { continue }
                    let new = try #require(bare["new"] as? [String: Any])
                    let asked = try server.client(
                        "GET", Self.layout + "/items?width=900&columns=3&id=\(id)&fields=\(fields)")
                    let placed = try #require((asked.json["items"] as? [[String: Any]])?.first)
                    #expect(NSDictionary(dictionary: item) == NSDictionary(dictionary: placed))
                    #expect(
                        NSDictionary(dictionary: try #require(item["frame"] as? [String: Any]))
                            == NSDictionary(dictionary: try #require(new["frame"] as? [String: Any])))
                }
            }
            #expect(
                try updates(shown, "insertions").contains {
                    ($0["item"] as? [String: Any])?["photo"] as? String == "new"
                })
            let wrong = try server.client("GET", target + "&fields=what")
            #expect(wrong.problem == "invalid-parameter" && wrong.json["parameter"] as? String == "fields")
        }
    }

    @Test func `headers have the name and the count of their sections`() async throws {
        try await TestServer.with { server in
            let options = "width=900&columns=3&section-by=month&header-size=24&footer-size=9"
            let whole = try server.client("GET", Self.layout + "?limit=1000&" + options).json
            let sections = try #require(whole["sections"] as? [[String: Any]])
            let all = "\(Self.layout)/rect?rect=0,0,900,9000000&limit=1000&\(options)"
            let headers = "\(Self.layout)/elements?kind=section-header&limit=1000&\(options)"
            for target in [all, headers] {
                let elements = try #require(try server.client("GET", target).json["elements"] as? [[String: Any]])
                var count = 0
                for element in elements {
                    guard element["kind"] as? String == "section-header" else {
                        #expect(element["id"] == nil && element["count"] == nil)
                        continue
                    }
                    let section = sections[try #require(element["section"] as? Int)]
                    #expect(element["id"] as? String == section["id"] as? String)
                    #expect(element["count"] as? Int == section["count"] as? Int)
                    count += 1
                }
                #expect(count == sections.count && count > 2)
            }
        }
    }

    @Test func `the address at which generators look leads to the description`() async throws {
        try await TestServer.with(photos: 0) { server in
            for method in ["GET", "HEAD"] {
                let answer = try server.client(method, "/openapi.json")
                #expect(answer.status == 308 && answer.fields["location"] == "/v1/openapi.json")
            }
            #expect(try server.client("POST", "/openapi.json", body: []).status == 404)
            #expect(try server.client("GET", "/openapi.yaml").status == 404)
        }
    }
}
