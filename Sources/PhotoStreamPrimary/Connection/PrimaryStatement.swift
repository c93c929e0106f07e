import PhotoStreamStorage

/// A statement with its parameters, which are sent in PostgreSQL's binary form.
///
///     PrimaryStatement(sql: "SELECT id FROM photo WHERE streamId = $1", [.value(.integer(7))])
struct PrimaryStatement {
    /// A parameter.
    enum Parameter {
        /// One value.
        case value(SharedValue, SharedTable.Column.Kind)
        /// A column of values.
        case array([SharedValue], SharedTable.Column.Kind)

        static func integer(_ number: Int64) -> Parameter { .value(.integer(number), .integer) }
        static func text(_ text: String) -> Parameter { .value(.text(text), .text) }
        static func integers(_ numbers: [Int64]) -> Parameter { .array(numbers.map { .integer($0) }, .integer) }
    }

    /// The SQL; PostgreSQL plans each text once for a connection.
    let sql: String
    /// The values of `$1` and so on.
    let parameters: [Parameter]

    init(sql: String, _ parameters: [Parameter] = []) {
        (self.sql, self.parameters) = (sql, parameters)
    }
}

/// A statement without parameters is a text.
extension PrimaryStatement: ExpressibleByStringInterpolation {
    init(stringLiteral sql: String) { self.init(sql: sql) }
}

extension PrimaryStatement.Parameter {
    /// PostgreSQL's number of the type.
    var typeID: UInt32 {
        switch self {
        case .value(_, let kind): kind.type.id
        case .array(_, let kind): kind.type.arrayID
        }
    }

    /// The binary form; `nil` for NULL.
    var bytes: [UInt8]? {
        switch self {
        case .value(let value, _):
            guard value != .null else { return nil }
            var bytes: [UInt8] = []
            bytes.append(value)
            return bytes
        case .array(let values, let kind):
            // One dimension that begins at 1, and whether there are NULLs.
            var bytes: [UInt8] = []
            bytes.reserveCapacity(20 + 16 * values.count)
            bytes.append(bigEndian: Int32(values.isEmpty ? 0 : 1))
            bytes.append(bigEndian: Int32(1))
            bytes.append(bigEndian: kind.type.id)
            guard !values.isEmpty else { return bytes }
            bytes.append(bigEndian: Int32(values.count))
            bytes.append(bigEndian: Int32(1))
            for value in values { bytes.append(field: value) }
            return bytes
        }
    }
}

extension SharedTable.Column.Kind {
    /// PostgreSQL's type of parameters: its number, that of its arrays, and its name.
    var type: (id: UInt32, arrayID: UInt32, name: String) {
        switch self {
        case .integer: (20, 1_016, "bigint")
        case .real: (701, 1_022, "double precision")
        case .text: (25, 1_009, "text")
        case .bytes: (17, 1_001, "bytea")
        }
    }

    /// The kind of the results with a number of PostgreSQL's types; `nil` for types that the statements do not return.
    init?(ofType id: UInt32) {
        switch id {
        case 16, 20, 21, 23, 26: self = .integer
        case 701: self = .real
        case 19, 25, 1_043: self = .text
        case 17: self = .bytes
        default: return nil
        }
    }
}

extension [UInt8] {
    /// Appends an integer in network order.
    mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }

    /// Appends a value in PostgreSQL's binary form; nothing for NULL.
    mutating func append(_ value: SharedValue) {
        switch value {
        case .null: break
        case .integer(let number): append(bigEndian: number)
        case .real(let number): append(bigEndian: number.bitPattern)
        case .text(let text): append(contentsOf: text.utf8)
        case .bytes(let bytes): append(contentsOf: bytes)
        }
    }

    /// Appends the length and the bytes of a value, as in arrays and in `COPY`.
    mutating func append(field value: SharedValue) {
        guard value != .null else { return append(bigEndian: Int32(-1)) }
        let start = count
        append(bigEndian: Int32(0))
        append(value)
        let length = UInt32(count - start - 4)
        for byte in 0..<4 { self[start + byte] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * byte)) }
    }
}
