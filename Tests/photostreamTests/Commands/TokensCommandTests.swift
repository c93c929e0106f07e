import Foundation
import Testing

/// `photostream tokens`.
@Suite struct TokensCommandTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try photostream("streams", "create", "holiday")
    }

    @Test func `a token is shown once, listed without its secret, and revoked`() throws {
        let created = try photostream("tokens", "create", "phone", "--scope", "read")
        #expect(created.status == 0)
        let secret = created.output.trimmingCharacters(in: .newlines)
        #expect(secret.hasPrefix("photostream_") && secret.count == 55)
        #expect(
            created.errors
                == "photostream: created the token \"phone\" (read, all streams); it is not shown again\n")
        try photostream(
            "tokens", "create", "frame", "--scope", "write", "--stream", "holiday", "--expires", "2999-12-31")
        let listed = try photostream("tokens")
        #expect(!listed.output.contains("photostream_"))
        let lines = listed.output.split(separator: "\n").map(String.init)
        #expect(try lines.count == 3 && /token +scope +stream +created +expires/.wholeMatch(in: lines[0]) != nil)
        #expect(try /frame +write +holiday +20[0-9T:\-]+Z +3000-01-01T00:00:00Z/.wholeMatch(in: lines[1]) != nil)
        #expect(try /phone +read +all +20[0-9T:\-]+Z +never/.wholeMatch(in: lines[2]) != nil)
        let revoked = try photostream("tokens", "revoke", "phone")
        #expect(revoked.output == "revoked the token \"phone\"\n")
        let tokens = try #require(try photostream("tokens", "list", "--json").json["tokens"] as? [[String: Any]])
        #expect(tokens.count == 1 && tokens[0]["name"] as? String == "frame")
        #expect(Set(tokens[0].keys) == ["name", "scope", "stream", "createdAt", "expiresAt", "expired"])
    }

    @Test func `a link for a given address replaces a token`() throws {
        let made = try photostream("tokens", "create", "phone", "--scope", "write", "--link")
        let local = /http:\/\/127\.0\.0\.1:8080\/sign-in\/[A-Za-z0-9_\-]{43}\n/
        #expect(try local.wholeMatch(in: made.output) != nil)
        #expect(made.errors.hasSuffix("its link is good once, within ten minutes\n"))
        let other = try photostream(
            "tokens", "create", "tablet", "--scope", "read", "--link", "--server", "https://photos.example.org/",
            "--json"
        ).json
        #expect((other["link"] as? String)?.hasPrefix("https://photos.example.org/sign-in/") == true)
        #expect(other["secret"] == nil && other["name"] as? String == "tablet")
    }

    @Test func `a terminal shows the QR code of a link, or how to get it`() throws {
        let program = photostream.url("bin/qrencode")
        try FileManager.default.createDirectory(
            at: program.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("#!/bin/sh\nprintf 'QR of '\nexec /bin/cat\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        /// The output of a terminal in which a link is made.
        func terminal(name: String, path: String) throws -> String {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/script")
            let command = "'\(try Command.binary().path)' tokens create \(name) --scope read --link"
            process.arguments = ["-qec", "PATH='\(path)' \(command)", "/dev/null"]
            process.currentDirectoryURL = photostream.folder
            (process.standardOutput, process.standardInput) = (output, FileHandle.nullDevice)
            try process.run()
            defer { process.waitUntilExit() }
            return String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
        let shown = try terminal(name: "phone", path: program.deletingLastPathComponent().path)
        #expect(shown.contains("QR of http://127.0.0.1:8080/sign-in/"), "\(shown)")
        let hint = try terminal(name: "tablet", path: "/nowhere")
        #expect(hint.contains("Install qrencode to see its QR code here."), "\(hint)")
    }

    @Test func `JSON contains the secret`() throws {
        let created = try photostream(
            "tokens", "create", "phone", "--scope", "admin", "--expires", "12h", "--json"
        ).json
        #expect(created["scope"] as? String == "admin" && created["stream"] is NSNull)
        #expect((created["secret"] as? String)?.hasPrefix("photostream_") == true)
        #expect(try photostream("tokens", "revoke", "phone", "--json").json["revoked"] as? String == "phone")
    }

    @Test(arguments: [
        (["create", "phone", "--scope", "root"], "scope is \"root\", but must be read, write or admin"),
        (["create", "phone"], "missing expected argument '--scope <scope>'"),
        (["create", "", "--scope", "read"], "\"\" is not a name for a token"),
        (["create", "phone", "--scope", "read", "--expires", "2020-01-01"], "which is in the past"),
        (["create", "phone", "--scope", "read", "--expires", "soon"], "\"soon\" is not a time such as 30m, 12h, 90d"),
        (["create", "phone", "--scope", "read", "--expires", "0d"], "\"0d\" is not a time"),
        (["create", "phone", "--scope", "read", "--expires", "2027-02-30"], "\"2027-02-30\" is not a time"),
        (["create", "phone", "--scope", "read", "--expires", "99999999999d"], "is not a time"),
        (["create", "phone", "--scope", "read", "--stream", "sea"], "there is no stream \"sea\""),
        (["create", "phone", "--scope", "admin", "--stream", "holiday"], "cannot have the scope admin"),
        (
            ["create", "phone", "--scope", "read", "--link", "--server", "photos.lan"],
            "\"photos.lan\" is not the address of a server"
        ),
        (["create", "phone", "--scope", "read", "--server", "http://a"], "--server is the address of a link"),
        (["revoke", "tablet"], "there is no token \"tablet\""),
    ])
    func `contradictory options are refused`(arguments: [String], message: String) throws {
        let answer = try photostream.run(["tokens"] + arguments)
        #expect(answer.status != 0 && answer.output.isEmpty)
        #expect(answer.errors.contains(message), "\(answer.errors)")
        let tokens = try photostream("tokens", "--json").json["tokens"] as? [[String: Any]]
        #expect(tokens?.isEmpty == true)
    }
}
