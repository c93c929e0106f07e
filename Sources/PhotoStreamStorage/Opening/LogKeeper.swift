import Foundation
import GRDB
import Synchronization

/// Keeps the write-ahead log short where readers would let it grow without end.
///
/// SQLite begins the log again only when no reader uses it; with readers that overlap all the time there always is one. So
/// where the log is longer than a limit, what can be copied to the file is copied while reads go on; then new reads of
/// this process wait for a moment, those that are under way end or, after 250 ms, folds are given up, and the rest is
/// copied and the log truncated, which holds the write lock for at most 250 ms of waiting. A read that another process
/// has open, or one of ours that cannot be given up, prevents that; it is tried again when that read has gone on.
final class LogKeeper: Sendable {
    /// How long the log gets before it is emptied, in bytes.
    struct Limits: Sendable {
        /// While no import runs; SQLite copies at 128 MB by itself, and the bound that is promised is 256 MB.
        var usual: Int64 = 160 << 20
        /// While an import runs; SQLite copies at 512 MB by itself, and the bound that is promised is 768 MB.
        var bulk: Int64 = 576 << 20
        /// How long another process's import may write nothing before it does not count as running.
        var importSilence = Duration.seconds(10)

        static let standard = Limits()
    }

    private struct State {
        var nextLook = ContinuousClock.now
        var isWorking = false
        var isStopped = false
        /// How many frames of the log were copied when a try failed; it is tried again when there are more.
        var stuckFrameCount: Int?
        var failureCount = 0
        var obstacle: LogObstacle?
        var imports: (progress: ImportProgress, since: ContinuousClock.Instant)?

        /// Whether an import has written something lately.
        mutating func hasImport(_ progress: ImportProgress, silence: Duration) -> Bool {
            guard progress.runCount > 0 else { return false }
            let now = ContinuousClock.now
            guard let imports, imports.progress == progress else {
                imports = (progress, now)
                return true
            }
            return imports.since.duration(to: now) < silence
        }

        /// Takes note that the log is short.
        mutating func noteSuccess() {
            (stuckFrameCount, obstacle, failureCount) = (nil, nil, 0)
        }

        /// Ends a try; the more have failed the later the next one comes.
        mutating func endWork() {
            isWorking = false
            let delay = LogKeeper.retryInterval * (1 << min(failureCount, 4))
            nextLook = .now.advanced(by: failureCount == 0 ? LogKeeper.lookInterval : delay)
        }
    }

    private static let lookInterval = Duration.milliseconds(50)
    private static let retryInterval = Duration.milliseconds(300)
    private static let patience = Duration.milliseconds(250)
    /// What may be left to be copied under the write lock, in frames of 4 KB.
    private static let restFrameCount = 4_096

    private let file: OpenFile
    private let path: String
    private let gate: ReadGate
    private let limits: Limits
    private let bulkWriters: BulkWriters
    private let state = Mutex(State())

    /// Makes the keeper of an open file's log.
    ///
    /// - Parameters:
    ///   - path: The file, as SQLite is told of it.
    ///   - file: The file that is open.
    ///   - gate: The reads of this process.
    ///   - limits: How long the log gets.
    ///   - bulkWriters: The imports of this process.
    init(path: String, file: OpenFile, gate: ReadGate, limits: Limits, bulkWriters: BulkWriters) {
        (self.path, self.file, self.gate) = (path, file, gate)
        (self.limits, self.bulkWriters) = (limits, bulkWriters)
    }

    /// What keeps the log from being emptied, if it is too long.
    var obstacle: LogObstacle? { state.withLock { $0.obstacle } }

    /// Has the log emptied on a thread of its own where it is too long; called after each read and write.
    func look() {
        let begins = state.withLock { state in
            let now = ContinuousClock.now
            guard !state.isWorking, !state.isStopped, now >= state.nextLook else { return false }
            state.nextLook = now.advanced(by: Self.lookInterval)
            guard byteCount > limits.usual else {
                state.noteSuccess()
                return false
            }
            state.isWorking = true
            return true
        }
        guard begins else { return }
        Thread.detachNewThread { [self] in
            // What fails is tried again.
            try? empty()
            state.withLock { $0.endWork() }
        }
    }

    /// Tries to empty the log where it is too long, and waits for that.
    ///
    /// - Returns: What prevents it; `nil` where the log is short.
    /// - Throws: `DatabaseError` when SQLite fails.
    func lookNow() throws -> LogObstacle? {
        guard byteCount > limits.usual else { return nil }
        while !beginsWork() { usleep(1_000) }
        defer { state.withLock { $0.endWork() } }
        try empty()
        return obstacle
    }

    private func beginsWork() -> Bool {
        state.withLock { state in
            if state.isWorking { return false }
            state.isWorking = true
            return true
        }
    }

    /// Waits for what is under way, and begins nothing more.
    func stop() {
        state.withLock { $0.isStopped = true }
        while state.withLock({ $0.isWorking }) { usleep(1_000) }
    }

    private var byteCount: Int64 {
        var status = stat()
        return stat(file.logPath, &status) == 0 ? Int64(status.st_size) : 0
    }

    private func empty() throws {
        guard (try? file.checkIsInPlace()) != nil else { return }
        let wait = BusyWait(milliseconds: 250)
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            wait.install(on: database)
            try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.inDatabase { database in
            let isImporting = try bulkWriters.areThere || hasImport(database)
            guard byteCount > (isImporting ? limits.bulk : limits.usual) else {
                // To look at an import's log once in a while is enough.
                return state.withLock { $0.failureCount = max(1, $0.failureCount) }
            }
            var rest = try checkpoint(database, "PASSIVE")
            let stuck = state.withLock { $0.stuckFrameCount }
            // The read that was in the way then still is: to hold reads back would be for nothing.
            if let stuck, rest.copied == stuck, rest.copied < rest.all { return note(rest, isOwn: nil) }
            try gate.closed(patience: Self.patience) { isFree in
                if rest.all - rest.copied > Self.restFrameCount { rest = try checkpoint(database, "PASSIVE") }
                if rest.all - rest.copied <= Self.restFrameCount { rest = try checkpoint(database, "TRUNCATE") }
                note(rest, isOwn: !isFree)
            }
        }
    }

    private struct Progress {
        var isBusy: Bool
        /// Frames in the log, and those of them that are in the file.
        var all: Int
        var copied: Int
    }

    private func checkpoint(_ database: Database, _ mode: String) throws -> Progress {
        let statement = try RawStatement(database, "PRAGMA wal_checkpoint(\(mode))")
        let progress = try statement.first { row in
            Progress(isBusy: row.integer(0) != 0, all: Int(row.integer(1)), copied: Int(row.integer(2)))
        }
        return progress ?? Progress(isBusy: true, all: 0, copied: 0)
    }

    /// Takes note of how a try has ended.
    private func note(_ progress: Progress, isOwn: Bool?) {
        let size = byteCount
        state.withLock { state in
            guard size > limits.usual else { return state.noteSuccess() }
            state.failureCount += 1
            let since = state.obstacle?.since ?? ContinuousClock.now
            state.stuckFrameCount = progress.copied
            state.obstacle = LogObstacle(
                byteCount: size, since: since, isOwn: isOwn ?? state.obstacle?.isOwn ?? false)
        }
    }

    /// Whether some process imports: one that was killed writes no more, so the rows of its run stay as they are.
    private func hasImport(_ database: Database) throws -> Bool {
        let sql = """
            SELECT count(*), coalesce(max(id), 0), coalesce(sum(readCount), 0) FROM importRun
            WHERE finishedAtMilliseconds IS NULL
            """
        let progress = try RawStatement(database, sql).first { row in
            ImportProgress(runCount: row.integer(0), lastRun: row.integer(1), readCount: row.integer(2))
        }
        guard let progress else { return false }
        return state.withLock { $0.hasImport(progress, silence: limits.importSilence) }
    }
}

/// What runs that have not ended have come to; it changes with each batch.
private struct ImportProgress: Equatable {
    var runCount: Int64
    var lastRun: Int64
    var readCount: Int64
}

/// A read that keeps the write-ahead log from being emptied.
package struct LogObstacle: Sendable {
    /// How long the log is.
    package let byteCount: Int64
    /// Since when it could not be emptied.
    package let since: ContinuousClock.Instant
    /// Whether the read is one of this process.
    package let isOwn: Bool

    /// One sentence.
    package var description: String {
        let reader = isOwn ? "a long read of this process" : "another program's open read"
        return "\(reader) keeps the write-ahead log from being emptied; the log has \(byteCount >> 20) MB"
    }
}
