import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@Suite struct PictureKeyTests {
    @Test(arguments: UInt64(0)..<50)
    func `the text is base64url without padding, and parses to the key`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let bytes = (0..<16).map { _ in UInt8(random.int(in: 0...255)) }
        let key = try #require(PictureKey(bytes: bytes))
        let expected = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        #expect(key.bytes == bytes)
        #expect(key.description == expected && expected.utf8.count == 22)
        #expect(PictureKey(expected) == key)
    }

    @Test(arguments: [
        "", "A", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAA==",
        "AAAAAAAAAAAAAAAAAAAA+A", "AAAAAAAAAAAAAAAAAAAA/A", "AAAAAAAAAAAAAAAAAAAAé", "AAAAAAAAAAAAAAAAAAAA A",
    ])
    func `other texts are not keys`(text: String) {
        #expect(PictureKey(text) == nil)
    }

    @Test func `a key has 16 bytes`() {
        for count in [0, 15, 17, 32] { #expect(PictureKey(bytes: [UInt8](repeating: 1, count: count)) == nil) }
    }
}
