import GRDB
import GRDBSQLite

/// A cached prepared statement, used through SQLite's C functions.
///
/// GRDB's rows and arguments cost an allocation each, which a page of photos and an import batch cannot afford. The
/// statement comes from the connection's cache, so two uses of the same SQL must not overlap: every function that runs
/// a statement reads it to its end.
@safe struct RawStatement {
    /// The statement for SQLite's functions.
    let pointer: OpaquePointer
    // Keeps `pointer` alive.
    private let statement: Statement

    /// Prepares `sql` or takes it from the connection's cache, ready to bind.
    init(_ database: Database, sql: String) throws {
        do {
            statement = try database.cachedStatement(sql: sql)
        } catch {
            guard let sql = try OlderSchema.sql(insteadOf: sql, after: error, database) else { throw error }
            statement = try database.cachedStatement(sql: sql)
        }
        unsafe pointer = statement.sqliteStatement
        unsafe sqlite3_reset(pointer)
    }

    /// Steps to the next row.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: `DatabaseError`; the statement is then reset.
    func step() throws -> Bool {
        switch unsafe sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    /// Runs a statement, ignoring any rows, and resets it.
    func run() throws {
        while try step() {}
        unsafe sqlite3_reset(pointer)
    }

    /// Calls `body` with every row, then resets the statement.
    func forEach(_ body: (RawStatement) throws -> Void) throws {
        defer { unsafe sqlite3_reset(pointer) }
        while try step() { try body(self) }
    }

    /// Returns the result of `body` for the first row; `nil` if there is none.
    ///
    /// Resets the statement.
    func first<Value>(_ body: (RawStatement) throws -> Value?) throws -> Value? {
        defer { unsafe sqlite3_reset(pointer) }
        return try step() ? try body(self) : nil
    }

    /// Makes the statement ready to bind and run again.
    func reset() {
        unsafe sqlite3_reset(pointer)
    }

    /// Clears the bindings, so that SQLite no longer refers to borrowed memory.
    func clear() {
        unsafe sqlite3_reset(pointer)
        unsafe sqlite3_clear_bindings(pointer)
    }

    private func failure() -> DatabaseError {
        let connection = unsafe sqlite3_db_handle(pointer)
        let error = unsafe DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection))
        )
        unsafe sqlite3_reset(pointer)
        return error
    }
}

extension RawStatement {
    /// Binds an integer, or NULL.
    func bind(_ index: Int32, to value: Int64?) {
        if let value {
            unsafe sqlite3_bind_int64(pointer, index, value)
        } else {
            unsafe sqlite3_bind_null(pointer, index)
        }
    }

    /// Binds a floating-point number, or NULL.
    func bind(_ index: Int32, to value: Double?) {
        if let value {
            unsafe sqlite3_bind_double(pointer, index, value)
        } else {
            unsafe sqlite3_bind_null(pointer, index)
        }
    }

    /// Binds a text, which SQLite copies, or NULL.
    func bind(_ index: Int32, copying text: String?) throws {
        guard var text else {
            unsafe sqlite3_bind_null(pointer, index)
            return
        }
        // SQLITE_TRANSIENT is a macro that Swift does not import.
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty string may have no address, which SQLite would take for NULL.
                guard let start = characters.baseAddress else {
                    return unsafe sqlite3_bind_text(pointer, index, "", 0, transient)
                }
                return unsafe sqlite3_bind_text(pointer, index, start, Int32(clamping: characters.count), transient)
            }
        }
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// Binds a text that must stay in memory until the statement has run, or NULL.
    func bind(_ index: Int32, lending text: UnsafeBufferPointer<CChar>?) {
        guard let text = unsafe text, let start = text.baseAddress else {
            unsafe sqlite3_bind_null(pointer, index)
            return
        }
        unsafe sqlite3_bind_text(pointer, index, start, Int32(clamping: text.count), nil)
    }
}

extension RawStatement {
    /// Whether a column is NULL.
    func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL
    }

    /// Whether a column is an integer.
    func isInteger(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(pointer, column) == SQLITE_INTEGER
    }

    /// Reads a column as an integer; NULL is 0.
    func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(pointer, column)
    }

    /// Reads a column as an integer; `nil` for NULL.
    func optionalInteger(_ column: Int32) -> Int64? {
        unsafe isNull(column) ? nil : sqlite3_column_int64(pointer, column)
    }

    /// Reads a column as a floating-point number.
    func double(_ column: Int32) -> Double {
        unsafe sqlite3_column_double(pointer, column)
    }

    /// Reads a column as text; NULL is empty.
    func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(pointer, column) else { return "" }
        let count = unsafe Int(sqlite3_column_bytes(pointer, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Reads a column as text; `nil` for NULL.
    func optionalText(_ column: Int32) -> String? {
        isNull(column) ? nil : text(column)
    }

    /// Reads a column as bytes; NULL is empty.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(pointer, column) else { return [] }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column))))
    }
}

extension RawStatement {
    /// Binds bytes, which SQLite copies.
    func bind(_ index: Int32, copyingBytes bytes: [UInt8]) throws {
        // SQLITE_TRANSIENT is a macro that Swift does not import.
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code = unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return unsafe sqlite3_bind_zeroblob(pointer, index, 0) }
            return unsafe sqlite3_bind_blob64(pointer, index, start, UInt64(buffer.count), transient)
        }
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
