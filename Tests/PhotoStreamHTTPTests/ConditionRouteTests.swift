import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

/// Views over HTTP: the parameter `where` of all questions about a layout.
@Suite struct ConditionRouteTests {
    private static let stream = "/v1/streams/gallery"

    /// The questions about a layout, whose parameters follow.
    private static let questions = [
        "layout?", "layout/page?limit=3&", "layout/rect?rect=0,0,900,4000&", "layout/items?from=0&count=40&",
        "layout/elements?kind=section-header&", "layout/scrubber?", "layout/at?x=10&y=10&nearest=true&",
    ]

    /// Runs a server with 40 photos: every fourth has the rating 4, every fifth the tag "sea".
    private static func with(_ test: @escaping @Sendable (TestServer) throws -> Void) async throws {
        try await TestServer.with(photos: 0) { server in
            let records = SampleRecords.records(40).enumerated().map { number, record in
                var record = record
                record.rating = .set(number % 4 == 0 ? 4 : 1)
                record.tags = .set(number % 5 == 0 ? ["sea"] : [])
                return record
            }
            try TestServer.load(records, into: TestServer.stream, of: server.file)
            try test(server)
        }
    }

    /// The ids of the photos of a layout.
    private static func ids(_ server: TestServer, _ parameters: String) throws -> [String] {
        let answer = try server.client("GET", "\(stream)/layout/items?from=0&count=40&width=900&\(parameters)")
        return (answer.json["items"] as? [[String: Any]] ?? []).compactMap { $0["photo"] as? String }
    }

    @Test func `a view has just the photos that meet the condition`() async throws {
        try await Self.with { server in
            let all = try Self.ids(server, "")
            let numbers = Dictionary(uniqueKeysWithValues: (0..<40).map { (SampleRecords.id($0), $0) })
            let found = try Self.ids(server, "where=rating:%3E=4%20-tag:sea")
            #expect(found == all.filter { id in numbers[id].map { $0 % 4 == 0 && $0 % 5 != 0 } ?? false })
            let layout = try server.client("GET", "\(Self.stream)/layout?width=900&where=rating:4")
            #expect(layout.json["count"] as? Int == 10)
            #expect(layout.json["where"] as? String == "rating:4")
            #expect(try Self.ids(server, "where=") == all)
        }
    }

    @Test func `every route of a layout takes a condition, and explains its fault`() async throws {
        try await Self.with { server in
            var askedCount = 0
            for route in RouteTable.all.routes
            where route.parameter(named: "width") != nil || route.parameter(named: "where") != nil {
                #expect(route.parameter(named: "where") != nil, "\(route.operation)")
                var sample = try #require(RouteCodeTests.samples[route.operation])
                sample.target += (sample.target.contains("?") ? "&" : "?") + "where=sun%20tga:sea"
                let answer = try RouteCodeTests.send(sample, server)
                #expect(answer.status == 400 && answer.json["parameter"] as? String == "where", "\(answer.text)")
                let detail = answer.json["detail"] as? String ?? ""
                #expect(detail.hasPrefix("Column 5: \"tga:\" is not a qualifier."), "\(detail)")
                #expect(detail.hasSuffix("Did you mean \"tag:\"?"), "\(detail)")
                askedCount += 1
            }
            #expect(askedCount > 10)
        }
    }

    @Test(arguments: questions)
    func `an answer is validated with its condition`(question: String) async throws {
        try await Self.with { server in
            let target = "\(Self.stream)/\(question)width=900"
            let tags = try ["", "&where=tag:sea", "&where=-tag:sea", "&where=rating:4"].map { condition in
                try #require(try server.client("GET", target + condition).fields["etag"])
            }
            #expect(Set(tags).count == tags.count)
            let again = try server.client("GET", target + "&where=TAG:Sea", ["If-None-Match": tags[1]])
            #expect(again.status == 304)
        }
    }

    @Test func `changes and updates of a view are exact, and facets tell what narrows it`() async throws {
        try await Self.with { server in
            let before = try server.client("GET", "\(Self.stream)/layout?width=900&where=rating:4")
            let state = try #require(before.json["state"] as? String)
            let id = SampleRecords.id(0)
            let edit = try server.client(
                "PATCH", "\(Self.stream)/photos/\(id)", ["Content-Type": "application/merge-patch+json"],
                body: Array(#"{"rating": 2}"#.utf8))
            #expect(edit.status == 200, "\(edit.text)")
            let changes = try server.client(
                "GET", "\(Self.stream)/changes?since=\(state)&where=rating:%3E=4", ["Accept": "application/json"])
            let kinds = (changes.json["changes"] as? [[String: Any]] ?? []).map { $0["change"] as? String }
            #expect(kinds == ["deleted"] && changes.json["where"] as? String == "rating:4..", "\(changes.text)")
            let updates = "\(Self.stream)/layout/updates?since=\(state)&rect=0,0,900,4000&width=900&where="
            let deleted = try server.client("GET", updates + "rating:4").json["deletions"] as? [[String: Any]]
            #expect(deleted?.map { $0["photo"] as? String } == [id])
            let inserted = try server.client("GET", updates + "rating:2").json["insertions"] as? [[String: Any]]
            #expect(inserted?.map { $0["photo"] as? String } == [id])
            let reload = try server.client("GET", updates + "taken:last-3d").json["reload"] as? [String: Any]
            #expect(reload?["reason"] as? String == "condition")

            let facets = try server.client("GET", "\(Self.stream)/facets?where=tag:sea&limit=2")
            #expect(facets.json["count"] as? Int == 8)
            let ratings = (facets.json["ratings"] as? [[String: Any]] ?? []).map { $0["where"] as? String }
            #expect(ratings == ["rating:4", "rating:2"], "\(facets.text)")
            let tag = try #require(facets.fields["etag"])
            let again = try server.client(
                "GET", "\(Self.stream)/facets?where=TAG:sea&limit=2", ["If-None-Match": tag])
            #expect(again.status == 304)
            let stats = try server.client("GET", "\(Self.stream)/stats?where=tag:sea")
            #expect(stats.json["count"] as? Int == 8)
            #expect(try server.client("GET", "\(Self.stream)/stats").fields["etag"] != stats.fields["etag"])
        }
    }

    @Test func `a cursor of a view continues that view only`() async throws {
        try await Self.with { server in
            let page = "\(Self.stream)/layout/page?width=900&limit=3"
            let first = try server.client("GET", page + "&where=rating:4")
            let cursor = try #require(first.json["nextCursor"] as? String)
            let rest = try server.client("GET", "\(page)&where=rating:4&cursor=\(cursor)")
            #expect((rest.json["items"] as? [Any])?.count == 3)
            for other in ["", "&where=rating:1", "&where=rating:4%20tag:sea"] {
                let answer = try server.client("GET", "\(page)\(other)&cursor=\(cursor)")
                #expect(answer.status == 400 && answer.problem == "invalid-cursor", "\(answer.text)")
            }
        }
    }

    @Test func `a photo that is not in the view is unknown to it`() async throws {
        try await Self.with { server in
            let target = "\(Self.stream)/layout/locate?photo=\(SampleRecords.id(1))&width=900"
            #expect(try server.client("GET", target + "&where=rating:1").status == 200)
            let answer = try server.client("GET", target + "&where=rating:4")
            #expect(answer.status == 404 && answer.problem == "unknown-photo", "\(answer.text)")
        }
    }

    @Test func `values that photos do not have are refused`() async throws {
        try await Self.with { server in
            let place = try server.client("GET", "\(Self.stream)/layout?width=900&where=place:Rome")
            #expect(place.status == 400 && place.json["parameter"] as? String == "where")
            #expect(place.json["detail"] as? String == "no photo has the value of \"place:rome\"")
        }
    }
}
