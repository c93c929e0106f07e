import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import Testing

/// Nothing is computed for a client that has gone away.
@Suite struct ClientGoneTests {
    private static func target(_ width: Int) -> String {
        "/v1/streams/gallery/layout?algorithm=justified&breaks=optimal&width=\(width)"
    }

    @Test func `a fold ends when its client disconnects, and others get theirs`() async throws {
        try await TestServer.with(photos: 30_000) { server in
            let clock = ContinuousClock()
            // The first query builds the chunks; the second shows how long a fold takes.
            #expect(try server.client("GET", Self.target(900)).status == 200)
            let whole = try clock.measure { _ = try server.client("GET", Self.target(901)) }
            // On a machine that has much to do a fold may end before the server sees that its client has gone.
            let abandoned = try (0..<5).first { attempt in
                let width = 910 + 10 * attempt
                let before = server.service.work.resolvedLayoutCount
                let descriptor = try server.client.connected()
                try HTTPClient.write(
                    Array("GET \(Self.target(width)) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), to: descriptor)
                Thread.sleep(forTimeInterval: (whole / 10).seconds)
                close(descriptor)
                // Two folds run at once: after two others, one after the other, it would have ended, too.
                for other in 1...2 { #expect(try server.client("GET", Self.target(width + other)).status == 200) }
                return server.service.work.resolvedLayoutCount == before + 2
            }
            let attempt = try #require(abandoned)
            let before = server.service.work.resolvedLayoutCount
            #expect(try server.client("GET", Self.target(910 + 10 * attempt)).status == 200)
            #expect(server.service.work.resolvedLayoutCount == before + 1)
        }
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
