import Foundation
import Testing

/// `changes`, `updates`, `scrubber` and `stats`.
@Suite struct ChangesCommandTests {
    private let photostream: Command
    private let layout = ["--stream", "demo", "--width", "900", "--columns", "3"]

    init() throws {
        photostream = try Command()
        try photostream.importSamples()
    }

    private func ids() throws -> [String] {
        let list = try photostream("photos", "list", "--stream", "demo", "--limit", "1000", "--json").json
        return try #require(list["photos"] as? [[String: Any]]).map { try #require($0["id"] as? String) }
    }

    @Test func `changes list each photo once, and the revision to pass next`() throws {
        let ids = try ids()
        let start = try state()
        try photostream("photos", "edit", "--stream", "demo", ids[3], "--caption", "one")
        try photostream("photos", "edit", "--stream", "demo", ids[3], "--caption", "two")
        try photostream("photos", "move", "--stream", "demo", ids[5], "--after", ids[9])
        try photostream("photos", "delete", "--stream", "demo", ids[7])
        let table = try photostream("changes", "--stream", "demo", "--since", start)
        #expect(table.status == 0, "\(table.errors)")
        #expect(table.output.contains("updated  \(ids[3])"), "\(table.output)")
        #expect(table.output.contains("moved    \(ids[5])"), "\(table.output)")
        #expect(table.output.contains("deleted  \(ids[7])"), "\(table.output)")
        #expect(table.output.contains("changes   3\n"), "\(table.output)")
        let object = try photostream("changes", "--stream", "demo", "--since", start, "--json").json
        #expect(Set(object.keys) == ["stream", "since", "sinceState", "revision", "state", "changes"])
        let changes = try #require(object["changes"] as? [[String: Any]])
        #expect(changes.map { $0["change"] as? String } == ["updated", "deleted", "moved"])
        #expect((changes[0]["photo"] as? [String: Any])?["caption"] as? String == "two")
        #expect(changes[1]["photo"] == nil)
        #expect(changes[2]["updated"] as? Bool == false)
        let next = try #require(object["state"] as? String)
        let revision = try #require(object["revision"] as? Int)
        let none = try photostream("changes", "--stream", "demo", "--since", next)
        #expect(
            none.output
                == "stream    demo\nsince     \(next)\nrevision  \(revision)\nstate     \(next)\nchanges   none\n")
    }

    /// The state of the stream.
    private func state() throws -> String {
        let answer = try photostream("changes", "--stream", "demo", "--since", "0", "--json").json
        return try #require(answer["state"] as? String)
    }

    @Test func `changes come in pages, each with the start of the next`() throws {
        let page = try photostream("changes", "--stream", "demo", "--since", "0", "--limit", "50", "--json").json
        #expect(page["complete"] as? Bool == false)
        #expect((page["changes"] as? [Any])?.count == 50)
        let next = try #require(page["state"] as? String)
        let table = try photostream("changes", "--stream", "demo", "--since", "0", "--limit", "50")
        #expect(table.output.hasSuffix("more      --since \(next)\n"), "\(table.output.suffix(200))")
        let rest = try photostream("changes", "--stream", "demo", "--since", next, "--limit", "100", "--json")
            .json
        #expect((rest["changes"] as? [Any])?.count == 70)
        #expect(rest["complete"] == nil)
    }

    @Test(arguments: [["changes"], ["updates", "--rect", "0,0,900,600", "--width", "900"]])
    func `unavailable changes are exit code 3, with a reason`(command: [String]) throws {
        let arguments = command + ["--stream", "demo", "--since", "121"]
        let ahead = try photostream.run(arguments)
        #expect(ahead.status == 3)
        #expect(ahead.output.isEmpty)
        #expect(
            ahead.errors
                == "photostream: the changes of stream \"demo\" are not known: "
                + "revision 121 is ahead of the stream, which is at 120; read the stream again\n")
        let object = try photostream.run(arguments + ["--json"])
        #expect(object.status == 3)
        let reload = try #require(try object.json["reload"] as? [String: Any])
        #expect(reload["reason"] as? String == "ahead")
        #expect(try object.json["revision"] as? Int == 120)
    }

    @Test func `updates show insertions above, and the new position of visible photos`() throws {
        let rect = ["--rect", "0,2000,900,600"]
        let before = try photostream.run(["rect", "--json"] + layout + rect).json
        let since = try #require(before["state"] as? String)
        try photostream(
            "import", "--stream", "demo", "-", "--format", "jsonl",
            input: "{\"id\":\"new\",\"width\":3,\"height\":2,\"takenAt\":\"2031-01-01\"}\n")
        let object = try photostream.run(["updates", "--since", since, "--json"] + layout + rect).json
        let required: Set = [
            "stream", "revision", "state", "since", "sinceState", "layoutKey", "contentSize", "oldContentSize",
            "oldBounds", "newBounds", "contentOffset", "insertions", "deletions", "moves", "reloads", "anchor",
        ]
        #expect(required == Set(object.keys))
        #expect(
            NSDictionary(dictionary: try #require(object["oldContentSize"] as? [String: Any]))
                == NSDictionary(dictionary: try #require(before["contentSize"] as? [String: Any])))
        let anchor = try #require(object["anchor"] as? String)
        #expect(anchor == (before["items"] as? [[String: Any]])?.first?["photo"] as? String)
        let moves = try #require(object["moves"] as? [[String: Any]])
        let held = try #require(moves.first { $0["photo"] as? String == anchor })
        func y(_ name: String) throws -> Double {
            let frame = (held[name] as? [String: Any])?["frame"] as? [String: Any]
            return try #require(frame?["y"] as? Double)
        }
        #expect(try y("new") - y("old") == (try #require(object["contentOffset"] as? Double)) - 2_000)
        let table = try photostream.run(["updates", "--since", since] + layout + rect)
        #expect(table.output.contains("stands still    \(anchor)\n"), "\(table.output)")
        let head = try photostream.run(["updates", "--since", since] + layout + ["--rect", "0,0,900,600"])
        #expect(head.status == 0)
        let kept = try photostream.run(
            ["updates", "--since", since, "--json", "--keep", "offset"] + layout + ["--rect", "0,0,900,600"])
        #expect(try kept.json["contentOffset"] as? Double == 0)
        #expect(try kept.json["anchor"] == nil)
        let arrived = try #require(try kept.json["insertions"] as? [[String: Any]])
        #expect(arrived.contains { $0["photo"] as? String == "new" })
    }

    @Test func `a scrubber has stops from start to end`() throws {
        let object = try photostream.run(["scrubber", "--steps", "5", "--json"] + layout + ["--section-by", "year"])
            .json
        let stops = try #require(object["stops"] as? [[String: Any]])
        #expect(stops.count == 5)
        #expect(Set(stops[0].keys) == ["offset", "section", "id", "index", "day", "precision"])
        #expect(stops[0]["offset"] as? Double == 0)
        #expect(stops[4]["offset"] as? Double == (object["contentSize"] as? [String: Any])?["height"] as? Double)
        let table = try photostream.run(["scrubber", "--steps", "5"] + layout)
        #expect(table.output.hasPrefix("offset  section  index  date\n"), "\(table.output)")
        #expect(table.output.split(separator: "\n").count == 11, "\(table.output)")
    }

    @Test func `stats are shown for one stream, for all, and as JSON`() throws {
        try photostream("streams", "create", "empty")
        let one = try photostream("stats", "--stream", "demo")
        #expect(one.output.hasPrefix("stream         demo\nphotos         120\n"), "\(one.output)")
        let all = try photostream("stats", "--json").json
        let streams = try #require(all["streams"] as? [[String: Any]])
        #expect(streams.map { $0["stream"] as? String } == ["demo", "empty"])
        #expect(streams[1]["firstDay"] is NSNull && streams[1]["widest"] is NSNull)
        #expect(streams[0]["count"] as? Int == 120)
        #expect(all["filePhotos"] as? Int == 120)
        #expect(try photostream("stats").output.contains("stream         empty\n"))
    }

    @Test(arguments: [
        (["changes", "--stream", "missing", "--since", "0"], "there is no stream \"missing\""),
        (["stats", "--stream", "missing"], "there is no stream \"missing\""),
        (["scrubber", "--stream", "missing", "--width", "9"], "there is no stream \"missing\""),
        (
            ["updates", "--stream", "missing", "--width", "9", "--since", "0", "--rect", "0,0,1,1"],
            "there is no stream \"missing\""
        ),
    ])
    func `an unknown stream is named`(arguments: [String], message: String) throws {
        let outcome = try photostream.run(arguments)
        #expect(outcome.status == 1)
        #expect(outcome.errors == "photostream: \(message)\n")
    }

    @Test(arguments: [
        (["changes", "--stream", "s"], "--since"),
        (["changes", "--stream", "s", "--since", "0", "--limit", "0"], "limit is 0, but must be 1 to 10000"),
        (["changes", "--stream", "s", "--since", "-1"], "\"-1\" is not the state of an answer"),
        (["changes", "--stream", "s", "--since", "new"], "\"new\" is not the state of an answer"),
        (["changes", "--stream", "a/b", "--since", "0"], "contains a slash"),
        (["updates", "--stream", "s", "--width", "9", "--since", "0"], "--rect"),
        (["updates", "--stream", "s", "--width", "9", "--rect", "0,0,1,1"], "--since"),
        (["updates", "--stream", "s", "--since", "0", "--rect", "0,0,1,1"], "--width or --layout-key is missing"),
        (
            ["updates", "--stream", "s", "--width", "9", "--since", "-7", "--rect", "0,0,1,1"],
            "\"-7\" is not the state of an answer"
        ),
        (["updates", "--stream", "s", "--width", "9", "--since", "0", "--rect", "0,0,1"], "'0,0,1' is invalid"),
        (
            ["updates", "--stream", "s", "--width", "9", "--since", "0", "--rect", "0,0,1,1", "--keep", "top"],
            "'top' is invalid for '--keep <keep>'"
        ),
        (
            ["updates", "--stream", "s", "--width", "9", "--since", "0", "--rect", "0,0,-1,1"],
            "width and height must not be negative"
        ),
        (["updates", "--stream", "s", "--width", "9", "--since", "0", "--rect", "0,nan,1,1"], "must be finite"),
        (["scrubber", "--stream", "s", "--width", "9", "--steps", "0"], "steps is 0, but must be 1 to 1000"),
        (["scrubber", "--stream", "s", "--width", "9", "--steps", "1001"], "steps is 1001, but must be 1 to 1000"),
        (["scrubber", "--stream", "s"], "--width or --layout-key is missing"),
        (["scrubber", "--stream", "s", "--width", "0"], "container width is 0"),
        (["stats", "--stream", ""], "stream"),
    ])
    func `invalid usage prints one line and exits with code 64`(arguments: [String], message: String) throws {
        let outcome = try photostream.run(arguments)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    @Test func `a rectangle with more photos than an answer may contain is rejected`() throws {
        let records = (0..<1_100).map { "{\"id\":\"p\($0)\",\"width\":3,\"height\":2}\n" }.joined()
        try photostream("import", "--stream", "demo", "-", "--format", "jsonl", input: records)
        let outcome = try photostream.run(["updates", "--since", state(), "--rect", "0,0,900,1000000"] + layout)
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains("the rectangle 0,0,900,1000000 meets 1220 photos, over 1000;"), "\(outcome.errors)")
    }
}
