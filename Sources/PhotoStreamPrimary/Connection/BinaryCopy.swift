import PhotoStreamStorage

/// The format of `COPY … (FORMAT binary)`: a signature, rows of a field count and fields, and an end mark.
///
/// Source: PostgreSQL 15 documentation, "COPY", Binary Format.
enum BinaryCopy {
    /// The signature, no flags, and no extension of the header.
    static let header: [UInt8] =
        [0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)

    /// The end mark.
    static let trailer: [UInt8] = [0xFF, 0xFF]

    /// Reads rows from messages that begin and end with rows.
    struct Reader {
        private let kinds: [SharedTable.Column.Kind]
        private var isStarted = false
        private var fields: [Range<Int>?]

        init(_ columns: [SharedTable.Column]) {
            kinds = columns.map(\.kind)
            fields = []
        }

        /// Calls `body` with each row of a message.
        ///
        /// - Throws: ``PrimaryError`` if the bytes are not of the format, and the errors of `body`.
        mutating func read(_ bytes: [UInt8], forEachRow body: (SharedRows.Row) throws -> Void) throws {
            var position = 0
            if !isStarted {
                guard bytes.count >= BinaryCopy.header.count, bytes.starts(with: BinaryCopy.header) else {
                    throw Self.malformed
                }
                position = BinaryCopy.header.count
                isStarted = true
            }
            while position < bytes.count {
                let count = try Self.number(bytes, at: &position, byteCount: 2)
                if count == -1 { return }
                guard count == kinds.count else { throw Self.malformed }
                fields.removeAll(keepingCapacity: true)
                for _ in 0..<count {
                    let length = try Self.number(bytes, at: &position, byteCount: 4)
                    guard length >= 0 else {
                        fields.append(nil)
                        continue
                    }
                    guard length <= bytes.count - position else { throw Self.malformed }
                    fields.append(position..<position + length)
                    position += length
                }
                let (fields, kinds) = (fields, kinds)
                try unsafe bytes.withUnsafeBytes { buffer in
                    try body { column in
                        guard fields.indices.contains(column) else { throw Self.malformed }
                        guard let range = fields[column] else { return .null }
                        return try unsafe SharedValue(
                            UnsafeRawBufferPointer(rebasing: buffer[range]), kind: kinds[column])
                    }
                }
            }
        }

        private static func number(_ bytes: [UInt8], at position: inout Int, byteCount: Int) throws -> Int {
            guard position + byteCount <= bytes.count else { throw malformed }
            var number = Int(Int8(bitPattern: bytes[position]))
            for offset in 1..<byteCount { number = number << 8 | Int(bytes[position + offset]) }
            position += byteCount
            return number
        }

        private static var malformed: PrimaryError {
            PrimaryError(.malformed, message: "the primary sent rows in an unknown format")
        }
    }
}

extension PrimaryConnection {
    /// Reads the rows of a query.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - columns: Its columns.
    /// - Returns: The rows, which can be read once.
    func rows(of query: String, columns: [SharedTable.Column]) -> SharedRows {
        SharedRows { body in
            var reader = BinaryCopy.Reader(columns)
            try self.copyOut(sql: "COPY (\(query)) TO STDOUT (FORMAT binary)", within: .seconds(60)) {
                try reader.read($0, forEachRow: body)
            }
        }
    }

    /// Adds rows to a table.
    ///
    /// - Returns: The number of rows.
    @discardableResult
    func add(_ rows: SharedRows, to table: String, columns: [SharedTable.Column]) throws -> Int {
        var count = 0
        let names = columns.map(\.name).joined(separator: ", ")
        try copyIn(sql: "COPY \(table) (\(names)) FROM STDIN (FORMAT binary)", within: .seconds(60)) { send in
            var bytes = BinaryCopy.header
            try rows.forEach { row in
                bytes.append(bigEndian: Int16(columns.count))
                for column in columns.indices { bytes.append(field: try row(column)) }
                count += 1
                if bytes.count >= 1 << 16 {
                    try send(bytes)
                    bytes.removeAll(keepingCapacity: true)
                }
            }
            try send(bytes + BinaryCopy.trailer)
        }
        return count
    }
}
