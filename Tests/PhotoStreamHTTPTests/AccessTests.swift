import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// The clients of a server, and their rights.
@Suite struct AccessTests {
    /// The operations that need nothing, and no others.
    static let open: Set<String> = [
        "getHome", "getGalleryFile", "getHealth", "getReadiness", "deleteSession", "getSignInPage", "useSignInLink",
    ]
    /// The operations that need more than the scope read.
    private static let writing: Set<String> = [
        "putPhoto", "patchPhoto", "deletePhoto", "restorePhoto", "movePhoto", "resetPhoto", "importPhotos",
        "uploadPicture", "listDeletedPhotos", "makeCover", "takeApartStack", "changeAlbum", "moveAlbum", "deleteAlbum",
    ]
    private static let managing: Set<String> = ["createStream", "renameStream", "deleteStream"]

    /// A server that needs a token.
    private static func withTokens(
        _ change: (inout AccessSettings) throws -> Void = { _ in }, logger: LogRecords? = nil,
        _ test: @escaping @Sendable (TestServer) throws -> Void
    ) async throws {
        var settings = ServerSettings()
        try change(&settings.access)
        try await TestServer.with(
            photos: 30, settings: settings, needsTokens: true, logger: logger?.logger ?? TestServer.quiet, test)
    }

    private static func token(
        _ server: TestServer, _ scope: AccessScope, of stream: String? = nil, named name: String = UUID().uuidString
    ) throws -> String {
        let stream = try stream.map { try StreamName($0) }
        return try server.service.createToken(named: name, scope: scope, stream: stream).token.text
    }

    private static func send(
        _ name: String, _ server: TestServer, _ fields: [String: String]
    ) throws -> HTTPClient.Answer {
        var sample = try #require(RouteCodeTests.samples[name])
        sample.fields["Authorization"] = nil
        sample.fields.merge(fields) { $1 }
        return try RouteCodeTests.send(sample, server)
    }

    private static func bearing(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }

    @Test func `every operation requires its scope and names it`() async throws {
        try await Self.withTokens { server in
            let tokens = try AccessScope.allCases.map { ($0, try Self.token(server, $0, named: "phone \($0.word)")) }
            for name in RouteCodeTests.samples.keys.sorted(by: { $0 != "deleteStream" && $1 == "deleteStream" }) {
                let needed: AccessScope? =
                    Self.open.contains(name)
                    ? nil : Self.writing.contains(name) ? .write : Self.managing.contains(name) ? .admin : .read
                let stranger = try Self.send(name, server, [:])
                #expect((stranger.status == 401) == (needed != nil), "\(name): \(stranger.status)")
                if needed != nil {
                    #expect(stranger.problem == "token-required" && stranger.fields["www-authenticate"] != nil)
                }
                for (scope, token) in tokens {
                    let answer = try Self.send(name, server, Self.bearing(token))
                    guard let needed, scope < needed else {
                        #expect(![401, 403].contains(answer.status), "\(name) \(scope.word): \(answer.text)")
                        continue
                    }
                    #expect(answer.status == 403 && answer.problem == "insufficient-scope", "\(name): \(answer.text)")
                    #expect(
                        answer.json["detail"] as? String
                            == "this needs the scope \(needed.word), but \"phone \(scope.word)\" has \(scope.word)")
                }
            }
        }
    }

    @Test func `the description names the scope of every operation`() async throws {
        try await TestServer.with(photos: 1) { server in
            let document = try server.client("GET", "/v1/openapi.json").json
            let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
            for operation in paths.values.flatMap(\.values) {
                let name = operation["operationId"] as? String ?? ""
                let security = operation["security"] as? [[String: [String]]]
                let scope = Self.managing.contains(name) ? "admin" : Self.writing.contains(name) ? "write" : "read"
                #expect(security == (Self.open.contains(name) ? nil : [[:], ["token": [scope]], ["session": [scope]]]))
            }
        }
    }

    @Test func `a token for one stream neither opens nor names others`() async throws {
        try await Self.withTokens { server in
            try server.service.createStream(StreamName("secret"))
            try server.service.createStream(StreamName("a"))
            let own = Self.bearing(try Self.token(server, .write, of: "gallery", named: "frame"))
            let list = try server.client("GET", "/v1/streams", own)
            let streams = try #require(list.json["streams"] as? [[String: Any]])
            #expect(streams.map { $0["stream"] as? String } == ["gallery"])
            #expect(!list.text.contains("secret"))
            let none = try server.client("GET", "/v1/streams?after=gallery", own)
            #expect((none.json["streams"] as? [Any])?.isEmpty == true)
            let metrics = try server.client("GET", "/metrics", own)
            #expect(metrics.status == 403 && metrics.problem == "insufficient-scope")
            #expect(
                metrics.json["detail"] as? String
                    == "this is about all streams, but the token is for stream \"gallery\" alone")
            for name in RouteCodeTests.samples.keys {
                var sample = try #require(RouteCodeTests.samples[name])
                guard sample.target.contains("/streams/gallery") else { continue }
                for other in ["secret", "unknown"] where !Self.managing.contains(name) {
                    sample = try #require(RouteCodeTests.samples[name]).of(stream: other)
                    sample.fields.merge(own) { $1 }
                    let answer = try RouteCodeTests.send(sample, server)
                    #expect(answer.status == 403, "\(name): \(answer.text)")
                    #expect(answer.json["detail"] as? String == "\"frame\" is for stream \"gallery\" alone")
                }
            }
            #expect(try Self.send("getThumbnail", server, own).status == 200)
            let other = Self.bearing(try Self.token(server, .read, of: "secret"))
            #expect(try Self.send("getThumbnail", server, other).status == 404)
        }
    }

    @Test func `a page without the scope to edit does not offer editing`() async throws {
        try await Self.withTokens { server in
            for (scope, canEdit) in [(AccessScope.read, false), (.write, true)] {
                let fields = Self.bearing(try Self.token(server, scope))
                let stream = try server.client("GET", "/v1/streams/gallery", fields)
                #expect(stream.json["canEdit"] as? Bool == canEdit)
                let listed = try server.client("GET", "/v1/streams", fields).json["streams"] as? [[String: Any]]
                #expect(listed?.first?["canEdit"] as? Bool == canEdit)
                #expect(stream.json["canUpload"] as? Bool == canEdit)
            }
        }
    }

    @Test func `a session cookie is inaccessible to scripts and other sites, and ends with its token`() async throws {
        try await Self.withTokens { server in
            let token = try Self.token(server, .read, named: "phone")
            let begun = try server.client("POST", "/v1/session", Self.bearing(token))
            #expect(begun.status == 200 && begun.json["scope"] as? String == "read")
            #expect(begun.json["name"] as? String == "phone" && begun.json["stream"] is NSNull)
            let cookie = try #require(begun.fields["set-cookie"])
            #expect(cookie.hasPrefix("photostream=") && !cookie.contains(token))
            #expect(cookie.hasSuffix("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"))
            let session = ["Cookie": "a=b; \(cookie.prefix { $0 != ";" }); c=d"]
            #expect(try server.client("GET", "/v1/streams", session).status == 200)
            #expect(try server.client("GET", "/v1/session", session).json["name"] as? String == "phone")
            // A session begins no other.
            let again = try server.client("POST", "/v1/session", session)
            #expect(again.status == 401 && again.problem == "invalid-token" && again.fields["set-cookie"] == nil)
            let ended = try server.client("DELETE", "/v1/session", session)
            #expect(
                ended.status == 204 && ended.fields["set-cookie"]?.hasPrefix("photostream=; Path=/; Max-Age=0") == true)
            let over = try server.client("GET", "/v1/streams", session)
            #expect(over.status == 401 && over.problem == "invalid-token")
            #expect(over.json["detail"] as? String == "the session is over; begin another one")
            let next = try server.client("POST", "/v1/session", Self.bearing(token)).fields["set-cookie"] ?? ""
            let nextSession = ["Cookie": String(next.prefix { $0 != ";" })]
            #expect(try server.client("GET", "/v1/streams", nextSession).status == 200)
            try server.service.revoke(.token, named: "phone")
            #expect(try server.client("GET", "/v1/streams", nextSession).status == 401)
        }
    }

    @Test func `an old cookie does not restrict access to an open server`() async throws {
        try await TestServer.with(photos: 1) { server in
            let fields = ["Cookie": "photostream=AAAA"]
            #expect(try server.client("GET", "/v1/session", fields).json["scope"] as? String == "admin")
            // A token in a request takes precedence over everything else.
            let token = Self.bearing(try Self.token(server, .read))
            #expect(try server.client("GET", "/v1/session", token).json["scope"] as? String == "read")
        }
    }

    @Test(arguments: ["token", "access_token", "authorization"])
    func `a token in a query is refused and not logged`(name: String) async throws {
        let logs = LogRecords()
        try await Self.withTokens(logger: logs) { server in
            let token = try Self.token(server, .read)
            #expect(try server.client("GET", "/v1/streams?\(name)=\(token)").status == 401)
            let both = try server.client("GET", "/v1/streams?\(name)=\(token)", Self.bearing(token))
            #expect(both.status == 400 && both.problem == "unknown-parameter")
            #expect(!both.text.contains(token) && !logs.all.contains { $0.text.contains(token) })
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost", "[::1]"])
    func `requests from this machine need a token, too`(host: String) async throws {
        try await Self.withTokens { server in
            let answer = try server.client("GET", "/v1/streams", ["Host": host])
            #expect(answer.status == 401 && answer.problem == "token-required")
            let token = Self.bearing(try Self.token(server, .read))
            #expect(try server.client("GET", "/v1/streams", token.merging(["Host": host]) { $1 }).status == 200)
        }
    }

    @Test func `an open server answers local names without a token`() async throws {
        try await TestServer.with(photos: 1) { (server: TestServer) throws in
            for host in ["127.0.0.1", "localhost", "[::1]"] {
                #expect(try server.client("GET", "/v1/session", ["Host": host]).json["scope"] as? String == "admin")
            }
            #expect(try server.client("GET", "/v1/streams", ["Host": "photos.example.org"]).status == 421)
        }
    }

    @Test func `a server that other machines reach cannot be opened`() throws {
        let file = try TemporaryDatabase()
        let service = try TestServer.service(file)
        func server(_ change: (inout AccessSettings) throws -> Void) throws {
            var settings = ServerSettings()
            settings.access.isOpen = true
            try change(&settings.access)
            _ = try PhotoStreamServer(service, settings: settings, logger: TestServer.quiet)
        }
        try server { _ in }
        #expect(throws: ServerError.openToOthers) { try server { $0.address = try ServerAddress("0.0.0.0") } }
        #expect(throws: ServerError.openToOthers) { try server { $0.hostNames = ["photos.lan"] } }
        #expect(throws: ServerError.openToOthers) { try server { $0.proxies = [.loopback] } }
        try service.close()
    }

    @Test(arguments: [
        [:], ["Remote-User": " "], ["Remote-User": "anna", "remote-user": "anna"], ["Remote-User": "anna, bob"],
    ])
    func `a trusted proxy server that names no user grants no access`(fields: [String: String]) async throws {
        try await Self.withTokens {
            $0.proxies = [.loopback]
            $0.userField = "Remote-User"
            $0.userScopes = ["anna": .admin, "*": .read]
        } _: { server in
            let answer = try server.client("GET", "/v1/session", fields)
            #expect(answer.status == 401 && answer.problem == "token-required", "\(answer.text)")
            let token = Self.bearing(try Self.token(server, .read, named: "phone"))
            let own = try server.client("GET", "/v1/session", token.merging(fields) { $1 })
            #expect(own.json["name"] as? String == "phone")
        }
    }

    @Test func `a trusted proxy server names its users`() async throws {
        try await Self.withTokens {
            $0.proxies = [.loopback]
            $0.userField = "Remote-User"
            $0.userScopes = ["anna": .write, "bob": .read]
        } _: { server in
            let anna = ["Remote-User": "anna", "X-Forwarded-For": "10.0.0.1"]
            let session = try server.client("GET", "/v1/session", anna)
            #expect(session.json["name"] as? String == "anna")
            let written = try Self.send("patchPhoto", server, anna).status
            let created = try Self.send("createStream", server, anna).status
            let writtenByBob = try Self.send("patchPhoto", server, ["Remote-User": "bob"]).status
            #expect(written == 200 && created == 403 && writtenByBob == 403)
            let eve = try server.client("GET", "/v1/streams", ["Remote-User": "eve"])
            #expect(eve.status == 403 && eve.json["detail"] as? String == "the user \"eve\" has no scope here")
            let nobody = try server.client("GET", "/v1/streams")
            #expect(nobody.status == 401)
        }
        // From other addresses the field does not count.
        try await Self.withTokens {
            $0.proxies = [try ServerAddress("10.0.0.1")]
            $0.userField = "Remote-User"
            $0.userScopes = ["*": .admin]
        } _: { server in
            let answer = try server.client("GET", "/v1/streams", ["Remote-User": "anna"])
            #expect(answer.status == 401)
        }
    }

    @Test func `a client that tries many tokens has to wait, and others do not`() async throws {
        try await Self.withTokens { server in
            let token = try Self.token(server, .read)
            let wrong = "photostream_" + String(repeating: "A", count: 43)
            for attempt in 1...20 {
                let answer = try server.client(
                    "GET", "/v1/streams", Self.bearing(attempt % 2 == 0 ? wrong : "x\(attempt)"))
                #expect(answer.status == 401 && answer.problem == "invalid-token")
            }
            // Another one is allowed every 3 seconds.
            var late = try server.client("GET", "/v1/streams", Self.bearing(wrong))
            for _ in 0..<20 where late.status != 429 {
                late = try server.client("GET", "/v1/streams", Self.bearing(wrong))
            }
            #expect(late.status == 429 && late.problem == "too-many-attempts" && late.fields["retry-after"] == "60")
            #expect(try server.client("GET", "/v1/streams", Self.bearing(token)).status == 200)
        }
    }

    @Test(arguments: ["Basic eDp5", "Bearer", "Bearer a b", "photostream_x", ""])
    func `an Authorization field without a token is refused`(value: String) async throws {
        try await Self.withTokens { server in
            let answer = try server.client("GET", "/v1/streams", ["Authorization": value.isEmpty ? " " : value])
            #expect(answer.status == 401, "\(answer.text)")
        }
    }

    @Test func `an event stream ends with its token`() async throws {
        try await Self.withTokens { server in
            let target = "/v1/streams/gallery/events"
            let kept = try EventReader(server.client, target, Self.bearing(Self.token(server, .read)))
            let token = try Self.token(server, .read, named: "phone")
            let reader = try EventReader(server.client, target, Self.bearing(token))
            #expect(reader.next()?.name == "state" && kept.next()?.name == "state")
            let start = ContinuousClock.now
            try server.service.revoke(.token, named: "phone")
            #expect(reader.next() == nil)
            // The server looks twice a second; the limit is for a busy machine.
            #expect(ContinuousClock.now - start < .seconds(30))
            try server.service.deletePhotos([PhotoID(stored: "photo-1")], from: TestServer.stream)
            #expect(kept.next("change")?.changes == ["deleted photo-1"])
        }
    }

    @Test func `a server answers to its names and to the address of the connection`() async throws {
        try await Self.withTokens {
            $0.address = try ServerAddress("0.0.0.0")
            $0.hostNames = ["Photos.example.org"]
        } _: { server in
            for host in ["photos.example.org", "PHOTOS.example.org:8080", "127.0.0.1", "localhost", "[::1]"] {
                let status = try server.client("GET", "/healthz", ["Host": host]).status
                #expect(status == 200, "\(host)")
            }
            for host in [
                "example.org", "photos.example.org.evil.com", "0.0.0.0", "192.168.7.7", "evil.photos.example.org",
            ] {
                let answer = try server.client("GET", "/healthz", ["Host": host])
                #expect(answer.status == 421, "\(host)")
                #expect(
                    answer.json["detail"] as? String
                        == "this server answers for photos.example.org, not for \"\(host)\"")
            }
        }
    }

    @Test(arguments: ["", "example.org", "1.2.3", "1.2.3.4:80", "[::1]", "localhost.", "::g"])
    func `invalid addresses are refused`(text: String) {
        #expect(throws: ServerError.invalidAddress(text)) { try ServerAddress(text) }
    }

    @Test func `addresses are parsed and formatted`() throws {
        #expect(try ServerAddress("localhost") == .loopback)
        #expect(try ServerAddress("127.0.0.2").isLoopback)
        #expect(try ServerAddress("0:0::1").description == "::1")
        #expect(try ServerAddress("::1").inURL == "[::1]")
        for text in ["192.168.1.5", "::", "0.0.0.0"] { #expect(try !ServerAddress(text).isLoopback) }
    }
}
