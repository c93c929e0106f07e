import Foundation
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPrimary

/// The examination of a primary finds its problems, and the statements that it names repair them.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct PrimaryExaminationTests {
    /// A change to a healthy primary; DATABASE and ROLE are placeholders for its database and for a role of people.
    struct Damage: Sendable, CustomTestStringConvertible {
        let name: String
        let statements: String
        let state: PrimaryExamination.Finding.State
        /// A part of the finding.
        let text: String

        var testDescription: String { name }
    }

    /// A primary with a role of people as Scaling.md has it.
    private final class Patient {
        let primary: TestPrimary
        let role: String

        init() throws {
            primary = try TestPrimary()
            role = "\(primary.name)_people"
            try primary.addPhotos(3)
            try run(
                """
                CREATE ROLE ROLE LOGIN; ALTER ROLE ROLE SET idle_in_transaction_session_timeout = '30s';
                GRANT USAGE ON SCHEMA photostream TO ROLE; GRANT SELECT ON photostream.stream TO ROLE;
                GRANT SELECT, INSERT, UPDATE, DELETE ON photostream.photo TO ROLE
                """)
        }

        deinit {
            let role = role
            _ = try? primary.psql("DROP OWNED BY \(role); DROP ROLE \(role)")
        }

        func run(_ statements: String) throws {
            try primary.psql(
                statements.replacing(/\bROLE ROLE\b/, with: "ROLE \(role)").replacing(/\b(TO|FROM) ROLE\b/) {
                    "\($0.output.1) \(role)"
                }.replacing("DATABASE DATABASE", with: "DATABASE \(primary.name)"))
        }

        var findings: [PrimaryExamination.Finding] { PrimaryExamination.findings(at: primary.address) }
        var complaints: [PrimaryExamination.Finding] { findings.filter { $0.state != .good } }
    }

    @Test func `a healthy primary has a finding of each check and nothing to repair`() throws {
        let findings = try Patient().findings
        // A primary has these settings for speed in tests alone.
        let others = findings.filter { $0.state != .good && !$0.text.hasPrefix("fsync is off") }
        #expect(others.isEmpty, "\(others)")
        #expect(findings.count >= 6)
        #expect(findings.contains { $0.text.hasSuffix("photos 3, revision 3") }, "\(findings)")
    }

    @Test(arguments: damages)
    func `damage is found, and the suggested statement repairs it`(damage: Damage) throws {
        let patient = try Patient()
        let before = Set(patient.complaints)
        try patient.run(damage.statements)
        let found = patient.complaints.filter { !before.contains($0) }
        let finding = try #require(
            found.first { $0.state == damage.state && $0.text.contains(damage.text) }, "\(found)")
        #expect(found.count == 1, "\(found)")
        let advice = try #require(finding.advice)
        // Without the words for people after the statement.
        try patient.primary.psql(String(advice.prefix { $0 != "," || !advice.hasPrefix("DELETE") }))
        #expect(Set(patient.complaints) == before)
    }

    static let damages: [Damage] = [
        Damage(
            name: "asynchronous commits", statements: "ALTER DATABASE DATABASE SET synchronous_commit = off",
            state: .warning, text: "synchronous_commit is off"),
        Damage(
            name: "read-only", statements: "ALTER DATABASE DATABASE SET default_transaction_read_only = on",
            state: .problem, text: "every write is refused"),
        Damage(
            name: "a table without autovacuum",
            statements: "ALTER TABLE photostream.change SET (autovacuum_enabled = off)", state: .warning,
            text: "autovacuum is off for the table change"),
        Damage(
            name: "a disabled trigger", statements: "ALTER TABLE photostream.photo DISABLE TRIGGER photoUpdated",
            state: .problem, text: "the trigger photoupdated of photo is not ENABLE ALWAYS"),
        Damage(
            name: "a trigger of the origin only",
            statements: "ALTER TABLE photostream.photo ENABLE TRIGGER photoInserted",
            state: .problem, text: "changes can escape the log"),
        Damage(
            name: "endless transactions", statements: "ALTER ROLE ROLE RESET idle_in_transaction_session_timeout",
            state: .warning, text: "do not end by themselves"),
        Damage(
            name: "tokens that can be read", statements: "GRANT SELECT ON photostream.token TO ROLE", state: .problem,
            text: "has the rights SELECT on photostream.token"),
        Damage(
            name: "a secret that all can read", statements: "GRANT SELECT (cursorKey) ON photostream.secret TO PUBLIC",
            state: .problem, text: "the role PUBLIC has the rights SELECT (cursorkey) on photostream.secret"),
        Damage(
            name: "a log that can be changed",
            statements: "GRANT INSERT, DELETE, SELECT ON photostream.change TO ROLE", state: .problem,
            text: "has the rights DELETE, INSERT on photostream.change"),
        Damage(
            name: "a function that can be called",
            statements: "GRANT EXECUTE ON FUNCTION photostream.trimLog() TO PUBLIC",
            state: .problem, text: "on function photostream.trimlog()"),
        Damage(
            name: "a sequence that can be moved", statements: "GRANT UPDATE ON SEQUENCE photostream.batch TO ROLE",
            state: .problem, text: "on sequence photostream.batch"),
        Damage(
            name: "tables that can be created", statements: "GRANT CREATE ON SCHEMA photostream TO ROLE",
            state: .problem, text: "has the rights CREATE on schema photostream"),
        Damage(
            name: "a photo without a stream",
            statements: """
                ALTER TABLE photostream.photo DISABLE TRIGGER ALL; UPDATE photostream.photo SET streamId = 777 WHERE id = 2;
                ALTER TABLE photostream.photo ENABLE TRIGGER ALL;
                DO $$ DECLARE own name; BEGIN
                    FOR own IN SELECT tgname FROM pg_trigger WHERE tgrelid = 'photostream.photo'::regclass
                        AND NOT tgisinternal LOOP
                        EXECUTE format('ALTER TABLE photostream.photo ENABLE ALWAYS TRIGGER %I', own);
                    END LOOP;
                END $$
                """, state: .problem, text: "every server leaves it out: there is no stream 777"),
        Damage(
            name: "malformed sources",
            statements: """
                ALTER TABLE photostream.importRun DROP CONSTRAINT importRunHasSources;
                INSERT INTO photostream.importRun (streamId, sources, startedAtMilliseconds)
                VALUES (1, '["a"]', 1), (1, 'nonsense', 1);
                ALTER TABLE photostream.importRun ADD CONSTRAINT importRunHasSources CHECK (sources LIKE '[%') NOT VALID
                """, state: .problem, text: "it breaks the rule importrunhassources"),
    ]

    @Test func `a role whose sessions the servers may not end is reported with the missing right`() throws {
        let server = try PostgresServer.shared.get()
        let database = try #require(try server.createDatabase().split(separator: "/").last.map(String.init))
        let (owner, editor) = ("\(database)_owner", "\(database)_editor")
        defer {
            _ = try? server.psql("DROP DATABASE \(database) WITH (FORCE)", database: "postgres")
            _ = try? server.psql("DROP ROLE \(owner); DROP ROLE \(editor)", database: "postgres")
        }
        try server.psql(
            "CREATE ROLE \(owner) LOGIN; CREATE ROLE \(editor) LOGIN; ALTER DATABASE \(database) OWNER TO \(owner)",
            database: database)
        let address = try PrimaryAddress("postgres://\(owner)@127.0.0.1:\(server.port)/\(database)")
        let empty = PrimaryExamination.findings(at: address)
        #expect(empty.map(\.state) == [.problem])
        #expect(empty[0].text == "the database has no PhotoStream tables; run `photostream primary init`")
        _ = try PrimaryAdministration(address).initialize()
        try server.psql(
            "GRANT USAGE ON SCHEMA photostream TO \(editor); GRANT UPDATE ON photo TO \(editor)", database: database)
        let found = PrimaryExamination.findings(at: address)
        let finding = try #require(found.first { $0.text.contains("servers may not end its sessions") }, "\(found)")
        #expect(finding.state == .warning && finding.text.hasPrefix("the role \(editor) "))
        try server.psql(try #require(finding.advice), database: database)
        let after = PrimaryExamination.findings(at: address)
        #expect(!after.contains { $0.text.contains("may not end") }, "\(after)")
    }

    @Test func `prepared transactions, missing followers and lock holders are found`() throws {
        let server = try PostgresServer()
        let primary = try TestPrimary(on: server)
        try primary.addPhotos(1)
        server.stop()
        try server.start(settings: ["max_prepared_transactions=5", "autovacuum=off", "full_page_writes=off"])
        try primary.psql(
            """
            INSERT INTO follower VALUES ('web-1:/srv/a.sqlite', 1, 1, now() - interval '2 days'), ('web-2', 1, 1, now())
            """)
        try primary.psql("BEGIN; UPDATE photo SET title = 'held'; PREPARE TRANSACTION 'late'")
        let found = PrimaryExamination.findings(at: primary.address)
        for (text, advice) in [
            ("max_prepared_transactions is 5", "ALTER SYSTEM SET max_prepared_transactions = 0"),
            ("autovacuum is off", "ALTER SYSTEM SET autovacuum = on"),
            ("full_page_writes is off", "ALTER SYSTEM SET full_page_writes = on"),
            (
                "the follower web-1:/srv/a.sqlite was last seen at 20",
                "`photostream primary forget web-1:/srv/a.sqlite`"
            ),
            ("the prepared transaction 'late' of photos holds up all writers", "ROLLBACK PREPARED 'late'"),
        ] {
            #expect(
                found.contains { $0.state != .good && $0.text.contains(text) && $0.advice?.contains(advice) == true },
                "\(text): \(found)")
        }
        #expect(found.contains { $0.text == "followers that were seen within a day: 1" })
    }

    @Test func `a primary that does not answer is a finding`() throws {
        let findings = PrimaryExamination.findings(at: try PrimaryAddress("postgres://u:secret@127.0.0.1:1/photos"))
        #expect(findings.map(\.state) == [.problem] && !findings[0].text.contains("secret"), "\(findings)")
    }
}
