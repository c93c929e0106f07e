import Foundation
import PhotoStreamTestSupport
import Testing

@Suite struct BackupCommandTests {
    private let photostream: Command

    init() throws { photostream = try Command() }

    private func path(_ name: String) -> String { photostream.folder.appending(path: name).path }

    @Test func `a copy keeps edits, moves, revisions and cursors`() throws {
        try photostream.importSamples()
        let first = try photostream("page", "--stream", "demo", "--width", "600", "--limit", "1", "--json").json
        let state = try #require(first["state"] as? String)
        try photostream("photos", "edit", "--stream", "demo", "orientation-8", "--caption", "By hand")
        try photostream("photos", "move", "orientation-1", "--before", "orientation-8", "--stream", "demo")
        let page = try photostream("page", "--stream", "demo", "--width", "600", "--limit", "5", "--json").json
        let cursor = try #require(page["nextCursor"] as? String)
        let made = try photostream("backup", "copy.sqlite", "--json")
        #expect(made.status == 0, "\(made.errors)")
        let size = try FileManager.default.attributesOfItem(atPath: path("copy.sqlite"))[.size] as? Int
        #expect(try made.json["bytes"] as? Int == size)
        for question in [
            ["streams", "--json"], ["photos", "list", "--stream", "demo", "--export"],
            ["page", "--stream", "demo", "--cursor", cursor, "--limit", "5", "--json"],
            ["changes", "--stream", "demo", "--since", state, "--json"],
        ] {
            let (before, after) = (
                try photostream.run(question), try photostream.run(question + ["--database", "copy.sqlite"])
            )
            #expect(before.status == 0 && before.output == after.output, "\(question): \(after.errors)")
        }
        #expect(try photostream("cache", "verify", "--database", "copy.sqlite").status == 0)
    }

    @Test(arguments: ["", "-wal", "-journal", "-shm"])
    func `nothing is overwritten, including files that would be taken for part of the copy`(ending: String) throws {
        try photostream.importSamples()
        try photostream.write("copy.sqlite" + ending, "mine")
        let refused = try photostream("backup", "copy.sqlite")
        #expect(refused.status == 1)
        #expect(refused.errors == "photostream: \"copy.sqlite\(ending)\" already exists; a backup overwrites nothing\n")
        #expect(try String(contentsOfFile: path("copy.sqlite" + ending), encoding: .utf8) == "mine")
        #expect(try photostream("backup", "nowhere/copy.sqlite").status == 1)
        #expect(try photostream("backup", "other.sqlite", "--database", "nothing.sqlite").status == 1)
        let left = try FileManager.default.contentsOfDirectory(atPath: photostream.folder.path)
        #expect(!left.contains { $0.contains("partial") || $0.hasPrefix("other") }, "\(left)")
    }

    @Test func `a file of version 0 1 0 is copied without migration, and opening it reports the migration`() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [path("photostream.sqlite"), "\n" + (try OldFile.sql)]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(try photostream("backup", "old.sqlite").status == 0)
        let opened = try photostream("streams", "--database", "old.sqlite")
        #expect(opened.status == 0)
        #expect(opened.errors.contains("takes about 1 s for 30 photos"), "\(opened.errors)")
        #expect(opened.errors.contains("`photostream backup`"), "\(opened.errors)")
        #expect(try photostream("streams", "--database", "old.sqlite").errors == "")
        let first = try photostream("photos", "list", "--stream", "photos", "--limit", "1", "--json")
        #expect(first.errors.contains("was made by version 0.1.0"))
    }

    @Test func `a copy made during an import is complete`() throws {
        let lines = (0..<60_000).map {
            "{\"id\":\"p\($0)\",\"width\":3,\"height\":2,\"takenAt\":\"19\(10 + $0 % 90)\"}"
        }
        try photostream.write("p.jsonl", lines.joined(separator: "\n"))
        try photostream("streams", "create", "s")
        let importing = try photostream.start(["import", "--stream", "s", "p.jsonl"])
        var counts: [Int] = []
        for copy in 0..<4 {
            let made = try photostream("backup", "copy\(copy).sqlite")
            #expect(made.status == 0, "\(made.errors)")
            let streams = try photostream("streams", "--json", "--database", "copy\(copy).sqlite").json["streams"]
            counts.append(try #require((streams as? [[String: Any]])?.first?["count"] as? Int))
            #expect(try photostream("cache", "verify", "--database", "copy\(copy).sqlite").status == 0)
        }
        #expect(try importing.outcome().status == 0)
        #expect(counts == counts.sorted() && counts.allSatisfy { (0...60_000).contains($0) })
    }
}
