import CPostgres
import PhotoStreamStorage

/// The rows that a statement returned, in PostgreSQL's binary form.
@safe final class PrimaryResult {
    private let pointer: OpaquePointer
    private let kinds: [SharedTable.Column.Kind?]
    /// The number of rows.
    let count: Int
    /// The number of columns.
    var columnCount: Int { kinds.count }

    /// Takes over a result of libpq.
    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        count = unsafe Int(PQntuples(pointer))
        kinds = unsafe (0..<PQnfields(pointer)).map { unsafe SharedTable.Column.Kind(ofType: PQftype(pointer, $0)) }
    }

    deinit { unsafe PQclear(pointer) }

    /// Returns a value.
    ///
    /// - Throws: ``PrimaryError`` if the row or the column does not exist, or the value has another type than the
    ///   column.
    func value(_ row: Int, column: Int) throws(PrimaryError) -> SharedValue {
        guard row >= 0, row < count, column >= 0, column < kinds.count, let kind = kinds[column] else {
            throw PrimaryError(.malformed, message: "the primary returned other columns than requested")
        }
        let (row, column) = (Int32(row), Int32(column))
        guard unsafe PQgetisnull(pointer, row, column) == 0 else { return .null }
        let length = unsafe Int(PQgetlength(pointer, row, column))
        let bytes = unsafe UnsafeRawBufferPointer(start: PQgetvalue(pointer, row, column), count: length)
        return try unsafe SharedValue(bytes, kind: kind)
    }

    /// Returns an integer; NULL is an error.
    func integer(_ row: Int, column: Int) throws(PrimaryError) -> Int64 {
        guard case .integer(let number) = try value(row, column: column) else {
            throw PrimaryError(.malformed, message: "the primary did not return the requested number")
        }
        return number
    }

    /// Returns a text; NULL is an error.
    func text(_ row: Int, column: Int) throws(PrimaryError) -> String {
        guard case .text(let text) = try value(row, column: column) else {
            throw PrimaryError(.malformed, message: "the primary did not return the requested text")
        }
        return text
    }

    /// The rows, for the storage.
    var rows: SharedRows {
        SharedRows { body in
            for row in 0..<self.count { try body { try self.value(row, column: $0) } }
        }
    }
}

extension SharedValue {
    /// Reads a value in PostgreSQL's binary form.
    ///
    /// - Throws: ``PrimaryError`` for a length that the type does not have.
    init(_ bytes: UnsafeRawBufferPointer, kind: SharedTable.Column.Kind) throws(PrimaryError) {
        switch kind {
        case .integer:
            guard [1, 2, 4, 8].contains(bytes.count), let first = unsafe bytes.first else { throw .badLength }
            let start = bytes.count == 1 ? Int64(first) : Int64(Int8(bitPattern: first))
            self = unsafe .integer(bytes.dropFirst().reduce(start) { $0 << 8 | Int64($1) })
        case .real:
            guard bytes.count == 8 else { throw .badLength }
            self = unsafe .real(Double(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
        case .text: self = unsafe .text(String(decoding: bytes, as: UTF8.self))
        case .bytes: self = unsafe .bytes([UInt8](bytes))
        }
    }
}

extension PrimaryError {
    fileprivate static var badLength: PrimaryError {
        PrimaryError(.malformed, message: "the primary returned a value of a wrong length")
    }
}
