import Foundation
import PhotoStreamTestSupport
import Testing

/// `photostream import` of folders, with real pictures and the real worker.
@Suite struct ImportFolderTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try FileManager.default.copyItem(
            at: Command.samples.appending(path: "pictures"), to: photostream.url("pictures"))
    }

    /// The number of the sample pictures.
    private func count() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: photostream.url("pictures").path).count
    }

    private func importFolder(_ arguments: String...) throws -> Command.Outcome {
        try photostream.run(["import", "--stream", "family"] + arguments)
    }

    @Test func `the sample pictures are imported, and found unchanged again`() throws {
        let count = try count()
        let first = try importFolder("--json", "pictures")
        #expect(first.status == 0, "\(first.errors)")
        let numbers = try first.json
        #expect(numbers["inserted"] as? Int == count && numbers["rejected"] as? Int == 0)
        let second = try importFolder("--json", "pictures")
        let again = try second.json
        #expect(again["unchanged"] as? Int == count && again["inserted"] as? Int == 0)
        let photo = try photostream("photos", "show", "--stream", "family", "--json", "harbour-dawn-01.jpg")
        #expect(try photo.json["location"] as? String == "harbour-dawn-01.jpg", "\(photo.errors)")
        let roots = try photostream("roots", "--json")
        #expect(roots.output.contains("/pictures\""))
    }

    @Test func `sizes equal those of the records of the same pictures`() throws {
        try #require(try importFolder("pictures").status == 0)
        let records = try String(contentsOf: Command.samples.appending(path: "photos.jsonl"), encoding: .utf8)
        let listed = try photostream("photos", "list", "--stream", "family", "--export")
        var sizes: [String: [Int]] = [:]
        for photo in try listed.jsonLines {
            guard let id = photo["id"] as? String, let width = photo["width"] as? Int,
                let height = photo["height"] as? Int
            else { continue }
            sizes[id] = [width, height]
        }
        var compared = 0
        for line in records.split(separator: "\n") {
            let record = try Command.Outcome.object(String(line))
            guard let location = record["location"] as? String, location.hasPrefix("pictures/"),
                let size = sizes[String(location.dropFirst(9))], let width = record["width"] as? Int,
                let height = record["height"] as? Int
            else { continue }
            #expect(size == [width, height], "\(location)")
            compared += 1
        }
        #expect(compared > 50)
    }

    @Test(
        arguments: [
            (
                ["a.wmv", "b.FLV"], ["c.txt", "d/e.pdf"],
                "2 videos and 2 other files were left out: their formats are not imported"
            ),
            (["a.wmv"], [], "1 video was left out: its format is not imported"),
            ([], ["c.txt"], "1 file was left out: its format is not imported"), ([], [], nil),
        ] as [([String], [String], String?)])
    func `an import names the files that it left out, and prints no zeros`(
        videos: [String], others: [String], sentence: String?
    ) throws {
        try FileManager.default.createDirectory(
            at: photostream.url("pictures/d"), withIntermediateDirectories: false)
        for name in videos + others + [".DS_Store"] { try photostream.write("pictures/\(name)", "not a picture") }
        let more = videos.count + others.count
        for run in 0..<2 {
            let outcome = try importFolder("--no-pictures", "--report", "report.json", "pictures")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = outcome.errors.split(separator: "\n").map(String.init)
            let all = [sentence, "left out by rules: 1 hidden file"].compactMap(\.self)
            #expect(lines.filter { $0.contains("left out") } == all, "\(outcome.errors)")
            let report = try Command.Outcome.object(try photostream.text("report.json"))
            #expect(report["videos"] as? Int == videos.count && report["ignored"] as? Int == others.count)
            let read = try #require(report["read"] as? Int)
            #expect(lines.contains { $0.hasPrefix("\(read + more) files in ") }, "\(outcome.errors)")
            let rows = outcome.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(rows.allSatisfy { $0.count == 2 && $0[1] != "0" }, "\(outcome.output)")
            let names =
                ["read", run == 0 ? "inserted" : "unchanged"] + (videos.isEmpty ? [] : ["videos"])
                + (others.isEmpty ? [] : ["ignored"])
            #expect(rows.map { $0[0] } == names, "\(outcome.output)")
        }
    }

    @Test func `an import counts what rules leave out, in words and in JSON`() throws {
        for name in ["@eaDir/a.jpg", "phone/.nomedia", "raw/b.jpg", ".c.jpg", "d.TXT", "e.png", "f.wmv"] {
            let url = photostream.url("pictures/" + name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("not a picture".utf8).write(to: url)
        }
        try photostream.write("pictures/.photostreamignore", "/e.*")
        let outcome = try importFolder("--no-pictures", "--json", "--exclude", "RAW", "--exclude", "*.txt", "pictures")
        let line =
            "left out by rules: 1 system folder, 1 hidden file, 1 folder with .nomedia, 1 file by .photostreamignore, "
            + "1 folder by patterns, 1 file by patterns\n"
        #expect(outcome.errors.contains(line), "\(outcome.errors)")
        let leftOut = try #require(try outcome.json["leftOut"] as? [String: [String: Int]])
        #expect(leftOut["files"] == ["hidden": 1, "ignoreFile": 1, "pattern": 1, "video": 1])
        #expect(leftOut["folders"] == ["system": 1, "nomedia": 1, "pattern": 1])
        #expect(try outcome.json["videos"] as? Int == 1 && outcome.json["ignored"] as? Int == 0)
    }

    @Test func `an import of videos alone says so`() throws {
        try FileManager.default.createDirectory(at: photostream.url("films"), withIntermediateDirectories: false)
        for number in 1...12 { try photostream.write("films/\(number).wmv", "film") }
        let outcome = try importFolder("films")
        #expect(outcome.status == 0 && outcome.output == "read     0\nvideos  12\n", "\(outcome.output)")
        let line = "12 videos were left out: their formats are not imported\n"
        #expect(outcome.errors.contains(line), "\(outcome.errors)")
    }

    @Test func `an import creates files that only their owner can read`() throws {
        let old = umask(0)
        defer { umask(old) }
        #expect(try importFolder("pictures").status == 0)
        let files = try photostream.files.filter { $0.hasPrefix("photostream.") }
        #expect(files.contains("photostream.sqlite") && files.count >= 2, "\(files)")
        for name in files { #expect(FileStatus(path: photostream.url(name).path)?.permissions == 0o600, "\(name)") }
    }

    @Test func `damaged files are rejected with path and reason, and the exit code is 2`() throws {
        try photostream.write("pictures/empty.jpg", "")
        try photostream.write("pictures/notes.md", "no picture")
        let whole = try Data(contentsOf: photostream.url("pictures/harbour-dusk.jpg"))
        try whole.prefix(300).write(to: photostream.url("pictures/cut.jpg"))
        mkfifo(photostream.url("pictures/pipe.jpg").path, 0o600)
        let outcome = try importFolder("--report", "report.json", "pictures")
        #expect(outcome.status == 2)
        let report = try Command.Outcome.object(try photostream.text("report.json"))
        let files = try #require(report["files"] as? [[String: Any]])
        let rejected = files.filter { $0["result"] as? String == "rejected" }.compactMap { $0["path"] as? String }
        #expect(rejected.contains { $0.hasSuffix("/cut.jpg") } && rejected.contains { $0.hasSuffix("/pipe.jpg") })
        #expect(rejected.count == report["rejected"] as? Int)
        let read = report["read"] as? Int
        #expect(
            read
                == ["inserted", "updated", "unchanged", "duplicate", "rejected"].reduce(0) {
                    $0 + (report[$1] as? Int ?? -1)
                })
        for path in rejected {
            #expect(outcome.errors.split(separator: "\n").count { $0.hasPrefix("\(path): ") } == 1, "\(outcome.errors)")
        }
    }

    @Test func `photos of a disk that is not mounted stay, also if it has few of them`() throws {
        try FileManager.default.createDirectory(
            at: photostream.url("pictures/disk"), withIntermediateDirectories: false)
        let outcome = try photostream.mounting(
            "mount -t tmpfs tmpfs pictures/disk",
            """
            cp pictures/harbour-dusk.jpg pictures/disk/away.jpg && "$0" import --stream family pictures || exit 78
            umount pictures/disk && rm pictures/harbour-dusk.jpg
            "$0" import --stream family --prune pictures
            """)
        guard let outcome else { return }
        #expect(outcome.status == 2 && outcome.errors.contains("pictures/disk: its disk is not mounted"), "\(outcome)")
        func shown(_ id: String) throws -> Int32 {
            try photostream("photos", "show", "--stream", "family", id).status
        }
        #expect(try shown("disk/away.jpg") == 0 && shown("harbour-dusk.jpg") == 1)
        // The user confirms that the photos are gone for good.
        let pruned = try importFolder("--prune", "--prune-folder", "pictures/disk", "pictures")
        #expect(try pruned.status == 0 && shown("disk/away.jpg") == 1, "\(pruned.errors)")
    }

    @Test func `a dry run changes nothing`() throws {
        let outcome = try importFolder("--dry-run", "--json", "pictures")
        let count = try count()
        #expect(try outcome.json["inserted"] as? Int == count, "\(outcome.errors)")
        #expect(try !photostream.files.contains("photostream.sqlite"))
    }

    @Test func `folders and records in one command make one report, and records outrank files`() throws {
        try photostream.write("a.jsonl", #"{"id":"harbour-dusk.jpg","width":1,"height":1,"caption":"Mine"}"#)
        let outcome = try importFolder("--json", "pictures", "a.jsonl")
        let count = try count()
        #expect(try outcome.json["read"] as? Int == count + 1, "\(outcome.errors)")
        let photo = try photostream("photos", "show", "--stream", "family", "--json", "harbour-dusk.jpg")
        #expect(try photo.json["caption"] as? String == "Mine")
        #expect(try photo.json["width"] as? Int == 1)
    }

    @Test func `an import killed at random moments and repeated equals one that was not`() throws {
        let runner = ProcessRunner(folder: photostream.folder.path)
        let pictures = photostream.url("pictures")
        for name in try FileManager.default.contentsOfDirectory(atPath: pictures.path) {
            for copy in 0..<5 {
                let folder = pictures.appending(path: "\(copy)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try FileManager.default.linkItem(at: pictures.appending(path: name), to: folder.appending(path: name))
            }
        }
        let arguments = ["import", "--stream", "s", "--no-pictures", pictures.path, "--database"]
        let reference = photostream.url("reference.sqlite").path
        let start = ContinuousClock.now
        try #require(try runner.run(arguments + [reference]).terminationStatus == 0)
        let duration = ContinuousClock.now - start
        let sql = "SELECT * FROM photo ORDER BY id; SELECT * FROM pictureFile ORDER BY path"
        let expected = try runner.sqlite(reference, sql)
        var random = SplitMix64(seed: 31)
        for attempt in 0..<6 {
            let database = photostream.url("killed-\(attempt).sqlite").path
            for _ in 0..<3 { _ = try runner.kill(arguments + [database], after: duration * random.fraction()) }
            #expect(try runner.run(arguments + [database]).terminationStatus == 0)
            #expect(try runner.sqlite(database, sql) == expected, "attempt \(attempt)")
            try runner.expectSound(database, "attempt \(attempt)")
        }
    }
}

/// Uses of `photostream import` with folders that end before any picture is read.
@Suite struct ImportFolderUsageTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try FileManager.default.createDirectory(at: photostream.url("pictures"), withIntermediateDirectories: true)
    }

    @Test func `contradictory options are refused`() throws {
        try photostream.write("a.jsonl", #"{"id":"a","width":1,"height":1}"#)
        let bad: [([String], String)] = [
            (
                ["--format", "csv", "pictures"],
                "--format is for files of records, and every source is a folder of pictures"
            ),
            (["--map", "id=x", "pictures"], "--map is for files of records"),
            (["--watch", "a.jsonl"], "--watch is for folders of pictures, and no source is a folder"),
            (["--prune", "-"], "--prune is for folders of pictures"),
            (["--watch", "--dry-run", "pictures"], "--watch changes the stream, so it cannot be a --dry-run"),
        ]
        for (arguments, message) in bad {
            let outcome = try photostream.run(["import", "--stream", "s"] + arguments)
            #expect(outcome.status == 64 && outcome.errors.contains(message), "\(arguments): \(outcome.errors)")
        }
        #expect(try !photostream.files.contains("photostream.sqlite"))
    }

    @Test func `without a worker, the error explains how to get one`() throws {
        let process = Process()
        process.executableURL = try Command.binary()
        process.arguments = ["import", "--stream", "s", "pictures"]
        process.currentDirectoryURL = photostream.folder
        process.environment = ProcessInfo.processInfo.environment.merging(["PHOTOSTREAM_PICTURES_WORKER": "/nowhere"]) {
            $1
        }
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(text.contains("photostream-pictures") && text.contains("libvips"))
        #expect(try !photostream.files.contains("photostream.sqlite"))
    }
}
