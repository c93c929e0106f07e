import Foundation
import Testing

@testable import PhotoStreamHTTP

/// Answers have the fields that the description promises.
@Suite struct DescribedHeaderTests {
    @Test func `answers have the header fields of the description`() async throws {
        try await TestServer.with { server in
            let bytes = try server.client("GET", "/v1/openapi.json").body
            let document = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            let paths = try #require(document?["paths"] as? [String: [String: Any]])
            let (stream, photo) = ("/v1/streams/{stream}", "/v1/streams/{stream}/photos/{photo}")
            let record = Array(#"{"width":3,"height":2}"#.utf8)
            let json = ["Content-Type": "application/json"]
            for (method, path, query, fields, body, status) in [
                ("GET", "/v1/streams", "", [:], nil, 200), ("GET", stream, "", ["If-None-Match": "*"], nil, 304),
                ("GET", stream + "/layout/page", "?width=900", [:], nil, 200),
                ("GET", stream + "/layout/page", "?width=900", ["If-None-Match": "*"], nil, 304),
                ("GET", photo, "", [:], nil, 200),
                ("GET", photo + "/image", "", [:], nil, 200),
                ("GET", photo + "/image", "", ["Range": "bytes=0-3"], nil, 206),
                ("GET", photo + "/image", "", ["Range": "bytes=999999999-"], nil, 416),
                ("GET", stream + "/layout", "?width=-1", [:], nil, 400), ("PUT", photo, "", json, record, 200),
                ("PUT", photo, "", json, [1], 400),
                ("POST", photo + "/move", "", json, Array(#"{"after":"photo-1"}"#.utf8), 200),
                ("PATCH", stream, "", json, Array(#"{"stream":"gallery"}"#.utf8), 200),
                ("POST", "/v1/streams", "", json, Array(#"{"stream":"new"}"#.utf8), 201),
            ] as [(String, String, String, [String: String], [UInt8]?, Int)] {
                let target = path.replacing("{stream}", with: "gallery").replacing("{photo}", with: "photo-0") + query
                let answer = try server.client(method, target, fields, body: body)
                #expect(answer.status == status, "\(method) \(target): \(answer.text.prefix(200))")
                let operation = paths[path]?[method.lowercased()] as? [String: Any]
                let responses = operation?["responses"] as? [String: [String: Any]]
                let headers = try #require(
                    responses?["\(status)"]?["headers"] as? [String: Any], "\(method) \(path) \(status)")
                // A picture that was just written has no time of its last change.
                for name in headers.keys where name != "Last-Modified" {
                    #expect(answer.fields[name.lowercased()] != nil, "\(method) \(target) \(status): \(name)")
                }
            }
        }
    }

    @Test(arguments: [
        ("POST", "/v1/streams/gallery/layout", 405, "MethodNotAllowed"), ("TRACE", "/healthz", 405, "MethodNotAllowed"),
        ("GET", "/v2/streams", 404, "UnknownAddress"), ("PUT", "/v1", 404, "UnknownAddress"),
    ])
    func `unknown operations are answered as described`(
        method: String, target: String, status: Int, response: String
    ) async throws {
        try await TestServer.with(photos: 0) { server in
            let document = try server.client("GET", "/v1/openapi.json").json
            let about = try #require((document["info"] as? [String: Any])?["description"] as? String)
            #expect(about.contains("components/responses/\(response)"))
            let responses = (document["components"] as? [String: Any])?["responses"] as? [String: [String: Any]]
            let described = try #require(responses?[response])
            let answer = try server.client(method, target)
            #expect(answer.status == status)
            #expect(answer.json["title"] as? String == described["description"] as? String)
            let types = try #require(described["content"] as? [String: Any]).keys
            #expect(answer.fields["content-type"].map { [$0] } == Array(types))
            let headers = try #require(described["headers"] as? [String: Any]).keys
            #expect(headers.contains("Allow") == (status == 405))
            for header in headers { #expect(answer.fields[header.lowercased()] != nil, "\(header)") }
        }
    }
}
