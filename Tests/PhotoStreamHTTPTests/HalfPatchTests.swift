import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// A `PATCH` of one of two members that belong together.
@Suite struct HalfPatchTests {
    /// Two members that a photo has both of, or neither.
    struct Pair: Sendable, CustomStringConvertible {
        let names: [String]
        /// The members that may be stored.
        let stored: [String]
        /// The values that a body may give for one of them.
        let values: [String?]

        var description: String { names.joined(separator: " and ") }
    }

    static let pairs = [
        Pair(
            names: ["width", "height"],
            stored: ["{}", #"{"width":40,"height":30,"orientation":6}"#, #"{"width":8.5,"height":11}"#],
            values: [nil, "null", "60", "2.25"]),
        Pair(
            names: ["latitude", "longitude"], stored: ["{}", #"{"latitude":1e-7,"longitude":-179.123456789}"#],
            values: [nil, "null", "60", "-0.125"]),
    ]

    private static let json = ["Content-Type": "application/json"]
    private static let target = "/v1/streams/gallery/photos/patched"
    private static let whole = "/v1/streams/gallery/photos/whole"

    /// The members of a photo that do not depend on its id.
    private static func members(_ answer: HTTPClient.Answer) -> NSDictionary {
        answer.json.filter { $0.key != "id" } as NSDictionary
    }

    /// The photo that the body makes, by RFC 7396 and a `PUT` of the whole.
    private static func merged(
        _ photo: HTTPClient.Answer, _ body: String, _ server: TestServer
    ) throws -> HTTPClient.Answer {
        var members = photo.json.filter { $0.key != "id" }
        let patch = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        for (name, value) in patch { members[name] = value is NSNull ? nil : value }
        let merged = try JSONSerialization.data(withJSONObject: members)
        return try server.client("PUT", whole, json, body: Array(merged))
    }

    @Test(arguments: pairs)
    func `a patched member is merged with the stored one by RFC 7396, or the missing one is named`(
        pair: Pair
    ) async throws {
        try await TestServer.with(photos: 1) { server in
            var outcomes: [Int: Int] = [:]
            for stored in pair.stored {
                for (first, second) in pair.values.flatMap({ first in pair.values.map { (first, $0) } }) {
                    let made = try server.client("PUT", Self.target, Self.json, body: Array(stored.utf8))
                    let members = zip(pair.names, [first, second]).compactMap { name, value in
                        value.map { "\"\(name)\":\($0)" }
                    }
                    let body = "{" + members.joined(separator: ",") + "}"
                    let answer = try server.client("PATCH", Self.target, Self.json, body: Array(body.utf8))
                    outcomes[answer.status, default: 0] += 1
                    // With null for one of them and nothing for the other, both go.
                    let given = [first, second].compactMap { $0 }
                    let isCleared = !given.isEmpty && given.allSatisfy { $0 == "null" }
                    let nulls = #"{"\#(pair.names[0])":null,"\#(pair.names[1])":null}"#
                    let expected = try Self.merged(made, isCleared ? nulls : body, server)
                    #expect(answer.status == (expected.status == 422 ? 422 : 200), "\(stored) \(body): \(answer.text)")
                    if answer.status == 200 {
                        #expect(Self.members(answer) == Self.members(expected), "\(stored) \(body)")
                    } else {
                        let has = zip(pair.names, [first, second]).map { name, value in
                            value.map { $0 != "null" } ?? (made.json[name] != nil)
                        }
                        #expect(answer.json["parameter"] as? String == pair.names[has[0] ? 1 : 0], "\(stored) \(body)")
                        #expect(try server.client("GET", Self.target).body == made.body)
                    }
                }
            }
            // Four of each with nothing else stored are refused, and those of the rest with a null.
            #expect(outcomes[422] == (pair.names[0] == "width" ? 8 + 4 * 2 : 8 + 4))
        }
    }

    @Test func `a put requires both members of a pair`() async throws {
        try await TestServer.with(photos: 1) { server in
            let photo = #"{"width":40,"height":30,"latitude":5,"longitude":6}"#
            let made = try server.client("PUT", Self.target, Self.json, body: Array(photo.utf8))
            for (body, parameter) in [
                (#"{"width":50}"#, "height"), (#"{"height":50}"#, "width"), (#"{"latitude":5}"#, "longitude"),
                (#"{"longitude":5}"#, "latitude"),
            ] {
                let answer = try server.client("PUT", Self.target, Self.json, body: Array(body.utf8))
                #expect(answer.status == 422 && answer.json["parameter"] as? String == parameter, "\(answer.text)")
            }
            #expect(try server.client("GET", Self.target).body == made.body)
        }
    }

    @Test func `a value that cannot be merged changes nothing else`() async throws {
        try await TestServer.with(photos: 1) { server in
            let made = try server.client("PUT", Self.target, Self.json, body: Array(#"{"width":40,"height":1}"#.utf8))
            for body in [
                #"{"width":0,"alt":"x"}"#, #"{"width":1001,"alt":"x"}"#, #"{"latitude":91,"alt":"x"}"#,
                #"{"width":50,"takenAt":"soon"}"#,
            ] {
                let answer = try server.client("PATCH", Self.target, Self.json, body: Array(body.utf8))
                #expect(answer.status == 422, "\(answer.text)")
            }
            #expect(try server.client("GET", Self.target).body == made.body)
        }
    }

    @Test func `two concurrent patches of different members are both kept`() async throws {
        try await TestServer.with(photos: 1) { server in
            for round in 1...40 {
                _ = try server.client("PUT", Self.target, Self.json, body: Array(#"{"width":400,"height":400}"#.utf8))
                let answers = try atOnce(2) { index in
                    let body = #"{"\#(index == 0 ? "width" : "height")":\#(round + 10 * index)}"#
                    return try server.client("PATCH", Self.target, Self.json, body: Array(body.utf8))
                }
                #expect(answers.allSatisfy { $0.status == 200 })
                let photo = try server.client("GET", Self.target).json
                #expect(photo["width"] as? Int == round && photo["height"] as? Int == round + 10)
            }
        }
    }
}
