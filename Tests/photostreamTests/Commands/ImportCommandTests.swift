import Foundation
import Testing

@Suite struct ImportCommandTests {
    private let photostream: Command

    init() throws { photostream = try Command() }

    private static let counts = ["read", "inserted", "updated", "unchanged", "duplicate", "rejected", "assumed"]

    @Test func `the samples are imported, and then unchanged`() throws {
        let samples = Command.samples.appending(path: "photos.jsonl").path
        let first = try photostream("import", "--stream", "demo", "--json", samples)
        #expect(first.status == 0)
        #expect(try Set(first.json.keys) == Set(Self.counts + ["rejects"]))
        #expect(try first.json["inserted"] as? Int == 120)
        let second = try photostream("import", "--stream", "demo", "--json", samples)
        #expect(try second.json["unchanged"] as? Int == 120)
        #expect(try second.json["inserted"] as? Int == 0)
    }

    @Test func `several sources of several formats are one import`() throws {
        let outcome = try photostream.run(
            ["import", "--stream", "demo", "--json"]
                + ["photos.jsonl", "photos.csv"].map { Command.samples.appending(path: $0).path })
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try outcome.json["inserted"] as? Int ?? 0 > 120)
        #expect(try outcome.json["inserted"] as? Int == outcome.json["read"] as? Int)
    }

    @Test func `rejects are reported, counts add up, and all valid records are imported`() throws {
        try photostream.write(
            "photos.jsonl",
            """
            {"id":"a","width":3,"height":2}
            {"width":3,"height":2}
            {"id":"b","width":0,"height":2}
            {"id":"a","width":9,"height":2}
            {"id":"c","takenAt":"soon","width":3,"height":2}
            {"id":"d"}
            {"id":"e","width":3
            """)
        let outcome = try photostream("import", "--stream", "s", "--report", "report.json", "photos.jsonl")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("photos.jsonl:3:19: width 0 is not positive"), "\(outcome.errors)")
        #expect(outcome.errors.contains("photos.jsonl:2:1: the id is missing"))
        #expect(outcome.errors.contains("takenAt is ignored: \"soon\" is not a date"))
        let report = try Command.Outcome.object(try photostream.text("report.json"))
        let counted = Self.counts.dropFirst().dropLast().reduce(0) { $0 + (report[$1] as? Int ?? 0) }
        #expect(report["read"] as? Int == counted)
        #expect(counted == 7)
        #expect(report["inserted"] as? Int == 3)
        #expect(report["duplicate"] as? Int == 1)
        #expect(report["rejected"] as? Int == 3)
        #expect(report["assumed"] as? Int == 1)
        let rejects = try #require(report["rejects"] as? [[String: Any]])
        #expect(rejects.count == 3)
        #expect(Set(rejects[1].keys) == ["source", "line", "column", "id", "reason"])
        #expect(rejects[0]["id"] is NSNull)
        #expect(rejects[1]["id"] as? String == "b")
        let list = try photostream("photos", "--stream", "s", "--json")
        #expect((try list.json["photos"] as? [Any])?.count == 3)
        #expect(try !photostream.files.contains { $0.hasSuffix(".partial") })
    }

    @Test func `a report is one line, with rejects too`() throws {
        try photostream.write("bad.jsonl", "{\"id\":\"a\"}\n{\"id\":\"\"}\n{}\n")
        let outcome = try photostream("import", "--stream", "s", "--json", "--report", "report.json", "bad.jsonl")
        for text in [outcome.output, try photostream.text("report.json")] {
            #expect(text.hasSuffix("}]}\n"))
            #expect(text.split(separator: "\n").count == 1)
            #expect(!text.contains("  "))
        }
        #expect(try outcome.json["rejects"] as? [[String: Any]] != nil)
    }

    @Test func `the file at the report's path is the report of this import, or missing`() throws {
        try photostream.write("good.jsonl", "{\"id\":\"a\"}\n")
        try photostream.write("gone.jsonl", "{\"id\":\"b\"}\n")
        try photostream("import", "--stream", "s", "--report", "report.json", "good.jsonl")
        #expect(try photostream.files.contains("report.json"))
        // A header that lacks a column is found when standard input is read.
        let failed = try photostream(
            "import", "--stream", "t", "--report", "report.json", "--format", "csv", "-", input: "x,y\n1,2\n")
        #expect(failed.status == 1)
        #expect(try !photostream.files.contains("report.json"))
        #expect(
            failed.errors.hasPrefix("ended after 0 records; stream \"t\" is unchanged\nphotostream: "),
            "\(failed.errors)")
        let streams = try photostream("streams", "--json").json["streams"] as? [[String: Any]]
        #expect(streams?.compactMap { $0["stream"] as? String } == ["s"], "a failed first import leaves no stream")
    }

    /// Pages of a mapped file count as memory of the process, and grow with the file.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/maps")))
    func `an import maps no part of its file`() throws {
        func lines(_ numbers: Range<Int>) -> String {
            numbers.map { "{\"id\":\"p\($0)\",\"width\":3,\"height\":2,\"caption\":\"Number \($0)\"}\n" }.joined()
        }
        try photostream.write("first.jsonl", lines(0..<2_000))
        try photostream("import", "--stream", "s", "first.jsonl")
        try photostream.write("second.jsonl", lines(2_000..<12_000))
        let process = Process()
        process.executableURL = try Command.binary()
        process.arguments = ["import", "--stream", "s", "second.jsonl"]
        process.currentDirectoryURL = photostream.folder
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        var mapped: Set<String> = []
        while process.isRunning {
            // The system gives it a page at a time.
            let maps = FileHandle(forReadingAtPath: "/proc/\(process.processIdentifier)/maps")
            let text = String(decoding: (try? maps?.readToEnd()) ?? Data(), as: UTF8.self)
            for line in text.split(separator: "\n") where line.contains("/photostream.sqlite") {
                mapped.insert(String(line.split(separator: "/").last ?? ""))
            }
            Thread.sleep(forTimeInterval: 0.005)
        }
        #expect(process.terminationStatus == 0)
        // The index of the write-ahead log is always mapped, and its size is limited.
        #expect(mapped == ["photostream.sqlite-shm"])
    }

    @Test func `compressed input is rejected with advice`() throws {
        try Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0]).write(to: photostream.url("p.jsonl.gz"))
        let outcome = try photostream("import", "--stream", "s", "p.jsonl.gz")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors == """
                photostream: "p.jsonl.gz" is compressed with gzip; decompress it with: zcat FILE | photostream import \
                --stream NAME -

                """)
    }

    @Test func `an ambiguous number is ignored with a warning`() throws {
        try photostream.write("p.csv", "id,takenAt\na,20261121\nb,202611\n")
        let outcome = try photostream("import", "--stream", "s", "p.csv")
        #expect(outcome.status == 0)
        #expect(
            outcome.errors.contains(
                "p.csv:3:3: warning: takenAt is ignored: 202611 may be a month, a day or seconds since 1970; write it "
                    + "as 2026-11\n"), "\(outcome.errors)")
        #expect(
            try photostream("photos", "show", "--stream", "s", "a", "--json").json["takenAt"] as? String == "2026-11-21"
        )
        #expect(try photostream("photos", "show", "--stream", "s", "b", "--json").json["takenAt"] == nil)
    }

    @Test func `JSON on standard output is the report`() throws {
        try photostream.write("bad.jsonl", "{\"id\":\"a\",\"width\":3,\"height\":2}\n{\"id\":\"\"}\n")
        let outcome = try photostream("import", "--stream", "s", "--json", "--report", "report.json", "bad.jsonl")
        #expect(outcome.status == 2)
        #expect(outcome.output == (try photostream.text("report.json")))
    }

    @Test func `rejects beyond the shown ones are counted`() throws {
        try photostream.write("bad.jsonl", String(repeating: "{}\n", count: 50))
        let outcome = try photostream("import", "--stream", "s", "bad.jsonl")
        #expect(outcome.status == 2)
        #expect(outcome.errors.split(separator: "\n").filter { $0.contains("the id is missing") }.count == 20)
        #expect(outcome.errors.contains("30 more rejects"))
    }

    @Test func `a mapping, unquoted input and standard input work`() throws {
        let tsv = "flickr_id\tw\th\ttitle\tdate\n1\t30\t20\t\"Quoted\t1894\n2\t30\t20\tPlain\t1895\n"
        let outcome = try photostream(
            "import", "--stream", "s", "--format", "tsv", "--no-quoting", "--map",
            "id=flickr_id,width=w,height=h,caption=title,takenAt=date", "-", input: tsv)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let photo = try photostream("photos", "show", "--stream", "s", "1", "--json").json
        #expect(photo["caption"] as? String == "\"Quoted")
        #expect(photo["takenAt"] as? String == "1894")
    }

    @Test func `a time zone gives local times an offset`() throws {
        try photostream.write("p.jsonl", #"{"id":"a","width":3,"height":2,"takenAt":"2026-07-01T12:00:00"}"#)
        try photostream("import", "--stream", "s", "--time-zone", "Europe/Berlin", "p.jsonl")
        let photo = try photostream("photos", "show", "--stream", "s", "a", "--json").json
        #expect(photo["takenAt"] as? String == "2026-07-01T12:00:00+02:00")
    }

    @Test func `a dry run without a file counts and creates nothing`() throws {
        let samples = Command.samples.appending(path: "photos.jsonl").path
        let outcome = try photostream("import", "--stream", "new", "--dry-run", "--json", samples)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try outcome.json["inserted"] as? Int == 120)
        #expect(try photostream.files.isEmpty)
    }

    @Test func `a dry run does not change a file`() throws {
        try photostream.importSamples()
        try photostream.write("p.jsonl", "{\"id\":\"moon-phases\",\"caption\":\"new\"}\n{\"id\":\"new\"}\n")
        let before = try contents()
        for stream in ["demo", "other"] {
            let outcome = try photostream("import", "--stream", stream, "--dry-run", "--json", "p.jsonl")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try outcome.json["updated"] as? Int == (stream == "demo" ? 1 : 0))
            #expect(try outcome.json["inserted"] as? Int == (stream == "demo" ? 1 : 2))
        }
        #expect(try contents() == before)
    }

    @Test func `an invalid source is an error of one line, and no database is created`() throws {
        try FileManager.default.createDirectory(at: photostream.url("folder"), withIntermediateDirectories: true)
        try photostream.write("empty.jsonl", "")
        try photostream.write("p.csv", "id,width,height\na,3,2\n")
        let bad: [(arguments: [String], message: String)] = [
            (["missing.jsonl"], "there is no file \"missing.jsonl\""),
            (["empty.jsonl"], "\"empty.jsonl\" is empty"),
            (["--map", "id=absent", "p.csv"], "\"absent\""),
            (["--report", "missing/report.json", "p.csv"], "\"missing/report.json\" cannot be written"),
            (["--report", "folder", "p.csv"], "is a directory"),
        ]
        for (arguments, message) in bad {
            let outcome = try photostream.run(["import", "--stream", "s"] + arguments)
            #expect(outcome.status == 1, "\(arguments)")
            #expect(outcome.errors.hasPrefix("photostream: "), "\(outcome.errors)")
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
        #expect(try photostream.files == ["folder", "empty.jsonl", "p.csv"])
    }

    @Test func `a report never overwrites the database or a source`() throws {
        try photostream.write("p.jsonl", "{\"id\":\"a\"}\n")
        #expect(try photostream("import", "--stream", "s", "p.jsonl").status == 0)
        try FileManager.default.linkItem(at: photostream.url("p.jsonl"), to: photostream.url("linked.json"))
        for report in [
            "photostream.sqlite", "./photostream.sqlite", "photostream.sqlite-wal", "p.jsonl", "linked.json",
        ] {
            let outcome = try photostream("import", "--stream", "s", "p.jsonl", "--report", report)
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("--report \(report) would overwrite "))
        }
        #expect(try photostream("streams").status == 0)
        #expect(try String(contentsOf: photostream.url("p.jsonl"), encoding: .utf8) == "{\"id\":\"a\"}\n")
    }

    private func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        // The shared-memory file next to the database holds the locks of readers, and any reader creates an empty WAL;
        // neither is content.
        for name in try photostream.files where !name.hasSuffix("-shm") {
            let data = try Data(contentsOf: photostream.url(name))
            if !(name.hasSuffix("-wal") && data.isEmpty) { contents[name] = data }
        }
        return contents
    }
}
