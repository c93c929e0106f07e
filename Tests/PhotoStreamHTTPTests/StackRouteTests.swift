import Foundation
import PhotoStreamModel
import PhotoStreamService
import Testing

@testable import PhotoStreamHTTP

/// Stacks over HTTP: a hidden photo is in no answer but those about its stack and itself.
@Suite struct StackRouteTests {
    private static let path = "/v1/streams/gallery"

    /// Runs a server with three photos of a stack among others; the cover is `photo-4`.
    private static func with(_ test: @escaping @Sendable (TestServer) throws -> Void) async throws {
        try await TestServer.with(photos: 12) { server in
            for (rank, number) in [4, 5, 6].enumerated() {
                var record = PhotoRecord(id: PhotoID(stored: "photo-\(number)"))
                record.stack = .set(try StackPlace(stack: "s", rank: rank, kind: number == 6 ? .raw : .live))
                try server.service.edit(record, in: TestServer.stream)
            }
            try test(server)
        }
    }

    private static func ids(_ answer: HTTPClient.Answer, _ list: String, _ name: String) throws -> [String] {
        try #require(answer.json[list] as? [[String: Any]]).compactMap { $0[name] as? String }
    }

    @Test func `layouts, lists, counts and searches have the cover only`() async throws {
        try await Self.with { server in
            let hidden: Set = ["photo-5", "photo-6"]
            let list = try Self.ids(try server.client("GET", "\(Self.path)/photos"), "photos", "id")
            #expect(list.count == 10 && hidden.isDisjoint(with: list) && list.contains("photo-4"))
            let page = try server.client("GET", "\(Self.path)/layout/items?width=900&count=100")
            #expect(try Self.ids(page, "items", "photo") == list)
            #expect(page.json["count"] as? Int == 10)
            #expect(try server.client("GET", Self.path).json["count"] as? Int == 10)
            let asked = try server.client("GET", "\(Self.path)/layout/items?width=900&id=photo-4&id=photo-5")
            #expect(asked.json["missing"] as? [String] == ["photo-5"])
            let located = try server.client("GET", "\(Self.path)/layout/locate?width=900&photo=photo-6")
            #expect((located.json["item"] as? [String: Any])?["photo"] as? String == "photo-4")
        }
    }

    @Test func `an answer tells what a photo stands for, and lists it`() async throws {
        try await Self.with { server in
            let photo = try server.client("GET", "\(Self.path)/photos/photo-4").json
            #expect(photo["stackCount"] as? Int == 3 && photo["stackRank"] == nil)
            #expect(photo["stackKinds"] as? [String] == ["live", "raw"])
            let page = try server.client("GET", "\(Self.path)/layout/items?width=900&count=100")
            let items = try #require(page.json["items"] as? [[String: Any]])
            #expect(items.compactMap { $0["stackCount"] as? Int } == [3])
            for id in ["photo-4", "photo-5", "photo-6"] {
                let stack = try server.client("GET", "\(Self.path)/photos/\(id)/stack")
                #expect(try Self.ids(stack, "photos", "id") == ["photo-4", "photo-5", "photo-6"])
            }
            let alone = try server.client("GET", "\(Self.path)/photos/photo-1/stack")
            #expect(try Self.ids(alone, "photos", "id") == ["photo-1"])
        }
    }

    @Test func `another cover takes the place of the former one, and a deleted one hands over`() async throws {
        try await Self.with { server in
            let move = try server.client(
                "POST", "\(Self.path)/photos/photo-4/move", ["Content-Type": "application/json"],
                body: Array(#"{"before":"photo-9"}"#.utf8))
            #expect(move.status == 200)
            func place(_ id: String) throws -> Int? {
                try Self.ids(try server.client("GET", "\(Self.path)/photos"), "photos", "id").firstIndex(of: id)
            }
            let index = try #require(try place("photo-4"))
            let before = try #require(try server.client("GET", Self.path).json["state"] as? String)
            let covered = try server.client("POST", "\(Self.path)/photos/photo-6/cover")
            #expect(covered.status == 200 && covered.json["stackRank"] == nil)
            #expect(try place("photo-6") == index && place("photo-4") == nil)
            let changes = try server.client("GET", "\(Self.path)/changes?since=\(before)")
            let changed = try changes.text.split(separator: "\n").dropFirst().compactMap { line in
                try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["id"] as? String
            }
            #expect(Set(changed) == ["photo-4", "photo-6"], "\(changes.text)")
            #expect(try server.client("DELETE", "\(Self.path)/photos/photo-6").status == 204)
            #expect(try place("photo-4") == index)
            #expect(try server.client("DELETE", "\(Self.path)/photos/photo-5/stack").status == 204)
            #expect(try place("photo-4") == index && place("photo-5") != nil)
            #expect(try server.client("GET", Self.path).json["count"] as? Int == 11)
        }
    }

    @Test func `moves of hidden photos and changes of no stack are refused`() async throws {
        try await Self.with { server in
            let move = try server.client(
                "POST", "\(Self.path)/photos/photo-5/move", ["Content-Type": "application/json"],
                body: Array(#"{"before":"photo-9"}"#.utf8))
            #expect(move.status == 422)
            #expect(
                move.json["detail"] as? String == "photo \"photo-5\" is hidden in a stack; move the cover of the stack")
            for (method, path) in [("POST", "cover"), ("DELETE", "stack")] {
                let answer = try server.client(method, "\(Self.path)/photos/photo-1/\(path)")
                #expect(answer.status == 409)
                #expect(answer.json["detail"] as? String == "photo \"photo-1\" is in no stack")
            }
        }
    }
}
