import Foundation
import GRDB
import Synchronization

/// Limits the length of the write-ahead log, which overlapping readers would let grow without bound; counts the reads of
/// this process, and holds them back if necessary.
///
/// SQLite restarts the log only when no reader uses it; with overlapping readers that never happens. If the log exceeds
/// a limit, this type first copies it to the file, in several passes, while reads and writes continue. Holding the
/// write lock, it then copies the rest and waits for at most 250 ms for the reads that began before; later reads do not
/// use the log, so they do not wait. It waits longer for the write lock itself, since that delays no other connection.
/// If a long read of this process blocks it, new reads wait briefly and folds are aborted; they begin again after the
/// log is truncated. A read of another process, or one that cannot be restarted, prevents that; the next attempt
/// follows once that read has advanced.
final class LogKeeper: Sendable {
    /// The state of the keeper and of the reads, which is never locked during I/O.
    struct State {
        var reads = ActiveReads()
        fileprivate var nextLook = ContinuousClock.now
        /// Whether no attempt may begin: the file is open for reading only, or it is being closed.
        fileprivate var isStopped: Bool
        /// The number of copied frames at the last failed attempt; it is not repeated until there are more.
        fileprivate var stuckFrameCount: Int?
        /// The number of failed attempts in a row that met the same read, or 1 after any other failure.
        fileprivate(set) var failureCount = 0
        fileprivate var obstacle: LogObstacle?
        fileprivate var imports: (progress: ImportProgress, since: ContinuousClock.Instant)?

        /// Whether an import has written anything recently.
        fileprivate mutating func hasImport(_ progress: ImportProgress, silence: Duration) -> Bool {
            guard progress.runCount > 0 else { return false }
            let now = ContinuousClock.now
            guard let imports, imports.progress == progress else {
                imports = (progress, now)
                return true
            }
            return imports.since.duration(to: now) < silence
        }

        /// Records that the log is short.
        fileprivate mutating func noteSuccess() {
            (stuckFrameCount, obstacle, failureCount) = (nil, nil, 0)
        }

        /// Ends an attempt.
        ///
        /// Each failure that meets the same read delays the next attempt further.
        fileprivate mutating func endWork() {
            let delay = LogKeeper.retryInterval * (1 << min(max(failureCount - 1, 0), 4))
            nextLook = .now.advanced(by: failureCount == 0 ? LogKeeper.lookInterval : delay)
        }
    }

    private static let lookInterval = Duration.milliseconds(50)
    private static let retryInterval = Duration.milliseconds(300)
    /// The maximum time for which an attempt waits for reads that began before, and for a lock.
    private static let timeout = 250
    /// The maximum number of times that an attempt waits for the write lock.
    private static let turnLimit = 20
    /// The maximum number of 4 KB frames to copy while holding the write lock.
    private static let restFrameCount = 16_384
    /// The maximum number of further passes that copy while reads and writes go on.
    private static let passLimit = 5

    private let file: OpenFile
    private let path: String
    private let limits: LogLimits
    /// The number of bulk writes of this process: the log stays long until the last of them ends.
    let bulkWriteCount = Atomic(0)
    let state: Mutex<State>
    /// One attempt at a time.
    private let attempts = DispatchSemaphore(value: 1)

    /// Creates the keeper of an open file's log.
    ///
    /// - Parameters:
    ///   - path: The file's path for SQLite.
    ///   - file: The open file.
    ///   - limits: The lengths at which the log is emptied.
    ///   - isReadOnly: Whether the file is open for reading only, so that the log is never emptied.
    init(path: String, file: OpenFile, limits: LogLimits, isReadOnly: Bool) {
        (self.path, self.file, self.limits) = (path, file, limits)
        state = Mutex(State(isStopped: isReadOnly))
    }

    /// The read that keeps the log from being emptied, if the log is too long.
    var obstacle: LogObstacle? { byteCount > limits.usual ? state.withLock { $0.obstacle } : nil }

    /// Starts a thread that empties the log if it is too long.
    ///
    /// Called after each read and write.
    func look() {
        let next = state.withLock { state -> ContinuousClock.Instant? in
            let now = ContinuousClock.now
            guard !state.isStopped, now >= state.nextLook else { return nil }
            state.nextLook = now.advanced(by: Self.lookInterval)
            return state.nextLook
        }
        guard let next else { return }
        let isLong = byteCount > limits.usual
        let begins = state.withLock { state in
            // An attempt that has ended since has set another time, and knows more.
            guard !state.isStopped, state.nextLook == next else { return false }
            if !isLong { state.noteSuccess() }
            return isLong && attempts.wait(timeout: .now()) == .success
        }
        guard begins else { return }
        Thread.detachNewThread { [self] in
            // A failed attempt is repeated later.
            try? empty()
            endAttempt()
        }
    }

    /// Tries to empty the log if it is too long, and waits for the attempt.
    ///
    /// - Returns: The read that prevents it; `nil` if the log is short.
    /// - Throws: `DatabaseError` if SQLite fails.
    func lookNow() throws -> LogObstacle? {
        guard byteCount > limits.usual else { return nil }
        attempts.wait()
        defer { endAttempt() }
        try empty()
        return obstacle
    }

    private func endAttempt() {
        state.withLock { $0.endWork() }
        attempts.signal()
    }

    /// Waits for the current attempt and starts no other.
    func stop() {
        state.withLock { $0.isStopped = true }
        attempts.wait()
        attempts.signal()
    }

    private var byteCount: Int64 {
        var status = stat()
        return unsafe stat(file.logPath, &status) == 0 ? Int64(status.st_size) : 0
    }

    private func empty() throws {
        guard (try? file.checkIsInPlace()) != nil else { return }
        let wait = BusyWait(milliseconds: Self.timeout)
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            wait.install(on: database)
            try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.inDatabase { database in
            let isImporting = try bulkWriteCount.load(ordering: .relaxed) > 0 || hasImport(database)
            guard byteCount > (isImporting ? limits.bulk : limits.usual) else {
                // During an import, checking rarely is enough.
                return state.withLock { $0.failureCount = max(1, $0.failureCount) }
            }
            var rest = try checkpoint(database, mode: "PASSIVE")
            let stuck = state.withLock { $0.stuckFrameCount }
            // The read that blocked the last attempt still does; holding other reads back would not help.
            if let stuck, rest.copied == stuck, rest.copied < rest.all { return note(rest, isOwn: isStillOwn) }
            rest = try copyWhatWasAdded(database, after: rest)
            try waitForWriter(database)
            // Reads that begin once everything is copied do not use the log, so only earlier ones are in the way.
            state.withLock { $0.reads.beginAttempt() }
            rest = try truncate(database, after: rest)
            if rest.isBusy, hasEarlierRead {
                rest = try holdingReads(timeout: .milliseconds(2 * Self.timeout)) {
                    try truncate(database, after: try checkpoint(database, mode: "PASSIVE"))
                }
            }
            note(rest, isOwn: rest.isBusy && hasEarlierRead)
        }
    }

    /// Copies the rest and truncates the log, unless that would take the write lock for long.
    private func truncate(_ database: Database, after progress: Progress) throws -> Progress {
        guard progress.all - progress.copied <= Self.restFrameCount else {
            return Progress(isBusy: true, all: progress.all, copied: progress.copied)
        }
        return try checkpoint(database, mode: "TRUNCATE")
    }

    /// Copies the frames that were written during the previous pass, while reads and writes continue.
    ///
    /// Each pass is shorter than the one before it, so that writers need not wait while much is copied.
    private func copyWhatWasAdded(_ database: Database, after progress: Progress) throws -> Progress {
        var rest = progress
        for _ in 0..<Self.passLimit where rest.all - rest.copied > Self.restFrameCount {
            let next = try checkpoint(database, mode: "PASSIVE")
            guard next.copied > rest.copied else { return next }
            rest = next
        }
        return rest
    }

    /// Waits until no write is active.
    ///
    /// `TRUNCATE` waits as long for the write lock as for readers, which is too short for a long transaction.
    private func waitForWriter(_ database: Database) throws {
        for _ in 0..<Self.turnLimit where !state.withLock({ $0.isStopped }) {
            do {
                return try database.inTransaction(.immediate) { .rollback }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                continue
            }
        }
    }

    private var hasEarlierRead: Bool { state.withLock { $0.reads.hasEarlier } }

    /// Whether the read of this process that blocked an earlier attempt may still be active.
    private var isStillOwn: Bool { state.withLock { $0.obstacle?.isOwn ?? false && $0.reads.hasEarlier } }

    private struct Progress {
        var isBusy: Bool
        /// The number of frames in the log, and how many of them are in the file.
        var all: Int
        var copied: Int
    }

    private func checkpoint(_ database: Database, mode: String) throws -> Progress {
        let progress = try database.first("PRAGMA wal_checkpoint(\(mode))") { row in
            Progress(isBusy: row.integer(0) != 0, all: Int(row.integer(1)), copied: Int(row.integer(2)))
        }
        return progress ?? Progress(isBusy: true, all: 0, copied: 0)
    }

    /// Records the result of an attempt.
    private func note(_ progress: Progress, isOwn: Bool) {
        let size = byteCount
        state.withLock { state in
            guard size > limits.usual else { return state.noteSuccess() }
            let isSameRead = progress.copied == state.stuckFrameCount && progress.copied < progress.all
            state.failureCount = isSameRead ? state.failureCount + 1 : 1
            let since = state.obstacle?.since ?? ContinuousClock.now
            state.stuckFrameCount = progress.copied
            state.obstacle = LogObstacle(byteCount: size, since: since, isOwn: isOwn)
        }
    }

    /// Whether any process is importing.
    ///
    /// An import that was killed writes nothing more, so the rows of its run no longer change.
    private func hasImport(_ database: Database) throws -> Bool {
        // Only the low bits are added, since SQLite refuses a sum that overflows and another program may have written any number.
        let sql = """
            SELECT count(*), coalesce(max(id), 0), coalesce(sum(readCount & 0xFFFFFFFF), 0) FROM importRun
            WHERE finishedAtMilliseconds IS NULL
            """
        let progress = try database.first(sql) { row in
            ImportProgress(runCount: row.integer(0), lastRun: row.integer(1), readCount: row.integer(2))
        }
        guard let progress else { return false }
        return state.withLock { $0.hasImport(progress, silence: limits.importSilence) }
    }
}

/// The lengths at which the write-ahead log is emptied, in bytes.
package struct LogLimits: Sendable {
    /// The lengths that every program uses.
    package static let standard = LogLimits()

    /// Without an import.
    ///
    /// SQLite itself copies at 128 MB; the documented bound is 256 MB.
    var usual: Int64 = 160 << 20
    /// During an import.
    ///
    /// SQLite itself copies at 512 MB; the documented bound is 768 MB.
    var bulk: Int64 = 576 << 20
    /// The maximum time without a write after which another process's import still counts as running.
    var importSilence = Duration.seconds(10)
}

/// The progress of the runs that have not ended; it changes with each batch.
private struct ImportProgress: Equatable {
    var runCount: Int64
    var lastRun: Int64
    var readCount: Int64
}

/// A read that keeps the write-ahead log from being emptied.
package struct LogObstacle: Sendable {
    /// The length of the log in bytes.
    package let byteCount: Int64
    /// The time of the first failed attempt to empty it.
    package let since: ContinuousClock.Instant
    /// Whether the read belongs to this process.
    package let isOwn: Bool

    /// The obstacle in one sentence.
    package var description: String {
        let reader = isOwn ? "a long read of this process" : "another program's open read"
        return "\(reader) keeps the write-ahead log from being emptied; the log has \(byteCount >> 20) MB"
    }
}
