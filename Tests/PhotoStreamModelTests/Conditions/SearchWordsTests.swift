import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@Suite struct SearchWordsTests {
    @Test(arguments: [
        ("Zürich ZURICH zurich Zu\u{308}rich", ["zurich", "zurich", "zurich", "zurich"]),
        ("Straße STRASSE STRAẞE", ["strasse", "strasse", "strasse"]),
        ("ﬁne ＦＵＬＬ ２０２４ ①", ["fine", "full", "2024", "1"]),
        ("Malmø Łódź Đà Æsir Œuvre þ", ["malmo", "lodz", "da", "aesir", "oeuvre", "th"]),
        ("İstanbul ISPARTA ılık", ["istanbul", "isparta", "ilik"]), ("ΣΟΦΌΣ σοφός", ["σοφοσ", "σοφοσ"]),
        ("Ёлка елка ЁЛКА", ["елка", "елка", "елка"]), ("שָׁלוֹם שלום", ["שלום", "שלום"]),
        ("مُحَمَّد محمد أحمد كــتاب", ["محمد", "محمد", "احمد", "كتاب"]), ("٢٠٢٤ २०२४ ๒๐๒๔", ["2024", "2024", "2024"]),
        ("हिन्दी कुल कल", ["हिन्दी", "कुल", "कल"]), ("한국 사진", ["한국", "사진"]),
        ("上海夜景2024年", ["上", "海", "夜", "景", "2024", "年"]),
        ("ラーメン ﾗｰﾒﾝ ｶﾞ", ["ラ", "ー", "メ", "ン", "ラ", "ー", "メ", "ン", "ガ"]),
        ("東京のさくら", ["東", "京", "の", "さ", "く", "ら"]), ("ปีใหม่", ["ปี", "ใ", "ห", "ม่"]),
        ("ສະບາຍດີ", ["ສ", "ະ", "ບ", "າ", "ຍ", "ດີ"]),
        ("ភាសា", ["ភា", "សា"]), ("မြန်မာ", ["မြ", "န်", "မာ"]),
        ("IMG_1234.JPG don't Q&A m² 25°C", ["img", "1234", "jpg", "don", "t", "q", "a", "m2", "25", "c"]),
        ("Wan\u{AD}der\u{200B}weg می\u{200C}خواهم", ["wanderweg", "میخواهم"]), ("🎉 … — ", []), ("", []),
        ("\0a\0b", ["ab"]),
    ])
    func `texts in many scripts are divided into folded words`(text: String, words: [String]) {
        let found = SearchWords(text).words
        #expect(found == words.map { FoldedText.folded($0) }, "\(found)")
    }

    @Test(arguments: [
        // One and two characters of scripts without spaces, in the middle of a text.
        ("海", "上海夜景", true), ("夜景", "上海夜景", true), ("上景", "上海夜景", false), ("海", "上海", true), ("桜", "東京の桜", true),
        ("さく", "東京のさくら", true), ("くさ", "東京のさくら", false), ("ﾗｰ", "ラーメン", true), ("か", "がっこう", false),
        ("ปี", "สวัสดีปีใหม่", true),
        ("ใหม่", "สวัสดีปีใหม่", true), ("ป", "สวัสดีปีใหม่", false), ("ดี", "ສະບາຍດີ", false), ("ດີ", "ສະບາຍດີ", true),
        // Words of scripts with spaces are whole.
        ("zurich", "Sunset in Zürich", true), ("zur", "Sunset in Zürich", false),
        ("in zurich", "Sunset in Zürich", true),
        ("zurich in", "Sunset in Zürich", false), ("СОФИЯ", "Снимок: София", true), ("한국", "한국 사진", true),
        ("한", "한국 사진", false),
        ("img_1234", "IMG 1234.jpg", true), ("1234", "IMG_1234.jpg", true), ("234", "IMG_1234.jpg", false),
        ("שלום", "שָׁלוֹם עולם", true),
        ("نور", "صورة النور", false), ("النُّور", "صورة النور", true), ("कुल", "कल", false), ("a a b", "a a a b", true),
    ])
    func `a phrase is found as words that follow one another`(phrase: String, text: String, isFound: Bool) throws {
        #expect(try #require(SearchPhrase(phrase)).isFound(in: SearchWords(text)) == isFound)
    }

    @Test(arguments: [
        ("zur", "in Zürich", true), ("in z", "in Zürich", true), ("i zur", "in Zürich", false), ("上", "東京 上海", true),
        ("ป", "ปีใหม่", true),
        ("zurichs", "in Zürich", false), ("2", "２０２４", true), ("한", "한국", true),
    ])
    func `the last word of a phrase may be the beginning of one`(phrase: String, text: String, isFound: Bool) throws {
        #expect(try #require(SearchPhrase(phrase, isPrefix: true)).isFound(in: SearchWords(text)) == isFound)
    }

    @Test func `a text without letters and digits is not a phrase`() {
        for text in ["", " ", "&", "…", "🎉", "\0", "\u{301}", "\u{FEFF}"] { #expect(SearchPhrase(text) == nil) }
    }

    @Test func `the folded form of every scalar is its own, and its words contain only it`() throws {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned,
                // Ideographs and syllables of Hangul are alike, and many.
                !(0x3500...0x9F00).contains(value), !(0xAD00...0xD700).contains(value),
                !(0x20100...0x2A000).contains(value), !(0xE100...0xF800).contains(value), value < 0x2A100
            else { continue }
            for text in ["\(scalar)", "\u{E9}\(scalar)\u{3099}"] {
                let folded = FoldedText.folded(text)
                guard FoldedText.folded(folded).utf8.elementsEqual(folded.utf8) else {
                    Issue.record("U+\(String(value, radix: 16)): \(folded.unicodeScalars.map(\.value))")
                    continue
                }
                let words = SearchWords(text).words
                if !words.allSatisfy(Self.isWord) { Issue.record("U+\(String(value, radix: 16)): \(words)") }
            }
        }
    }

    /// Whether SQLite's tokenizer for ASCII takes a word for the same one, and so does this one.
    private static func isWord(_ word: String) -> Bool {
        SearchWords(word).words == [word] && !word.isEmpty
            && word.utf8.allSatisfy {
                $0 >= 0x80 || ("a"..."z").contains(Character(Unicode.Scalar($0))) || $0 & 0xF0 == 0x30 && $0 < 0x3A
            }
    }

    @Test func `words of random texts are those of the words, joined by spaces`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<3_000 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<random.int(in: 0...12) {
                let blocks: [ClosedRange<Int>] = [
                    0...0x7F, 0x80...0x24F, 0x300...0x5FF, 0xE00...0xEFF, 0x1100...0x17FF, 0x3040...0x30FF,
                    0xAC00...0xAC80, 0xFB00...0xFFEF,
                ]
                let value = random.int(in: random.element(of: blocks))
                if let scalar = Unicode.Scalar(UInt32(value)) { scalars.append(scalar) }
            }
            let words = SearchWords(String(scalars)).words
            #expect(SearchWords(words.joined(separator: " ")).words == words, "\(scalars.map(\.value))")
            if let phrase = SearchPhrase(String(scalars)) {
                #expect(SearchPhrase(phrase.canonicalText) == phrase, "\(scalars.map(\.value))")
            }
        }
    }

    @Test func `texts in ASCII are divided as others are`() {
        var random = SplitMix64(seed: 2)
        for _ in 0..<3_000 {
            let scalars = (0..<random.int(in: 0...90)).map { _ in
                Unicode.Scalar(UInt8(random.int(in: random.oneIn(3) ? 0...0x7F : 0x30...0x7A)))
            }
            let text = String(String.UnicodeScalarView(scalars))
            #expect(SearchWords(text).words == SearchWords(folded: FoldedText.folded(text)).words, "\(scalars)")
            #expect(SearchWords(text).words == SearchWords(text + "\u{301}").words, "\(scalars)")
        }
    }

    @Test func `a word has 64 scalars at most, and the rest is the next word`() throws {
        let run = String(repeating: "ab", count: 80)
        #expect(SearchWords(run).words.map(\.count) == [64, 64, 32])
        #expect(SearchWords(String(repeating: "ab", count: 32)).words.count == 1)
        #expect(try #require(SearchPhrase(run)).isFound(in: SearchWords("x \(run) y")))
        let start = try #require(SearchPhrase(String(run.prefix(70)), isPrefix: true))
        #expect(start.isFound(in: SearchWords(run)))
    }

    @Test func `long runs of combining marks are cut, and take no quadratic time`() {
        let accents = "a" + String(repeating: "\u{301}\u{316}", count: 100_000)
        #expect(SearchWords(accents).words == ["a"])
        let tones = "ก" + String(repeating: "\u{E48}\u{E38}", count: 100_000)
        #expect(SearchWords(tones).words.map(\.unicodeScalars.count) == [31])
    }
}
