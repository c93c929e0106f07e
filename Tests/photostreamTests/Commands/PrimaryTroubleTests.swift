import Foundation
import PhotoStreamTestSupport
import Testing

/// Commands about a primary in trouble report the problem and its remedy.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct PrimaryTroubleTests {
    private let photostream: Command
    private let server: PostgresServer
    private let address: String
    private let name: String

    init() throws {
        photostream = try Command()
        server = try PostgresServer.shared.get()
        address = try server.createDatabase()
        name = String(address.split(separator: "/").last ?? "")
    }

    private func addPhotos() throws {
        try photostream("primary", "init", "--primary", address)
        try server.psql(
            """
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('s', 1);
            INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'p' || i, 40, 30 FROM generate_series(1, 3) i
            """, database: name)
    }

    /// The subcommands of `primary` that connect to one, each with the arguments that it needs.
    private static let subcommands = [
        ["status"], ["init"], ["load", "--database", "some.sqlite"], ["dump", "copy.sqlite"], ["retention"],
        ["forget", "gone"], ["accept", "5f1c92d04be37a68"], ["accept-replication"],
    ]

    @Test func `every subcommand is tried`() throws {
        let help = try photostream("primary", "--help").output
        let listed = help.split(separator: "SUBCOMMANDS:")[1].matches(of: /\n  ([a-z-]+)/).map { String($0.output.1) }
        // `lost` reads files alone.
        #expect(Set(listed) == Set(Self.subcommands.map { $0[0] } + ["lost"]))
    }

    @Test(arguments: subcommands, [[], ["--json"]])
    func `every failure of a subcommand has a sentence`(subcommand: [String], form: [String]) throws {
        try photostream.importSamples()
        try FileManager.default.copyItem(
            at: photostream.url("photostream.sqlite"), to: photostream.url("some.sqlite"))
        var cases = ["postgres://photos@127.0.0.1:1/photos", address + "-missing"]
        if subcommand[0] != "init" { cases.append(address) }
        for address in cases {
            let outcome = try photostream.run(["primary"] + subcommand + ["--primary", address] + form)
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errors.hasPrefix("photostream: ") && outcome.errors.count > 30, "\(outcome)")
        }
    }

    @Test func `the status shows a session that holds up all writers, with the statement that ends it`() throws {
        try addPhotos()
        let session = try OpenSession(at: server, database: name)
        try session.run("BEGIN; LOCK TABLE photo IN EXCLUSIVE MODE")
        let status = try photostream("primary", "status", "--primary", address)
        #expect(status.status == 1)
        let row = try #require(status.output.split(separator: "\n").last)
        #expect(
            row.hasPrefix("all writers  ") && row.hasSuffix("LOCK TABLE photo IN EXCLUSIVE MODE;"), "\(status.output)")
        let remedy = try #require(status.errors.firstMatch(of: /to end it: (SELECT pg_terminate_backend\(\d+\))\n/))
        #expect(
            status.errors.contains(/photostream: the session \d+ of photos \(psql\) holds up all writers;/),
            "\(status.errors)")
        let again = try photostream("primary", "status", "--primary", address, "--json")
        #expect(again.status == 1 && again.errors == status.errors)
        let holder = try #require((try again.json["holders"] as? [[String: Any]])?.first)
        #expect(holder["holdsUp"] as? String == "all-writers" && holder["role"] as? String == "photos")
        #expect(holder["application"] as? String == "psql" && holder["since"] is String && holder["process"] is Int)
        #expect(holder["remedy"] as? String == String(remedy.output.1))
        #expect((try again.json["problems"] as? [String])?.count == 1)
        try server.psql(String(remedy.output.1), database: name)
        let after = try photostream("primary", "status", "--primary", address)
        #expect(after.status == 0 && after.errors.isEmpty, "\(after)")
    }

    @Test func `a write of the command ends a session that holds it up, and reports it`() throws {
        try addPhotos()
        let session = try OpenSession(at: server, database: name)
        try session.run("BEGIN; LOCK TABLE photo IN EXCLUSIVE MODE")
        let edited = try photostream(
            "photos", "edit", "--stream", "s", "p1", "--caption", "By hand", "--primary", address, "--database",
            "replica.sqlite")
        #expect(edited.status == 0, "\(edited)")
        #expect(
            edited.errors.contains(
                /photostream: a session held up all writers and was ended, for \d s: the session \d+ of photos \(psql\)\n/
            ),
            "\(edited.errors)")
    }

    @Test func `a missing follower is forgotten, an active one is not`() throws {
        try addPhotos()
        try server.psql(
            "INSERT INTO follower VALUES ('web 1', 1, 1, now() - interval '1 hour'), ('web 2', 1, 1, now())",
            database: name)
        let none = try photostream("primary", "forget", "web", "--primary", address)
        #expect(none.status == 1 && none.errors == "photostream: there is no follower \"web\"\n")
        let living = try photostream("primary", "forget", "web 2", "--primary", address)
        #expect(living.status == 1)
        #expect(
            living.errors.contains(
                /^photostream: "web 2" still follows: it was seen \d+ s ago; end that server first, and wait for 30 s\n$/
            ),
            "\(living.errors)")
        #expect(try photostream("primary", "forget", "web 1", "--primary", address).output == "forgot web 1\n")
        let followers = try photostream("primary", "status", "--primary", address, "--json").json["followers"]
        #expect((followers as? [[String: Any]])?.map { $0["name"] as? String } == ["web 2"])
    }

    @Test func `doctor examines the primary, alone or with its replica`() throws {
        try addPhotos()
        let alone = try photostream("doctor", "--primary", address, "--json")
        let findings = try #require(try alone.json["findings"] as? [[String: Any]])
        #expect(Set(findings.map { $0["subject"] as? String }) == ["primary"] && findings.count >= 6)
        // The servers of tests save time so.
        let problems = findings.filter { $0["state"] as? String == "problem" }
        #expect(problems.map { ($0["text"] as? String)?.prefix(12) } == ["fsync is off"])
        try server.psql("ALTER TABLE photo DISABLE TRIGGER photoUpdated", database: name)
        try photostream("streams", "--primary", address, "--database", "replica.sqlite")
        let both = try photostream("doctor", "--primary", address, "--database", "replica.sqlite")
        #expect(both.status == 1)
        #expect(both.output.hasPrefix("ok       file         replica.sqlite: photos 3"), "\(both.output)")
        #expect(
            both.output.contains(
                """
                problem  primary      the trigger photoupdated of photo is not ENABLE ALWAYS, so changes can escape the log
                                      to do: ALTER TABLE photostream.photo ENABLE ALWAYS TRIGGER photoupdated

                """), "\(both.output)")
        let missing = try photostream("doctor", "--primary", address, "--database", "missing.sqlite")
        #expect(missing.output.contains("problem  file"), "\(missing.output)")
    }

    @Test(.enabled("needs pgbouncer") { PgBouncer.isAvailable })
    func `a transaction pooler is reported by the server and by doctor, and a session pooler works`() throws {
        try addPhotos()
        let lending = try PgBouncer(before: server, mode: .transaction)
        let pooled = lending.address(of: name)
        for file in ["new.sqlite", "replica.sqlite"] {
            // The second file is a replica already.
            if file == "replica.sqlite" { try photostream("streams", "--primary", address, "--database", file) }
            let served = try photostream("serve", "--open", "--port", "0", "--primary", pooled, "--database", file)
            #expect(served.status == 1)
            #expect(
                served.errors.hasPrefix(
                    "photostream: \(pooled) leads to a pooler that gives each transaction another session"),
                "\(served.errors)")
            #expect(served.errors.contains("pool_mode = session"))
        }
        let keeping = try PgBouncer(before: server, mode: .session)
        let edited = try photostream(
            "photos", "edit", "--stream", "s", "p1", "--caption", "By hand", "--primary", keeping.address(of: name),
            "--database", "replica.sqlite")
        #expect(edited.status == 0, "\(edited)")
        let examined = try photostream("doctor", "--primary", keeping.address(of: name))
        #expect(examined.output.contains("warning  primary      a pooler is between"), "\(examined.output)")
    }
}
