public import PhotoStreamLayout
import PhotoStreamModel

/// Writes JSON straight into a byte buffer, in the order of the calls.
///
/// An object or array is opened and closed by closures; commas are the writer's business. Strings must be valid Swift
/// strings; everything that RFC 8259 asks to be escaped is.
public struct JSONWriter: ~Copyable {
    // Written by address: appending byte by byte to an array costs more than what is written. The writer cannot be copied,
    // so the memory is its own, and it goes with it.
    private var start: UnsafeMutablePointer<UInt8>
    private var end: UnsafeMutablePointer<UInt8>
    private var next: JSONPosition
    private var needsComma = false

    /// An empty writer.
    public init() {
        self.init(capacity: 4_096)
    }

    /// An empty writer with room for so many bytes; it gets more when they are used up.
    ///
    /// - Precondition: The number is positive.
    public init(capacity: Int) {
        precondition(capacity > 0)
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

    /// What was written so far, UTF-8.
    public var bytes: [UInt8] { Array(written) }

    /// What was written so far as text.
    public var text: String { String(decoding: written, as: UTF8.self) }

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
    @inline(__always)
    public mutating func key(_ name: StaticString) {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        reserve(name.count + 4)
        if needsComma { next.put(UInt8(ascii: ",")) }
        next.put(UInt8(ascii: "\""))
        next.put(name)
        next.put(UInt8(ascii: "\""))
        next.put(UInt8(ascii: ":"))
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
        append(number.description)
        needsComma = true
    }

    /// Writes a string.
    public mutating func value(_ text: some StringProtocol) {
        if text.utf8.withContiguousStorageIfAvailable({ value($0) }) == nil {
            Array(text.utf8).withUnsafeBufferPointer { value($0) }
        }
    }

    /// Writes a string that stands somewhere as UTF-8.
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

    /// Makes room for what is to come, so that it need not be made bit by bit.
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
        reserve(23)
        if number < 0 { next.put(UInt8(ascii: "-")) }
        next.put(number.magnitude, places: places + 1)
        next.insert(UInt8(ascii: "."), beforeLast: places)
    }
}

// It writes by address.
@available(*, unavailable) extension JSONWriter: Sendable {}
