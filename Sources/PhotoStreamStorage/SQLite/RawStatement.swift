import GRDB
import GRDBSQLite

/// A cached prepared statement driven through SQLite's own functions.
///
/// GRDB's rows and arguments cost an allocation each; a page of photos and an import batch cannot afford them. The
/// statement comes from the connection's cache, so two uses of one text must not overlap: every function that runs one
/// reads it to its end.
struct RawStatement {
    /// What SQLite's functions take.
    let pointer: OpaquePointer
    // Keeps `pointer` alive.
    private let statement: Statement

    /// Prepares `sql`, or takes it from the connection's cache, ready to be bound.
    init(_ database: Database, _ sql: String) throws {
        statement = try database.cachedStatement(sql: sql)
        pointer = statement.sqliteStatement
        sqlite3_reset(pointer)
    }

    /// Goes to the next row.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: `DatabaseError`; the statement is reset then.
    func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    /// Runs a statement that has no rows, or whose rows do not matter, and resets it.
    func run() throws {
        while try step() {}
        sqlite3_reset(pointer)
    }

    /// Calls `body` at every row, then resets the statement.
    func forEach(_ body: (RawStatement) throws -> Void) throws {
        defer { sqlite3_reset(pointer) }
        while try step() { try body(self) }
    }

    /// What `body` makes of the first row, or `nil` without one; resets the statement.
    func first<Value>(_ body: (RawStatement) throws -> Value?) throws -> Value? {
        defer { sqlite3_reset(pointer) }
        return try step() ? try body(self) : nil
    }

    /// Makes the statement ready to be bound and run again.
    func reset() {
        sqlite3_reset(pointer)
    }

    /// Forgets what was bound: memory that was lent to SQLite is not looked at any more.
    func clear() {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }

    private func failure() -> DatabaseError {
        let connection = sqlite3_db_handle(pointer)
        let error = DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection))
        )
        sqlite3_reset(pointer)
        return error
    }
}

extension RawStatement {
    /// Binds a whole number, or NULL.
    func bind(_ index: Int32, _ value: Int64?) {
        if let value {
            sqlite3_bind_int64(pointer, index, value)
        } else {
            sqlite3_bind_null(pointer, index)
        }
    }

    /// Binds a floating-point number, or NULL.
    func bind(_ index: Int32, _ value: Double?) {
        if let value {
            sqlite3_bind_double(pointer, index, value)
        } else {
            sqlite3_bind_null(pointer, index)
        }
    }

    /// Binds text that SQLite copies, or NULL.
    func bind(_ index: Int32, copying text: String?) throws {
        guard var text else {
            sqlite3_bind_null(pointer, index)
            return
        }
        // SQLITE_TRANSIENT, a macro that Swift does not import.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty string has no address, and SQLite takes a missing address for NULL.
                guard let start = characters.baseAddress else {
                    return sqlite3_bind_text(pointer, index, "", 0, transient)
                }
                return sqlite3_bind_text(pointer, index, start, Int32(clamping: characters.count), transient)
            }
        }
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// Binds text that stays where it is until the statement was run, or NULL.
    func bind(_ index: Int32, lending text: UnsafeBufferPointer<CChar>?) {
        guard let text, let start = text.baseAddress else {
            sqlite3_bind_null(pointer, index)
            return
        }
        sqlite3_bind_text(pointer, index, start, Int32(clamping: text.count), nil)
    }
}

extension RawStatement {
    /// Whether a column of the row is NULL.
    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(pointer, column) == SQLITE_NULL
    }

    /// Whether a column of the row is a whole number.
    func isInteger(_ column: Int32) -> Bool {
        sqlite3_column_type(pointer, column) == SQLITE_INTEGER
    }

    /// A column as a whole number; NULL is 0.
    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(pointer, column)
    }

    /// A column as a whole number, or `nil` for NULL.
    func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : sqlite3_column_int64(pointer, column)
    }

    /// A column as a floating-point number.
    func double(_ column: Int32) -> Double {
        sqlite3_column_double(pointer, column)
    }

    /// A column as text; NULL is the empty text.
    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(pointer, column) else { return "" }
        let count = Int(sqlite3_column_bytes(pointer, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column as text, or `nil` for NULL.
    func optionalText(_ column: Int32) -> String? {
        isNull(column) ? nil : text(column)
    }

    /// A column as bytes; NULL is no bytes.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(pointer, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column))))
    }
}
