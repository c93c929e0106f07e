import PhotoStreamModel

/// Encodes and decodes a list of texts, such as tags, as the JSON array that the file stores.
///
/// Every photo read or written passes through it, so its own output is parsed by hand.
enum JSONTextList {
    /// Returns the array; `nil` for no texts.
    static func encode(_ texts: [String]) -> String? {
        guard !texts.isEmpty else { return nil }
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            appendQuoted(text, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the texts of an array; numbers, Booleans and nulls, which only other programs write, are skipped.
    ///
    /// - Returns: The texts; none for other JSON, or if it is not JSON.
    static func decode(_ json: String) -> [String] {
        var reading = Reading(bytes: Array(json.utf8))
        return reading.texts() ?? []
    }

    /// The position while an array is read.
    ///
    /// `JSONSerialization` would drop a leading U+FEFF as a byte order mark.
    private struct Reading {
        let bytes: [UInt8]
        private var position = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        /// Reads the whole array; `nil` for anything else.
        mutating func texts() -> [String]? {
            guard take(UInt8(ascii: "[")) else { return nil }
            var texts: [String] = []
            if !take(UInt8(ascii: "]")) {
                repeat {
                    skipSpace()
                    if position < bytes.count, Self.isOfNumberOrWord(bytes[position]) {
                        while position < bytes.count, Self.isOfNumberOrWord(bytes[position]) { position += 1 }
                    } else {
                        guard let text = text() else { return nil }
                        texts.append(text)
                    }
                } while take(UInt8(ascii: ","))
                guard take(UInt8(ascii: "]")) else { return nil }
            }
            skipSpace()
            return position == bytes.count ? texts : nil
        }

        /// Reads a text; output of ``encode(_:)`` rarely has an escape sequence.
        private mutating func text() -> String? {
            guard take(quote) else { return nil }
            let start = position
            var hasEscapes = false
            while position < bytes.count, bytes[position] != quote {
                guard bytes[position] >= 0x20 else { return nil }
                hasEscapes = hasEscapes || bytes[position] == backslash
                position += bytes[position] == backslash ? 2 : 1
            }
            guard position < bytes.count else { return nil }
            defer { position += 1 }
            let written = bytes[start..<position]
            return hasEscapes ? JSONEscapes.decoded(written) : String(decoding: written, as: UTF8.self)
        }

        private static func isOfNumberOrWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
                UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            skipSpace()
            guard position < bytes.count, bytes[position] == byte else { return false }
            position += 1
            return true
        }

        private mutating func skipSpace() {
            while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
        }
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
