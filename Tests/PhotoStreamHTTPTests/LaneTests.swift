import Foundation
import PhotoStreamHTTP
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Short questions never wait for long ones.
@Suite struct LaneTests {
    @Test func `photos, known layouts and readiness are answered while every fold is blocked`() async throws {
        var settings = ServerSettings()
        settings.readers = 2
        try await TestServer.with(photos: 20_000, settings: settings) { server in
            let layout = "/v1/streams/gallery/layout"
            let short = [
                "/v1/streams/gallery/photos/photo-7", "\(layout)/rect?width=500&rect=0,0,500,900", "/readyz",
            ]
            for target in short { #expect(try server.client("GET", target).status == 200, "\(target)") }
            // As many as may fold at once.
            let slotCount = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
            let held = try (0..<slotCount).map { try HeldFold(server.service, width: 700 + Double($0)) }
            // More queries than there are threads for short ones, each of which needs a fold.
            let waiting = try (0..<6).map { number in
                let descriptor = try server.client.connected()
                let target = "\(layout)?width=\(800 + number)"
                try HTTPClient.write(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), to: descriptor)
                return descriptor
            }
            defer {
                for fold in held { fold.release() }
                for descriptor in waiting { close(descriptor) }
            }
            #expect(eventually { server.service.work.awaitedFoldCount > 0 })
            for target in short { #expect(try server.client("GET", target).status == 200, "\(target)") }
            for fold in held { fold.release() }
            for descriptor in waiting {
                let begin = String(decoding: HTTPClient.readAll(descriptor, atLeast: 12), as: UTF8.self)
                #expect(begin.hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    @Test func `a slow query times out, and the next one of its connection has its own time`()
        async throws
    {
        var settings = ServerSettings()
        settings.requestSeconds = 1
        try await TestServer.with(photos: 20_000, settings: settings) { server in
            let held = try HeldFold(server.service, width: 700)
            defer { held.release() }
            let target = "/v1/streams/gallery/layout?width=700"
            let refused = try server.client("GET", target)
            #expect(refused.status == 503 && refused.problem == "overloaded", "\(refused.text)")
            #expect(refused.json["detail"] as? String == "the request took longer than 1 seconds; ask again later")
            #expect(refused.fields["retry-after"] == "1")
            let requests = [(target, "keep-alive"), ("/v1/streams", "keep-alive"), (target, "close")].map {
                "GET \($0) HTTP/1.1\r\nHost: localhost\r\nConnection: \($1)\r\n\r\n"
            }
            let descriptor = try server.client.connected()
            defer { close(descriptor) }
            try HTTPClient.write(Array(requests.joined().utf8), to: descriptor)
            #expect(try HTTPClient.answers(HTTPClient.readAll(descriptor)).map(\.status) == [503, 200, 503])
            held.release()
            #expect(try server.client("GET", target).status == 200)
        }
    }
}

/// A fold that pauses until it is released.
struct HeldFold {
    private let gate = DispatchSemaphore(value: 0)

    /// Begins it, and waits until it pauses.
    init(_ service: PhotoStreamService, width: Double) throws {
        let key = try LayoutKey(LayoutConfiguration(containerLength: width))
        let (began, gate) = (DispatchSemaphore(value: 0), gate)
        Thread.detachNewThread {
            _ = try? service.warm(TestServer.stream, layout: key) { part in
                guard part > 0.5 else { return }
                began.signal()
                gate.wait()
                // The next part goes on at once.
                gate.signal()
            }
        }
        began.wait()
    }

    func release() { gate.signal() }
}
