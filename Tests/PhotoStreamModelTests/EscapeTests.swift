import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// The decoders of texts keep every byte.
@Suite struct EscapeTests {
    @Test(arguments: [
        ("%EF%BB%BFx", "\u{FEFF}x"), ("\u{FEFF}x", "\u{FEFF}x"), ("%ef%bb%bf", "\u{FEFF}"), ("", ""), ("a", "a"),
        ("%2F%2f", "//"), ("%252F", "%2F"), ("+", "+"), ("%00", "\u{0}"), ("e%CC%81", "e\u{301}"), ("%C3%A9", "é"),
        ("%F0%9F%98%80", "😀"), ("%EF%BF%BD", "\u{FFFD}"), ("\u{FFFD}", "\u{FFFD}"), ("%\u{30}\u{30}", "\u{0}"),
    ])
    func `an escaped text is decoded exactly`(text: String, decoded: String) {
        #expect(PercentEscapes.decoded(text).map { Array($0.utf8) } == Array(decoded.utf8))
    }

    @Test(arguments: [
        "%", "%4", "a%", "%4g", "%g4", "%%41", "%-1", "%+1", "% 1", "%4\u{301}1", "%\u{301}41", "%C0%80", "%C0%AF",
        "%ED%A0%80", "%ED%A0%BD%ED%B8%80", "%F4%90%80%80", "%80", "%FF", "%EF%BB", "%C3(", "%FF%FEx%00", "%\u{FF14}1",
    ])
    func `malformed sequences and bytes that are not UTF-8 are refused`(text: String) {
        #expect(PercentEscapes.decoded(text) == nil)
    }

    @Test func `a plus sign is a space in queries, whatever follows it`() {
        #expect(PercentEscapes.decoded("a+b%2B", plusIsSpace: true) == "a b+")
        #expect(PercentEscapes.decoded("+\u{301}", plusIsSpace: true).map { Array($0.utf8) } == [0x20, 0xCC, 0x81])
    }

    @Test func `forbidden bytes are refused only if they are escaped`() {
        let isSlash = { (byte: UInt8) in byte == UInt8(ascii: "/") }
        #expect(PercentEscapes.decoded("a/b", refusing: isSlash) == "a/b")
        #expect(PercentEscapes.decoded("a%2Fb", refusing: isSlash) == nil)
    }

    @Test(arguments: [1, 2])
    func `an encoded text is decoded to the same bytes`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let scalars = Array("a%+/\u{FEFF}\u{301}\u{0}é😀\u{FFFD}~ ".unicodeScalars)
        for _ in 0..<2_000 {
            let text = String(
                String.UnicodeScalarView((0..<random.int(in: 0...6)).map { _ in scalars[random.int(in: 0...10)] }))
            let escaped = PercentEscapes.encoded(text)
            #expect(escaped.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
            for plusIsSpace in [false, true] {
                let decoded = PercentEscapes.decoded(escaped, plusIsSpace: plusIsSpace)
                #expect(decoded.map { Array($0.utf8) } == Array(text.utf8), "\(escaped)")
            }
        }
    }

    @Test(arguments: [
        ("\u{FEFF}x", "\u{FEFF}x"), (#"\uFEFFx"#, "\u{FEFF}x"), (#"\n\t\r\b\f\/\\\""#, "\n\t\r\u{8}\u{C}/\\\""),
        (#"\ud83d\ude00"#, "😀"), (#"\u0000"#, "\u{0}"), (#"\uD7FF\uE000"#, "\u{D7FF}\u{E000}"), ("", ""), ("é", "é"),
        (#"\uDBFF\uDFFF"#, "\u{10FFFF}"),
    ])
    func `a text in JSON is decoded exactly`(written: String, decoded: String) {
        #expect(JSONEscapes.decoded(written.utf8).map { Array($0.utf8) } == Array(decoded.utf8))
    }

    @Test(arguments: [
        #"\"#, #"\x"#, #"\u"#, #"\u12"#, #"\u00g0"#, #"\ud800"#, #"\ud800x"#, #"\ud800\n"#, #"\ud800\u0041"#,
        #"\udc00"#,
        #"\ud800\ud800"#, "a\"b", "\n", "\u{1}", "\\u\u{FF10}\u{FF10}41",
    ])
    func `a text that is not JSON is refused`(written: String) {
        #expect(JSONEscapes.decoded(written.utf8) == nil)
        #expect(JSONEscapes.decoded([0xC0, 0x80]) == nil)
    }
}
