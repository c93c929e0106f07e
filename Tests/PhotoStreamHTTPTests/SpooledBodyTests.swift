import Foundation
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

@Suite struct SpooledBodyTests {
    @Test func `a spooled body is read from its start, is unlinked, and is private`() throws {
        let body = try SpooledBody()
        try Array("first ".utf8).withUnsafeBytes { bytes throws in try body.append(bytes) }
        try Array("second".utf8).withUnsafeBytes { bytes throws in try body.append(bytes) }
        for _ in 1...2 { #expect(try String(contentsOfFile: body.path, encoding: .utf8) == "first second") }
        #expect(FileStatus(path: body.path) == FileStatus(linkCount: 0, permissions: 0o600))
    }
}
