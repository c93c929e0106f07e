import GRDB
import GRDBSQLite

/// The changes of a transaction in the shared tables.
package struct SharedChanges: Sendable {
    /// The changes of one table, each row once.
    package struct Rows: Sendable {
        /// The table.
        package let table: SharedTable
        /// The ids of rows that no longer exist.
        package fileprivate(set) var deleted: [Int64] = []
        /// Rows that existed before, with all columns of the table.
        package fileprivate(set) var updated: [[SharedValue]] = []
        /// New rows.
        package fileprivate(set) var inserted: [[SharedValue]] = []
    }

    /// The changed tables, in the order of ``SharedTable``.
    package let tables: [Rows]

    /// Whether nothing was changed.
    package var isEmpty: Bool { tables.isEmpty }
}

/// Records which rows of the shared tables a connection changes, whether a statement or a trigger does it.
///
/// SQLite does not report rows that `REPLACE` removes; no statement of ours replaces rows of these tables.
@safe final class SharedChangeRecorder {
    /// Whether each touched row existed before, by table.
    private var touched: [SharedTable: [Int64: Bool]] = [:]
    private var cachedName: UnsafePointer<CChar>?
    private var cachedTable: SharedTable?

    private static let tables = Dictionary(uniqueKeysWithValues: SharedTable.allCases.map { ($0.rawValue, $0) })

    /// Runs `body` and returns its changes.
    static func recording<T>(in database: Database, _ body: () throws -> T) throws -> (T, SharedChanges) {
        let recorder = SharedChangeRecorder()
        let connection = unsafe database.sqliteConnection
        // The recorder outlives the hook, which is removed before this function returns.
        let context = unsafe Unmanaged.passUnretained(recorder).toOpaque()
        _ = unsafe sqlite3_update_hook(
            connection,
            { context, operation, _, table, rowID in
                guard let context = unsafe context, let table = unsafe table else { return }
                unsafe Unmanaged<SharedChangeRecorder>.fromOpaque(context).takeUnretainedValue()
                    .note(operation, table: table, rowID: rowID)
            }, context)
        defer { _ = unsafe sqlite3_update_hook(connection, nil, nil) }
        let result = try body()
        return (result, try recorder.changes(in: database))
    }

    private func note(_ operation: Int32, table name: UnsafePointer<CChar>, rowID: Int64) {
        // SQLite passes the name that its schema keeps, so the same address is the same table.
        if unsafe name != cachedName {
            unsafe cachedName = name
            cachedTable = unsafe Self.tables[String(cString: name)]
        }
        guard let table = cachedTable else { return }
        let existedBefore = operation != SQLITE_INSERT
        if touched[table, default: [:]][rowID] == nil { touched[table, default: [:]][rowID] = existedBefore }
    }

    private func changes(in database: Database) throws -> SharedChanges {
        var tables: [SharedChanges.Rows] = []
        for table in SharedTable.allCases {
            guard let touched = touched[table] else { continue }
            var rows = SharedChanges.Rows(table: table)
            let statement = try RawStatement(
                database, sql: "SELECT \(table.columnList) FROM \(table.rawValue) WHERE id = ?1")
            for (rowID, existedBefore) in touched.sorted(by: { $0.key < $1.key }) {
                try statement.bind(rowID)
                if let row = try statement.first({ $0.values(of: table.columns) }) {
                    if existedBefore { rows.updated.append(row) } else { rows.inserted.append(row) }
                } else if existedBefore {
                    rows.deleted.append(rowID)
                }
            }
            if !(rows.deleted.isEmpty && rows.updated.isEmpty && rows.inserted.isEmpty) { tables.append(rows) }
        }
        return SharedChanges(tables: tables)
    }
}
