import Foundation

/// The forms in which names and queries are compared: without case, accents and punctuation.
enum PlaceName {
    /// Returns the words of a text in lowercase, without accents, separated by single spaces.
    ///
    /// - Complexity: O(n) in the length of the text.
    static func folded(_ text: String) -> [UInt8] {
        var plain = text
        if !text.utf8.allSatisfy({ $0 < 0x80 }) {
            plain = text.lowercased().folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
        }
        var result: [UInt8] = []
        var isBetweenWords = false
        for scalar in plain.unicodeScalars {
            guard !separators.contains(scalar) else {
                isBetweenWords = !result.isEmpty
                continue
            }
            if isBetweenWords { result.append(UInt8(ascii: " ")) }
            isBetweenWords = false
            if let letters = letters[scalar] {
                result.append(contentsOf: letters.utf8)
            } else if scalar.value < 0x80 {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                result.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
            } else {
                result.append(contentsOf: String(scalar).utf8)
            }
        }
        return result
    }

    private static let separators = Set<Unicode.Scalar>(" -'’‘ʻ`.,/()\u{A0}".unicodeScalars)

    /// Letters that have no accent, but are often written without their stroke or as two letters.
    private static let letters: [Unicode.Scalar: String] = [
        "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th",
    ]
}
