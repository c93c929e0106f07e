/// A 24-bit colour, shown in place of a photo until it is loaded.
public struct RGBColor: Hashable, Sendable, CustomStringConvertible {
    /// Red, green and blue, eight bits each, red highest; 0 to 0xFFFFFF.
    public let rawValue: UInt32

    /// Creates a colour from the low 24 bits of a number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue & 0xFF_FFFF
    }

    /// Parses `#rrggbb`, `rrggbb`, `#rgb` or `rgb`, in either case.
    ///
    /// - Throws: ``ModelError`` with the text if it has none of these forms.
    public init(_ text: String) throws(ModelError) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : Substring(text)
        let isHexadecimal = digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        switch (digits.utf8.count, isHexadecimal ? UInt32(digits, radix: 16) : nil) {
        case (6, let value?): self.init(rawValue: value)
        case (3, let value?):
            let (red, green, blue) = (value >> 8, (value >> 4) & 0xF, value & 0xF)
            self.init(rawValue: red * 0x11_0000 + green * 0x1100 + blue * 0x11)
        default: throw ModelError("\"\(text)\" is not a colour such as #1a2b3c")
        }
    }

    /// The colour as `#rrggbb` in lower case.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
