import Foundation
import NIOCore

/// A check of a port before a server is started on it.
///
/// A server that cannot open its port has already started threads, and SwiftNIO may complain while they end. Another
/// program can still take the port after the check.
enum PortCheck {
    /// Checks that a port of an address is free.
    ///
    /// - Throws: ``ServerError``.
    static func checkIsFree(_ port: Int, at address: ServerAddress) throws(ServerError) {
        guard let socketAddress = try? SocketAddress(ipAddress: address.description, port: port) else { return }
        let descriptor = socket(Int32(socketAddress.protocol.rawValue), Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var isOn: Int32 = 1
        // Like the server: connections of a server that has just ended do not matter.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let result = unsafe socketAddress.withSockAddr { pointer, size in
            unsafe bind(descriptor, pointer, socklen_t(size))
        }
        guard result != 0 else { return }
        if let error = ServerError(errno, port: port, address: address) { throw error }
    }
}

extension ServerError {
    /// Creates the error for an address or a port that the system refuses; `nil` for any other code of `errno`.
    init?(_ code: Int32, port: Int, address: ServerAddress) {
        switch code {
        case EADDRINUSE: self = .portTaken(port)
        case EACCES: self = .portForbidden(port)
        case EADDRNOTAVAIL: self = .foreignAddress(address)
        default: return nil
        }
    }
}
