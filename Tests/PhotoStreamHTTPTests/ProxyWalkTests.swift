import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

/// Every route, requested through real proxy servers and directly, by clients without a proof.
@Suite struct ProxyWalkTests {
    private static let (nginx, caddy) = ("/usr/sbin/nginx", "/usr/bin/caddy")
    static let hasNginx = FileManager.default.isExecutableFile(atPath: nginx)
    static let hasCaddy = FileManager.default.isExecutableFile(atPath: caddy)

    /// The fields of clients that name no user, or more than one.
    private static let nameless = [
        [:], ["Remote-User": " "], ["Remote-User": " ", "remote-user": "anna"],
        ["Remote-User": "bob", "remote-user": "anna"],
    ]

    /// Asks every route, and expects that all but the public ones are refused.
    private static func walk(_ server: TestServer, through port: Int, fields: [[String: String]]) throws {
        #expect(Set(RouteTable.all.routes.map(\.operation)) == Set(RouteCodeTests.samples.keys))
        let asked = TestServer(
            file: server.file, service: server.service, client: HTTPClient(port: port), stop: server.stop)
        for route in RouteTable.all.routes {
            for fields in fields {
                var sample = try #require(RouteCodeTests.samples[route.operation])
                sample.fields["Authorization"] = nil
                sample.fields.merge(fields) { $1 }
                let status = try RouteCodeTests.send(sample, asked).status
                let isRefused = [401, 403].contains(status)
                #expect(
                    status != 502 && isRefused != AccessTests.open.contains(route.operation),
                    "\(route.operation) with \(fields): \(status)")
            }
        }
    }

    /// Runs a server, and a proxy server with a configuration, for a test.
    private static func with(
        _ program: String, isTrusted: Bool = false,
        _ configuration: @escaping @Sendable (String, Int, Int) throws -> String,
        _ test: @escaping @Sendable (TestServer, Int) throws -> Void
    ) async throws {
        var settings = ServerSettings()
        if isTrusted {
            settings.access.proxies = [.loopback]
            settings.access.userField = "Remote-User"
            settings.access.userScopes = ["*": .admin]
        }
        try await TestServer.with(photos: 3, settings: settings, needsTokens: true) { server in
            let (port, folder) = (try FreePort.choose(), server.file.folder)
            let file = folder + "/proxy.conf"
            try configuration(folder, port, server.client.port).write(toFile: file, atomically: true, encoding: .utf8)
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments =
                program == nginx
                ? ["-e", folder + "/nginx-errors.log", "-c", file]
                : ["run", "--config", file, "--adapter", "caddyfile"]
            process.environment = ["HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder]
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.run()
            defer {
                process.terminate()
                process.waitUntilExit()
            }
            #expect(eventually { (try? HTTPClient(port: port)("GET", "/healthz").status) == 200 })
            try test(server, port)
        }
    }

    private static func nginxFile(_ location: String) -> @Sendable (String, Int, Int) -> String {
        { folder, port, back in
            """
            error_log \(folder)/nginx-errors.log; pid \(folder)/nginx.pid; daemon off; events {}
            http {
                access_log off;
                client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/temporary;
                fastcgi_temp_path \(folder)/fastcgi; uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
                server {
                    listen 127.0.0.1:\(port);
                    location / {
                        \(location.replacing("127.0.0.1:8080", with: "127.0.0.1:\(back)"))
                    }
                }
            }
            """
        }
    }

    private static func caddyFile(_ directive: String) -> @Sendable (String, Int, Int) -> String {
        { _, port, back in
            """
            {
                admin off
                auto_https off
            }
            http://127.0.0.1:\(port) {
                bind 127.0.0.1
                \(directive.replacing("127.0.0.1:8080", with: "127.0.0.1:\(back)"))
            }
            """
        }
    }

    /// The lines of Documentation/Operations.md between a line and the one that closes it.
    private static func documented(after start: String, to end: String) throws -> String {
        let page = URL(filePath: #filePath).appending(path: "../../../Documentation/Operations.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let first = try #require(text.range(of: start))
        let last = try #require(text.range(of: end, range: first.upperBound..<text.endIndex))
        return String(text[first.upperBound..<last.lowerBound])
    }

    @Test func `a direct connection without credentials is refused`() async throws {
        try await TestServer.with(photos: 3, needsTokens: true) { server in
            try Self.walk(
                server, through: server.client.port, fields: Self.nameless + [["Remote-User": "anna"]])
        }
    }

    @Test func `a trusted address that names no user, or several, is refused`() async throws {
        var settings = ServerSettings()
        settings.access.proxies = [.loopback]
        settings.access.userField = "Remote-User"
        settings.access.userScopes = ["*": .admin]
        try await TestServer.with(photos: 3, settings: settings, needsTokens: true) { server in
            try Self.walk(server, through: server.client.port, fields: Self.nameless)
            let named = try server.client("GET", "/v1/session", ["Remote-User": "anna"])
            #expect(named.json["scope"] as? String == "admin")
        }
    }

    @Test(.enabled(if: ProxyWalkTests.hasNginx, "nginx is not installed"), arguments: [false, true])
    func `nginx works in its shortest and in its documented configuration`(isDocumented: Bool) async throws {
        let location =
            isDocumented
            ? try Self.documented(after: "        location / {\n", to: "\n        }\n")
            : "proxy_pass http://127.0.0.1:8080;"
        try await Self.with(Self.nginx, Self.nginxFile(location)) { server, port in
            try Self.walk(server, through: port, fields: Self.nameless + [["Remote-User": "anna"]])
        }
    }

    @Test(.enabled(if: ProxyWalkTests.hasNginx, "nginx is not installed"))
    func `a trusted nginx that names no user grants nothing`() async throws {
        let location = "proxy_pass http://127.0.0.1:8080; proxy_set_header Remote-User $remote_user;"
        try await Self.with(Self.nginx, isTrusted: true, Self.nginxFile(location)) { server, port in
            try Self.walk(server, through: port, fields: Self.nameless + [["Remote-User": "anna"]])
        }
    }

    @Test(.enabled(if: ProxyWalkTests.hasCaddy, "caddy is not installed"), arguments: [false, true])
    func `Caddy works in its shortest and in its documented configuration`(isDocumented: Bool) async throws {
        let directive =
            isDocumented
            ? "reverse_proxy 127.0.0.1:8080 {"
                + (try Self.documented(after: "reverse_proxy 127.0.0.1:8080 {", to: "\n        }\n")) + "\n}"
            : "reverse_proxy 127.0.0.1:8080"
        try await Self.with(Self.caddy, Self.caddyFile(directive)) { server, port in
            try Self.walk(server, through: port, fields: Self.nameless + [["Remote-User": "anna"]])
        }
    }

    @Test(.enabled(if: ProxyWalkTests.hasCaddy, "caddy is not installed"))
    func `a trusted Caddy that names no user grants nothing`() async throws {
        let directive = "reverse_proxy 127.0.0.1:8080 {\nheader_up -Remote-User\n}"
        try await Self.with(Self.caddy, isTrusted: true, Self.caddyFile(directive)) { server, port in
            try Self.walk(server, through: port, fields: Self.nameless + [["Remote-User": "anna"]])
        }
    }
}
