import Foundation
import PhotoStreamTestSupport
import Testing

@Suite struct RestoreCommandTests {
    private let photostream: Command

    init() throws { photostream = try Command() }

    private func path(_ name: String) -> String { photostream.folder.appending(path: name).path }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: photostream.folder.path).sorted()
    }

    private func photos(_ database: String = "photostream.sqlite") throws -> String {
        try photostream("photos", "list", "--stream", "demo", "--export", "--database", database).output
    }

    @Test func `a backup made under a write load is restored, verifies and answers`() throws {
        let lines = (0..<40_000).map {
            "{\"id\":\"p\($0)\",\"width\":3,\"height\":2,\"takenAt\":\"19\(10 + $0 % 90)\"}"
        }
        try photostream.write("p.jsonl", lines.joined(separator: "\n"))
        try photostream("streams", "create", "demo")
        let importing = try photostream.start(["import", "--stream", "demo", "p.jsonl"])
        let isUnderWay = try eventually {
            let streams = try photostream("streams", "--json").json["streams"] as? [[String: Any]]
            return (streams?.first?["count"] as? Int ?? 0) > 0
        }
        #expect(isUnderWay)
        #expect(try photostream("backup", "copy.sqlite").status == 0)
        #expect(try importing.outcome().status == 0)
        let restored = try photostream("restore", "copy.sqlite", "--database", "new.sqlite", "--json")
        #expect(restored.status == 0, "\(restored.errors)")
        let size = try FileManager.default.attributesOfItem(atPath: path("new.sqlite"))[.size] as? Int
        let result = try restored.json
        #expect(result["bytes"] as? Int == size && result["kept"] is NSNull)
        #expect(try photos("new.sqlite") == photos("copy.sqlite"))
        #expect(try photostream("cache", "verify", "--database", "new.sqlite").status == 0)
        let page = try photostream("page", "--stream", "demo", "--width", "600", "--database", "new.sqlite", "--json")
        #expect(try (page.json["items"] as? [Any])?.isEmpty == false)
    }

    @Test func `an existing database is kept, with the content of its write-ahead log`() throws {
        try photostream.importSamples()
        try photostream("backup", "copy.sqlite")
        let before = try photos()
        try photostream("photos", "edit", "--stream", "demo", "orientation-8", "--caption", "By hand")
        let edited = try photos()
        let refused = try photostream("restore", "copy.sqlite")
        #expect(refused.status == 1)
        #expect(
            refused.errors
                == "photostream: \"photostream.sqlite\" already exists; --replace puts the backup in its place, and keeps it\n"
        )
        #expect(try photos() == edited)
        let restored = try photostream("restore", "--replace", "copy.sqlite", "--json")
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try photos() == before)
        let kept = try #require(restored.json["kept"] as? String)
        #expect(try photos(kept) == edited)
        // The backup has got no companions from being read.
        #expect(try names().filter { $0.hasPrefix("copy.sqlite") } == ["copy.sqlite"])
        #expect(try !names().contains { $0.contains("partial") })
    }

    @Test func `a database that is too damaged to open is replaced, too`() throws {
        try photostream.importSamples()
        try photostream("backup", "copy.sqlite")
        let before = try photos()
        try photostream.write("photostream.sqlite", "no database at all")
        let restored = try photostream("restore", "--replace", "copy.sqlite")
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try photos() == before)
    }

    @Test(arguments: ["-wal", "-journal"])
    func `companions without their file are moved away so that they do not become part of the backup`(
        ending: String
    ) throws {
        try photostream.importSamples()
        try photostream("backup", "copy.sqlite")
        let companion = "new.sqlite" + ending
        try photostream.write(companion, "left over")
        let refused = try photostream("restore", "copy.sqlite", "--database", "new.sqlite")
        #expect(refused.status == 1 && refused.errors.contains("\"\(companion)\" already exists"), "\(refused.errors)")
        #expect(try photostream("restore", "copy.sqlite", "--database", "new.sqlite", "--replace").status == 0)
        #expect(try photos("new.sqlite") == photos())
        #expect(try names().contains { $0.hasPrefix("new.sqlite.replaced-") && $0.hasSuffix(ending) })
    }

    @Test func `the permissions of owner and group are kept, and a new file is private`() throws {
        try photostream.importSamples()
        try photostream("backup", "copy.sqlite")
        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
        }
        func setMode(_ mode: Int, of name: String) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
        }
        try setMode(0o644, of: "photostream.sqlite")
        try setMode(0o644, of: "copy.sqlite")
        #expect(try photostream("restore", "--replace", "copy.sqlite").status == 0)
        #expect(try mode("photostream.sqlite") == 0o640)
        let kept = try #require(try names().first { $0.hasPrefix("photostream.sqlite.replaced-") })
        #expect(try mode(kept) == 0o640)
        #expect(try photostream("restore", "copy.sqlite", "--database", "new.sqlite").status == 0)
        #expect(try mode("new.sqlite") == 0o600)
    }

    /// Makes a backup and changes it by SQL.
    private func makeBackup(changedBy sql: String, named name: String = "changed.sqlite") throws {
        try photostream.importSamples()
        try photostream("backup", name)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [path(name), sql]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test(arguments: [
        (
            "CREATE TRIGGER evil AFTER UPDATE ON photo BEGIN DELETE FROM stream; END",
            "the trigger evil is not PhotoStream's, but runs when PhotoStream writes"
        ),
        (
            "CREATE VIEW v AS SELECT 1 AS a; CREATE TRIGGER evil INSTEAD OF INSERT ON v BEGIN DELETE FROM stream; END",
            "the trigger evil is not PhotoStream's"
        ),
        (
            "ALTER TABLE token RENAME TO old; CREATE VIEW token AS SELECT *, 2 AS other FROM old",
            "the table token is missing"
        ),
        ("DROP TRIGGER photoUpdated", "the trigger photoUpdated is missing"),
        (
            "DROP TRIGGER photoDeleted; CREATE TRIGGER photoDeleted AFTER DELETE ON photo BEGIN SELECT 1; END",
            "the trigger photoDeleted differs from that of its version"
        ),
        (
            "DROP INDEX photoPlace; CREATE INDEX photoPlace ON photo (id)",
            "the index photoPlace differs from that of its version"
        ),
        ("ALTER TABLE share ADD COLUMN more TEXT", "the table share differs from that of its version"),
        ("INSERT INTO grdb_migrations VALUES ('V999_later')", "made by a newer PhotoStream"),
        (
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'stream'
            """, "stream"
        ),
    ])
    func `a backup whose schema is not that of its version is refused, and doctor finds it`(
        sql: String, reason: String
    ) throws {
        try makeBackup(changedBy: sql)
        let before = try photos()
        let refused = try photostream("restore", "--replace", "changed.sqlite")
        #expect(refused.status == 1 && refused.errors.contains(reason), "\(refused.errors)")
        #expect(try photos() == before)
        #expect(try !names().contains { $0.contains("partial") || $0.contains("replaced") })
        let examined = try photostream("doctor", "--database", "changed.sqlite")
        #expect(examined.status == 1, "\(examined.output)")
    }

    @Test(arguments: ["DELETE FROM photo WHERE id = 3", "UPDATE photo SET externalId = 'other' WHERE id = 3"])
    func `a backup whose index has other rows than its table is refused`(change: String) throws {
        // Without its entry in the schema, an index is not written; then it is there again.
        try makeBackup(
            changedBy: """
                CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'photoExternalId';
                PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'photoExternalId'
                """)
        for sql in [
            change,
            """
            PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM kept
            """, "DROP TABLE kept",
        ] {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/sqlite3")
            process.arguments = [path("changed.sqlite"), sql]
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
        let before = try photos()
        let refused = try photostream("restore", "--replace", "changed.sqlite")
        #expect(refused.status == 1 && refused.errors.contains("changed.sqlite is damaged: "), "\(refused.errors)")
        #expect(try photos() == before)
    }

    @Test(arguments: [
        (["restore", "copy.sqlite", "--database", "full/a.sqlite"], "full/a.sqlite"),
        (["backup", "full/b.sqlite"], "full/b.sqlite"),
    ])
    func `a message about a full disk names the file being written`(arguments: [String], name: String) throws {
        try photostream.importSamples()
        try photostream("backup", "copy.sqlite")
        try FileManager.default.createDirectory(at: photostream.url("full"), withIntermediateDirectories: false)
        // Without the right to mount, there is no small disk.
        let outcome = try photostream.mounting(
            "mount -t tmpfs -o size=100k tmpfs full", "exec \"$0\" \"$@\"", arguments)
        guard let outcome else { return }
        #expect(outcome.status == 1)
        #expect(outcome.errors == "photostream: \(name) cannot be written: the disk is full\n")
    }

    @Test func `the other tables of a backup are restored and listed`() throws {
        try makeBackup(
            changedBy: """
                CREATE TABLE notes (text); CREATE VIEW recent AS SELECT 1; CREATE INDEX mine ON photo (camera);
                ANALYZE
                """)
        let restored = try photostream("restore", "--replace", "changed.sqlite", "--json")
        #expect(restored.status == 0, "\(restored.errors)")
        let others = ["index mine", "table notes", "view recent"]
        #expect(try restored.json["others"] as? [String] == others)
        let examined = try photostream("doctor")
        #expect(examined.status == 0 && examined.output.contains(others.joined(separator: ", ")), "\(examined.output)")
        let again = try photostream("restore", "--replace", "changed.sqlite")
        #expect(again.output.contains("it has what PhotoStream has not made: \(others.joined(separator: ", "))"))
    }

    @Test func `leftovers of a killed restoration are removed by the next one, and by a server`() throws {
        try photostream.importSamples()
        try photostream("backup", "copy.sqlite")
        // The leftover of a process that has ended.
        let gone = Process()
        gone.executableURL = URL(filePath: "/bin/true")
        try gone.run()
        gone.waitUntilExit()
        let partial = ".photostream.sqlite.\(gone.processIdentifier).partial"
        func leave() throws {
            for ending in ["", "-wal", "-shm", "-journal"] { try photostream.write(partial + ending, "left") }
        }
        try leave()
        #expect(try photostream("restore", "--replace", "copy.sqlite").status == 0)
        #expect(try !names().contains { $0.contains("partial") })
        try leave()
        try FileManager.default.removeItem(at: photostream.url(partial))
        let server = try ServedFile(in: photostream.folder)
        #expect(try !names().contains { $0.contains("partial") })
        server.signal(SIGTERM)
        #expect(server.end().status == 0)
    }

    @Test func `killed restorations leave the database unchanged, and nothing else`() throws {
        try photostream.importSamples()
        try photostream("backup", "copy.sqlite")
        let before = try photos()
        let runner = ProcessRunner(folder: photostream.folder.path)
        var random = SplitMix64(seed: 9)
        for _ in 0..<12 {
            _ = try runner.kill(
                ["restore", "--replace", "--database", path("photostream.sqlite"), path("copy.sqlite")],
                after: .microseconds(random.int(in: 0...60_000)))
            if try !names().contains("photostream.sqlite") {
                // Between its two renames: the old file has another name.
                #expect(try names().contains { $0.hasPrefix("photostream.sqlite.replaced-") })
                #expect(try photostream("restore", "copy.sqlite").status == 0)
            }
            #expect(try photos() == before)
        }
        #expect(try photostream("restore", "--replace", "copy.sqlite").status == 0)
        #expect(try !names().contains { $0.contains("partial") })
    }

    @Test func `a link is neither opened nor replaced`() throws {
        try photostream.importSamples()
        try photostream("backup", "copy.sqlite")
        try FileManager.default.moveItem(
            at: URL(filePath: path("photostream.sqlite")), to: URL(filePath: path("photos.sqlite")))
        try FileManager.default.createSymbolicLink(
            atPath: path("photostream.sqlite"), withDestinationPath: "photos.sqlite")
        let refused = try photostream("restore", "--replace", "copy.sqlite")
        #expect(refused.status == 1)
        #expect(refused.errors == "photostream: photostream.sqlite is not a regular file\n", "\(refused.errors)")
        #expect(try photostream("streams").errors == refused.errors)
        #expect(try !names().contains { $0.contains("partial") || $0.contains("replaced") })
    }

    @Test func `an invalid or damaged backup replaces nothing`() throws {
        try photostream.importSamples()
        let before = try photos()
        try photostream.write("text.sqlite", "no database at all, but long enough to have a header: " + before)
        try photostream("backup", "copy.sqlite")
        var bytes = try Data(contentsOf: URL(filePath: path("copy.sqlite")))
        for index in 4_096..<12_288 { bytes[index] = 0xA5 }
        try bytes.write(to: URL(filePath: path("damaged.sqlite")))
        let (text, missing, damaged, itself) = (
            try photostream("restore", "--replace", "text.sqlite"),
            try photostream("restore", "--replace", "nothing.sqlite"),
            try photostream("restore", "--replace", "damaged.sqlite"),
            try photostream("restore", "--replace", "photostream.sqlite")
        )
        #expect(text.status == 1 && text.errors.contains("text.sqlite"), "\(text.errors)")
        #expect(missing.errors == "photostream: nothing.sqlite does not exist\n")
        #expect(damaged.status == 1 && damaged.errors.contains("damaged"), "\(damaged.errors)")
        #expect(
            itself.errors == "photostream: photostream.sqlite is the file itself, not a backup of it\n",
            "\(itself.errors)")
        #expect(try photos() == before)
        let left = try names()
        #expect(!left.contains { $0.contains("replaced") || $0.contains("partial") }, "\(left)")
    }

    @Test func `a database that another program has open is not replaced`() throws {
        try photostream.importSamples()
        try photostream("backup", "copy.sqlite")
        let server = try ServedFile(in: photostream.folder)
        #expect(!server.address.isEmpty)
        let refused = try photostream("restore", "--replace", "copy.sqlite")
        #expect(refused.status == 1)
        #expect(
            refused.errors
                == "photostream: photostream.sqlite is open in another program; end it first, such as a running "
                + "photostream serve\n")
        #expect(server.isRunning)
        server.signal(SIGTERM)
        #expect(server.end().status == 0)
        #expect(try photostream("restore", "--replace", "copy.sqlite").status == 0)
    }

    @Test func `upgrade announces its work, does it once, and is done`() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [path("photostream.sqlite"), "\n" + (try OldFile.sql)]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let before = try Data(contentsOf: URL(filePath: path("photostream.sqlite")))
        let checked = try photostream("upgrade", "--check")
        #expect(checked.status == 1)
        let says = "photostream.sqlite is of an older version; bringing it up to date takes about 1 s: "
        #expect(checked.output.contains(says), "\(checked.output)")
        #expect(checked.output.contains("30 photos"))
        #expect(try Data(contentsOf: URL(filePath: path("photostream.sqlite"))) == before)
        let examined = try photostream("doctor")
        #expect(examined.status == 0 && examined.output.contains("photostream.sqlite was made by an older version"))
        let done = try photostream("upgrade", "--json")
        let result = try done.json
        #expect(done.status == 0 && result["done"] as? Bool == true && result["photos"] as? Int == 30)
        let again = try photostream("upgrade", "--check", "--json")
        let nothing = try again.json["migrations"] as? [Any]
        #expect(again.status == 0 && nothing?.isEmpty == true)
        #expect(try photostream("upgrade").output.contains("nothing to do"))
        #expect(try photostream("upgrade", "--database", "nothing.sqlite").status == 1)
    }
}
