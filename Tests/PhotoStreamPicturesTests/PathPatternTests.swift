import Foundation
import PhotoStreamPictures
import PhotoStreamTestSupport
import Testing

@Suite struct PathPatternTests {
    @Test(
        arguments: [
            ("*.jpg", "a.jpg", true), ("*.jpg", "2023/05/a.jpg", true), ("*.jpg", "a.jpeg", false),
            ("*.jpg", "a.JPG", true), ("É.jpg", "é.JPG", true), ("IMG_????.jpg", "x/IMG_0001.jpg", true),
            ("IMG_????.jpg", "IMG_001.jpg", false),
            ("[a-c]*", "d/b1", true), ("[a-c]*", "b/d1", false), ("2023/*.jpg", "2023/a.jpg", true),
            ("2023/*.jpg", "2023/05/a.jpg", false), ("2023/**/*.jpg", "2023/05/06/a.jpg", true),
            ("2023/**/*.jpg", "2023/a.jpg", true), ("2023/**", "2023/05/a", true), ("2023/**", "2024/a", false),
            ("**/raw/**", "a/raw/b.dng", true), ("**/raw/**", "raw/b.dng", true), ("**/raw/**", "a/raws/b.dng", false),
            ("/a.jpg", "a.jpg", true), ("/a.jpg", "b/a.jpg", false), ("**", "a/b", true), ("é*", "é1", true),
        ])
    func `a pattern matches like in a shell`(pattern: String, path: String, isMatch: Bool) throws {
        #expect(try #require(PathPattern(pattern)).matches(path) == isMatch)
    }

    @Test(arguments: ["", "/", "a\u{0}b", "[a", "x/[a/b", "a\\"])
    func `an invalid pattern is nil`(text: String) {
        #expect(PathPattern(text) == nil)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `without two stars it matches like fnmatch with FNM_PATHNAME and FNM_CASEFOLD`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let path = Self.text(of: "aAb.", slashes: 2, &random)
            let pattern = Self.text(of: "aBb.*?", slashes: 2, &random)
            guard !pattern.contains("**"), let read = PathPattern("/" + pattern) else { continue }
            #expect(read.matches(path) == (fnmatch(pattern, path, FNM_PATHNAME | 1 << 4) == 0), "\(pattern) \(path)")
        }
    }

    /// A path of one to three names of one to three characters.
    private static func text(of characters: String, slashes: Int, _ random: inout SplitMix64) -> String {
        (0...Int.random(in: 0...slashes, using: &random)).map { _ in
            String(
                (1...Int.random(in: 1...3, using: &random)).map { _ in characters.randomElement(using: &random) ?? "a" }
            )
        }.joined(separator: "/")
    }
}
