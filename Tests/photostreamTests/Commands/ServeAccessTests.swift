import Foundation
import PhotoStreamTestSupport
import Testing

/// `photostream serve` when other machines can reach it.
@Suite struct ServeAccessTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try photostream("streams", "create", "holiday")
    }

    @discardableResult
    private func openssl(_ arguments: String...) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = photostream.folder
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    private func makeCertificate(of name: String) throws {
        try openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2",
            "-subj", "/CN=\(name)")
    }

    private static let certificate = ["--tls-certificate", "cert.pem", "--tls-key", "key.pem"]

    @Test(arguments: [
        (
            ["--address", "0.0.0.0"],
            "other machines could reach 0.0.0.0, and tokens and photos could be read on the way"
        ),
        (["--address", "0.0.0.0", "--allow-plain-http"], "the file has no token that would let them in"),
        (["--address", "example.org"], "\"example.org\" is not an IP address"),
        (["--address", "203.0.113.9"] + certificate, "\"cert.pem\" cannot be used for TLS"),
        (["--tls-key", "key.pem"], "--tls-certificate and --tls-key are needed together"),
        (["--user-header", "Remote-User"], "--trusted-proxy, --user-header and --user are needed together"),
        (["--host-name", "http://photos.lan"], "\"http://photos.lan\" is not the name of a host"),
        (["--open", "--address", "0.0.0.0"], "an open server answers every request without a token"),
        (["--open", "--host-name", "photos.lan"], "an open server answers every request without a token"),
        (
            ["--open", "--trusted-proxy", "127.0.0.1", "--user-header", "Remote-User", "--user", "anna=read"],
            "an open server answers every request without a token"
        ),
        (["--open", "--require-token"], "--open and --require-token contradict each other"),
        (["--user", "anna"], "\"anna\" is not a user and a scope, such as anna=write"),
        (["--user-header", "a b"], "\"a b\" is not the name of a header field"),
    ])
    func `unsafe or contradictory options are refused`(arguments: [String], message: String) throws {
        if message.contains("cannot be used") { try Data("x".utf8).write(to: photostream.url("cert.pem")) }
        if arguments.contains("203.0.113.9") { try photostream("tokens", "create", "phone", "--scope", "read") }
        let answer = try photostream.run(["serve", "--port", "0"] + arguments)
        #expect(answer.status != 0 && answer.output.isEmpty)
        #expect(answer.errors.contains(message), "\(answer.errors)")
    }

    @Test func `a server uses TLS and loads a renewed certificate`() throws {
        try makeCertificate(of: "first")
        let token = try photostream("tokens", "create", "phone", "--scope", "read").output
            .trimmingCharacters(in: .newlines)
        let server = try ServedFile(
            in: photostream.folder, needsTokens: true, "--address", "0.0.0.0", "--tls-certificate", "cert.pem",
            "--tls-key", "key.pem")
        #expect(server.address.hasPrefix("https://0.0.0.0:"))
        func subject() throws -> String {
            try openssl("s_client", "-connect", "127.0.0.1:\(server.port)")
        }
        #expect(try subject().contains("CN = first"))
        let address = "https://127.0.0.1:\(server.port)/v1/session"
        #expect(try curl("-k", address).contains("token-required"))
        #expect(try curl("-k", "-H", "Authorization: Bearer \(token)", address).contains("\"name\":\"phone\""))
        let cookie = try curl("-k", "-i", "-X", "POST", "-H", "Authorization: Bearer \(token)", address)
        #expect(cookie.contains("__Host-photostream=") && cookie.contains("; Secure"))
        // A client that speaks no TLS gets no answer.
        #expect(try curl("http://127.0.0.1:\(server.port)/healthz").isEmpty)
        try makeCertificate(of: "second")
        server.signal(SIGHUP)
        #expect(eventually { (try? subject().contains("CN = second")) == true })
        try Data("x".utf8).write(to: photostream.url("cert.pem"))
        server.signal(SIGHUP)
        #expect(try subject().contains("CN = second"))
        #expect(server.isRunning)
    }

    @Test func `a server prints a link that signs in once, and the session survives a restart`() throws {
        let server = try ServedFile(in: photostream.folder, needsTokens: true)
        let found = try #require(
            try /sign in: (http:\S+\/sign-in\/[A-Za-z0-9_\-]{43}) .+/.wholeMatch(in: server.nextLine()))
        let link = String(found.output.1)
        #expect(link.hasPrefix(server.address))
        #expect(try curl(server.address + "/v1/streams").contains("token-required"))
        #expect(try curl(link).contains("<form method=\"post\">"))
        let jar = photostream.url("cookies").path
        let signedIn = try curl("-c", jar, "-X", "POST", "-w", "%{http_code}", link)
        #expect(signedIn == "303")
        #expect(try curl("-X", "POST", "-w", "%{http_code}", "-o", "/dev/null", link) == "404")
        server.signal(SIGTERM)
        #expect(server.end().status == 0)
        let next = try ServedFile(in: photostream.folder, needsTokens: true)
        #expect(try curl("-b", jar, next.address + "/v1/session").contains("\"scope\":\"admin\""))
        try photostream("tokens", "revoke", "serve")
        #expect(try curl("-b", jar, next.address + "/v1/session").contains("invalid-token"))
    }

    @Test func `a server that a service manager has started prints no link`() throws {
        let server = try ServedFile(
            in: photostream.folder, needsTokens: true, environment: ["NOTIFY_SOCKET": "@none-\(UUID().uuidString)"])
        #expect(try curl(server.address + "/healthz").contains("running"))
        server.signal(SIGTERM)
        #expect(server.end().status == 0 && server.nextLine().isEmpty)
        #expect(try photostream("tokens").output.contains("serve") == false)
    }

    @Test func `an HTTP/2 connection continues when the certificate is renewed`() throws {
        try makeCertificate(of: "first")
        let server = try ServedFile(
            in: photostream.folder, "--tls-certificate", "cert.pem", "--tls-key", "key.pem")
        let port = try #require(Int(server.port))
        let client = try HTTP2Client(port: port)
        client.request("/v1/streams/holiday/events", on: 1)
        #expect(eventually { client.body(of: 1).contains("event: state") })
        func subject() throws -> String {
            try openssl("s_client", "-connect", "127.0.0.1:\(port)", "-alpn", "h2")
        }
        let first = try subject()
        #expect(first.contains("CN = first") && first.contains("ALPN protocol: h2"))
        try makeCertificate(of: "second")
        server.signal(SIGHUP)
        #expect(eventually { (try? subject().contains("CN = second")) == true })
        #expect(try subject().contains("ALPN protocol: h2"))
        // The open one keeps its old request, and makes new ones.
        client.request("/v1/streams", on: 3)
        #expect(eventually { client.body(of: 3).contains("holiday") })
        #expect(client.frames(.goAway).isEmpty && client.frames(.reset).isEmpty && !client.isEnded)
    }

    private func curl(_ arguments: String...) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/curl")
        process.arguments = ["--silent", "--max-time", "20"] + arguments
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
