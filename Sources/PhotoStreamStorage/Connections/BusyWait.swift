import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// A busy handler that retries every millisecond.
///
/// SQLite's own busy timeout sleeps for up to 100 ms between two attempts. Between two batches, an import releases the
/// lock for only a few milliseconds (``PhotoDatabase/pauseForOtherWriters()``), so a small write would miss most of these gaps and
/// wait for seconds.
final class BusyWait: Sendable {
    /// The wait of one connection, which one thread uses at a time.
    private final class Wait: Sendable {
        let nanoseconds: UInt64
        let start = Atomic(UInt64(0))

        init(nanoseconds: UInt64) {
            self.nanoseconds = nanoseconds
        }

        /// Sleeps for a millisecond, unless the timeout is over.
        ///
        /// - Parameter lookCount: The number of earlier attempts in this wait.
        /// - Returns: Whether to try again.
        func shouldRetry(after lookCount: Int32) -> Bool {
            let now = DispatchTime.now().uptimeNanoseconds
            if lookCount == 0 { start.store(now, ordering: .relaxed) }
            guard now - start.load(ordering: .relaxed) < nanoseconds, !Task.isCancelled else { return false }
            // Another process may hold the lock, and POSIX cannot wait for a file lock with a timeout.
            usleep(1_000)
            return true
        }
    }

    private let nanoseconds: UInt64
    /// The handlers' contexts, which must outlive their connections.
    private let waits = Mutex<[Wait]>([])

    /// Creates a handler.
    ///
    /// - Parameter milliseconds: The maximum wait before SQLite reports the lock.
    init(milliseconds: Int) {
        nanoseconds = UInt64(milliseconds) * 1_000_000
    }

    /// Installs the handler on a connection.
    func install(on database: Database) {
        let wait = Wait(nanoseconds: nanoseconds)
        waits.withLock { $0.append(wait) }
        unsafe sqlite3_busy_handler(
            database.sqliteConnection,
            { context, lookCount in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<Wait>.fromOpaque(context).takeUnretainedValue().shouldRetry(after: lookCount)
                    ? 1 : 0
            }, unsafe Unmanaged.passUnretained(wait).toOpaque())
    }
}
