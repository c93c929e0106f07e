import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

@Suite struct JSONTextListTests {
    @Test(arguments: [
        ["sea"], ["\u{FEFF}sea", "\u{FEFF}"], ["a\"b", "\u{FEFF}c"], ["\u{FEFF}", "\\", "é"], ["a\tb", "\u{1}"],
        ["", "[]"],
    ])
    func `tags are restored exactly`(tags: [String]) throws {
        let json = try #require(JSONTextList.encode(tags))
        #expect(JSONTextList.decode(json).map { Array($0.utf8) } == tags.map { Array($0.utf8) })
    }

    @Test(arguments: [1, 2])
    func `random tags are restored exactly`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let scalars = Array("a\"\\/[],\u{FEFF}\u{7F}\u{1}é😀".unicodeScalars)
        for _ in 0..<2_000 {
            let tags = (0...random.int(in: 0...3)).map { _ in
                String(
                    String.UnicodeScalarView((0..<random.int(in: 0...4)).map { _ in scalars[random.int(in: 0...10)] }))
            }
            let json = try #require(JSONTextList.encode(tags))
            #expect(JSONTextList.decode(json).map { Array($0.utf8) } == tags.map { Array($0.utf8) }, "\(json)")
        }
    }

    @Test(arguments: [
        (" [ \"a\" , 1, null, \"b\" ] ", ["a", "b"]), (#"["\ud83d\ude00","\n"]"#, ["😀", "\n"]), ("[]", []), ("{}", []),
        ("", []), (#"["a""#, []), (#"["a"] "#, ["a"]), (#"["\u00"]"#, []),
    ])
    func `other JSON from a shell is read for its texts`(json: String, tags: [String]) {
        #expect(JSONTextList.decode(json) == tags)
    }

    @Test func `a tag that begins with a byte order mark is imported once`() throws {
        let fixture = try StreamFixture()
        var one = try record("a", at: 5)
        one.tags = .set(["\u{FEFF}harbour \"old\"", "\u{FEFF}sea"])
        #expect(try fixture.importing([one]) == [.inserted])
        #expect(try fixture.importing([one]) == [.unchanged])
    }
}
