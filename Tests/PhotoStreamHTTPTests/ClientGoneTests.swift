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

    @Test func `a fold ends when its client goes away, and others get theirs`() async throws {
        try await TestServer.with(photos: 30_000) { server in
            let clock = ContinuousClock()
            // The chunks are made with the first question; the second tells how long a fold takes.
            #expect(try server.client("GET", Self.target(900)).status == 200)
            let whole = try clock.measure { _ = try server.client("GET", Self.target(901)) }
            let work = server.service.work
            let descriptor = try server.client.connected()
            try HTTPClient.write(
                Array("GET \(Self.target(902)) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), to: descriptor)
            Thread.sleep(forTimeInterval: (whole / 10).seconds)
            close(descriptor)
            Thread.sleep(forTimeInterval: (whole * 3).seconds)
            #expect(server.service.work.resolvedLayoutCount == work.resolvedLayoutCount)
            #expect(server.service.work.foldedChunkCount == work.foldedChunkCount)
            #expect(try server.client("GET", Self.target(902)).status == 200)
            #expect(server.service.work.foldedChunkCount > work.foldedChunkCount)
        }
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
