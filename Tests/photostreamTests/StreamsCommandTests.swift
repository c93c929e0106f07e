import Foundation
import Testing

@Suite struct StreamsCommandTests {
    private let photostream: Command

    init() throws { photostream = try Command() }

    @Test func `a stream is created, listed, renamed and deleted`() throws {
        #expect(try photostream("streams", "create", "holiday").status == 0)
        #expect(try photostream("streams", "rename", "holiday", "holiday 2026").status == 0)
        let list = try photostream("streams")
        #expect(list.output.contains("holiday 2026"))
        let deleted = try photostream("streams", "delete", "holiday 2026", "--json")
        #expect(deleted.status == 0)
        #expect(try deleted.json["deleted"] as? Int == 0)
        #expect((try photostream("streams", "list", "--json").json["streams"] as? [Any])?.count == 0)
    }

    @Test func `the list as JSON has the imports and their failures`() throws {
        try photostream.write(
            "p.jsonl", "{\"id\":\"a\",\"width\":3,\"height\":2}\n{\"id\":\"b\",\"width\":-1,\"height\":2}\n")
        try photostream("import", "--stream", "s", "p.jsonl")
        let streams = try #require(try photostream("streams", "--json").json["streams"] as? [[String: Any]])
        let stream = try #require(streams.first)
        #expect(Set(stream.keys) == ["stream", "count", "revision", "createdAt", "imports"])
        #expect(stream["count"] as? Int == 1)
        let run = try #require((stream["imports"] as? [[String: Any]])?.first)
        #expect(run["sources"] as? [String] == ["p.jsonl"])
        #expect(run["rejected"] as? Int == 1)
        let failure = try #require((run["failures"] as? [[String: Any]])?.first)
        #expect(failure["id"] as? String == "b")
        #expect(failure["line"] as? Int == 2)
        #expect(try photostream("streams").output.contains("1 inserted, 1 rejected"))
    }

    @Test func `a stream with photos is deleted with --yes only`() throws {
        try photostream.importSamples()
        let refused = try photostream("streams", "delete", "demo")
        #expect(refused.status == 1)
        #expect(refused.errors == "photostream: stream \"demo\" holds 120 photos; --yes deletes them with it\n")
        #expect(try photostream("streams", "delete", "demo", "--yes", "--json").json["deleted"] as? Int == 120)
    }

    @Test func `names that are taken, unknown or not allowed are refused`() throws {
        try photostream("streams", "create", "a")
        let taken = try photostream("streams", "create", "a")
        #expect(taken.status == 1)
        #expect(taken.errors.contains("\"a\""))
        let unknown = try photostream("streams", "rename", "b", "c")
        #expect(unknown.status == 1)
        #expect(unknown.errors == "photostream: there is no stream \"b\"\n")
        let wrong = try photostream("streams", "create", "a/b")
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("contains a slash"))
    }
}
