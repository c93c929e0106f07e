import Dispatch
import Foundation
import Testing

@testable import PhotoStreamHTTP

@Suite struct SpooledBodyTests {
    @Test func `a spooled body is read from its beginning, has no name, and nobody else may read it`() throws {
        let body = try SpooledBody()
        try Array("first ".utf8).withUnsafeBytes { bytes throws in try body.append(bytes) }
        try Array("second".utf8).withUnsafeBytes { bytes throws in try body.append(bytes) }
        for _ in 1...2 { #expect(try String(contentsOfFile: body.path, encoding: .utf8) == "first second") }
        var status = stat()
        #expect(stat(body.path, &status) == 0)
        #expect(status.st_nlink == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }
}
