import Foundation
import PhotoStreamHTTP
import PhotoStreamTestSupport
import Testing

/// Pictures on their way, and what ends it.
@Suite struct PictureSendingTests {
    private static let jpeg = ServedPictures.jpeg

    @Test func `a file larger than memory is streamed, and closed when its client disconnects`() async throws {
        try await ServedPictures.with { get in
            try get.write("large.jpg", Self.jpeg, isOld: false)
            let byteCount = Int64(1) << 36
            try #require(truncate(get.url("large.jpg").path, off_t(byteCount)) == 0)
            try get.age("large.jpg")
            let target = try get.target("large.jpg")
            let descriptor = try get.server.client.connected()
            try HTTPClient.write(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), to: descriptor)
            let bytes = HTTPClient.readAll(descriptor, atLeast: 8 << 20)
            let head = String(decoding: bytes.prefix(2_000), as: UTF8.self)
            #expect(head.hasPrefix("HTTP/1.1 200 "))
            #expect(head.contains("Content-Length: \(byteCount)\r\n"))
            #expect(Self.openCount(of: get.url("large.jpg")) == 1)
            let tail = try get.server.client("GET", target, ["Range": "bytes=-5"])
            #expect(tail.status == 206 && tail.body == [0, 0, 0, 0, 0])
            close(descriptor)
            #expect(eventually { Self.openCount(of: get.url("large.jpg")) == 0 })
        }
    }

    @Test func `a stalled client times out, and its file is closed`() async throws {
        var settings = ServerSettings()
        settings.idleSeconds = 1
        try await TestServer.with(photos: 5, settings: settings) { server in
            let get = ServedPictures(server: server)
            try get.write("still.jpg", Self.jpeg, isOld: false)
            try #require(truncate(get.url("still.jpg").path, 1 << 30) == 0)
            let target = try get.target("still.jpg")
            let descriptor = try server.client.connected()
            defer { close(descriptor) }
            try HTTPClient.write(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), to: descriptor)
            let begin = HTTPClient.readAll(descriptor, atLeast: 1 << 20)
            #expect(Self.openCount(of: get.url("still.jpg")) == 1)
            #expect(eventually { Self.openCount(of: get.url("still.jpg")) == 0 })
            #expect(begin.count + HTTPClient.readAll(descriptor).count < 1 << 30)
        }
    }

    @Test func `a file that shrinks while it is sent ends the connection early`() async throws {
        try await ServedPictures.with { get in
            try get.write("large.jpg", Self.jpeg, isOld: false)
            try #require(truncate(get.url("large.jpg").path, 1 << 30) == 0)
            let descriptor = try get.server.client.connected()
            defer { close(descriptor) }
            let target = try get.target("large.jpg")
            try HTTPClient.write(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), to: descriptor)
            let begin = HTTPClient.readAll(descriptor, atLeast: 1 << 20)
            try #require(truncate(get.url("large.jpg").path, 100) == 0)
            // The end comes though the connection was to be kept.
            let rest = HTTPClient.readAll(descriptor)
            #expect(begin.count + rest.count < 1 << 30)
            #expect(try get.server.client("GET", target).body.count == 100)
        }
    }

    @Test func `concurrent clients each get their picture`() async throws {
        try await ServedPictures.with { get in
            let files = (0..<8).map { number in
                Self.jpeg + (0..<200_000 + number).map { UInt8(truncatingIfNeeded: $0 * (number + 3)) }
            }
            var targets: [String] = []
            for (number, bytes) in files.enumerated() {
                try get.write("\(number).jpg", bytes)
                targets.append(try get.target("\(number).jpg", id: "many-\(number)"))
            }
            let all = targets
            let answers = try atOnce(32) { number in
                (number % 8, try get.server.client("GET", all[number % 8]).body)
            }
            #expect(answers.count == 32)
            for (number, body) in answers { #expect(body == files[number]) }
        }
    }

    /// The number of times that this file is open in this process.
    ///
    /// The whole path is compared, because other tests have files of the same name in their folders at the same time.
    private static func openCount(of file: URL) -> Int {
        let path = file.resolvingSymlinksInPath().path
        let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return links.count { link in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + link)) == path
        }
    }
}
