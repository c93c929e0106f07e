import Foundation

/// A list of tags as the JSON array that the file holds.
enum TagList {
    /// The array, or `nil` for no tags.
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

    /// The tags of an array; whatever in it is no text is left out.
    static func decode(_ json: String) -> [String] {
        if let tags = decodePlain(json) { return tags }
        // Escapes, spaces, and whatever somebody's shell has written: rare enough for the slow way.
        let array = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [Any]
        return (array ?? []).compactMap { $0 as? String }
    }

    /// Reads an array as ``encode(_:)`` writes it where no tag has an escape, else gives `nil`.
    private static func decodePlain(_ json: String) -> [String]? {
        let quote = UInt8(ascii: "\"")
        var json = json
        return json.withUTF8 { bytes in
            guard bytes.count >= 4, bytes.first == UInt8(ascii: "[") else { return nil }
            var tags: [String] = []
            var index = 1
            while true {
                guard index < bytes.count, bytes[index] == quote else { return nil }
                let start = index + 1
                guard let end = bytes[start...].firstIndex(where: { $0 == quote || $0 == UInt8(ascii: "\\") }),
                    bytes[end] == quote, end + 1 < bytes.count
                else { return nil }
                tags.append(String(decoding: bytes[start..<end], as: UTF8.self))
                if bytes[end + 1] == UInt8(ascii: "]") { return end + 2 == bytes.count ? tags : nil }
                guard bytes[end + 1] == UInt8(ascii: ",") else { return nil }
                index = end + 2
            }
        }
    }

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
