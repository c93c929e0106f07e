import Foundation
import Testing

@testable import PhotoStreamHTTP

/// A port that is taken is found before anything of a server runs, so that nothing complains while it ends.
@Suite struct PortCheckTests {
    /// A socket that listens on a free port.
    private static func listening() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 1) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(result)
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    @Test func `a port in use is named, and a free one stays free`() throws {
        let other = try Self.listening()
        #expect(throws: ServerError.portTaken(other.port)) { try PortCheck.checkIsFree(other.port, at: .loopback) }
        close(other.descriptor)
        // Twice: the check itself leaves nothing open.
        for _ in 0..<2 { try PortCheck.checkIsFree(other.port, at: .loopback) }
        // Any free port will do.
        try PortCheck.checkIsFree(0, at: .loopback)
    }
}
