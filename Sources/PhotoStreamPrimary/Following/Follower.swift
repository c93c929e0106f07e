import Foundation
import PhotoStreamModel
package import PhotoStreamStorage
import Synchronization

/// Keeps a file up to date with its primary, on a thread of its own.
///
///     let follower = Follower(primary, of: database) { log($0) }
///     follower.start()
///     …
///     follower.stop()
///
/// It asks for news after 100 to 500 ms, the sooner the more there is. While the primary does not answer, the file stays as it
/// is. If the primary has another history than the file, because an older backup or a standby took its place, the file is
/// rebuilt. A change that does not fit is never skipped: the file stays as it is, and ``problem`` says why.
package final class Follower: Sendable {
    /// What happened, for the log.
    package enum Event: Sendable {
        /// The primary no longer answers, for a reason.
        case lost(String)
        /// The primary answers again.
        case found
        /// The file has another history than the primary and is being rebuilt.
        case rebuilding
        /// The file was rebuilt.
        case rebuilt(ReplicaPosition)
        /// Changes do not fit into the file.
        case stopped(String)
    }

    private struct State {
        var isStopping = false
        var hasEnded = true
        var problem: String?
        var rebuildCount = 0
    }

    /// The number of changes beyond which a file is rebuilt, which is faster.
    private static let rebuildLimit: Int64 = 500_000
    private static let shortestPause = Duration.milliseconds(100)
    private static let longestPause = Duration.milliseconds(500)
    private static let registrationPause = Duration.seconds(5)
    private static let trimmingPause = Duration.seconds(600)

    private let primary: PostgresPrimary
    private let database: PhotoDatabase
    private let name: String
    private let observe: @Sendable (Event) -> Void
    private let state = Mutex(State())

    /// Creates the follower of a file.
    ///
    /// - Parameters:
    ///   - primary: The primary.
    ///   - database: The file, opened with that primary.
    ///   - name: A name that no other follower of the primary has.
    ///   - observe: Receives what happens, on the follower's thread.
    package init(
        _ primary: PostgresPrimary, of database: PhotoDatabase, name: String,
        observe: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        (self.primary, self.database, self.name, self.observe) = (primary, database, name, observe)
    }

    /// Why the file is not up to date, in one sentence; `nil` if it is.
    package var problem: String? { state.withLock { $0.problem } }

    /// How often the file was rebuilt.
    package var rebuildCount: Int { state.withLock { $0.rebuildCount } }

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

    /// Ends following, and returns when the thread has ended: after what it is doing.
    package func stop() {
        state.withLock { $0.isStopping = true }
        while !state.withLock({ $0.hasEnded }) { Thread.sleep(forTimeInterval: 0.005) }
    }

    private func run() {
        var pause = Self.shortestPause
        var nextRegistration = ContinuousClock.now
        var nextTrimming = ContinuousClock.now.advanced(by: Self.trimmingPause)
        while !state.withLock({ $0.isStopping }) {
            do {
                let hasNews = try follow()
                pause = hasNews ? Self.shortestPause : min(pause * 3 / 2, Self.longestPause)
                if ContinuousClock.now >= nextRegistration {
                    try register()
                    nextRegistration = .now.advanced(by: Self.registrationPause)
                }
                if ContinuousClock.now >= nextTrimming {
                    try primary.trimLog()
                    nextTrimming = .now.advanced(by: Self.trimmingPause)
                }
                if report(nil) { observe(.found) }
            } catch {
                pause = Self.longestPause
                let isLost = (error as? StorageError)?.code == .primaryUnavailable || error is PrimaryError
                let sentence = isLost ? "\(error)" : "following stopped after revision \(revision): \(error)"
                if report(sentence) { observe(isLost ? .lost(sentence) : .stopped(sentence)) }
            }
            sleep(for: pause)
        }
    }

    /// Sleeps in steps, so that the follower ends soon.
    private func sleep(for pause: Duration) {
        let end = ContinuousClock.now.advanced(by: pause)
        while ContinuousClock.now < end, !state.withLock({ $0.isStopping }) { Thread.sleep(forTimeInterval: 0.02) }
    }

    private var revision: Int64 { (try? database.replicaPosition()?.revision) ?? 0 }

    /// Notes the state.
    ///
    /// - Returns: Whether it changed from good to bad or back.
    private func report(_ problem: String?) -> Bool {
        state.withLock { state in
            defer { state.problem = problem }
            return (state.problem == nil) != (problem == nil)
        }
    }

    /// Reads what is new, once.
    ///
    /// - Returns: Whether anything was.
    /// - Throws: ``StorageError``, ``PrimaryError``.
    @discardableResult
    package func follow() throws -> Bool {
        let head = try primary.head()
        let position = try database.replicaPosition()
        guard let position, head.revision - position.revision <= Self.rebuildLimit else {
            try rebuild()
            return true
        }
        guard head != position else { return false }
        let transaction = primary.beginReading()
        defer { transaction.end() }
        do {
            return try database.pull(from: transaction) != position
        } catch let unknown as UnknownPosition {
            transaction.end()
            try primary.passRevision(unknown.position.revision)
            try rebuild()
            return true
        }
    }

    private func rebuild() throws {
        observe(.rebuilding)
        let position = try Bootstrap(primary: primary).run(into: database)
        state.withLock { $0.rebuildCount += 1 }
        observe(.rebuilt(position))
    }

    private func register() throws {
        guard let position = try database.replicaPosition() else { return }
        try primary.register(name, at: position)
    }
}
