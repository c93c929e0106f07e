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
        /// For a question that waits for its turn first.
        var forAnswerInTurn: Duration { forTurn + forAnswer }
        /// For the rows that a program outside PhotoStream is changing in an open transaction.
        var forRows: Duration = .milliseconds(100)
        /// For the answer to a write of few rows; each row adds a millisecond.
        var forWrite: Duration = .seconds(5)
        /// For the answer to a question that involves many rows.
        var forRowsOfBatch: Duration = .seconds(60)
        /// For another program's transaction that holds up writers, before it is named and perhaps ended.
        var forHolder: Duration = .seconds(4)
    }

    /// A look at the last commit.
    struct Look: Sendable {
        let head: ReplicaPosition
        /// The time for which the oldest commit that the follower lacked had been there.
        let ageOfNews: Duration
        let time: ContinuousClock.Instant
    }

    /// The database.
    package let address: PrimaryAddress
    let patience: Patience
    let watch: HolderWatch
    // A connection is here only while no transaction uses it.
    private let idle = Mutex<[PostgresTransaction.Mode: PrimaryConnection]>([:])
    private let waits = Mutex(WaitHistogram())
    let lastLook = Mutex<Look?>(nil)

    /// Creates the primary at an address, without connecting to it.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - observe: Receives each transaction of another program that has held up this one for long, on the thread that waits.
    package convenience init(
        _ address: PrimaryAddress, observe: @escaping @Sendable (HeldUp) -> Void = { _ in }
    ) {
        self.init(address, patience: Patience(), observe: observe)
    }

    init(
        _ address: PrimaryAddress, patience: Patience, observe: @escaping @Sendable (HeldUp) -> Void = { _ in }
    ) {
        (self.address, self.patience) = (address, patience)
        watch = HolderWatch(address, patience: patience.forHolder, observe: observe)
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
        new.meanwhile = looks(for: mode)
        return (new, try new.run(statements, within: limit))
    }

    /// Looks for the transactions of other programs that a connection waits for.
    private func looks(for mode: PostgresTransaction.Mode) -> PrimaryConnection.Meanwhile {
        // A writer has few milliseconds for rows. A reader waits for nothing but the lock of a whole table.
        let delay: Duration = mode == .write ? .milliseconds(60) : .seconds(2)
        return PrimaryConnection.Meanwhile(delay: delay, pause: HolderWatch.pause) { [watch] in
            watch.look(always: mode == .read)
        }
    }

    /// Connects for the work of one thread.
    func connect() throws(PrimaryError) -> PrimaryConnection {
        try PrimaryConnection(
            address, within: patience.forAnswer,
            settings: [
                "SET idle_in_transaction_session_timeout = '5s'",
                "SET statement_timeout = \(patience.forRowsOfBatch.milliseconds)",
                // Plans look rows up by their indexes, whatever the statistics are.
                "SET enable_seqscan = off", "SET enable_hashjoin = off", "SET enable_mergejoin = off",
                "SET plan_cache_mode = force_generic_plan",
            ])
    }

    /// Notes the time in which a write got its turn, or gave it up for now.
    func noteWait(_ time: Duration) { waits.withLock { $0.add(time) } }

    /// The times in which writes got their turn, or gave it up for now.
    package var lockWaits: WaitHistogram { waits.withLock { $0 } }

    /// The sessions of other programs that were ended because they held up all writers.
    package var endedSessionCount: Int { watch.endedCount }

    /// The transactions of other programs that hold up this server now, with the time for which they have been seen.
    package var holders: [(holder: LockHolder, time: Duration)] { watch.holders }

    /// Keeps a connection for the next transaction.
    func keep(_ connection: PrimaryConnection, for mode: PostgresTransaction.Mode) {
        guard !connection.isBroken else { return }
        idle.withLock { $0[mode] = connection }
    }
}
