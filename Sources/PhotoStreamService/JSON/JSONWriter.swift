public import PhotoStreamLayout

/// Writes JSON straight into a byte buffer, in the order of the calls.
///
/// An object or array is opened and closed by closures; commas are the writer's business. Strings must be valid Swift
/// strings; everything that RFC 8259 asks to be escaped is.
public struct JSONWriter: Sendable {
    /// What was written so far, UTF-8.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// An empty writer.
    public init() {
        bytes.reserveCapacity(4_096)
    }

    /// What was written so far as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes an object as a value.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// Writes an array as a value.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    /// Writes an array with a value for each element.
    public mutating func array<Element>(
        _ elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) -> Void
    ) {
        array { writer in for element in elements { body(&writer, element) } }
    }

    /// Writes a member's name; its value must follow.
    public mutating func key(_ name: StaticString) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a member's name that is known only now; its value must follow.
    public mutating func key(named name: String) {
        value(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Ends a line: what follows is another text.
    public mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Writes `null`.
    public mutating func null() {
        literal("null")
    }

    /// Writes a truth value.
    public mutating func value(_ value: Bool) {
        literal(value ? "true" : "false")
    }

    /// Writes a whole number.
    public mutating func value(_ number: some FixedWidthInteger) {
        comma()
        append(number)
        needsComma = true
    }

    /// Writes a number as its shortest decimal that reads back the same; `null` for NaN and infinities, which JSON
    /// lacks.
    public mutating func value(_ number: Double) {
        guard number.isFinite else { return null() }
        if number == number.rounded(), abs(number) < 0x1p53 { return value(Int64(number)) }
        comma()
        bytes.append(contentsOf: number.description.utf8)
        needsComma = true
    }

    /// Writes a string.
    public mutating func value(_ text: some StringProtocol) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 { appendEscaped(byte) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a length of device pixels in points: the shortest decimal of at most 4 places that times the display
    /// scale is within 1/1000 pixel of the pixel.
    public mutating func value(pixels: Int64, _ scale: DisplayScale) {
        comma()
        appendPoints(pixels, scale.rawValue)
        needsComma = true
    }

    private mutating func nest(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
        comma()
        bytes.append(open)
        needsComma = false
        body(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func literal(_ text: StaticString) {
        comma()
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
        needsComma = true
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        bytes.append(contentsOf: String(number).utf8)
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case UInt8(ascii: "\n"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
        case UInt8(ascii: "\r"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
        case UInt8(ascii: "\t"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
        case ..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 0xF)])
        default: bytes.append(byte)
        }
    }

    private mutating func appendPoints(_ pixels: Int64, _ scale: Double) {
        if scale == 1 { return append(pixels) }
        let points = Double(pixels) / scale
        // A thousandth of a pixel itself is within; the rest is what `Double` loses on the way to the comparison.
        let tolerance = 0.001 + 1e-9 + abs(Double(pixels)) * 0x1p-50
        var unit = 1.0
        for places in 0...4 {
            let scaled = (points * unit).rounded(.toNearestOrAwayFromZero)
            // With four places the error is at most 8 × 0.00005 pixels, so the last round always ends it.
            if places == 4 || abs(scaled / unit * scale - Double(pixels)) <= tolerance {
                return appendDecimal(Int64(scaled), places: places)
            }
            unit *= 10
        }
    }

    /// Writes `number` / 10^`places`, which has no trailing zero.
    private mutating func appendDecimal(_ number: Int64, places: Int) {
        guard places > 0 else { return append(number) }
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let digits = Array(String(number.magnitude).utf8)
        let padded = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, places + 1 - digits.count)) + digits
        bytes.append(contentsOf: padded.dropLast(places))
        bytes.append(UInt8(ascii: "."))
        bytes.append(contentsOf: padded.suffix(places))
    }
}
