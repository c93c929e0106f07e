import PhotoStreamModel

extension String {
    /// A path for logs, with "-" in place of everything that may be a secret.
    ///
    /// A token, and the secret of a session or a link, is 43 characters of base64url. A mistyped address may contain
    /// other characters around them, or escape them more than once, so each run of at least 43 such characters is
    /// omitted, in any part.
    var withoutSecrets: String {
        guard utf8.count >= SecretMask.length else { return self }
        return SecretMask.masked(Array(utf8))
    }
}

/// Finds runs of characters that may be secrets.
private enum SecretMask {
    /// The number of characters of 256 bits as base64url.
    static let length = 43

    /// A character of the text, decoded, and the part of the text that spells it.
    private struct Character {
        let byte: UInt8
        let range: Range<Int>
    }

    static func masked(_ text: [UInt8]) -> String {
        let characters = decoded(text)
        var (result, kept, start): ([UInt8], Int, Int?) = ([], 0, nil)
        for position in 0...characters.count {
            if position < characters.count, isOfSecret(characters[position].byte) {
                start = start ?? position
                continue
            }
            if let first = start, position - first >= length {
                result += text[kept..<characters[first].range.lowerBound] + [UInt8(ascii: "-")]
                kept = characters[position - 1].range.upperBound
            }
            start = nil
        }
        return String(decoding: result + text[kept...], as: UTF8.self)
    }

    /// Returns the characters of a text without escape sequences, including those whose own characters are escaped.
    ///
    /// - Complexity: O(bytes), since each sequence shortens the decoded characters.
    private static func decoded(_ text: [UInt8]) -> [Character] {
        var characters: [Character] = []
        for (position, byte) in text.enumerated() {
            characters.append(Character(byte: byte, range: position..<position + 1))
            while let last = escaped(characters.suffix(3)) {
                characters.removeLast(3)
                characters.append(last)
            }
        }
        return characters
    }

    /// Returns the character that an escape sequence spells; `nil` if the characters are none.
    private static func escaped(_ sequence: ArraySlice<Character>) -> Character? {
        guard sequence.count == 3, let first = sequence.first, let last = sequence.last,
            first.byte == UInt8(ascii: "%"), let low = last.byte.hexDigitValue,
            let high = sequence[sequence.startIndex + 1].byte.hexDigitValue
        else { return nil }
        return Character(byte: high << 4 | low, range: first.range.lowerBound..<last.range.upperBound)
    }

    private static func isOfSecret(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
