import Foundation
import PhotoStreamHTTP
import Testing

/// The settings of a server, and their sources.
@Suite struct ServeConfigurationTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try photostream("streams", "create", "s")
    }

    private func printed(_ arguments: [String], environment: [String: String] = [:]) throws -> [String: [String]] {
        let outcome = try photostream.run(["serve", "--print-configuration"] + arguments, environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let rows = outcome.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return Dictionary(rows.filter { $0.count > 4 }.map { ($0[0], $0) }) { one, _ in one }
    }

    @Test func `options precede the environment, and both precede a file`() throws {
        try photostream.write(
            "server.conf",
            """
            # A comment.
            PHOTOSTREAM_IMPORTS=5
            PHOTOSTREAM_IDLE_SECONDS=55
            PHOTOSTREAM_END_SECONDS=9
            """)
        let rows = try printed(
            ["--configuration", "server.conf", "--set", "imports=7", "--port", "9000"],
            environment: ["PHOTOSTREAM_IMPORTS": "6", "PHOTOSTREAM_IDLE_SECONDS": "66"])
        #expect(rows["imports"]?[1...2] == ["7", "option"])
        #expect(rows["port"]?[1...2] == ["9000", "option"])
        #expect(rows["idle-seconds"]?[1...2] == ["66", "environment"])
        #expect(rows["end-seconds"]?[1...2] == ["9", "server.conf"])
        #expect(rows["upload-limit"]?[1...4] == ["104857600", "default", "1", "1099511627776"])
        for setting in ServerSetting.all { #expect(rows[setting.name] != nil, "\(setting.name)") }
    }

    @Test func `each setting is read from each source`() throws {
        for setting in ServerSetting.all {
            let value = String(setting.range.lowerBound)
            let rows = try printed([], environment: [setting.variable: value])
            #expect(rows[setting.name]?[1...2] == [value, "environment"], "\(setting.name)")
        }
    }

    @Test func `invalid values are errors with the name under which they were given`() throws {
        let range = "but must be a whole number from 1 to 64\n"
        try photostream.write("server.conf", "PHOTOSTREAM_IMPORTS=many\n")
        let cases: [(arguments: [String], environment: [String: String], message: String)] = [
            (["--set", "imports=0"], [:], "photostream: --set imports is \"0\", \(range)"),
            ([], ["PHOTOSTREAM_IMPORTS": "x"], "photostream: PHOTOSTREAM_IMPORTS is \"x\", \(range)"),
            (
                ["--configuration", "server.conf"], [:],
                "photostream: server.conf: PHOTOSTREAM_IMPORTS is \"many\", \(range)"
            ),
        ]
        for (arguments, environment, message) in cases {
            let outcome = try photostream.run(["serve"] + arguments, environment: environment)
            #expect(outcome.status == 64 || outcome.status == 1)
            #expect(outcome.errors == message)
        }
        let unknown = try photostream("serve", "--set", "importz=3")
        #expect(unknown.status == 64)
        #expect(unknown.errors.contains("there is no setting \"importz\"; did you mean imports?"))
        let origins = try photostream("serve", "--set", "allowed-origin=3")
        #expect(origins.errors.contains("there is no setting \"allowed-origin\"; --print-configuration lists them"))
        let halved = try photostream("serve", "--set", "imports")
        #expect(halved.errors.contains("\"imports\" is not of the form name=number, such as imports=1"))
        let missing = try photostream("serve", "--configuration", "none.conf")
        #expect(missing.status == 1 && missing.errors.hasPrefix("photostream: \"none.conf\" cannot be read: "))
    }

    @Test func `lines of a file that set nothing are errors, with the most similar name`() throws {
        let lines: [(text: String, message: String)] = [
            ("PHOTOSTREAM_PORTT=1", "there is no setting PHOTOSTREAM_PORTT; did you mean PHOTOSTREAM_PORT?"),
            ("photostream_imports=1", "there is no setting photostream_imports; did you mean PHOTOSTREAM_IMPORTS?"),
            ("IMPORTS=1", "there is no setting IMPORTS; did you mean PHOTOSTREAM_IMPORTS?"),
            ("PHOTOSTREAM_SPEED=1", "there is no setting PHOTOSTREAM_SPEED; --print-configuration lists them"),
            (
                "export PHOTOSTREAM_PORT=1",
                "\"export PHOTOSTREAM_PORT\" is a command of a shell; write the line without \"export\""
            ),
            (
                "PHOTOSTREAM_PRIMARY=postgres://db/photos",
                "PHOTOSTREAM_PRIMARY is not a setting; set it in the environment, as in /etc/default/photostream"
            ),
            ("PHOTOSTREAM_PORT", "\"PHOTOSTREAM_PORT\" is not of the form PHOTOSTREAM_NAME=VALUE"),
            ("PHOTOSTREAM_IMPORTS = 2", "PHOTOSTREAM_IMPORTS is set a second time"),
        ]
        for (text, message) in lines {
            try photostream.write("server.conf", "# A comment.\nPHOTOSTREAM_IMPORTS=5\n\n\(text)\n")
            let outcome = try photostream("serve", "--configuration", "server.conf")
            #expect(outcome.status == 1)
            #expect(outcome.errors == "photostream: server.conf, line 4: \(message)\n")
        }
    }

    @Test func `unknown names in the environment are reported, and the port of Kubernetes is ignored`() throws {
        let server = try ServedFile(
            in: photostream.folder,
            environment: [
                "PHOTOSTREAM_PORT": "tcp://10.0.0.1:8080", "PHOTOSTREAM_SERVICE_HOST": "10.0.0.1",
                "PHOTOSTREAM_IMPORT": "3", "PHOTOSTREAM_OPTIONS": "--watch",
            ])
        #expect(try server.curl("/healthz").contains("running"))
        server.signal(SIGTERM)
        let (status, errors) = server.end()
        #expect(status == 0)
        for sentence in [
            "PHOTOSTREAM_PORT is \"tcp://10.0.0.1:8080\", an address as Kubernetes sets it, and is ignored",
            "there is no setting PHOTOSTREAM_SERVICE_HOST, so it is ignored",
            "there is no setting PHOTOSTREAM_IMPORT, so it is ignored; did you mean PHOTOSTREAM_IMPORTS?",
        ] {
            #expect(errors.contains(sentence), "\(errors)")
        }
        #expect(!errors.contains("PHOTOSTREAM_OPTIONS"))
    }

    @Test func `a JSON log has one object per line, with the id of each request`() throws {
        let server = try ServedFile(in: photostream.folder, "--log-format", "json", "--verbose")
        _ = try server.curl("/v1/streams?after=secret")
        server.signal(SIGTERM)
        let (status, errors) = server.end()
        #expect(status == 0)
        let records = try errors.split(separator: "\n").map { try Command.Outcome.object(String($0)) }
        for record in records {
            let time = try #require(record["time"] as? String)
            #expect(time.hasSuffix("Z") && record["level"] is String && record["message"] is String)
        }
        let request = try #require(records.first { $0["message"] as? String == "request" })
        let metadata = try #require(request["metadata"] as? [String: String])
        #expect(metadata["path"] == "/v1/streams" && metadata["status"] == "200" && metadata["hb.request.id"] != nil)
        #expect(!errors.contains("secret"))
    }

    @Test func `the page for operators contains the current table`() throws {
        let page = try String(
            contentsOf: Command.samples.deletingLastPathComponent().appending(path: "Documentation/Operations.md"),
            encoding: .utf8)
        for setting in ServerSetting.all {
            let row =
                "| `\(setting.name)` | \(setting.value(in: ServerSettings())) | \(setting.range.lowerBound) | \(setting.range.upperBound) | "
                + "\(setting.about) |"
            #expect(page.contains(row), "\(row)")
        }
        #expect(
            page.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.hasSuffix(". |") }.count
                == ServerSetting.all.count)
    }
}
