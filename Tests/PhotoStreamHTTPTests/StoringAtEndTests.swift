import Foundation
import PhotoStreamHTTP
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Layouts that answers have computed outlive the server that gave them.
@Suite struct StoringAtEndTests {
    @Test(arguments: [UInt64(1), 2, 3])
    func `computed layouts are stored at the end even if a connection had to be closed`(
        seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        let widths = Set((0..<4).map { _ in random.int(in: 300...2_000) })
        let keys = try widths.map { try LayoutKey(LayoutConfiguration(containerLength: Double($0))) }
        let photoCount = random.int(in: 1_500...4_000)
        var settings = ServerSettings()
        // Connections are closed after 6 seconds; storing has all the time that a busy machine needs.
        (settings.endSeconds, settings.requestsPartOfEnd, settings.idleSeconds) = (600, 0.01, 86_400)
        let (records, file) = (LogRecords(), try TemporaryDatabase())
        let service = try TestServer.service(file, busyTimeoutMilliseconds: 1, logger: records.logger)
        try service.createStream(TestServer.stream)
        try TestServer.load(SampleRecords.records(photoCount), into: TestServer.stream, of: file)
        try await TestServer.with(service, file, settings: settings, logger: records.logger) { server in
            // Nothing can be stored when it is requested, and no later query makes the server try again.
            let holder = try FileHolder(file.path)
            for key in keys {
                for _ in 0..<2 { _ = try service.read { try $0.layout(key, of: TestServer.stream).summary() } }
            }
            let width = try #require(widths.first)
            #expect(try server.client("GET", "/v1/streams/gallery/layout?width=\(width)").status == 200)
            try records.wait(for: "storing is deferred")
            try holder.release()
            #expect(try service.cacheStatus().layouts.isEmpty)

            let descriptor = try server.client.connected()
            defer { close(descriptor) }
            // Far more than sockets hold, and the client does not read it.
            let request = "GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try HTTPClient.write(Array(String(repeating: request, count: 1_000).utf8), to: descriptor)
            #expect(!HTTPClient.readAll(descriptor, atLeast: 1).isEmpty)
            server.stop()
            try records.wait(for: "connections were closed before the end")
        }
        let other = try PhotoStreamService(path: file.path, access: .readOnly) { 1 }
        let layouts = try other.cacheStatus().layouts
        #expect(Set(layouts.map(\.layoutKey)) == Set(keys.map(\.description)))
        #expect(layouts.allSatisfy { $0.chunkCount > 0 })
        for key in keys {
            #expect(try other.read { try $0.layout(key, of: TestServer.stream).summary() }.count == photoCount)
        }
        #expect(other.work.foldedChunkCount == 0)
        try other.close()
    }
}

extension LogRecords {
    /// Waits until a message is logged.
    fileprivate func wait(for message: String) throws {
        try #require(eventually { all.contains { $0.message == message } }, "\(all.map(\.text).suffix(5))")
    }
}
