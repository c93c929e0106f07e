/// Texts that programs mistake for others.
enum NastyTexts {
    /// Texts of valid UTF-8, no two with the same bytes.
    static let texts: [String] = [
        // Marks that decoders drop, and what looks like them.
        "\u{FEFF}", "x", "\u{FEFF}x", "x\u{FEFF}", "x\u{FEFF}y", "xy", "\u{FEFF}\u{FEFF}x", "\u{FFFE}x", "\u{FFFF}x",
        "\u{FFFD}x", "\u{200B}x", "x\u{200B}", "\u{2060}x", "\u{00AD}x", "\u{180E}x", "\u{202E}x", "\u{200F}x",
        "\u{2066}x\u{2069}", "\u{2028}x", "\u{2029}x", "\u{A0}x", " x", "x ", "\u{3000}",
        // Control characters.
        "\u{0}", "x\u{0}", "x\u{0}y", "\r\n", "x\r\ny", "x\n", "\t", "\u{7F}x", "x\u{85}y", "\u{1B}[31m",
        // Signs of addresses, files and JSON.
        "%", "%x", "%4", "%41", "A", "%2F", "%2f", "%252F", "/", "a/b", "//", "/a", "a/", "+", "a+b", "a b", ";", "a;b",
        "?",
        "a?b=c", "#", "a#b", "&", "a&b", "=", ".", "..", "...", "./a", "../a", "a/../b", "\\", "a\\b", "\"", "'",
        "a\"b",
        "\\u0041", "\\ud800", ":", "file:///a", "~", "*", "{stream}", "none", "null", "true", "0", "-1", "1e999",
        // Pairs with one look.
        "\u{E9}", "e\u{301}", "\u{C5}", "A\u{30A}", "\u{212B}", "\u{1E9B}\u{323}", "\u{3A9}", "\u{2126}", "\u{D55C}",
        "\u{1112}\u{1161}\u{11AB}", "fi", "\u{FB01}", "I", "\u{130}", "\u{131}", "ss", "\u{DF}", "\u{1E9E}",
        // Characters that begin with a mark, or combine with the previous one.
        "\u{301}", "\u{301}x", "/\u{301}", "a/\u{301}b", "%\u{301}41", "+\u{301}", ".\u{301}", "..\u{301}", "\u{200D}x",
        // Characters of several scalars.
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F468}\u{1F469}\u{1F467}", "\u{1F1E9}\u{1F1EA}",
        "\u{1F1E9}", "\u{2764}\u{FE0F}", "\u{2764}", "\u{10FFFF}", "\u{E000}",
        // Long ones: the longest id, one too long, and the longest name of a stream and of a file.
        String(repeating: "a", count: 512), String(repeating: "a", count: 513),
        String(repeating: "\u{FEFF}", count: 42),
        String(repeating: "\u{E9}", count: 64), String(repeating: "e\u{301}", count: 43),
        String(repeating: "b", count: 128),
    ]

    /// Bytes that are not UTF-8: overlong forms, halves of surrogate pairs, values beyond Unicode, parts of characters.
    static let broken: [[UInt8]] = [
        [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF], [0xED, 0xA0, 0x80],
        [0xED, 0xB0, 0x80], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], [0xF4, 0x90, 0x80, 0x80],
        [0xF8, 0x88, 0x80, 0x80, 0x80],
        [0x80], [0xBF], [0xFF], [0xFE], [0xEF, 0xBB], [0xEF], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3],
        [0x78, 0xC3, 0x28],
        [0xFF, 0xFE, 0x78, 0x00], [0xFE, 0xFF, 0x00, 0x78],
    ]

    /// Returns bytes as an address has them, each of them escaped.
    static func escaped(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }

    /// Returns a text in JSON, with quotation marks.
    static func json(_ text: String) -> String {
        var written = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": written += "\\"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                written += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                continue
            default: break
            }
            written.unicodeScalars.append(scalar)
        }
        return written + "\""
    }
}
