import Foundation

/// A port of 127.0.0.1 for a program that a test starts on a port of the test's choice.
package enum FreePort {
    /// Returns a port on which no program listens, and that the system never hands out by itself.
    ///
    /// The system takes the ports of connections, and of servers that ask for any port, from a range of its own. A port
    /// from there may be another's as soon as the test lets go of it; the ones below it are left alone.
    ///
    /// - Throws: ``Exhausted`` if 1,000 ports are in use.
    package static func choose() throws(Exhausted) -> Int {
        let range = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        let end = range?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) } ?? 32_768
        for _ in 0..<1_000 {
            // Those under 1,024 are for the administrator.
            let port = Int.random(in: max(1_024, min(20_000, end - 1_000))..<max(end, 1_025))
            if isFree(port) { return port }
        }
        throw Exhausted()
    }

    /// Listens on a chosen port.
    ///
    /// - Returns: The socket, which the caller closes, and its port.
    /// - Throws: ``Exhausted``.
    package static func listen() throws(Exhausted) -> (descriptor: Int32, port: Int) {
        for _ in 0..<10 {
            let port = try choose()
            let descriptor = newSocket()
            if bind(descriptor, to: port), Foundation.listen(descriptor, 1) == 0 { return (descriptor, port) }
            close(descriptor)
        }
        throw Exhausted()
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = newSocket()
        defer { close(descriptor) }
        return bind(descriptor, to: port)
    }

    /// A socket that programs started meanwhile by other tests do not inherit: they would keep its port.
    private static func newSocket() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    private static func bind(_ descriptor: Int32, to port: Int) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// No free port was found.
    package struct Exhausted: Error {}
}
