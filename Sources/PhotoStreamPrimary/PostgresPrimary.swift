package import PhotoStreamStorage
import Synchronization

/// A PostgreSQL database as the source of truth of the files that follow it.
///
///     let primary = PostgresPrimary(try PrimaryAddress("postgres://photos@127.0.0.1/photos"))
///     let database = try PhotoDatabase(path: "replica.sqlite", access: .readWrite, primary: primary)
///
/// It keeps one connection for writes and one for reading the commits of others.
package final class PostgresPrimary: Primary {
    /// The timeouts of a server that waits for the primary.
    struct Timeouts: Sendable {
        /// For a connection, and for the answer to a query of few rows.
        var forAnswer: Duration = .milliseconds(800)
        /// For the notification that a connection has been lost.
        var forLoss: Duration = .milliseconds(150)
        /// For the end of another server's transaction.
        var forTurn: Duration = .milliseconds(700)
        /// For a query that first waits for its turn.
        var forAnswerInTurn: Duration { forTurn + forAnswer }
        /// For rows that a program outside PhotoStream is changing in an open transaction.
        var forRows: Duration = .milliseconds(100)
        /// For the answer to a write of few rows; each row adds a millisecond.
        var forWrite: Duration = .seconds(5)
        /// For the answer to a query of many rows.
        var forRowsOfBatch: Duration = .seconds(60)
        /// For a transaction of another program that blocks writers, before it is reported and perhaps ended.
        var forHolder: Duration = .seconds(4)
    }

    /// A look at the last commit.
    struct Look: Sendable {
        let head: ReplicaPosition
        /// The age of the oldest commit that the follower lacked.
        let ageOfNews: Duration
        let time: ContinuousClock.Instant
    }

    private struct State {
        /// The connections that no transaction uses.
        var idle: [PostgresTransaction.Mode: PrimaryConnection] = [:]
        var lockWaits = WaitHistogram()
        var lastLook: Look?
    }

    /// The database.
    package let address: PrimaryAddress
    let timeouts: Timeouts
    let watch: HolderWatch
    private let state = Mutex(State())

    /// Creates the primary at an address, without connecting to it.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - observe: Receives each transaction of another program that has blocked this server for long, on the waiting
    ///     thread.
    package convenience init(
        _ address: PrimaryAddress, observe: @escaping @Sendable (HeldUp) -> Void = { _ in }
    ) {
        self.init(address, timeouts: Timeouts(), observe: observe)
    }

    init(
        _ address: PrimaryAddress, timeouts: Timeouts, observe: @escaping @Sendable (HeldUp) -> Void = { _ in }
    ) {
        (self.address, self.timeouts) = (address, timeouts)
        watch = HolderWatch(address, reportDelay: timeouts.forHolder, observe: observe)
    }

    package func begin() throws -> any PrimaryTransaction {
        PostgresTransaction(self, mode: .write)
    }

    /// Begins a transaction that reads.
    package func beginReading() -> any PrimaryTransaction {
        PostgresTransaction(self, mode: .read)
    }

    /// Runs statements on an idle connection, or on a new one if there is none or it was lost.
    ///
    /// - Returns: The connection, now owned by the caller, and the results.
    func exchange(
        _ statements: [PrimaryStatement], for mode: PostgresTransaction.Mode, within limit: Duration
    ) throws(PrimaryError) -> (PrimaryConnection, [PrimaryResult]) {
        let start = ContinuousClock.now
        if let idle = state.withLock({ $0.idle.removeValue(forKey: mode) }), !idle.isBroken {
            do {
                return (idle, try idle.run(statements, within: limit))
            } catch {
                // After a timeout, the server is not tried again.
                guard idle.isBroken, start.duration(to: .now) < timeouts.forLoss else {
                    if (try? idle.run("ROLLBACK", within: timeouts.forAnswer)) != nil {
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
        // A writer waits only milliseconds for rows. A reader waits only for locks of whole tables.
        let delay: Duration = mode == .write ? .milliseconds(60) : .seconds(2)
        return PrimaryConnection.Meanwhile(delay: delay, pause: HolderWatch.pause) { [watch] in
            watch.look(always: mode == .read)
        }
    }

    /// Connects for the work of one thread.
    func connect() throws(PrimaryError) -> PrimaryConnection {
        try PrimaryConnection(
            address, within: timeouts.forAnswer,
            settings: [
                "SET idle_in_transaction_session_timeout = '5s'",
                "SET statement_timeout = \(timeouts.forRowsOfBatch.milliseconds)",
                // Plans use indexes to find rows, regardless of statistics.
                "SET enable_seqscan = off", "SET enable_hashjoin = off", "SET enable_mergejoin = off",
                "SET plan_cache_mode = force_generic_plan",
            ])
    }

    /// Records the time after which a write got its turn, or gave up for now.
    func noteWait(_ time: Duration) { state.withLock { $0.lockWaits.add(time) } }

    /// The times after which writes got their turn, or gave up for now.
    package var lockWaits: WaitHistogram { state.withLock { $0.lockWaits } }

    /// The last look at the last commit; `nil` before the first.
    var lastLook: Look? {
        get { state.withLock { $0.lastLook } }
        set { state.withLock { $0.lastLook = newValue } }
    }

    /// The number of other programs' sessions that were ended because they blocked all writers.
    package var endedSessionCount: Int { watch.endedCount }

    /// The transactions of other programs that currently block this server, with the times for which they have been
    /// seen.
    package var holders: [(holder: LockHolder, time: Duration)] { watch.holders }

    /// Keeps a connection for the next transaction.
    func keep(_ connection: PrimaryConnection, for mode: PostgresTransaction.Mode) {
        guard !connection.isBroken else { return }
        // A connection that it replaces is closed after the lock.
        _ = state.withLock { $0.idle.updateValue(connection, forKey: mode) }
    }
}
