package import PhotoStreamStorage
import Synchronization

/// A PostgreSQL database as the source of truth of the files that follow it.
///
///     let primary = PostgresPrimary(try PrimaryAddress("postgres://photos@127.0.0.1/photos"))
///     let database = try PhotoDatabase(path: "replica.sqlite", access: .readWrite, primary: primary)
///
/// It keeps one connection for writes and one for reading what others wrote.
package final class PostgresPrimary: Primary {
    /// The times that a server waits for the primary.
    struct Patience: Sendable {
        /// For a connection, and for the answer to a question that involves few rows.
        var forAnswer: Duration = .milliseconds(800)
        /// For the news that a connection has been lost.
        var forLoss: Duration = .milliseconds(150)
        /// For the end of another server's transaction.
        var forTurn: Duration = .milliseconds(700)
        /// For the rows that a program outside PhotoStream is changing in an open transaction.
        var forRows: Duration = .milliseconds(100)
        /// For the answer to a write of few rows; each row adds a millisecond.
        var forWrite: Duration = .seconds(5)
        /// For the answer to a question that involves many rows.
        var forRowsOfBatch: Duration = .seconds(60)
    }

    /// The database.
    package let address: PrimaryAddress
    let patience: Patience
    // A connection is here only while no transaction uses it.
    private let idle = Mutex<[PostgresTransaction.Mode: PrimaryConnection]>([:])

    /// Creates the primary at an address, without connecting to it.
    package convenience init(_ address: PrimaryAddress) { self.init(address, patience: Patience()) }

    init(_ address: PrimaryAddress, patience: Patience) {
        (self.address, self.patience) = (address, patience)
    }

    package func begin() throws -> any PrimaryTransaction {
        PostgresTransaction(self, mode: .write)
    }

    /// Begins a transaction that reads.
    package func beginReading() -> any PrimaryTransaction {
        PostgresTransaction(self, mode: .read)
    }

    /// Runs statements on an idle connection, or on a new one if there is none or it was lost meanwhile.
    ///
    /// - Returns: The connection, which is the caller's now, and the results.
    func exchange(
        _ statements: [PrimaryStatement], for mode: PostgresTransaction.Mode, within limit: Duration
    ) throws(PrimaryError) -> (PrimaryConnection, [PrimaryResult]) {
        let start = ContinuousClock.now
        if let idle = idle.withLock({ $0.removeValue(forKey: mode) }), !idle.isBroken {
            do {
                return (idle, try idle.run(statements, within: limit))
            } catch {
                // A server that was waited for in vain is not waited for twice.
                guard idle.isBroken, start.duration(to: .now) < patience.forLoss else {
                    if (try? idle.run([PrimaryStatement(sql: "ROLLBACK")], within: patience.forAnswer)) != nil {
                        keep(idle, for: mode)
                    }
                    throw error
                }
            }
        }
        let new = try connect()
        return (new, try new.run(statements, within: limit))
    }

    /// Connects for the work of one thread.
    func connect() throws(PrimaryError) -> PrimaryConnection {
        try PrimaryConnection(
            address, within: patience.forAnswer,
            settings: [
                "SET idle_in_transaction_session_timeout = '5s'",
                "SET statement_timeout = \(patience.forRowsOfBatch.milliseconds)",
                // Plans look rows up by their indexes, whatever the statistics are.
                "SET enable_seqscan = off",
            ])
    }

    /// Keeps a connection for the next transaction.
    func keep(_ connection: PrimaryConnection, for mode: PostgresTransaction.Mode) {
        guard !connection.isBroken else { return }
        idle.withLock { $0[mode] = connection }
    }
}
