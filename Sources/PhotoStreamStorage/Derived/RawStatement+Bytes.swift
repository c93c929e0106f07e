import GRDB
import GRDBSQLite

extension RawStatement {
    /// Binds bytes that SQLite copies.
    func bind(_ index: Int32, copyingBytes bytes: [UInt8]) throws {
        // SQLITE_TRANSIENT, a macro that Swift does not import.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code = bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return sqlite3_bind_zeroblob(pointer, index, 0) }
            return sqlite3_bind_blob64(pointer, index, start, UInt64(buffer.count), transient)
        }
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
