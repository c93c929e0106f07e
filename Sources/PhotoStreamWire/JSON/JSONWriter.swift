package import PhotoStreamLayout
import PhotoStreamModel

/// Writes JSON directly into a byte buffer, in the order of the calls.
///
/// Closures open and close objects and arrays; the writer places the commas, and escapes all characters that RFC 8259
/// requires.
package struct JSONWriter: ~Copyable {
    // Written by address, because appending to an array byte by byte costs more than formatting the bytes. The writer
    // cannot be copied, so it owns the memory and frees it.
    private var start: UnsafeMutablePointer<UInt8>
    private var end: UnsafeMutablePointer<UInt8>
    private var next: JSONPosition
    private var needsComma = false
    /// The readers of the text if they have the link of a share: objects are written with the members that it shows.
    let audience: ShareAudience?

    /// Creates an empty writer.
    ///
    /// - Parameter audience: The readers if they have the link of a share; `nil` for all others.
    package init(for audience: ShareAudience? = nil) {
        self.audience = audience
        let capacity = 4_096
        start = .allocate(capacity: capacity)
        end = start + capacity
        next = JSONPosition(start)
    }

    deinit {
        start.deallocate()
    }

    private var written: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start, count: next.address - start)
    }

    /// The bytes written so far, UTF-8.
    package var bytes: [UInt8] { Array(written) }

    /// The text written so far.
    package var text: String { String(decoding: written, as: UTF8.self) }

    /// Returns a text in JSON as UTF-8.
    ///
    /// - Parameters:
    ///   - audience: The readers if they have the link of a share; `nil` for all others.
    ///   - body: Writes the text.
    /// - Returns: The bytes.
    package static func bytes(for audience: ShareAudience? = nil, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(for: audience)
        body(&writer)
        return writer.bytes
    }

    /// Writes an object as a value.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        nest(between: UInt8(ascii: "{"), and: UInt8(ascii: "}"), body)
    }

    /// Writes an array as a value.
    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        nest(between: UInt8(ascii: "["), and: UInt8(ascii: "]"), body)
    }

    /// Writes an array with one value for each element.
    package mutating func array<Element>(
        _ elements: some Sequence<Element>, each body: (inout JSONWriter, Element) -> Void
    ) {
        array { writer in for element in elements { body(&writer, element) } }
    }

    /// Writes a member's name; its value must follow.
    @inline(__always)
    package mutating func key(_ name: StaticString) {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        reserve(name.count + 4)
        if needsComma { next.put(UInt8(ascii: ",")) }
        next.put(UInt8(ascii: "\""))
        next.put(name)
        next.put(UInt8(ascii: "\""))
        next.put(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a member's name that is known only at run time; its value must follow.
    package mutating func key(named name: String) {
        value(name)
        append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Ends a line; another text follows.
    package mutating func endLine() {
        append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Writes `null`.
    package mutating func null() {
        literal("null")
    }

    /// Writes a Boolean.
    package mutating func value(_ value: Bool) {
        literal(value ? "true" : "false")
    }

    /// Writes a whole number.
    package mutating func value(_ number: some FixedWidthInteger) {
        comma()
        append(number)
        needsComma = true
    }

    /// Writes a number as its shortest decimal that reads back the same; `null` for NaN and infinities, which JSON
    /// lacks.
    package mutating func value(_ number: Double) {
        guard number.isFinite else { return null() }
        if number == number.rounded(), abs(number) < 0x1p53 { return value(Int64(number)) }
        comma()
        append(number.description)
        needsComma = true
    }

    /// Writes a string.
    package mutating func value(_ text: some StringProtocol) {
        if text.utf8.withContiguousStorageIfAvailable({ value($0) }) == nil {
            Array(text.utf8).withUnsafeBufferPointer { value($0) }
        }
    }

    /// Writes a string from its UTF-8.
    mutating func value(_ characters: UnsafeBufferPointer<UInt8>) {
        reserve(6 * characters.count + 3)
        if needsComma { next.put(UInt8(ascii: ",")) }
        next.putString(characters)
        needsComma = true
    }

    /// Writes a time as a string.
    mutating func value(_ time: CaptureTime) {
        reserve(CaptureTime.maximumByteCount + 3)
        if needsComma { next.put(UInt8(ascii: ",")) }
        next.put(UInt8(ascii: "\""))
        next.put(time)
        next.put(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a length of device pixels in points: the shortest decimal of at most 4 places that times the display
    /// scale is within 1/1000 pixel of the pixel.
    package mutating func value(pixels: Int64, scale: DisplayScale) {
        comma()
        appendPoints(pixels, scale: scale.rawValue)
        needsComma = true
    }

    /// Writes a number of a photo as its shortest decimal.
    mutating func value(_ value: Int, of number: PhotoNumber) {
        let (value, places) = number.shortest(value)
        comma()
        appendDecimal(Int64(value), places: places)
        needsComma = true
    }

    private mutating func nest(between open: UInt8, and close: UInt8, _ body: (inout JSONWriter) -> Void) {
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
        reserve(text.utf8CodeUnitCount)
        next.put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        needsComma = true
    }

    private mutating func append(_ byte: UInt8) {
        reserve(1)
        next.put(byte)
    }

    private mutating func append(_ text: String) {
        reserve(text.utf8.count)
        for byte in text.utf8 { next.put(byte) }
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        guard let magnitude = UInt64(exactly: number.magnitude) else { return append(String(number)) }
        reserve(21)
        if number < 0 { next.put(UInt8(ascii: "-")) }
        next.put(magnitude, places: 1)
    }

    /// Makes sure that there is room for more bytes.
    @inline(__always)
    private mutating func reserve(_ count: Int) {
        if end - next.address < count { grow(by: count) }
    }

    /// Makes room for a number of bytes in advance.
    mutating func expect(_ count: Int) {
        reserve(count)
    }

    @inline(never)
    private mutating func grow(by count: Int) {
        let (used, capacity) = (written.count, 2 * (end - start) + count)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: used)
        start.deallocate()
        (start, end, next) = (larger, larger + capacity, JSONPosition(larger + used))
    }

    private mutating func appendPoints(_ pixels: Int64, scale: Double) {
        if scale == 1 { return append(pixels) }
        let points = Double(pixels) / scale
        // Exactly a thousandth of a pixel is accepted; the rest is the rounding of `Double` before the comparison.
        let tolerance = 0.001 + 1e-9 + abs(Double(pixels)) * 0x1p-50
        var unit = 1.0
        for places in 0...4 {
            let scaled = (points * unit).rounded(.toNearestOrAwayFromZero)
            // With four places, the error is at most 8 × 0.00005 pixels, so the last iteration always ends the loop.
            if places == 4 || abs(scaled / unit * scale - Double(pixels)) <= tolerance {
                return appendDecimal(Int64(scaled), places: places)
            }
            unit *= 10
        }
    }

    /// Writes `number` / 10^`places`, which has no trailing zero.
    private mutating func appendDecimal(_ number: Int64, places: Int) {
        guard places > 0 else { return append(number) }
        reserve(23)
        if number < 0 { next.put(UInt8(ascii: "-")) }
        next.put(number.magnitude, places: places + 1)
        next.insert(UInt8(ascii: "."), beforeLast: places)
    }
}

// Not sendable, because it writes by address.
@available(*, unavailable) extension JSONWriter: Sendable {}
