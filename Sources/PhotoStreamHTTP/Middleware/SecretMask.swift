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
        var characters = text.indices.map { Character(byte: text[$0], range: $0..<$0 + 1) }
        while let decoded = decoded(characters) { characters = decoded }
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

    /// Returns the characters with one level of escape sequences decoded; `nil` if there is none.
    private static func decoded(_ characters: [Character]) -> [Character]? {
        var (result, position): ([Character], Int) = ([], 0)
        while position < characters.count {
            let first = characters[position]
            if first.byte == UInt8(ascii: "%"), position + 2 < characters.count,
                let high = digit(characters[position + 1].byte), let low = digit(characters[position + 2].byte)
            {
                let range = first.range.lowerBound..<characters[position + 2].range.upperBound
                result.append(Character(byte: high << 4 | low, range: range))
                position += 3
            } else {
                result.append(first)
                position += 1
            }
        }
        return result.count == characters.count ? nil : result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
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
