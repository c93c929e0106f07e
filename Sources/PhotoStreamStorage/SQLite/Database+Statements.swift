import GRDB

/// Statements that run once, with the values of their parameters in order.
///
///     try database.run("DELETE FROM upload WHERE id = ?1", with: id)
///     let names = try database.rows("SELECT name FROM stream WHERE id > ?1", with: id) { $0.text(0) }
///
/// Every function throws `DatabaseError` if SQLite fails.
extension Database {
    /// Runs a statement, ignoring any rows.
    func run<each Value: SQLValue>(_ sql: String, with values: repeat each Value) throws {
        try RawStatement(self, sql: sql, with: repeat each values).run()
    }

    /// Calls a closure with every row.
    func forEach<each Value: SQLValue>(
        _ sql: String, with values: repeat each Value, read: (RawStatement) throws -> Void
    ) throws {
        try RawStatement(self, sql: sql, with: repeat each values).forEach(read)
    }

    /// Returns the results of a closure for all rows, without those that are `nil`.
    func rows<each Value: SQLValue, Row>(
        _ sql: String, with values: repeat each Value, read: (RawStatement) throws -> Row?
    ) throws -> [Row] {
        try RawStatement(self, sql: sql, with: repeat each values).rows(read)
    }

    /// Returns the result of a closure for the first row; `nil` if there is none.
    func first<each Value: SQLValue, Row>(
        _ sql: String, with values: repeat each Value, read: (RawStatement) throws -> Row?
    ) throws -> Row? {
        try RawStatement(self, sql: sql, with: repeat each values).first(read)
    }

    /// Returns the integers in the first column of all rows.
    func integers<each Value: SQLValue>(_ sql: String, with values: repeat each Value) throws -> [Int64] {
        try rows(sql, with: repeat each values) { $0.integer(0) }
    }

    /// Returns the integer in the first column of the first row; 0 if there is none.
    func number<each Value: SQLValue>(_ sql: String, with values: repeat each Value) throws -> Int64 {
        try first(sql, with: repeat each values) { $0.integer(0) } ?? 0
    }

    /// Whether a query has a row.
    func exists<each Value: SQLValue>(_ sql: String, with values: repeat each Value) throws -> Bool {
        try first(sql, with: repeat each values) { _ in true } ?? false
    }
}

extension RawStatement {
    /// Prepares a statement with all of its parameters bound.
    init<each Value: SQLValue>(_ database: Database, sql: String, with values: repeat each Value) throws {
        try self.init(database, sql: sql)
        try bind(repeat each values)
    }

    /// Returns the results of a closure for all rows, without those that are `nil`, and resets the statement.
    func rows<Row>(_ read: (RawStatement) throws -> Row?) throws -> [Row] {
        var rows: [Row] = []
        try forEach { if let row = try read($0) { rows.append(row) } }
        return rows
    }

    /// Binds all parameters and runs the statement, ignoring any rows.
    func run<each Value: SQLValue>(with values: repeat each Value) throws {
        try bind(repeat each values)
        try run()
    }
}
