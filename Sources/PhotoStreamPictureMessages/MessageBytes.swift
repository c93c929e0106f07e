/// The frames between a server and its decode workers: a length of four bytes, then the message.
///
/// Numbers are little-endian; texts and lists begin with their lengths. Both sides are built together, so there are no
/// versions. Each side treats the other's bytes as untrusted, because a picture may have taken control of a worker.
package enum MessageFrame {
    /// The bytes of a frame's length.
    package static let headByteCount = 4
    /// The maximum length of a message, in bytes.
    package static let maximumByteCount = 64 << 20

    /// Returns a message with its length before it.
    package static func framed(_ message: [UInt8]) -> [UInt8] {
        MessageCoder.bytes { coder throws(MessageError) in try coder.number(UInt32(message.count)) } + message
    }

    /// Returns the length of the message after a frame's head.
    ///
    /// - Throws: ``MessageError`` if it exceeds the maximum.
    package static func byteCount(head: [UInt8]) throws(MessageError) -> Int {
        let count = Int(try MessageCoder(reading: head).number(nil as UInt32?))
        guard count <= maximumByteCount else { throw MessageError() }
        return count
    }
}

/// The error of a message that is malformed.
package struct MessageError: Error, Hashable, Sendable {
    /// Creates an error.
    package init() {}
}

/// Writes or reads the parts of a message, so that one description serves both sides.
///
/// Each function writes its value if the message is written; if it is read, it ignores the value, which is `nil`. It
/// returns the value in both cases. Nothing is read past the end.
final class MessageCoder {
    private var bytes: [UInt8]
    private var position = 0
    private let isReading: Bool

    private init(writing: Void) {
        (bytes, isReading) = ([], false)
    }

    /// Reads a message from its first byte.
    init(reading bytes: [UInt8]) {
        (self.bytes, isReading) = (bytes, true)
    }

    /// Returns the bytes that a closure writes.
    static func bytes<Value>(of write: (MessageCoder) throws(MessageError) -> Value) -> [UInt8] {
        let coder = MessageCoder(writing: ())
        // A value that a reader would refuse ends the message early, which a reader also refuses.
        _ = try? write(coder)
        return coder.bytes
    }

    /// Checks that nothing follows the values that were read.
    func end() throws(MessageError) {
        guard position == bytes.count else { throw MessageError() }
    }

    /// Codes a number.
    @discardableResult
    func number<Number: FixedWidthInteger>(_ value: Number?) throws(MessageError) -> Number {
        let places = 0..<Number.bitWidth / 8
        guard isReading else {
            let number = value ?? 0
            for place in places { bytes.append(UInt8(truncatingIfNeeded: number >> Number(place * 8))) }
            return number
        }
        return try take(places.count).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// Codes a number as its bits.
    func double(_ value: Double?) throws(MessageError) -> Double {
        Double(bitPattern: try number(value?.bitPattern))
    }

    /// Codes a byte that is 0 or 1.
    func flag(_ value: Bool?) throws(MessageError) -> Bool {
        let byte: UInt8 = try number(value.map { $0 ? 1 : 0 })
        return try checked(byte == 1, if: byte < 2)
    }

    /// Codes the case of an enumeration.
    func rawValue<Value: RawRepresentable>(
        _ value: Value?
    ) throws(MessageError) -> Value where Value.RawValue: FixedWidthInteger {
        guard let value = Value(rawValue: try number(value?.rawValue)) else { throw MessageError() }
        return value
    }

    /// Codes bytes with their count.
    func list(_ value: [UInt8]?) throws(MessageError) -> [UInt8] {
        let count = try number(value.map { UInt32($0.count) })
        guard isReading else {
            bytes += value ?? []
            return value ?? []
        }
        return Array(try take(Int(count)))
    }

    /// Codes a text as UTF-8 with its length.
    func text(_ value: String?) throws(MessageError) -> String {
        guard let text = String(validating: try list(value.map { Array($0.utf8) }), as: UTF8.self) else {
            throw MessageError()
        }
        return text
    }

    /// Codes a list with its count.
    func list<Element>(
        _ value: [Element]?, of part: (Element?) throws(MessageError) -> Element
    ) throws(MessageError) -> [Element] {
        let count = Int(try number(value.map { UInt32($0.count) }))
        // Each element takes at least a byte, so a wrong count is found before memory is allocated for it.
        guard !isReading || count <= bytes.count - position else { throw MessageError() }
        var list: [Element] = []
        for index in 0..<count { list.append(try part(value?[index])) }
        return list
    }

    /// Codes whether there is a value, and the value.
    func optional<Value>(
        _ value: Value?, of part: (Value?) throws(MessageError) -> Value
    ) throws(MessageError) -> Value? {
        try flag(value != nil) ? try part(value) : nil
    }

    /// Returns a value if it is valid, else throws.
    func checked<Value>(_ value: Value, if isValid: Bool) throws(MessageError) -> Value {
        guard isValid else { throw MessageError() }
        return value
    }

    /// Returns a value that the model may refuse, which then throws.
    func made<Value>(_ make: () throws -> Value) throws(MessageError) -> Value {
        do {
            return try make()
        } catch {
            throw MessageError()
        }
    }

    private func take(_ count: Int) throws(MessageError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw MessageError() }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
