import Foundation
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

/// A port that is taken is found before anything of a server runs, so that nothing complains while it ends.
@Suite struct PortCheckTests {
    @Test func `a port in use is named, and a free one stays free`() throws {
        let other = try FreePort.listen()
        #expect(throws: ServerError.portTaken(other.port)) { try PortCheck.checkIsFree(other.port, at: .loopback) }
        close(other.descriptor)
        // Twice: the check itself leaves nothing open.
        for _ in 0..<2 { try PortCheck.checkIsFree(other.port, at: .loopback) }
        // Any free port will do.
        try PortCheck.checkIsFree(0, at: .loopback)
    }
}
