import Foundation
import PhotoStreamTestSupport
import Testing

@Suite struct ExportCommandTests {
    private let photostream: Command

    init() throws { photostream = try Command() }

    /// The samples with an edit, a cleared field and moves, also among undated photos.
    private func makeStream(_ name: String, order: String = "newest") throws {
        try photostream("streams", "create", name, "--order", order)
        for file in ["photos.jsonl", "photos.csv"] {
            try photostream("import", "--stream", name, Command.samples.appending(path: file).path)
        }
        try photostream("photos", "edit", "--stream", name, "balloons-01", "--caption", "Mine", "--clear", "tags")
        try photostream("photos", "move", "--stream", name, "balloons-01", "--before", "orientation-8")
        try photostream("photos", "move", "--stream", name, "orientation-1", "orientation-2", "--after", "balloons-02")
    }

    private func export(_ stream: String, _ arguments: String...) throws -> String {
        let outcome = try photostream.run(["export", "--stream", stream] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    @Test(arguments: ["newest", "oldest", "manual"])
    func `an export is imported identically into another file`(order: String) throws {
        try makeStream("one", order: order)
        let first = try export("one")
        #expect(first.hasPrefix("{\"photostreamExport\":1,\"order\":\"\(order)\"}\n{\"id\":"))
        #expect(first.contains(#""edited":["caption","tags"]"#))
        #expect(first.contains("\"movedTo\"") == (order != "manual"))
        let written = try photostream("export", "--stream", "one", "--output", "one.jsonl", "--json")
        #expect(try written.json["count"] as? Int == 140 && written.json["file"] as? String == "one.jsonl")
        #expect(try photostream.text("one.jsonl") == first)
        let load = try photostream("import", "--database", "other.sqlite", "--stream", "two", "one.jsonl", "--json")
        #expect(try load.status == 0 && load.json["inserted"] as? Int == 140 && load.json["read"] as? Int == 140)
        #expect(try export("two", "--database", "other.sqlite") == first)
        // From standard input, too.
        #expect(
            try photostream("import", "--database", "third.sqlite", "--stream", "two", "-", input: first).status == 0)
        #expect(try export("two", "--database", "third.sqlite") == first)
        for question in [["page", "--width", "700", "--limit", "200"], ["stats"]] {
            func ask(_ stream: String, _ database: String) throws -> String {
                let outcome = try photostream.run(question + ["--stream", stream, "--database", database, "--json"])
                let json = try outcome.json
                if let items = json["items"] as? [[String: Any]] {
                    let bytes = try JSONSerialization.data(withJSONObject: items, options: .sortedKeys)
                    return String(decoding: bytes, as: UTF8.self)
                }
                let stats = try #require((json["streams"] as? [[String: Any]])?.first)
                // In manual order, every place is one of the order of import.
                return "\(stats["edited"] ?? "") \(order == "manual" ? "" : stats["moved"] ?? "")"
            }
            #expect(try ask("one", "photostream.sqlite") == ask("two", "other.sqlite"), "\(question)")
        }
        let copied = try photostream("streams", "copy", "one", "copy", "--order", order)
        #expect(copied.status == 0, "\(copied.errors)")
        #expect(try export("copy") == first)
    }

    @Test func `an export that another program has reformatted is imported identically`() throws {
        try makeStream("one")
        let first = try export("one")
        let records = try first.split(separator: "\n").map { try Command.Outcome.object(String($0)) }
        func text(_ value: Any, _ options: JSONSerialization.WritingOptions) throws -> String {
            String(decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self)
        }
        let inputs = [
            try records.map { try text($0, .sortedKeys) }.joined(separator: "\n"),
            try records.map { try text($0, [.sortedKeys, .prettyPrinted]) }.joined(separator: "\n"),
            try text(records, .sortedKeys),
        ]
        for (index, input) in inputs.enumerated() {
            let load = try photostream("import", "--stream", "s\(index)", "-", "--json", input: input)
            #expect(try load.status == 0 && load.json["read"] as? Int == 140, "\(index): \(load.errors)")
            #expect(try export("s\(index)") == first, "\(index)")
        }
    }

    @Test func `one warning counts the moves that another order loses`() throws {
        try makeStream("one")
        try makeStream("two", order: "oldest")
        try photostream.write("one.jsonl", try export("one"))
        try photostream.write("two.jsonl", try export("two").replacing("\"id\":\"", with: "\"id\":\"2-"))
        func warning(_ count: Int) -> String {
            "warning: movedTo: \(count) values ignored, because moves cannot be kept in another order\n"
        }
        for options in [["--dry-run"], []] {
            let loaded = try photostream.run(["import", "--stream", "a", "--order", "oldest", "one.jsonl"] + options)
            #expect(loaded.status == 0 && loaded.errors.contains(warning(3)), "\(loaded.errors)")
        }
        let both = try photostream("import", "--stream", "b", "one.jsonl", "two.jsonl")
        #expect(both.status == 0 && both.errors.contains(warning(3)), "\(both.errors)")
        let joined = try photostream("import", "--stream", "c", "-", input: try export("one") + export("two"))
        #expect(joined.status == 2 && joined.errors.contains("import the files separately"), "\(joined.errors)")
        let same = try photostream("import", "--stream", "d", "one.jsonl")
        #expect(same.status == 0 && !same.errors.contains("warning"), "\(same.errors)")
    }

    @Test(arguments: [false, true])
    func `no output replaces a file of the database`(isServed: Bool) throws {
        try photostream.importSamples()
        try photostream.write("p.jsonl", "{\"id\":\"new\"}\n")
        for (link, target) in [
            ("link.sqlite", "photostream.sqlite"), ("out.jsonl", "photostream.sqlite-wal"), ("here", "."),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: photostream.url(link).path, withDestinationPath: target)
        }
        let server = isServed ? try ServedFile(in: photostream.folder) : nil
        if let server {
            _ = try server.curl(
                "/v1/streams/demo/photos/x", "-X", "PUT", "-H", "Content-Type: application/json", "-d",
                #"{"width":3,"height":2}"#)
        }
        let list = try photostream("photos", "list", "--stream", "demo", "--export").output
        #expect(list.contains("\"id\":\"x\"") == isServed)
        let spellings =
            ["-wal", "-shm", "-journal", ""].flatMap { ["photostream.sqlite" + $0, "here/photostream.sqlite" + $0] }
            + ["out.jsonl", "link.sqlite"]
        func entries() throws -> [String] { try photostream.files.sorted() }
        let before = try entries()
        for path in spellings {
            for database in ["photostream.sqlite", "here/photostream.sqlite"] {
                for command in [
                    ["export", "--stream", "demo", "--output", path],
                    ["import", "--stream", "other", "p.jsonl", "--report", path],
                ] {
                    let refused = try photostream.run(command + ["--database", database])
                    #expect(refused.status == 64, "\(command) \(database) \(refused.errors)")
                    #expect(refused.errors.contains("\(path) would overwrite "), "\(refused.errors)")
                }
            }
            let refused = try photostream("backup", path)
            #expect(refused.status != 0, "\(path)")
        }
        #expect(try entries() == before)
        #expect(try photostream("photos", "list", "--stream", "demo", "--export").output == list)
        if let server {
            server.signal(SIGTERM)
            #expect(server.end().status == 0)
            #expect(try photostream("photos", "list", "--stream", "demo", "--export").output == list)
        }
        try FileManager.default.moveItem(at: photostream.url("photostream.sqlite"), to: photostream.url("photos.svg"))
        let drawn = try photostream(
            "render", "--stream", "demo", "--width", "300", "--database", "photos.svg", "--output", "photos.svg")
        #expect(drawn.status == 64 && drawn.errors.contains("would overwrite the database"), "\(drawn.errors)")
    }

    @Test func `a copy in another order keeps the edits, but not the moves`() throws {
        try makeStream("one")
        #expect(try photostream("streams", "copy", "one", "back", "--order", "oldest").status == 0)
        let copy = try export("back")
        #expect(copy.contains(#""edited":["caption","tags"]"#) && !copy.contains("movedTo"))
    }

    @Test func `an export over HTTP has the right marks`() throws {
        try makeStream("one")
        try photostream.write("one.jsonl", try export("one"))
        try photostream("streams", "create", "two")
        let server = try ServedFile(in: photostream.folder)
        let answer = try server.curl(
            "/v1/streams/two/photos", "-H", "Content-Type: application/jsonl", "--data-binary",
            "@" + photostream.url("one.jsonl").path)
        #expect(answer.contains("\"inserted\":140"), "\(answer)")
        server.signal(SIGTERM)
        #expect(server.end().status == 0)
        #expect(try export("two") == export("one"))
    }

    @Test func `invalid input is refused with the reason`() throws {
        try photostream.importSamples()
        let unknown = try photostream("export", "--stream", "none", "--output", "out.jsonl")
        #expect(unknown.status == 1 && unknown.errors == "photostream: there is no stream \"none\"\n")
        let same = try photostream("export", "--stream", "demo", "--output", "photostream.sqlite")
        #expect(same.status == 64 && same.errors.contains("would overwrite the database"), "\(same.errors)")
        #expect(try !photostream.files.contains { $0.hasPrefix("out.jsonl") })
        try photostream.write("bad.jsonl", "{\"photostreamExport\":7,\"order\":\"newest\"}\n")
        let newer = try photostream("import", "--stream", "new", "bad.jsonl")
        #expect(newer.status == 1 && newer.errors.contains("an export in another format than 1"), "\(newer.errors)")
        try photostream.write("other.jsonl", try export("demo"))
        let other = try photostream("import", "--stream", "new", "--order", "manual", "other.jsonl")
        #expect(other.status == 0)
        let refused = try photostream("import", "--stream", "new", "--order", "newest", "other.jsonl")
        #expect(
            refused.status == 1 && refused.errors.contains("stream \"new\" is in manual order"), "\(refused.errors)")
    }
}
