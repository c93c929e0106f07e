import PhotoStreamModel
import Testing

@Suite struct PhotoTextTests {
    private func problem(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `a caption has at most 64 KB, and any other text 4 KB`() {
        for text in PhotoText.allCases {
            #expect(text.maximumByteCount == (text == .caption ? 65_536 : 4_096))
            let longest = String(repeating: "é", count: text.maximumByteCount / 2)
            #expect(problem { try text.check(longest) } == nil)
            let said = problem { try text.check(longest + "x") } ?? ""
            #expect(said.hasSuffix("has \(text.maximumByteCount + 1) bytes, more than \(text.maximumByteCount)"))
            #expect(problem { try text.check("a\0b") }?.hasSuffix("holds a NUL character (U+0000)") == true)
        }
    }

    @Test func `tags are limited one by one and in total`() {
        let tag = String(repeating: "x", count: 4_096)
        #expect(problem { try PhotoList.tags.check(Array(repeating: tag, count: 16)) } == nil)
        #expect(
            problem { try PhotoList.tags.check(Array(repeating: tag, count: 16) + ["y"]) }
                == "the tags have 65537 bytes together, more than 65536")
        #expect(problem { try PhotoList.tags.check(["a", tag + "x"]) } == "a tag has 4097 bytes, more than 4096")
    }

    @Test func `a record is validated text by text`() throws {
        var record = PhotoRecord(id: try PhotoID("a"))
        #expect(problem { try record.check() } == nil)
        record.caption = .set(String(repeating: "x", count: 65_536))
        record.alt = .clear
        #expect(problem { try record.check() } == nil)
        record.location = .set(String(repeating: "x", count: 4_097))
        #expect(problem { try record.check() } == "the location has 4097 bytes, more than 4096")
        record.location = .keep
        record.tags = .set(["a\0"])
        #expect(problem { try record.check() } == "a tag holds a NUL character (U+0000)")
    }
}
