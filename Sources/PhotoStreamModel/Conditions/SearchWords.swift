/// The words of a text, as searches compare them: in their order, folded.
///
///     SearchWords("Sunset in Zürich, IMG_1234").words  // ["sunset", "in", "zurich", "img", "1234"]
///     SearchWords("上海夜景 2024").words                // ["上", "海", "夜", "景", "2024"]
///
/// A word is a run of letters, digits and their marks. In scripts that are written without spaces between words (Han,
/// Hiragana, Katakana, Thai, Lao, Khmer, Burmese), each letter with its marks is a word, so that every part of a text is
/// found. Words contain no ASCII other than small letters and digits, and no white space or punctuation: SQLite's `ascii`
/// tokenizer takes the words of a text, joined by spaces, for the same words.
package struct SearchWords: Hashable, Sendable {
    /// The maximum length of a word in scalars; a longer run continues as the next word.
    package static let maximumLength = 64

    /// The words.
    package let words: [String]

    /// Divides a text into words.
    ///
    /// - Complexity: O(bytes).
    package init(_ text: String) {
        let isASCII = !text.utf8.contains { $0 >= 0x80 }
        self.init(words: isASCII ? Self.wordsOfASCII(text) : Self.words(ofFolded: FoldedText.folded(text)))
    }

    private static func wordsOfASCII(_ text: String) -> [String] {
        var (words, word): ([String], [UInt8]) = ([], [])
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): word.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
            // White space separates words, other control characters do not.
            case 0..<0x09, 0x0E..<0x20, 0x7F: continue
            default:
                if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
                word.removeAll(keepingCapacity: true)
                continue
            }
            guard word.count > maximumLength, let last = word.popLast() else { continue }
            words.append(String(decoding: word, as: UTF8.self))
            word = [last]
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    /// Divides a folded text into words.
    package init(folded text: String) {
        self.init(words: Self.words(ofFolded: text))
    }

    private init(words: [String]) {
        self.words = words
    }

    private static func words(ofFolded text: String) -> [String] {
        var (words, word): ([String], String.UnicodeScalarView) = ([], .init())
        var (length, isLetter) = (0, false)
        func endWord() {
            guard length > 0 else { return }
            words.append(String(word))
            word = .init()
            (length, isLetter) = (0, false)
        }
        for scalar in text.unicodeScalars {
            switch Role(of: scalar) {
            case .separator:
                endWord()
                continue
            case .ofRun: if isLetter || length == maximumLength { endWord() }
            case .word:
                endWord()
                isLetter = true
            case .mark: if length == maximumLength { endWord() }
            }
            word.append(scalar)
            length += 1
        }
        endWord()
        return words
    }

    /// The role of a scalar in a folded text.
    fileprivate enum Role {
        case separator
        /// A letter or digit of a run.
        case ofRun
        /// A letter that begins a word of its own.
        case word
        /// A mark of the letter before it.
        case mark

        init(of scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x30...0x39, 0x61...0x7A: self = .ofRun
            case 0..<0x80: self = .separator
            default:
                switch scalar.properties.generalCategory {
                case .lowercaseLetter: self = .ofRun
                case .nonspacingMark, .spacingMark, .enclosingMark: self = .mark
                case .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
                    self = Self.isWrittenWithoutSpaces(scalar) ? .word : .ofRun
                case .decimalNumber, .otherNumber: self = .ofRun
                default: self = .separator
                }
            }
        }

        /// Whether a letter is of a script without spaces between words.
        private static func isWrittenWithoutSpaces(_ letter: Unicode.Scalar) -> Bool {
            switch letter.value {
            // Thai, Lao.
            case 0xE00...0xE7F, 0xE80...0xEFF: true
            // Burmese, Khmer.
            case 0x1000...0x109F, 0xA9E0...0xA9FF, 0xAA60...0xAA7F, 0x116D0...0x116FF, 0x1780...0x17FF: true
            // Han: radicals, marks of repetition, numbers, ideographs.
            case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3038...0x303B, 0x3400...0x4DBF, 0x4E00...0x9FFF,
                0xF900...0xFAFF, 0x20000...0x3FFFF:
                true
            // Hiragana, Katakana.
            case 0x3041...0x30FF, 0x31F0...0x31FF, 0x1AFF0...0x1B16F: true
            default: false
            }
        }
    }
}

/// Words that follow one another in a text: the search for one word, a phrase or the beginning of either.
package struct SearchPhrase: Hashable, Sendable {
    /// The words, at least one.
    package let words: [String]
    /// Whether the last word is the beginning of one.
    package let isPrefix: Bool

    /// Creates the search for a text.
    ///
    /// - Returns: `nil` for a text without letters and digits.
    package init?(_ text: String, isPrefix: Bool = false) {
        words = SearchWords(text).words
        guard !words.isEmpty else { return nil }
        self.isPrefix = isPrefix
    }

    /// Whether a text contains the words, next to one another.
    ///
    /// - Complexity: O(words of the text × words).
    package func isFound(in text: SearchWords) -> Bool {
        guard text.words.count >= words.count, let last = words.last else { return false }
        return (0...(text.words.count - words.count)).contains { start in
            let end = start + words.count - 1
            guard text.words[start..<end].elementsEqual(words.dropLast()) else { return false }
            return isPrefix ? text.words[end].utf8.starts(with: last.utf8) : text.words[end] == last
        }
    }

    /// The search in the language of conditions: with spaces between words that would be one without.
    package var canonicalText: String {
        var (text, hasSpace, wasLetter) = ("", false, true)
        for word in words {
            let role = word.unicodeScalars.first.map(SearchWords.Role.init)
            if !text.isEmpty, role == .mark || role == .ofRun && !wasLetter {
                text += " "
                hasSpace = true
            }
            text += word
            wasLetter = role == .word
        }
        return (hasSpace ? "\"\(text)\"" : text) + (isPrefix ? "*" : "")
    }
}
