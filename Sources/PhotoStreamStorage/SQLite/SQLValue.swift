import GRDB
import GRDBSQLite

/// A value that a parameter of a statement takes.
///
/// No statement is bound by numbers that a caller writes: ``RawStatement/bind(_:)-(each_Value)`` gives all parameters
/// their values in order, ``RawStatement/init(_:into:replacing:row:)`` names the column of each value, and the statements
/// of photos go by ``PhotoColumn``.
protocol SQLValue {
    /// Binds the value, which SQLite copies.
    func bind(to index: Int32, of statement: RawStatement) throws
}

extension Int64: SQLValue {
    func bind(to index: Int32, of statement: RawStatement) throws { statement.bind(index, to: self) }
}

extension Int: SQLValue {
    func bind(to index: Int32, of statement: RawStatement) throws { statement.bind(index, to: Int64(self)) }
}

extension String: SQLValue {
    func bind(to index: Int32, of statement: RawStatement) throws { try statement.bind(index, copying: self) }
}

extension [UInt8]: SQLValue {
    func bind(to index: Int32, of statement: RawStatement) throws { try statement.bind(index, copyingBytes: self) }
}

extension Optional: SQLValue where Wrapped: SQLValue {
    func bind(to index: Int32, of statement: RawStatement) throws {
        if let self { try self.bind(to: index, of: statement) } else { statement.bind(index, to: Int64?.none) }
    }
}

extension RawStatement {
    /// Binds all parameters of the statement, in their order.
    ///
    /// - Precondition: The statement has as many parameters.
    func bind<each Value: SQLValue>(_ values: repeat each Value) throws {
        var index: Int32 = 0
        for value in repeat each values {
            index += 1
            try value.bind(to: index, of: self)
        }
        unsafe precondition(
            index == sqlite3_bind_parameter_count(pointer), "a statement has another number of parameters")
    }

    /// Prepares the insert of a row, with its values bound.
    ///
    /// - Parameters:
    ///   - database: The connection.
    ///   - table: The table.
    ///   - isReplacing: Whether a row with the same key is replaced; otherwise it is an error.
    ///   - conflict: The clause after the values.
    ///   - row: Each column with its value.
    /// - Throws: `DatabaseError` if SQLite cannot prepare it.
    init(
        _ database: Database, into table: StaticString, replacing isReplacing: Bool = false,
        onConflict conflict: String = "", row: KeyValuePairs<StaticString, any SQLValue>
    ) throws {
        let names = row.map { "\"\($0.key)\"" }.joined(separator: ", ")
        let parameters = row.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let verb = isReplacing ? "INSERT OR REPLACE INTO" : "INSERT INTO"
        try self.init(database, sql: "\(verb) \(table) (\(names)) VALUES (\(parameters)) \(conflict)")
        for (index, value) in row.enumerated() { try value.value.bind(to: Int32(index + 1), of: self) }
    }
}
