import Foundation
import Testing

@Suite struct AlbumsCommandTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try photostream.write("p.jsonl", "{\"id\":\"a\"}\n{\"id\":\"b\",\"albums\":[\"Italy/2025\"]}\n{\"id\":\"c\"}\n")
        try photostream("import", "--stream", "s", "p.jsonl")
    }

    @Test func `an album is filled, listed, renamed and removed, and comes back from an export`() throws {
        let added = try photostream("albums", "add", "--stream", "s", "Italy", "a", "c")
        #expect(added.output == "put 2 photos into \"Italy\"\n", "\(added.errors)")
        let listed = try photostream("albums", "--stream", "s").output.split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(listed == ["album photos condition", "Italy 3 album:italy", "Italy/2025 1 album:italy/2025"])
        try photostream.write("e.jsonl", try photostream("export", "--stream", "s").output)
        try photostream("import", "--stream", "copy", "e.jsonl")
        let copied = try photostream("albums", "list", "--stream", "copy", "--json").json["albums"] as? [[String: Any]]
        #expect(copied?.compactMap { $0["count"] as? Int } == [3, 1])
        let taken = try photostream("albums", "take", "--stream", "s", "italy", "b", "c", "--json")
        #expect(try taken.json["changed"] as? Int == 2 && taken.json["album"] as? String == "italy")
        let renamed = try photostream("albums", "rename", "--stream", "s", "Italy", "Europe/Italy")
        #expect(renamed.output == "renamed \"Italy\" to \"Europe/Italy\" in 1 photo\n", "\(renamed.errors)")
        #expect(
            try photostream("page", "--stream", "s", "--width", "900", "--where", "album:Europe").output.contains("a"))
        #expect(
            try photostream("albums", "delete", "--stream", "s", "Europe").output == "took 1 photo out of \"Europe\"\n")
        #expect(try photostream("albums", "delete", "--stream", "s", "Europe").status == 1)
    }

    @Test(arguments: [
        ["add", "--stream", "s", "a//b", "a"], ["rename", "--stream", "s", "Italy", "/"],
        ["delete", "--stream", "s", "Italy/"],
    ])
    func `a path that is none is an error of usage`(arguments: [String]) throws {
        let answer = try photostream.run(["albums"] + arguments)
        #expect(
            answer.status == 64 && answer.errors.contains("has a slash without a name next to it"), "\(answer.errors)")
    }
}
