import Foundation
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPictures

@Suite struct NameGlobTests {
    @Test(arguments: [
        ("img_*.jpg", "IMG_1.JPG", true), ("É*", "é1", true), ("?", "😀", true), ("a?c", "a/c", false),
        ("a*c", "a/c", false), ("[A-C]x", "bX", true), ("[!a]", "A", false), ("[^a]", "b", true), ("[]]", "]", true),
        ("[!]]", "]", false), ("[a-]", "-", true), ("[[:digit:]]", "7", true), ("[[:upper:]]", "a", true),
        ("[[:alpha:][:digit:]_]", "_", true), ("[[:space:]]", "x", false), ("[a\\]b]", "]", true), ("[!a]", "/", false),
        ("\\*", "*", true), ("\\*", "x", false), ("a/**/b", "a/b", true), ("a/**/b", "a/x/y/b", true),
        ("a/**/b", "ab", false), ("**/b", "b", true), ("**/b", "a/b", true), ("**/b", "ab", false),
        ("a/**", "a/b/c", true), ("a/**", "a", false), ("a**b", "axxb", true), ("", "", true), ("", "a", false),
        ("*", "", true), ("a*b*c", "abcbc", true), ("a*b*c", "abcb", false),
    ])
    func `a pattern matches`(pattern: String, text: String, isMatch: Bool) throws {
        #expect(try #require(NameGlob(pattern)).matches(NameGlob.folded(text)) == isMatch)
    }

    @Test(arguments: ["[", "[a", "[]", "[!]", "[[:nothing:]]", "a\\", "[a\\", "[a-"])
    func `an incomplete pattern is refused`(pattern: String) {
        #expect(NameGlob(pattern) == nil)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `it matches names like fnmatch with FNM_CASEFOLD`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func text(_ parts: [String], _ range: ClosedRange<Int>) -> String {
            (0..<Int.random(in: range, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        }
        for _ in 0..<1_000 {
            let pattern = text(["a", "B", "c", "*", "?", "[ab]", "[!a]", "[a-c]", "\\*", ".", "-"], 1...6)
            let name = text(["a", "A", "b", "B", "c", "*", ".", "-"], 0...6)
            let isMatch = try #require(NameGlob(pattern)).matches(NameGlob.folded(name))
            // Constant in glibc, and not shown to Swift without _GNU_SOURCE.
            #expect(isMatch == (fnmatch(pattern, name, 1 << 4) == 0), "\(pattern) \(name)")
        }
    }
}
