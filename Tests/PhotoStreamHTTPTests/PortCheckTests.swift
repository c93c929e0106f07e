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
        // Twice: the check itself leaves nothing open. A program that another test is just starting has the socket until it
        // has replaced the test runner.
        for _ in 0..<2 {
            #expect(eventually { (try? PortCheck.checkIsFree(other.port, at: .loopback)) != nil })
        }
        // Any free port will do.
        try PortCheck.checkIsFree(0, at: .loopback)
    }
}
