import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

/// The rights of roles of people, and connections with TLS.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct PrimaryAccessTests {
    /// The SQL of Documentation/Scaling.md that makes a role, with another name and an end that comes sooner.
    private func scriptOfRole(named name: String, idleTimeout: String) throws -> String {
        let page = URL(filePath: #filePath).appending(path: "../../../Documentation/Scaling.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "    CREATE ROLE editor")).lowerBound
        let end = try #require(text.range(of: "\n\n", range: start..<text.endIndex)).lowerBound
        return String(text[start..<end]).replacing("editor", with: name).replacing("30s", with: idleTimeout)
    }

    private func session(of role: String, at primary: TestPrimary) throws -> PrimaryConnection {
        let address = "postgres://\(role)@127.0.0.1:\(primary.server.port)/\(primary.name)"
        return try PrimaryConnection(PrimaryAddress(address), within: .seconds(5))
    }

    @Test func `edits of a role that may edit photos are logged, and it may do nothing else`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let replica = try primary.replica()
        let role = "\(primary.name)_person"
        try primary.psql(scriptOfRole(named: role, idleTimeout: "30s"))
        defer { _ = try? primary.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let person = try session(of: role, at: primary)
        try person.run(
            script: """
                UPDATE photo SET caption = 'by hand' WHERE id = 2; DELETE FROM photo WHERE id = 3;
                INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'new', 4, 3)
                """, within: .seconds(5))
        for statement in [
            "SELECT * FROM token", "SELECT * FROM secret", "DELETE FROM change", "UPDATE counter SET revision = 0",
            "INSERT INTO commit DEFAULT VALUES", "DELETE FROM stream", "TRUNCATE photo",
        ] {
            let failure = #expect(throws: PrimaryError.self) { try person.run(script: statement, within: .seconds(5)) }
            #expect(failure?.state == "42501", "\(statement): \(failure?.message ?? "allowed")")
        }
        try replica.pull()
        let photos = try replica.database.read { try $0.photos(streamID: 1, after: nil, limit: 10) }
        #expect(Set(photos.map(\.photo.id.rawValue)) == ["p1", "p2", "new"])
        #expect(try replica.rows(.photo) == primary.replica().rows(.photo))
        #expect(try primary.log().map(\.photo) == [1, 2, 3, 2, 3, 4])
    }

    @Test func `an idle transaction of such a role ends by itself, and a write that waits for its photo goes on`()
        throws
    {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let replica = try primary.replica()
        let role = "\(primary.name)_idle"
        try primary.psql(scriptOfRole(named: role, idleTimeout: "500ms"))
        defer { _ = try? primary.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let person = try session(of: role, at: primary)
        try person.run(script: "BEGIN; UPDATE photo SET caption = 'left open' WHERE id = 1", within: .seconds(5))
        var record = PhotoRecord(id: try PhotoID("p1"))
        record.title = .set("after it")
        let photo = try replica.database.write { try $0.edit(streamID: 1, record: record) }
        #expect(photo?.photo.title == "after it" && photo?.photo.caption == nil)
        let failure = #expect(throws: PrimaryError.self) { try person.run(script: "COMMIT", within: .seconds(5)) }
        #expect(failure != nil)
    }

    @Test func `TLS is used as the address says, and a certificate for another name is refused`() throws {
        let server = try PostgresServer()
        let made = Process()
        made.executableURL = URL(filePath: "/bin/sh")
        made.arguments = [
            "-c",
            """
            cd '\(server.folder)' && for name in server other; do
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout $name.key -out $name.pem \
                    -days 2 -subj /CN=db.lan -addext subjectAltName=IP:127.0.0.1 2>/dev/null || exit 1
            done
            chmod 0600 *.key; chmod 0644 *.pem; chown "$(stat -c %U data)" *.key
            """,
        ]
        try made.run()
        made.waitUntilExit()
        #expect(made.terminationStatus == 0)
        server.stop()
        try server.start(settings: [
            "ssl=on", "ssl_cert_file=\(server.folder)/server.pem", "ssl_key_file=\(server.folder)/server.key",
        ])
        let plain = try server.createDatabase()
        let path = plain.split(separator: "/").last.map(String.init) ?? ""
        func connect(host: String, options: String) throws(PrimaryError) -> PrimaryConnection {
            let address = "postgres://photos@\(host):\(server.port)/\(path)?\(options)"
            return try PrimaryConnection(PrimaryAddress(address), within: .seconds(5))
        }
        let trusted = "sslmode=verify-full&sslrootcert=\(server.folder)/server.pem"
        let connection = try connect(host: "127.0.0.1", options: trusted)
        let question = PrimaryStatement(sql: "SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
        #expect(try connection.run([question], within: .seconds(5))[0].integer(0, column: 0) == 1)
        let otherName = #expect(throws: PrimaryError.self) { try connect(host: "localhost", options: trusted) }
        #expect(
            otherName?.message.contains("does not match host name \"localhost\"") == true, "\(otherName?.message ?? "")"
        )
        let otherRoot = #expect(throws: PrimaryError.self) {
            try connect(
                host: "127.0.0.1", options: "sslmode=verify-full&sslrootcert=\(server.folder)/other.pem")
        }
        #expect(otherRoot?.message.contains("certificate verify failed") == true, "\(otherRoot?.message ?? "")")
    }
}
