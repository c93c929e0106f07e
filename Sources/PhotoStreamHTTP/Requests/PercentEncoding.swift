/// Percent-encoding of addresses.
///
/// Source: RFC 3986, section 2.1.
enum PercentEncoding {
    /// Decodes once.
    ///
    /// - Parameters:
    ///   - text: A segment of a path, or a name or value of a query, as it was sent.
    ///   - plusIsSpace: Whether `+` stands for a space, as forms write queries.
    /// - Returns: `nil` where an escape is cut off or the bytes are not UTF-8.
    static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        let bytes = text.utf8
        func isSign(_ byte: UInt8) -> Bool { byte == percent || byte == plus }
        let hasSign =
            bytes.withContiguousStorageIfAvailable { $0.contains(where: isSign) } ?? bytes.contains(where: isSign)
        guard hasSign else { return String(text) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case percent:
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                result.append(high << 4 | low)
            case plus where plusIsSpace: result.append(UInt8(ascii: " "))
            default: result.append(byte)
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    /// Encodes a text as one segment of a path.
    static func encoded(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                result.append(byte)
            } else {
                result += [percent, hexadecimal(byte >> 4), hexadecimal(byte & 15)]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
    }

    private static let percent = UInt8(ascii: "%")
    private static let plus = UInt8(ascii: "+")

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
