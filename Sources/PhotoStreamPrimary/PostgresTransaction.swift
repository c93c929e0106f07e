import PhotoStreamModel
import PhotoStreamStorage

/// A transaction of a ``PostgresPrimary``: one exchange to begin and to read the changes, one to write and to commit.
///
/// It reads one snapshot. A transaction that writes first takes the lock of `writing`, which prevents other commits
/// until it ends, so its snapshot is still current when it commits. If a program outside PhotoStream is changing rows,
/// they are locked: then the transaction is abandoned after a short wait, so that others can continue, and must be
/// repeated.
final class PostgresTransaction: PrimaryTransaction {
    /// The purpose of a transaction.
    enum Mode: Hashable {
        case read, write
    }

    private let primary: PostgresPrimary
    let mode: Mode
    private var connection: PrimaryConnection?
    /// The identity of the primary, once the transaction has begun.
    var identity: String?
    private let tag = Int64.random(in: .min ... .max)

    init(_ primary: PostgresPrimary, mode: Mode) {
        (self.primary, self.mode) = (primary, mode)
    }

    // MARK: - Reading

    func changes(after position: ReplicaPosition) throws -> PrimaryChanges {
        try translatingErrors { try news(after: position) }
    }

    /// A row has its own tag only if it was loaded from a file.
    static let logColumns =
        "c.firstRevision + l.place AS revision, coalesce(l.tag, c.tag) AS tag, "
        + SharedTable.changeColumns.dropFirst(2).map { "l.\($0.name)" }.joined(separator: ", ")

    /// Begins the transaction and sends its first queries.
    func begin(and questions: [PrimaryStatement]) throws -> [PrimaryResult] {
        let start: [PrimaryStatement] =
            switch mode {
            case .read:
                [
                    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                    // No other transaction waits for it, and the file is written between two portions of long changes.
                    "SET LOCAL idle_in_transaction_session_timeout = '60s'",
                ]
            case .write:
                [
                    "BEGIN ISOLATION LEVEL REPEATABLE READ",
                    // Before any statement that reads, so that the snapshot is taken at this server's turn.
                    "SET LOCAL lock_timeout = \(primary.timeouts.forTurn.milliseconds)",
                    "LOCK TABLE writing IN EXCLUSIVE MODE",
                    "SET LOCAL lock_timeout = \(primary.timeouts.forRows.milliseconds)",
                    PrimaryStatement(sql: "SELECT set_config('photostream.tag', $1, true)", [.text("\(tag)")]),
                    Self.timeout(primary.timeouts.forWrite),
                ]
            }
        let timeout = mode == .write ? primary.timeouts.forAnswerInTurn : primary.timeouts.forRowsOfBatch
        let clock = ContinuousClock.now
        defer { if mode == .write { primary.noteWait(clock.duration(to: .now)) } }
        let (connection, results) = try primary.exchange(start + questions, for: mode, within: timeout)
        self.connection = connection
        return Array(results.dropFirst(start.count))
    }

    func run(_ statements: [PrimaryStatement], within limit: Duration? = nil) throws -> [PrimaryResult] {
        guard let connection else {
            throw PrimaryError(.unavailable, message: "a transaction of \(primary.address) has ended")
        }
        let usual = mode == .write ? primary.timeouts.forWrite : primary.timeouts.forRowsOfBatch
        return try connection.run(statements, within: limit ?? usual)
    }

    // MARK: - Writing

    func reserveRowIDs(count: Int) throws -> [Int64] {
        // In portions that fit in the connection's buffers, so that the primary never waits for this server to read
        // while others wait.
        try stride(from: 0, to: count, by: Self.idsAtOnce).flatMap { start in
            try translatingErrors { try reservePortion(count: min(Self.idsAtOnce, count - start)) }
        }
    }

    private static let idsAtOnce = 2_000

    private func reservePortion(count: Int) throws -> [Int64] {
        // Other programs receive ids at the same time, so each id is taken separately. The inner query runs once.
        let result = try run([
            PrimaryStatement(
                sql: """
                    SELECT nextval((SELECT pg_get_serial_sequence('photo', 'id')::regclass))
                    FROM generate_series(1, $1::bigint)
                    """, [.integer(Int64(count))])
        ])[0]
        guard result.count == count else {
            throw PrimaryError(.malformed, message: "\(primary.address) gave too few ids")
        }
        return try (0..<count).map { try result.integer($0, column: 0) }
    }

    func commit(_ changes: SharedChanges) throws -> PrimaryCommit {
        let deletions = changes.tables.reversed().filter { !$0.deleted.isEmpty }.map { rows in
            PrimaryStatement(sql: "DELETE FROM \(rows.table.rawValue) WHERE id = ANY($1)", [.integers(rows.deleted)])
        }
        let others = changes.tables.flatMap { rows in
            Self.freeing(rows) + Self.statements(rows.updated, of: rows.table, sql: Self.updateSQL)
                + Self.statements(rows.inserted, of: rows.table, sql: Self.insertSQL)
        }
        // Runs deferred triggers now, so that the transaction knows its number before it ends.
        let end: [PrimaryStatement] = ["SET CONSTRAINTS ALL IMMEDIATE"] + commitStatements
        return try translatingErrors {
            let rowCount = changes.tables.reduce(0) { $0 + $1.deleted.count + $1.updated.count + $1.inserted.count }
            let limit = primary.timeouts.forWrite + .milliseconds(rowCount)
            let results = try runLast([Self.timeout(limit)] + deletions + others + end, within: limit)
            guard results.count >= 3 else {
                throw PrimaryError(.malformed, message: "\(primary.address) gave too few answers to a write")
            }
            let (head, log) = (results[results.count - 3], results[results.count - 1])
            let position = ReplicaPosition(
                commitID: try head.integer(0, column: 0), revision: try head.integer(0, column: 1), tag: tag,
                identity: identity)
            if let connection { primary.keep(connection, for: mode) }
            connection = nil
            primary.watch.calm()
            return PrimaryCommit(position: position, log: log.rows)
        }
    }

    /// The statements that read this transaction's commit, end it, and read its rows of the log, which no other server
    /// waits for.
    private var commitStatements: [PrimaryStatement] {
        [
            PrimaryStatement(
                sql: "SELECT id, firstRevision + changeCount - 1 FROM commit WHERE tag = $1 ORDER BY id DESC",
                [.integer(tag)]),
            "COMMIT",
            PrimaryStatement(
                sql: """
                    SELECT \(Self.logColumns) FROM commit c JOIN change l ON l.batch = c.batch WHERE c.tag = $1 ORDER BY 1
                    """, [.integer(tag)]),
        ]
    }

    /// Runs the statements that end with the commit.
    private func runLast(_ statements: [PrimaryStatement], within limit: Duration) throws -> [PrimaryResult] {
        do {
            return try run(statements, within: limit)
        } catch let error as PrimaryError {
            guard error.kind == .unavailable, let found = try commitAfterBreak() else { throw error }
            return found
        }
    }

    /// Looks for this transaction's commit after the connection broke during the commit.
    ///
    /// - Returns: The results that the end of the transaction would have returned; `nil` if nothing was committed.
    /// - Throws: `StorageError` with code `commitUnknown` if that is unknown, for example because the transaction has
    ///   not ended.
    private func commitAfterBreak() throws -> [PrimaryResult]? {
        let deadline = ContinuousClock.now.advanced(by: primary.timeouts.forWrite)
        do throws(PrimaryError) {
            let connection = try primary.connect()
            self.connection = connection
            while true {
                do throws(PrimaryError) {
                    // Under the lock of `writing`, the transaction has ended, committed or not.
                    let results = try connection.run(
                        [
                            "BEGIN", "SET LOCAL lock_timeout = \(primary.timeouts.forTurn.milliseconds)",
                            "LOCK TABLE writing IN EXCLUSIVE MODE",
                        ] + commitStatements, within: primary.timeouts.forAnswerInTurn)
                    return results[3].count > 0 ? results : nil
                } catch {
                    guard error.state == "55P03", ContinuousClock.now < deadline else { throw error }
                    try connection.run("ROLLBACK", within: primary.timeouts.forAnswer)
                }
            }
        } catch {
            throw StorageError(
                .commitUnknown, message: "whether a write was committed is unknown: \(error.message)")
        }
    }

    func end() {
        guard let connection else { return }
        self.connection = nil
        guard !connection.isBroken else { return }
        guard (try? connection.run("ROLLBACK", within: primary.timeouts.forAnswer)) != nil else { return }
        primary.keep(connection, for: mode)
    }

    // MARK: - SQL

    /// Ends a statement of this transaction that takes longer, even if this server no longer waits for it.
    private static func timeout(_ limit: Duration) -> PrimaryStatement {
        PrimaryStatement(sql: "SELECT set_config('statement_timeout', $1, true)", [.text("\(limit.milliseconds)")])
    }

    private static func statements(
        _ rows: [[SharedValue]], of table: SharedTable, sql: (SharedTable) -> String
    ) -> [PrimaryStatement] {
        guard !rows.isEmpty else { return [] }
        let columns = table.columns.enumerated().map { position, column in
            PrimaryStatement.Parameter.array(rows.map { $0[position] }, column.kind)
        }
        return [PrimaryStatement(sql: sql(table), columns)]
    }

    /// Statements that first give changing photos other external ids, in case one takes another's.
    private static func freeing(_ rows: SharedChanges.Rows) -> [PrimaryStatement] {
        guard rows.table == .photo || rows.table == .stream, rows.updated.count > 1,
            let position = rows.table.columns.firstIndex(where: { ["externalId", "name"].contains($0.name) })
        else { return [] }
        let (name, table) = (rows.table.columns[position].name, rows.table.rawValue)
        return [
            PrimaryStatement(
                sql: """
                    UPDATE \(table) SET \(name) = gen_random_uuid()::text FROM unnest($1::bigint[], $2::text[]) AS n (id, name)
                    WHERE \(table).id = n.id AND \(table).\(name) <> n.name
                    """,
                [.array(rows.updated.map { $0[0] }, .integer), .array(rows.updated.map { $0[position] }, .text)])
        ]
    }

    private static func arrays(_ table: SharedTable) -> String {
        table.columns.enumerated().map { "$\($0 + 1)::\($1.kind.type.name)[]" }.joined(separator: ", ")
    }

    private static func insertSQL(_ table: SharedTable) -> String {
        "INSERT INTO \(table.rawValue) (\(table.columnList)) SELECT * FROM unnest(\(arrays(table)))"
    }

    private static func updateSQL(_ table: SharedTable) -> String {
        let columns = table.columns.dropFirst().map(\.name)
        guard !table.insertsMissing else {
            return insertSQL(table)
                + " ON CONFLICT (id) DO UPDATE SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))"
        }
        return """
            UPDATE \(table.rawValue) SET \(columns.map { "\($0) = n.\($0)" }.joined(separator: ", "))
            FROM unnest(\(arrays(table))) AS n (\(table.columnList)) WHERE \(table.rawValue).id = n.id
            """
    }

    // MARK: - Errors

    /// Runs `body` and converts its errors to those of the storage.
    private func translatingErrors<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as PrimaryError where error.state == "55P03" {
            primary.watch.alert()
            let holders = primary.watch.holders.map(\.holder.name)
            guard !holders.isEmpty else { throw Self.translated(error) }
            throw PrimaryInterruption.conflict("\(holders.joined(separator: " and ")) holds it up")
        } catch let error as PrimaryError {
            throw Self.translated(error)
        }
    }

    /// The error of the storage for an error of the primary.
    static func translated(_ error: PrimaryError) -> any Error {
        switch error.state {
        // A lock was not available in time, a row was changed, a deadlock, a key was taken.
        case "55P03", "40001", "40P01", "23505": PrimaryInterruption.conflict(error.message)
        case "53100": StorageError(.diskFull, message: error.message)
        // There is no such table or schema.
        case "42P01", "3F000":
            StorageError(
                .database,
                message: """
                    the database has not the tables of this version: it was emptied, it is another one, or `photostream primary init` \
                    has not run yet
                    """)
        // It is read-only, cancelled a statement, or is out of memory or connections, so it is unavailable for now.
        case "25006", "57014": StorageError(.primaryUnavailable, message: error.message)
        case .some(let state) where state.hasPrefix("53"): StorageError(.primaryUnavailable, message: error.message)
        default:
            switch error.kind {
            case .unavailable: StorageError(.primaryUnavailable, message: error.message)
            case .refused: StorageError(.constraint, message: error.message)
            case .address, .pooler, .empty, .schema, .malformed: StorageError(.database, message: error.message)
            }
        }
    }
}

extension Duration {
    /// The whole milliseconds.
    var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
