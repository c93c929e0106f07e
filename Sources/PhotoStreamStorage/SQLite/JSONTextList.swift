import Foundation

/// Encodes and decodes a list of texts, such as tags, as the JSON array that the file stores.
///
/// Every photo read or written passes through it, so its own output is parsed by hand.
enum JSONTextList {
    /// Returns the array; `nil` for no tags.
    static func encode(_ tags: [String]) -> String? {
        guard !tags.isEmpty else { return nil }
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for (index, tag) in tags.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            appendQuoted(tag, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the tags of an array; elements that are not text are skipped.
    static func decode(_ json: String) -> [String] {
        if let tags = decodeTexts(Array(json.utf8)) { return tags }
        // Other JSON, with spaces, numbers or surrogates, comes from other programs and is rare enough for the slow
        // path.
        let array = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [Any]
        return (array ?? []).compactMap { $0 as? String }
    }

    /// Parses an array as ``encode(_:)`` writes it; returns `nil` for any other text.
    ///
    /// Not by `JSONSerialization`, which drops a leading U+FEFF as a byte order mark.
    private static func decodeTexts(_ bytes: [UInt8]) -> [String]? {
        guard bytes.count >= 4, bytes.first == UInt8(ascii: "[") else { return nil }
        var tags: [String] = []
        var index = 1
        while true {
            guard index < bytes.count, bytes[index] == quote else { return nil }
            let start = index + 1
            guard var end = bytes[start...].firstIndex(where: { $0 == quote || $0 == backslash }) else { return nil }
            if bytes[end] == quote {
                tags.append(String(decoding: bytes[start..<end], as: UTF8.self))
            } else {
                guard let tag = unescaped(bytes, from: start) else { return nil }
                tags.append(tag.text)
                end = tag.end
            }
            guard end + 1 < bytes.count else { return nil }
            if bytes[end + 1] == UInt8(ascii: "]") { return end + 2 == bytes.count ? tags : nil }
            guard bytes[end + 1] == UInt8(ascii: ",") else { return nil }
            index = end + 2
        }
    }

    /// Parses the text from `start` to the next quote, with the escapes of ``appendQuoted(_:to:)``.
    private static func unescaped(_ bytes: [UInt8], from start: Int) -> (text: String, end: Int)? {
        var text: [UInt8] = []
        var index = start
        while index < bytes.count, bytes[index] != quote {
            guard bytes[index] == backslash else {
                text.append(bytes[index])
                index += 1
                continue
            }
            guard index + 1 < bytes.count else { return nil }
            switch bytes[index + 1] {
            case quote, backslash:
                text.append(bytes[index + 1])
                index += 2
            case UInt8(ascii: "u"):
                guard index + 6 <= bytes.count,
                    let value = UInt8(String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16),
                    value < 0x80
                else { return nil }
                text.append(value)
                index += 6
            default: return nil
            }
        }
        return index < bytes.count ? (String(decoding: text, as: UTF8.self), index) : nil
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    private static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                bytes.append(contentsOf: Array("\\u00".utf8))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
