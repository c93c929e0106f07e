import Foundation
import PhotoStreamTestSupport
import Testing

/// The messages of a server to the service manager that has started it.
@Suite struct ServeNotifyTests {
    /// A service manager's socket.
    private final class Listener {
        let path: String
        private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        private(set) var messages: [String] = []

        // `name` is a path, or begins with `@`.
        init(_ name: String) throws {
            path = name
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            var bytes = Array(name.utf8)
            if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
            }
            try #require(result == 0)
        }

        deinit { close(descriptor) }

        /// Reads the messages that have arrived; returns all so far.
        func read() -> [String] {
            var block = [UInt8](repeating: 0, count: 1_024)
            while true {
                let count = recv(descriptor, &block, block.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return messages }
                messages.append(String(decoding: block[..<count], as: UTF8.self))
            }
        }
    }

    @Test(arguments: [true, false])
    func `it notifies that it is ready, that it makes progress, and that it ends`(isAbstract: Bool) throws {
        let photostream = try Command()
        try photostream("streams", "create", "s")
        let id = UUID().uuidString.prefix(8)
        let listener = try Listener(isAbstract ? "@photostream-\(id)" : "/tmp/photostream-\(id).socket")
        defer { if !isAbstract { unlink(listener.path) } }
        let server = try ServedFile(
            in: photostream.folder,
            environment: ["NOTIFY_SOCKET": listener.path, "WATCHDOG_USEC": "300000"])
        #expect(eventually { listener.read().contains("READY=1") })
        #expect(eventually { listener.read().filter { $0 == "WATCHDOG=1" }.count >= 3 })
        server.signal(SIGTERM)
        #expect(server.end().status == 0)
        #expect(listener.read().last == "STOPPING=1" || listener.read().contains("STOPPING=1"))
    }

    @Test func `a server whose file is gone reports no progress`() throws {
        let photostream = try Command()
        try photostream("streams", "create", "s")
        let listener = try Listener("@photostream-\(UUID().uuidString.prefix(8))")
        let server = try ServedFile(
            in: photostream.folder,
            environment: ["NOTIFY_SOCKET": listener.path, "WATCHDOG_USEC": "300000"])
        #expect(eventually { listener.read().contains("WATCHDOG=1") })
        try FileManager.default.removeItem(at: photostream.folder.appending(path: "photostream.sqlite"))
        // A look may be under way; after that there is silence for several times its time.
        #expect(
            eventually {
                let before = listener.read().count
                let start = ContinuousClock.now
                while ContinuousClock.now - start < .seconds(1) { _ = listener.read() }
                return listener.read().count == before
            })
        server.signal(SIGTERM)
        _ = server.end()
    }
}
