/// The frames between a server and its decode workers: a length of four bytes, then the message.
///
/// Numbers are little-endian, texts and lists carry their lengths. Both sides are built together, so there are no
/// versions. Each side treats the other's bytes as untrusted: a worker may be under the control of a picture.
package enum MessageFrame {
    /// The bytes of a frame's length.
    package static let headByteCount = 4
    /// The maximum length of a message, in bytes.
    package static let maximumByteCount = 64 << 20

    /// Returns a message with its length in front.
    package static func framed(_ message: [UInt8]) -> [UInt8] {
        var writer = MessageWriter()
        writer.append(UInt32(message.count))
        return writer.bytes + message
    }

    /// Returns the length of the message after a frame's head.
    ///
    /// - Throws: ``MessageError`` if it exceeds the maximum.
    package static func byteCount(head: [UInt8]) throws(MessageError) -> Int {
        var reader = MessageReader(head)
        let count = Int(try reader.integer(UInt32.self))
        guard count <= maximumByteCount else { throw MessageError() }
        return count
    }
}

/// The error of a message that is malformed.
package struct MessageError: Error, Hashable, Sendable {
    /// Creates an error.
    package init() {}
}

/// Writes the parts of a message.
package struct MessageWriter {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty message.
    package init() {}

    /// Appends a number.
    package mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        for place in 0..<Number.bitWidth / 8 {
            bytes.append(UInt8(truncatingIfNeeded: number >> Number(place * 8)))
        }
    }

    /// Appends a number as its bits.
    package mutating func append(_ number: Double) {
        append(number.bitPattern)
    }

    /// Appends bytes with their count.
    package mutating func append(_ list: [UInt8]) {
        append(UInt32(list.count))
        bytes += list
    }

    /// Appends a text as UTF-8 with its length.
    package mutating func append(_ text: String) {
        append(Array(text.utf8))
    }

    /// Appends a list with its count.
    package mutating func append<Element>(_ list: [Element], with write: (inout MessageWriter, Element) -> Void) {
        append(UInt32(list.count))
        for element in list { write(&self, element) }
    }

    /// Appends whether there is a value, and the value.
    package mutating func append<Value>(_ value: Value?, with write: (inout MessageWriter, Value) -> Void) {
        append(value == nil ? 0 as UInt8 : 1)
        if let value { write(&self, value) }
    }
}

/// Reads the parts of a message; never past its end.
package struct MessageReader {
    private let bytes: [UInt8]
    private var position = 0

    /// Reads a message from its first byte.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The number of bytes that were not read.
    package var remainingCount: Int { bytes.count - position }

    /// Reads a number.
    package mutating func integer<Number: FixedWidthInteger>(_: Number.Type) throws(MessageError) -> Number {
        let count = Number.bitWidth / 8
        guard remainingCount >= count else { throw MessageError() }
        var number: Number = 0
        for place in 0..<count {
            number |= Number(truncatingIfNeeded: bytes[position + place]) << Number(place * 8)
        }
        position += count
        return number
    }

    /// Reads a number written as its bits.
    package mutating func double() throws(MessageError) -> Double {
        Double(bitPattern: try integer(UInt64.self))
    }

    /// Reads bytes with their count.
    package mutating func list() throws(MessageError) -> [UInt8] {
        let count = Int(try integer(UInt32.self))
        guard remainingCount >= count else { throw MessageError() }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Reads a text.
    package mutating func text() throws(MessageError) -> String {
        guard let text = String(validating: try list(), as: UTF8.self) else { throw MessageError() }
        return text
    }

    /// Reads a list.
    package mutating func list<Element>(
        _ read: (inout MessageReader) throws(MessageError) -> Element
    ) throws(MessageError) -> [Element] {
        let count = Int(try integer(UInt32.self))
        // Each element takes a byte at least, so a wrong count is found before memory is taken for it.
        guard count <= remainingCount else { throw MessageError() }
        var list: [Element] = []
        for _ in 0..<count { list.append(try read(&self)) }
        return list
    }

    /// Reads a value that may be absent.
    package mutating func optional<Value>(
        _ read: (inout MessageReader) throws(MessageError) -> Value
    ) throws(MessageError) -> Value? {
        switch try integer(UInt8.self) {
        case 0: nil
        case 1: try read(&self)
        default: throw MessageError()
        }
    }

    /// Reads the case of an enumeration.
    package mutating func value<Value: RawRepresentable>(
        _: Value.Type
    ) throws(MessageError) -> Value where Value.RawValue: FixedWidthInteger {
        guard let value = Value(rawValue: try integer(Value.RawValue.self)) else { throw MessageError() }
        return value
    }

    /// Checks that nothing follows.
    package func end() throws(MessageError) {
        guard remainingCount == 0 else { throw MessageError() }
    }
}
