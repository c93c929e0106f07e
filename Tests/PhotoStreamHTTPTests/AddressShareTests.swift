import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

/// Of everything that is counted, one address has a part, and those with a token have one that guests cannot take.
@Suite struct AddressShareTests {
    /// Runs a server whose clients are at several addresses of this machine, with the link of a share and a token.
    private static func with(
        photos count: Int = 30, _ change: (inout ServerSettings) -> Void,
        _ test: @escaping @Sendable (TestServer, _ link: String, _ token: [String: String]) throws -> Void
    ) async throws {
        var settings = ServerSettings()
        settings.access.countsThisMachine = true
        change(&settings)
        try await TestServer.with(photos: count, settings: settings, needsTokens: true) { server in
            let share = try server.service.createShare(of: TestServer.stream, named: "a", showing: []).token
            let token = try server.service.createToken(named: "owner", scope: .read).token
            try test(server, "/s/" + share.text, ["Authorization": "Bearer " + token.text])
        }
    }

    /// Opens streams of events until one is refused.
    private static func fill(_ client: HTTPClient, _ target: String, _ fields: [String: String] = [:]) throws
        -> [EventReader]
    {
        var readers: [EventReader] = []
        while readers.count < 100 {
            let reader = try EventReader(client, target, fields)
            guard reader.status == 200 else {
                #expect(reader.status == 503)
                return readers
            }
            readers.append(reader)
        }
        return readers
    }

    @Test func `visitors of a link leave event streams to the owner and to other visitors`() async throws {
        try await Self.with({ $0.eventClients = 32 }) { server, link, token in
            let events = "/v1/streams/gallery/events"
            var open = try Self.fill(server.client.at("127.0.0.2"), link + events)
            // A quarter of 32, without the quarter of it that is reserved.
            #expect(open.count == 6)
            let refused = try server.client.at("127.0.0.2")("GET", link + events)
            #expect(refused.status == 503 && refused.problem == "overloaded", "\(refused.text)")
            // Another visitor, and the owner at the same address and elsewhere.
            for (address, path, fields) in [
                ("127.0.0.3", link + events, [:]), ("127.0.0.2", events, token), ("127.0.0.4", events, token),
            ] {
                let reader = try EventReader(server.client.at(address), path, fields)
                #expect(reader.status == 200, "\(address)")
                open.append(reader)
            }
            // All addresses together leave those with a token a quarter.
            for number in 5..<12 { open += try Self.fill(server.client.at("127.0.0.\(number)"), link + events) }
            let full = try server.client.at("127.0.0.20")("GET", link + events)
            #expect(full.status == 503 && full.problem == "overloaded", "\(full.text)")
            let own = try Self.fill(server.client.at("127.0.0.21"), events, token)
            #expect(own.count == 6, "24 of guests, 2 and these of the owner are all")
            #expect(try server.client.at("127.0.0.21")("GET", "/v1/streams", token).status == 200)
            withExtendedLifetime(open) {}
        }
    }

    @Test func `slots are free again after their clients disconnect`() async throws {
        try await Self.with({ $0.eventClients = 16 }) { server, link, _ in
            let client = server.client.at("127.0.0.2")
            for _ in 0..<3 {
                // Each time the readers are closed when they go.
                let isFull = eventually { (try? Self.fill(client, link + "/v1/streams/gallery/events").count) == 3 }
                #expect(isFull)
            }
        }
    }

    @Test func `a visitor leaves new layouts and requests to other visitors`() async throws {
        try await Self.with(
            photos: 20_000,
            {
                $0.layoutsPerMinute = 8
                $0.requestsPerMinute = 60
            }
        ) { server, link, token in
            let layout = link + "/v1/streams/gallery/layout?width="
            let (one, other) = (server.client.at("127.0.0.2"), server.client.at("127.0.0.3"))
            for width in [500, 501] { #expect(try one("GET", layout + "\(width)").status == 200) }
            let refused = try one("GET", layout + "502")
            #expect(refused.status == 429 && refused.problem == "too-many-requests", "\(refused.text)")
            // Known layouts do not count; another visitor may have new ones, and the owner as well, even there.
            #expect(try one("GET", layout + "500").status == 200)
            #expect(try other("GET", layout + "503").status == 200)
            #expect(try one("GET", "/v1/streams/gallery/layout?width=504", token).status == 200)
            // Requests, four of which were sent from there.
            var status = 200
            var count = 4
            while status == 200, count < 40 {
                status = try one("GET", link + "/v1/streams").status
                if status == 200 { count += 1 }
            }
            #expect(status == 429 && (15...17).contains(count), "\(count)")
            #expect(try other("GET", link + "/v1/streams").status == 200)
            #expect(try one("GET", "/v1/streams", token).status == 200)
        }
    }

    /// Sends a request, whose answer is not waited for, and returns its connection.
    private static func ask(
        _ server: TestServer, at address: String, _ path: String, _ fields: [String: String] = [:]
    ) throws -> Int32 {
        let descriptor = try server.client.at(address).connected()
        let head = fields.map { "\($0): \($1)\r\n" }.joined()
        try HTTPClient.write(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(head)\r\n".utf8), to: descriptor)
        return descriptor
    }

    @Test func `waiting requests leave slots to other addresses and to clients with a token`() async throws {
        try await Self.with(photos: 20_000, { $0.requestLimit = 32 }) { server, link, token in
            let held = try HeldFold(server.service, width: 700)
            let layout = "/v1/streams/gallery/layout?width=700"
            // As many as the address may have wait for the fold.
            let waiting = try (0..<6).map { _ in try Self.ask(server, at: "127.0.0.2", link + layout) }
            let areWaiting = { (count: Int) in
                eventually {
                    let metrics = try? server.client.at("127.0.0.9")("GET", "/metrics", token).text
                    return metrics?.contains("photostream_lane_requests{lane=\"long\"} \(count)\n") == true
                }
            }
            #expect(areWaiting(6))
            let refused = try server.client.at("127.0.0.2")("GET", link + "/v1/streams/gallery/layout?width=701")
            #expect(refused.status == 503 && refused.problem == "overloaded", "\(refused.text)")
            let others = [
                try Self.ask(server, at: "127.0.0.3", link + layout),
                try Self.ask(server, at: "127.0.0.2", layout, token),
            ]
            // They wait, and are not refused.
            #expect(areWaiting(8))
            held.release()
            for descriptor in waiting + others {
                let begin = String(decoding: HTTPClient.readAll(descriptor, atLeast: 12), as: UTF8.self)
                #expect(begin.hasPrefix("HTTP/1.1 200"), "\(begin.prefix(300))")
                close(descriptor)
            }
        }
    }

    @Test(arguments: [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::9", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ("192.168.1.5", "192.168.1.5", true), ("192.168.1.5", "192.168.1.6", false), ("fe80::1", "fe80::2", true),
    ])
    func `an IPv6 address counts with its network`(one: String, other: String, areOne: Bool) throws {
        var settings = AccessSettings()
        let (first, second) = (try ServerAddress(one), try ServerAddress(other))
        #expect((settings.counted(first) == settings.counted(second)) == areOne)
        #expect(settings.counted(first) != nil)
        // A proxy server is meant by its whole address.
        settings.proxies = [first]
        #expect(settings.counted(first) == nil)
        #expect((settings.counted(second) == nil) == (one == other))
        #expect(settings.counted(.loopback) == nil)
        #expect(try settings.counted(ServerAddress("::1")) == nil)
    }

    @Test func `a budget limits connections, addresses and guests`() throws {
        let budget = SharedBudget(limit: 64, of: .requests)
        let address = try ServerAddress("10.0.0.1")
        let guest = BoundedClient(address: address, isGuest: true, connection: nil)
        let owner = BoundedClient(address: address, isGuest: false, connection: nil)
        var places: [SharedBudget.Share] = []
        /// The reason of a refusal.
        func take(_ client: BoundedClient) -> String? {
            let result = Result { try budget.place(for: client) }
            switch result {
            case .success(let place):
                places.append(place)
                return nil
            case .failure(let error): return (error as? Problem)?.detail
            }
        }
        for _ in 0..<12 { #expect(take(guest) == nil) }
        #expect(
            take(guest) == "12 such requests of this address without a token are running or waiting; ask again later")
        for _ in 0..<4 { #expect(take(owner) == nil) }
        #expect(take(owner) == "16 such requests of this address are running or waiting; ask again later")
        for number in 2..<5 {
            let other = BoundedClient(address: try ServerAddress("10.0.0.\(number)"), isGuest: true, connection: nil)
            for _ in 0..<12 { #expect(take(other) == nil) }
        }
        let late = BoundedClient(address: try ServerAddress("10.0.0.9"), isGuest: true, connection: nil)
        #expect(take(late) == "48 such requests of clients without a token are running or waiting; ask again later")
        #expect(budget.count == 52)
        for _ in 0..<12 { #expect(take(.server) == nil) }
        #expect(take(.server) == "64 such requests are running or waiting; ask again later")
        places = []
        #expect(budget.count == 0 && take(guest) == nil)
    }
}
