import Foundation
import PhotoStreamTestSupport
import Testing

/// `photostream primary` at a real PostgreSQL server.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct PrimaryCommandTests {
    private let photostream: Command
    private let server: PostgresServer
    private let address: String

    init() throws {
        photostream = try Command()
        server = try PostgresServer.shared.get()
        address = try server.createDatabase()
    }

    @Test func `a file is loaded into a primary, edited there, and dumped with everything`() throws {
        try photostream.importSamples()
        let list = ["photos", "list", "--stream", "demo", "--export"]
        let before = try photostream.run(list).output
        #expect(
            try photostream("primary", "init", "--primary", address).output
                .hasPrefix("ran P001_primary, P002_log, P003_log_upkeep, "))
        #expect(
            try photostream("primary", "init", "--primary", address).output
                == "nothing to do: the tables are up to date\n")
        let count = before.split(separator: "\n").count
        #expect(try photostream("primary", "load", "--primary", address).output == "copied \(count) photos\n")
        let again = try photostream("primary", "load", "--primary", address)
        #expect(again.status == 1)
        #expect(again.errors == "photostream: \(address) has had photos already; load a file into a new database\n")

        let edit = ["photos", "edit", "--stream", "demo", "orientation-8", "--caption", "By hand"]
        let edited = try photostream.run(edit + ["--primary", address, "--database", "replica.sqlite"])
        #expect(edited.status == 0, "\(edited.errors)")
        #expect(try photostream("primary", "dump", "back.sqlite", "--primary", address).output == "wrote back.sqlite\n")
        #expect(try photostream.run(list).output == before)
        let after = try photostream.run(list + ["--database", "back.sqlite"]).output
        #expect(after.contains("By hand") && after.split(separator: "\n").count == count)
        #expect(try photostream("cache", "verify", "--database", "back.sqlite").status == 0)
        let refused = try photostream("primary", "dump", "back.sqlite", "--primary", address)
        #expect(refused.errors == "photostream: \"back.sqlite\" already exists; a dump overwrites nothing\n")

        let status = try photostream("primary", "status", "--primary", address, "--json").json
        #expect(status["photos"] as? Int == count)
        #expect((status["problems"] as? [String])?.isEmpty == true)
    }

    @Test func `the files of replicas and of a dump are private`() throws {
        try photostream("primary", "init", "--primary", address)
        let served = try ServedFile(in: photostream.folder, database: "served.sqlite", "--primary", address)
        #expect(try served.json("/v1/streams")["streams"] != nil)
        try photostream("streams", "--primary", address, "--database", "replica.sqlite")
        try photostream("primary", "dump", "copy.sqlite", "--primary", address)
        let files = try photostream.files.filter { $0.contains(".sqlite") }
        #expect(
            files.isSuperset(of: [
                "served.sqlite", "served.sqlite-wal", "served.sqlite-shm", "served.pictures.sqlite", "replica.sqlite",
                "copy.sqlite",
            ]), "\(files)")
        for name in files.intersection(try photostream.files) {
            #expect(FileStatus(path: photostream.url(name).path)?.permissions == 0o600, "\(name)")
        }
        served.signal(SIGTERM)
        #expect(served.end().status == 0)
    }

    @Test func `another database is refused until it is accepted, and photos that it lacks are recovered`() throws {
        try photostream.importSamples()
        try photostream("primary", "init", "--primary", address)
        try photostream("primary", "load", "--primary", address)
        let other = try server.createDatabase()
        try photostream("primary", "init", "--primary", other)
        let replica = ["--database", "replica.sqlite"]
        let list = ["photos", "list", "--stream", "demo", "--export"] + replica
        let before = try photostream.run(list + ["--primary", address]).output
        #expect(!before.isEmpty)
        let nothing = try photostream("primary", "lost", "--database", "replica.sqlite")
        #expect(nothing.output == "nothing was lost\n")

        let identity = try #require(
            try photostream("primary", "status", "--primary", address, "--json").json["identity"] as? String)
        let refused = try photostream.run(list + ["--primary", other])
        #expect(refused.status == 1)
        #expect(refused.errors.contains("`photostream primary accept \(identity)`"), "\(refused.errors)")
        #expect(
            try photostream("primary", "accept", identity, "--primary", other).output
                == "files of \(identity) may be built again from this database for a day\n")
        try photostream.run(["streams"] + replica + ["--primary", other])

        let lost = try photostream("primary", "lost", "--database", "replica.sqlite").output
        #expect(lost.contains(".lost-") && lost.contains("missing"), "\(lost)")
        #expect(
            try photostream("primary", "lost", "--database", "replica.sqlite", "--json").output.contains("\"missing\""))
        let export = ["primary", "lost", "--database", "replica.sqlite", "--export"]
        #expect(try photostream.run(export).status == 64)
        let lines = try photostream.run(export + ["--stream", "demo"]).output
        // An export begins with a header.
        #expect(lines.split(separator: "\n").count == before.split(separator: "\n").count + 1)
        try lines.write(to: photostream.folder.appending(path: "lost.jsonl"), atomically: true, encoding: .utf8)
        let back = try photostream.run(["import", "lost.jsonl", "--stream", "demo", "--primary", other] + replica)
        #expect(back.status == 0, "\(back.errors)")
        #expect(
            Set(try photostream.run(list + ["--primary", other]).output.split(separator: "\n"))
                == Set(before.split(separator: "\n")))
    }

    @Test func `replication is accepted and refused again`() throws {
        try photostream("primary", "init", "--primary", address)
        let command = ["primary", "accept-replication", "--primary", address]
        #expect(try photostream.run(command).output.hasPrefix("rows of logical replication are accepted"))
        let status = try photostream("primary", "status", "--primary", address)
        #expect(status.status == 1)
        #expect(status.errors.contains("rows of logical replication are accepted, and nothing is logged"))
        #expect(try photostream.run(command + ["--end"]).output.hasPrefix("rows of logical replication are refused"))
        #expect(try photostream("primary", "status", "--primary", address).status == 0)
    }

    @Test func `init reports rows that break a rule with their repair, and continues`() throws {
        try photostream("primary", "init", "--primary", address)
        let name = String(address.split(separator: "/").last ?? "")
        // As a primary of version 0.2.0 has it.
        try server.psql(
            """
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('s', 1);
            ALTER TABLE importRun DROP CONSTRAINT importRunHasSources;
            INSERT INTO importRun (streamId, sources, startedAtMilliseconds) VALUES (1, 'nonsense', 1);
            ALTER TABLE importRun ADD CONSTRAINT importRunHasSources CHECK (sources ~ '^\\[') NOT VALID
            """, database: name)
        for _ in 1...2 {
            let initialized = try photostream("primary", "init", "--primary", address)
            #expect(initialized.status == 0)
            #expect(
                initialized.output.contains(
                    "problem: importRun 1 of the primary does not fit into a file, which leaves it out: it breaks the rule"
                ))
            #expect(initialized.output.contains("UPDATE photostream.importRun SET sources = '[]' WHERE id = 1"))
        }
        try server.psql("UPDATE photostream.importRun SET sources = '[]' WHERE id = 1", database: name)
        #expect(
            try photostream("primary", "init", "--primary", address).output
                == "nothing to do: the tables are up to date\n")
        #expect(try photostream("primary", "status", "--primary", address).status == 0)
    }

    @Test func `the retention is shown and set, and invalid values are refused`() throws {
        try photostream("primary", "init", "--primary", address)
        #expect(
            try photostream("primary", "retention", "--primary", address).output
                == "the log is kept for 7 days and up to 10,000,000 changes, and for followers up to 50,000,000\n")
        let set = try photostream("primary", "retention", "--days", "30", "--primary", address, "--json")
        #expect(set.output == #"{"days":30,"changes":10000000,"changesForFollowers":50000000}"# + "\n")
        let few = try photostream("primary", "retention", "--changes", "60000000", "--primary", address)
        #expect(few.status == 1)
        #expect(
            few.errors
                == "photostream: 50,000,000 changes for followers are fewer than the 60,000,000 that are kept anyway\n")
        #expect(
            try photostream("primary", "retention", "--days=-1", "--primary", address).errors
                .contains("--days is between 0 and 36500"))
        #expect(
            try photostream("primary", "retention", "--changes=-1", "--primary", address).errors
                .contains("--changes is 0 or more"))
        #expect(
            try photostream("primary", "retention", "--primary", address).output.hasPrefix(
                "the log is kept for 30 days"))
    }

    @Test(.enabled("needs root, who may mount a small disk") { geteuid() == 0 })
    func `a disk that fills up during a copy leaves no partial file`() throws {
        try photostream("primary", "init", "--primary", address)
        let name = String(address.split(separator: "/").last ?? "")
        try server.psql(
            """
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('s', 1);
            INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'p' || i, 40, 30 FROM generate_series(1, 50000) i
            """, database: name)
        try photostream("primary", "dump", "whole.sqlite", "--primary", address)
        let path = photostream.folder.appending(path: "whole.sqlite").path
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        // Room for the log or for the file, not for both.
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = [
            "--mount", "/bin/sh", "-c",
            """
            mkdir small && mount -t tmpfs -o size=\(size * 8 / 5) tmpfs small || exit 9
            "$0" streams --primary "$1" --database small/replica.sqlite 2> errors; echo $? > status; ls small > left
            """, try Command.binary().path, address,
        ]
        process.currentDirectoryURL = photostream.folder
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        func text(_ name: String) throws -> String {
            try String(contentsOf: photostream.folder.appending(path: name), encoding: .utf8)
        }
        #expect(try text("status") == "1\n")
        let errors = try text("errors")
        #expect(errors.hasSuffix(" cannot grow: the disk is full\n"), "\(errors)")
        #expect(try text("left").isEmpty)
    }

    @Test func `a command that lacks its primary reports the missing option`() throws {
        let missing = try photostream("primary", "status")
        #expect(missing.status == 64)
        #expect(missing.errors.contains("--primary is missing: the address of the PostgreSQL database"))
        let empty = try photostream("primary", "status", "--primary", address)
        #expect(empty.status == 1)
        #expect(
            empty.errors == "photostream: the database has no PhotoStream tables; run `photostream primary init`\n")
        // Nothing listens there.
        let away = try photostream("primary", "status", "--primary", "postgres://u:secret@127.0.0.1:1/photos")
        #expect(away.status == 1)
        #expect(
            away.errors.hasPrefix("photostream: postgres://u@127.0.0.1:1/photos cannot be used: "), "\(away.errors)")
        #expect(!away.errors.contains("secret"))
    }
}
