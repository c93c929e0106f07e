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

    @Test func `a kept view is created, listed, edited, used like a stream and deleted`() throws {
        try photostream.write(
            "p.jsonl", "{\"id\":\"a\",\"rating\":5}\n{\"id\":\"b\",\"rating\":3}\n{\"id\":\"c\",\"rating\":1}\n")
        try photostream("import", "--stream", "s", "p.jsonl")
        let created = try photostream("streams", "create", "best", "--source", "s", "--where", "rating:>=4")
        #expect(created.output == "created kept view \"best\" of stream \"s\"\n", "\(created.errors)")
        #expect(try photostream("streams").output.contains("photos of s: rating:4.."))
        let listed = try photostream("photos", "list", "--stream", "best", "--json").json["photos"] as? [[String: Any]]
        #expect(listed?.compactMap { $0["photo"] as? String ?? $0["id"] as? String } == ["a"])
        let edited = try photostream("streams", "edit", "best", "--where", "rating:>=3", "--description", "Good")
        #expect(edited.output == "changed kept view \"best\"\n")
        let streams = try #require(try photostream("streams", "--json").json["streams"] as? [[String: Any]])
        #expect(streams.compactMap { $0["count"] as? Int } == [2, 3])
        #expect(streams[0]["source"] as? String == "s" && streams[0]["where"] as? String == "rating:3..")
        #expect(streams[0]["description"] as? String == "Good" && streams[0]["cover"] as? String == "a")
        #expect(try photostream("streams", "edit", "best", "--cover", "b").status == 0)
        #expect(try photostream("streams", "edit", "best", "--cover", "c").errors.contains("has no photo \"c\""))
        let covered = try photostream("streams", "--json").json["streams"] as? [[String: Any]]
        #expect(covered?.first?["cover"] as? String == "b")
        #expect(try photostream("layout", "--stream", "best", "--width", "900", "--json").json["count"] as? Int == 2)
        #expect(try photostream("export", "--stream", "best").output.contains("\"b\""))
        #expect(try photostream("photos", "show", "--stream", "best", "c").status == 1)
        #expect(try photostream("streams", "delete", "s", "--yes").errors.contains("shown by the kept view \"best\""))
        #expect(try photostream("streams", "copy", "best", "copy", "--order", "manual").status == 0)
        #expect(try photostream("streams", "delete", "best").status == 0)
        #expect(try photostream("streams", "delete", "s", "--yes").status == 0)
    }

    @Test(arguments: [
        (["create", "x", "--where", "a"], "--where and --description require --source"),
        (["create", "x", "--source", "s"], "--source requires --where"),
        (
            ["create", "x", "--source", "s", "--where", "a", "--order", "manual"],
            "--source excludes --order: a kept view has that of its stream"
        ),
        (["create", "x", "--source", "s", "--where", "tga:a"], "--where: Column 1: \"tga:\" is not a qualifier"),
        (["create", "x", "--source", "s", "--where", "place:a"], "no photo has the value of \"place:a\""),
        (["create", "x", "--source", "s", "--where", " "], "the rule is met by every photo"),
        (["edit", "x"], "one of --where, --description and --cover is required"),
    ])
    func `wrong options of kept views are errors of usage`(arguments: [String], message: String) throws {
        try photostream("streams", "create", "s")
        let answer = try photostream.run(["streams"] + arguments)
        #expect(answer.status == 64 && answer.errors.contains(message), "\(answer.errors)")
    }

    @Test func `commands that only streams have refuse a kept view`() throws {
        try photostream.write("p.jsonl", "{\"id\":\"a\",\"rating\":5}\n")
        try photostream("import", "--stream", "s", "p.jsonl")
        try photostream("streams", "create", "best", "--source", "s", "--where", "rating:>=4")
        let refused: [[String]] = [
            ["import", "--stream", "best", "p.jsonl"], ["import", "--stream", "best", "--dry-run", "p.jsonl"],
            ["photos", "move", "--stream", "best", "a", "--reset"], ["photos", "reset", "--stream", "best", "a"],
            ["cache", "warm", "--stream", "best", "--width", "900"],
            ["pictures", "warm", "--stream", "best"], ["roots", "add", "--stream", "best", "."],
            ["streams", "create", "x", "--source", "best", "--where", "a"],
        ]
        for arguments in refused {
            let answer = try photostream.run(arguments)
            #expect(
                answer.status == 1 && answer.errors.contains("\"best\" is a kept view, which has no photos of its own"),
                "\(arguments): \(answer.errors)\(answer.output)")
        }
        #expect(try photostream("streams", "edit", "s", "--where", "a").errors.contains("\"s\" is a stream; only"))
    }

    @Test func `the list as JSON has the imports and their failures`() throws {
        try photostream.write(
            "p.jsonl", "{\"id\":\"a\",\"width\":3,\"height\":2}\n{\"id\":\"b\",\"width\":-1,\"height\":2}\n")
        try photostream("import", "--stream", "s", "p.jsonl")
        let streams = try #require(try photostream("streams", "--json").json["streams"] as? [[String: Any]])
        let stream = try #require(streams.first)
        #expect(
            Set(stream.keys)
                == [
                    "stream", "order", "count", "revision", "state", "createdAt", "canEdit", "canUpload", "pictures",
                    "imports",
                ])
        #expect(stream["count"] as? Int == 1)
        let run = try #require((stream["imports"] as? [[String: Any]])?.first)
        #expect(run["sources"] as? [String] == ["p.jsonl"])
        #expect(run["rejected"] as? Int == 1)
        let failure = try #require((run["failures"] as? [[String: Any]])?.first)
        #expect(failure["id"] as? String == "b")
        #expect(failure["line"] as? Int == 2)
        #expect(try photostream("streams").output.contains("1 inserted, 1 rejected"))
    }

    @Test func `a list shows the newest import, all on request, and the first ten of many sources`() throws {
        try photostream.write("p.jsonl", "{\"id\":\"a\"}\n")
        let sources = (0..<12).map { "p\($0).jsonl" }
        for source in sources { try photostream.write(source, "{\"id\":\"\(source)\"}\n") }
        try photostream("import", "--stream", "s", "p.jsonl")
        try photostream.run(["import", "--stream", "s"] + sources)
        func imports(_ arguments: String...) throws -> [[String: Any]] {
            let streams = try photostream.run(arguments).json["streams"] as? [[String: Any]]
            return try #require(streams?.first?["imports"] as? [[String: Any]])
        }
        let newest = try imports("streams", "--json")
        #expect(newest.count == 1)
        #expect(newest.first?["sources"] as? [String] == Array(sources.prefix(10)))
        #expect(newest.first?["sourceCount"] as? Int == 12)
        #expect(try imports("streams", "list", "--json", "--imports").count == 2)
    }

    @Test func `a name in another normal form is the same stream, and a blank one is invalid`() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        try photostream("streams", "create", composed)
        #expect(try photostream("streams", "create", decomposed).status == 1)
        try photostream.write("p.jsonl", "{\"id\":\"a\"}\n")
        #expect(try photostream("import", "--stream", decomposed, "p.jsonl").status == 0)
        let streams = try photostream("streams", "--json").json["streams"] as? [[String: Any]]
        #expect(streams?.compactMap { $0["stream"] as? String }.map { Array($0.utf8) } == [Array(composed.utf8)])
        #expect(streams?.first?["count"] as? Int == 1)
        #expect(try photostream("photos", "show", "--stream", decomposed, "a").status == 0)
        #expect(try photostream("streams", "rename", composed, decomposed).status == 0)
        #expect(try photostream("photos", "show", "--stream", composed, "a").status == 0)
        let blank = try photostream("streams", "create", " ")
        #expect(blank.status == 64)
        #expect(blank.errors.contains("the stream name is blank"), "\(blank.errors)")
    }

    @Test func `a stream with photos is deleted only with --yes`() throws {
        try photostream.importSamples()
        let refused = try photostream("streams", "delete", "demo")
        #expect(refused.status == 1)
        #expect(
            refused.errors == "photostream: stream \"demo\" contains 120 photos; use --yes to delete them as well\n")
        #expect(try photostream("streams", "delete", "demo", "--yes", "--json").json["deleted"] as? Int == 120)
    }

    @Test func `a stream has an order, and a copy another`() throws {
        try photostream.write(
            "p.jsonl",
            """
            {"id":"a","width":3,"height":2,"takenAt":"1866"}
            {"id":"b","width":3,"height":2,"takenAt":"1866"}
            {"id":"c","width":3,"height":2,"takenAt":"1870-05"}
            {"id":"d","width":3,"height":2,"takenAt":"1860-01-02","orientation":6,"caption":"Four"}

            """)
        #expect(try photostream("import", "--stream", "new", "p.jsonl").status == 0)
        #expect(try photostream("import", "--stream", "old", "--order", "oldest", "p.jsonl").status == 0)
        #expect(
            try photostream("streams", "create", "hand", "--order", "manual", "--json").json["order"] as? String
                == "manual")
        #expect(try photostream("import", "--stream", "hand", "--order", "manual", "p.jsonl").status == 0)
        #expect(try ids(of: "new") == ["c", "a", "b", "d"])
        #expect(try ids(of: "old") == ["d", "a", "b", "c"])
        #expect(try ids(of: "hand") == ["a", "b", "c", "d"])
        for arguments in [[], ["--dry-run"]] {
            let wrong = try photostream.run(["import", "--stream", "old", "--order", "newest", "p.jsonl"] + arguments)
            #expect(wrong.status == 1)
            #expect(wrong.errors.contains("stream \"old\" is oldest first"), "\(wrong.errors)")
        }
        #expect(try photostream("streams", "create", "x", "--order", "newest first").status == 64)
        #expect(try photostream("photos", "move", "d", "--before", "c", "--stream", "new").status == 0)
        let copied = try photostream("streams", "copy", "new", "album", "--order", "manual", "--json")
        #expect(copied.status == 0, "\(copied.errors)")
        #expect(try copied.json["count"] as? Int == 4)
        #expect(try ids(of: "album") == ["d", "c", "a", "b"])
        #expect(try photostream("streams", "copy", "album", "again", "--order", "newest").status == 0)
        #expect(try ids(of: "again") == ["c", "a", "b", "d"])
        let photos = try photostream("photos", "list", "--stream", "again", "--json").json["photos"] as? [[String: Any]]
        let first = try #require(photos?.first)
        #expect(first["takenAt"] as? String == "1870-05" && first["takenAtPrecision"] as? String == "month")
        #expect(photos?.last?["orientation"] as? Int == 6 && photos?.last?["takenAtPrecision"] == nil)
        #expect(try photostream("streams", "copy", "new", "album", "--order", "oldest").status == 1)
        #expect(try photostream("streams", "copy", "missing", "other", "--order", "oldest").status == 1)
        let names = try photostream("streams", "--json").json["streams"] as? [[String: Any]]
        #expect(names?.compactMap { $0["stream"] as? String } == ["again", "album", "hand", "new", "old"])
        #expect(names?.compactMap { $0["order"] as? String } == ["newest", "manual", "manual", "newest", "oldest"])
    }

    private func ids(of stream: String) throws -> [String] {
        let photos = try photostream("photos", "list", "--stream", stream, "--json").json["photos"] as? [[String: Any]]
        return try #require(photos).compactMap { $0["id"] as? String }
    }

    @Test func `existing, unknown or invalid names are rejected`() throws {
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
