import Foundation
import PhotoStreamModel
package import PhotoStreamStorage
import Synchronization

/// Keeps a file up to date with its primary, on its own thread.
///
///     let follower = Follower(primary, of: database, name: "photos-1") { log($0) }
///     follower.start()
///     …
///     follower.stop()
///
/// It polls every 100 to 500 ms, more often if there are more changes. While the primary does not answer, the file
/// stays unchanged. If the primary has another history than the file, because an older backup or a standby replaced it,
/// the file is rebuilt, and photos that it loses are kept next to it. If it is another primary, or has lost nearly
/// everything, the file stays unchanged until an operator accepts the loss, and ``condition`` contains the reason. Rows
/// that no file can hold are skipped and reported.
package final class Follower: Sendable {
    /// The relation of the file to its primary.
    package enum Condition: Hashable, Sendable {
        /// The file is as new as the last look at the primary.
        case following
        /// The primary does not answer, for a reason; the file is unchanged since its last answer.
        case waiting(String)
        /// The primary has another history, and the file is being rebuilt from it; until then, the file is unchanged.
        case rebuilding
        /// A change of the primary cannot be applied, for a reason; the file is unchanged since then.
        case stopped(String)

        /// Whether another condition differs at most in its reason.
        func isLike(_ other: Condition) -> Bool {
            switch (self, other) {
            case (.waiting, .waiting), (.stopped, .stopped): true
            default: self == other
            }
        }

        /// Whether the file does not follow until an operator acts.
        package var isStopped: Bool {
            if case .stopped = self { true } else { false }
        }
    }

    private struct State {
        var isStopping = false
        var hasEnded = true
        var condition = Condition.following
        var rebuildCount = 0
        var lostPhotoCount = 0
        var skippedRows: [SkippedRow] = []
        var lastSuccess = ContinuousClock.now
    }

    /// The number of changes beyond which a file is rebuilt, which is faster.
    private static let rebuildLimit: Int64 = 500_000
    private static let shortestPause = Duration.milliseconds(100)
    private static let longestPause = Duration.milliseconds(500)
    /// The pause after a failed rebuild, since each copies everything and counts photos.
    private static let pauseAfterRebuild = Duration.seconds(5)
    private static let registrationPause = Duration.seconds(5)
    private static let trimmingPause = Duration.seconds(600)

    /// The primary.
    package let primary: PostgresPrimary
    private let database: PhotoDatabase
    private let name: String
    private let observe: @Sendable (Condition) -> Void
    private let notice: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Creates the follower of a file.
    ///
    /// - Parameters:
    ///   - primary: The primary.
    ///   - database: The file, opened with that primary.
    ///   - name: A name that no other follower of the primary has.
    ///   - observe: Receives each change of the condition, on the follower's thread.
    ///   - notice: Receives a sentence about each row that the file skips, about photos that a rebuild loses, and about a
    ///     log that cannot be trimmed.
    package init(
        _ primary: PostgresPrimary, of database: PhotoDatabase, name: String,
        observe: @escaping @Sendable (Condition) -> Void = { _ in },
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.primary, self.database, self.name) = (primary, database, name)
        (self.observe, self.notice) = (observe, notice)
    }

    /// The relation of the file to its primary.
    package var condition: Condition { state.withLock { $0.condition } }

    /// The number of times that the file was rebuilt.
    package var rebuildCount: Int { state.withLock { $0.rebuildCount } }

    /// The number of photos that rebuilds of this process have lost; the previous files are kept as ``FormerReplica``.
    package var lostPhotoCount: Int { state.withLock { $0.lostPhotoCount } }

    /// The rows of the primary that the file skips, because no file can hold them.
    package var skippedRows: [SkippedRow] { state.withLock { $0.skippedRows } }

    /// The time since the file was last known to be up to date.
    package var age: Duration { state.withLock { $0.lastSuccess.duration(to: .now) } }

    /// The distance of the file from the last commit of the primary, as of the last look at it.
    package var lag: Lag { Lag(of: try? database.replicaPosition(), at: primary.lastLook) }

    /// The writes to the file that were refused because the primary did not accept them, by reason.
    package var refusedWrites: [(reason: String, count: Int)] {
        let counts = database.primaryWriteCounts.refused
        return PrimaryWriteCounts.Refusal.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    }

    /// The number of writes to the file that were retried.
    package var repeatedWriteCount: Int { database.primaryWriteCounts.againCount }

    /// Begins to follow.
    package func start() {
        state.withLock { state in
            state.hasEnded = false
            state.isStopping = false
        }
        Thread.detachNewThread { [self] in
            run()
            state.withLock { $0.hasEnded = true }
        }
    }

    /// Stops following, and returns after the thread has finished its current work and ended.
    package func stop() {
        state.withLock { $0.isStopping = true }
        while !state.withLock({ $0.hasEnded }) { Thread.sleep(forTimeInterval: 0.005) }
    }

    private func run() {
        var pause = Self.shortestPause
        var nextRegistration = ContinuousClock.now
        var nextTrimming = ContinuousClock.now.advanced(by: Self.trimmingPause)
        // If this fails, the next rebuild fails, too.
        if let losses = try? FormerReplica.finishInterrupted(of: database) { noteLosses(losses) }
        while !state.withLock({ $0.isStopping }) {
            do {
                let hasNews = try follow()
                pause = hasNews ? Self.shortestPause : min(pause * 3 / 2, Self.longestPause)
                state.withLock { $0.lastSuccess = .now }
                become(.following)
                if ContinuousClock.now >= nextTrimming {
                    trimLog()
                    nextTrimming = .now.advanced(by: Self.trimmingPause)
                }
            } catch {
                let wasRebuilding = condition == .rebuilding
                pause = wasRebuilding || error is LossRefused ? Self.pauseAfterRebuild : Self.longestPause
                become(condition(after: error))
            }
            // A primary that is currently read-only refuses this, but can be followed.
            if ContinuousClock.now >= nextRegistration {
                try? register()
                nextRegistration = .now.advanced(by: Self.registrationPause)
            }
            sleep(for: pause)
        }
    }

    private func trimLog() {
        do {
            try primary.trimLog()
        } catch {
            notice("the primary's log of changes cannot be shortened, so it grows: \(error)")
        }
    }

    private func condition(after error: any Error) -> Condition {
        switch error {
        case let error as StorageError where [.primaryUnavailable, .busy].contains(error.code): .waiting(error.message)
        case let error as PrimaryError where error.kind == .unavailable: .waiting(error.message)
        default: .stopped("following stopped after revision \(revision): \(error)")
        }
    }

    /// Sleeps in short steps, so that the follower ends soon.
    private func sleep(for pause: Duration) {
        let end = ContinuousClock.now.advanced(by: pause)
        while ContinuousClock.now < end, !state.withLock({ $0.isStopping }) { Thread.sleep(forTimeInterval: 0.02) }
    }

    private var revision: Int64 { (try? database.replicaPosition()?.revision) ?? 0 }

    private func become(_ condition: Condition) {
        let isNew = state.withLock { state in
            defer { state.condition = condition }
            return !state.condition.isLike(condition)
        }
        if isNew { observe(condition) }
    }

    /// Reads the changes once.
    ///
    /// - Parameter rebuilds: Whether to rebuild the file if necessary.
    /// - Returns: Whether the file has changed.
    /// - Throws: ``StorageError``, ``PrimaryError``.
    @discardableResult
    package func follow(rebuilds: Bool = true) throws -> Bool {
        let hasNews = try followOnce(rebuilds: rebuilds)
        let rows = try database.read { try $0.skippedRows() }
        let before = state.withLock { state in
            defer { state.skippedRows = rows }
            return Set(state.skippedRows)
        }
        for row in rows.filter({ !before.contains($0) }).prefix(Self.namedRowLimit) { notice(row.sentence) }
        return hasNews
    }

    /// The maximum number of rows that are reported at once.
    private static let namedRowLimit = 20

    private func followOnce(rebuilds: Bool) throws -> Bool {
        let known = try database.replicaPosition()
        let head = try primary.head(after: known ?? .start)
        do throws(OtherPrimary) {
            try head.checkIdentity(known ?? .start)
        } catch {
            guard try primary.accepts(replicasOf: error.followed) else { throw error }
            if rebuilds { try rebuild(after: known, isSameHistory: false) }
            return rebuilds
        }
        guard let position = known, try !isFar(position, from: head.position) else {
            if rebuilds { try rebuild(after: known, isSameHistory: head.reachesBack) }
            return rebuilds
        }
        guard head.position != position else { return false }
        let transaction = primary.beginReading()
        defer { transaction.end() }
        do {
            return try database.pull(from: transaction) != position
        } catch PrimaryInterruption.unknownPosition {
            transaction.end()
            guard rebuilds else { return false }
            try rebuild(after: position, isSameHistory: false)
            return true
        }
    }

    /// Whether rebuilding the file is faster than following.
    private func isFar(_ position: ReplicaPosition, from head: ReplicaPosition) throws -> Bool {
        // Revisions may skip many numbers, so the changes are counted.
        guard head.revision - position.revision > Self.rebuildLimit else { return false }
        return try primary.changeCount(after: position) > Self.rebuildLimit
    }

    /// Rebuilds the file.
    ///
    /// - Parameters:
    ///   - position: The last commit of the file; `nil` if it is not a replica.
    ///   - isSameHistory: Whether the primary's history continues that of the file; otherwise it has other commits, lacks some
    ///     of the file's, or its log does not reach back far enough to compare them.
    /// - Throws: ``LossRefused``, ``StorageError``, ``PrimaryError``.
    private func rebuild(after position: ReplicaPosition?, isSameHistory: Bool) throws {
        let counts = try database.read { try $0.contentCounts() }
        if !isSameHistory { try checkLoss(of: counts, position: position) }
        become(.rebuilding)
        noteLosses(try FormerReplica.finishInterrupted(of: database))
        let former = !isSameHistory && counts.photos > 0 ? try FormerReplica.keep(database) : nil
        do {
            try primary.copy(into: database)
        } catch {
            former?.discard()
            throw error
        }
        state.withLock { $0.rebuildCount += 1 }
        if let former, let loss = try former.compare(with: database) { noteLosses([loss]) }
    }

    /// Throws if the rebuild would empty the file without an operator's consent.
    private func checkLoss(of own: (streams: Int64, photos: Int64), position: ReplicaPosition?) throws {
        guard own.streams > 0 else { return }
        let most = own.photos / 2 + 1
        let there = try primary.contentCounts(photoLimit: most)
        guard there.streams == 0 || there.photos * 2 < own.photos else { return }
        guard let identity = try position?.identity ?? primary.head(after: .start).position.identity else { return }
        guard try !primary.accepts(replicasOf: identity) else { return }
        throw LossRefused(identity: identity, photoCount: own.photos, isEmpty: there.streams == 0)
    }

    private func noteLosses(_ losses: [FormerReplica.Loss]) {
        for loss in losses where loss.photoCount > 0 {
            state.withLock { $0.lostPhotoCount += loss.photoCount }
            notice(
                """
                the primary does not have \(loss.photoCount) photos as the file had them, which were acknowledged; they are in \
                \(loss.path), and `photostream primary lost --database \(database.path)` lists them
                """)
        }
    }

    private func register() throws {
        let position = try database.replicaPosition()
        let problem: String? =
            switch condition {
            case .stopped(let reason): reason
            case .following, .waiting, .rebuilding: problemOfSkippedRows
            }
        let head = try primary.head(after: .start).position
        let isOther = position?.identity.map { $0 != head.identity } ?? false
        guard let position, !isOther else { return try primary.register(name, at: nil, problem: problem) }
        try primary.register(name, at: position, problem: problem)
    }

    private var problemOfSkippedRows: String? {
        let rows = skippedRows
        guard let first = rows.first else { return nil }
        return rows.count == 1 ? first.sentence : "\(rows.count) rows are left out, the first: \(first.sentence)"
    }
}

/// The error of a primary that lacks most photos of a replica, which is more likely a mistake.
struct LossRefused: Error, CustomStringConvertible {
    /// The identity of the primary that the replica follows.
    let identity: String
    /// The number of photos of the replica.
    let photoCount: Int64
    /// Whether the primary has no stream.
    let isEmpty: Bool

    var description: String {
        let there = isEmpty ? "no streams" : "fewer than half of the photos"
        return """
            the primary has \(there), and the file has \(photoCount) photos; if that is right, let it be built again with \
            `photostream primary accept \(identity)`
            """
    }
}
