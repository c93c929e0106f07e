public import PhotoStreamLayout
import PhotoStreamModel

/// Writes JSON straight into a byte buffer, in the order of the calls.
///
/// An object or array is opened and closed by closures; commas are the writer's business. Strings must be valid Swift
/// strings; everything that RFC 8259 asks to be escaped is.
public struct JSONWriter: Sendable {
    // Written by address: appending byte by byte costs more than what is written.
    private var storage = [UInt8](repeating: 0, count: 4_096)
    private var count = 0
    private var needsComma = false

    /// An empty writer.
    public init() {}

    /// What was written so far, UTF-8.
    public var bytes: [UInt8] { Array(storage[..<count]) }

    /// What was written so far as text.
    public var text: String { String(decoding: storage[..<count], as: UTF8.self) }

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
        let hasComma = needsComma
        name.withUTF8Buffer { name in
            write(atMost: name.count + 4) { next in
                var next = next
                if hasComma { next.put(UInt8(ascii: ",")) }
                next.put(UInt8(ascii: "\""))
                next.put(name)
                next.put(UInt8(ascii: "\""))
                next.put(UInt8(ascii: ":"))
                return next
            }
        }
        needsComma = false
    }

    /// Writes a member's name that is known only now; its value must follow.
    public mutating func key(named name: String) {
        value(name)
        append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Ends a line: what follows is another text.
    public mutating func endLine() {
        append(UInt8(ascii: "\n"))
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
        append(number.description.utf8)
        needsComma = true
    }

    /// Writes a string.
    public mutating func value(_ text: some StringProtocol) {
        let hasComma = needsComma
        needsComma = true
        let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { characters in
            write(atMost: 6 * characters.count + 3) { $0.putting(characters, afterComma: hasComma) }
        }
        if isWritten == nil {
            let characters = Array(text.utf8)
            write(atMost: 6 * characters.count + 3) { next in
                characters.withUnsafeBufferPointer { next.putting($0, afterComma: hasComma) }
            }
        }
    }

    /// Writes a string that stands somewhere as UTF-8.
    mutating func value(_ characters: UnsafeBufferPointer<UInt8>) {
        let hasComma = needsComma
        needsComma = true
        write(atMost: 6 * characters.count + 3) { $0.putting(characters, afterComma: hasComma) }
    }

    /// Writes a time as a string.
    mutating func value(_ time: CaptureTime) {
        comma()
        write(atMost: CaptureTime.maximumByteCount + 2) { next in
            var next = next
            next.put(UInt8(ascii: "\""))
            next.put(time)
            next.put(UInt8(ascii: "\""))
            return next
        }
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
        append(open)
        needsComma = false
        body(&self)
        append(close)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { append(UInt8(ascii: ",")) }
    }

    private mutating func literal(_ text: StaticString) {
        comma()
        text.withUTF8Buffer { append($0) }
        needsComma = true
    }

    private mutating func append(_ byte: UInt8) {
        write(atMost: 1) { next in
            var next = next
            next.put(byte)
            return next
        }
    }

    private mutating func append(_ more: some Collection<UInt8>) {
        write(atMost: more.count) { next in
            var next = next
            for byte in more { next.put(byte) }
            return next
        }
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        guard let magnitude = UInt64(exactly: number.magnitude) else { return append(String(number).utf8) }
        let isNegative = number < 0
        write(atMost: 21) { next in
            var next = next
            if isNegative { next.put(UInt8(ascii: "-")) }
            next.put(magnitude, places: 1)
            return next
        }
    }

    /// Has bytes written behind the last one.
    ///
    /// - Parameters:
    ///   - length: The most bytes that are written.
    ///   - body: Writes them and answers where it has ended.
    @inline(__always)
    private mutating func write(atMost length: Int, _ body: (JSONPosition) -> JSONPosition) {
        if count + length > storage.count { storage += [UInt8](repeating: 0, count: storage.count + length) }
        let start = count
        count = storage.withUnsafeMutableBufferPointer { buffer in
            body(JSONPosition(buffer: buffer, offset: start)).offset
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
        write(atMost: 23) { next in
            var next = next
            if number < 0 { next.put(UInt8(ascii: "-")) }
            next.put(number.magnitude, places: places + 1)
            next.insert(UInt8(ascii: "."), beforeLast: places)
            return next
        }
    }
}
