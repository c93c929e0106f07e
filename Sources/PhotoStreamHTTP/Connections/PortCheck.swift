#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A check of a port before a server is started on it.
///
/// A server that cannot open its port has already started threads, and SwiftNIO may complain while they end. Another
/// program can still take the port after the check.
enum PortCheck {
    /// Checks that a port of 127.0.0.1 is free.
    ///
    /// - Throws: ``ServerError``.
    static func checkIsFree(_ port: Int) throws(ServerError) {
        guard port != 0, let number = UInt16(exactly: port) else { return }
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var isOn: Int32 = 1
        // Like the server: connections of a server that has just ended do not matter.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result != 0 else { return }
        if let error = ServerError(errno, port: port) { throw error }
    }
}

extension ServerError {
    /// Creates the error for a port that the system refuses; `nil` for any other code of `errno`.
    init?(_ code: Int32, port: Int) {
        switch code {
        case EADDRINUSE: self = .portTaken(port)
        case EACCES: self = .portForbidden(port)
        default: return nil
        }
    }
}
