import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// How connections wait for another connection's lock: they look again every millisecond.
///
/// SQLite's own busy timeout sleeps for up to 100 ms between two looks. Between two batches an import leaves the lock
/// alone for a few milliseconds only (``PhotoDatabase/giveTurn()``), so a small write would miss most of these gaps and wait
/// for seconds.
final class BusyWait: Sendable {
    /// One connection's wait; it is used by one thread at a time.
    private final class Wait: Sendable {
        let timeout: Duration
        let start = Mutex(ContinuousClock.now)

        init(timeout: Duration) {
            self.timeout = timeout
        }

        /// Sleeps for a moment.
        ///
        /// - Parameter lookCount: How often the lock was looked at before in this wait.
        /// - Returns: Whether to look again.
        func goesOn(after lookCount: Int32) -> Bool {
            let now = ContinuousClock.now
            let waited = start.withLock { start in
                if lookCount == 0 { start = now }
                return start.duration(to: now)
            }
            guard waited < timeout, !Task.isCancelled else { return false }
            usleep(1_000)
            return true
        }
    }

    private let timeout: Duration
    /// What SQLite refers to, for as long as connections are open.
    private let waits = Mutex<[Wait]>([])

    /// Describes a wait.
    ///
    /// - Parameter milliseconds: The longest time before SQLite reports the lock.
    init(milliseconds: Int) {
        timeout = .milliseconds(milliseconds)
    }

    /// Has a connection wait so.
    func install(on database: Database) {
        let wait = Wait(timeout: timeout)
        waits.withLock { $0.append(wait) }
        sqlite3_busy_handler(
            database.sqliteConnection,
            { context, lookCount in
                guard let context else { return 0 }
                return Unmanaged<Wait>.fromOpaque(context).takeUnretainedValue().goesOn(after: lookCount) ? 1 : 0
            }, Unmanaged.passUnretained(wait).toOpaque())
    }
}
