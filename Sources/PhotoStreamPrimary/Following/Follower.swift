import Foundation
import PhotoStreamModel
package import PhotoStreamStorage
import Synchronization

/// Keeps a file up to date with its primary, on a thread of its own.
///
///     let follower = Follower(primary, of: database, name: "photos-1") { log($0) }
///     follower.start()
///     …
///     follower.stop()
///
/// It asks for news after 100 to 500 ms, the sooner the more there is. While the primary does not answer, the file stays as it
/// is. If the primary has another history than the file, because an older backup or a standby took its place, the file is
/// rebuilt. A change that does not fit is never skipped: the file stays as it is, and ``condition`` says why.
package final class Follower: Sendable {
    /// The relation of the file to its primary.
    package enum Condition: Hashable, Sendable {
        /// The file is as new as the last look at the primary.
        case following
        /// The primary does not answer, for a reason: the file is as it was when it last did.
        case waiting(String)
        /// The primary has another history, from which the file is being built again: it is as it was before.
        case rebuilding
        /// A change of the primary cannot be applied, for a reason: the file is as it was before.
        case stopped(String)

        /// Whether another condition differs in its reason at most.
        func isLike(_ other: Condition) -> Bool {
            switch (self, other) {
            case (.waiting, .waiting), (.stopped, .stopped): true
            default: self == other
            }
        }

        /// Whether the file will not follow until an operator does something.
        package var isStopped: Bool {
            if case .stopped = self { true } else { false }
        }
    }

    private struct State {
        var isStopping = false
        var hasEnded = true
        var condition = Condition.following
        var rebuildCount = 0
        var lastSuccess = ContinuousClock.now
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
    private let observe: @Sendable (Condition) -> Void
    private let state = Mutex(State())

    /// Creates the follower of a file.
    ///
    /// - Parameters:
    ///   - primary: The primary.
    ///   - database: The file, opened with that primary.
    ///   - name: A name that no other follower of the primary has.
    ///   - observe: Receives each change of the condition, on the follower's thread.
    package init(
        _ primary: PostgresPrimary, of database: PhotoDatabase, name: String,
        observe: @escaping @Sendable (Condition) -> Void = { _ in }
    ) {
        (self.primary, self.database, self.name, self.observe) = (primary, database, name, observe)
    }

    /// The relation of the file to its primary.
    package var condition: Condition { state.withLock { $0.condition } }

    /// The number of times that the file was rebuilt.
    package var rebuildCount: Int { state.withLock { $0.rebuildCount } }

    /// The time since the file was last known to be as new as the primary.
    package var age: Duration { state.withLock { $0.lastSuccess.duration(to: .now) } }

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
                state.withLock { $0.lastSuccess = .now }
                become(.following)
                // A primary that only reads for now does neither, and is followed all the same.
                if ContinuousClock.now >= nextRegistration {
                    try? register()
                    nextRegistration = .now.advanced(by: Self.registrationPause)
                }
                if ContinuousClock.now >= nextTrimming {
                    try? primary.trimLog()
                    nextTrimming = .now.advanced(by: Self.trimmingPause)
                }
            } catch {
                pause = Self.longestPause
                become(condition(after: error))
            }
            sleep(for: pause)
        }
    }

    private func condition(after error: any Error) -> Condition {
        switch error {
        case let error as StorageError where [.primaryUnavailable, .busy].contains(error.code): .waiting(error.message)
        case let error as PrimaryError where error.kind == .unavailable: .waiting(error.message)
        default: .stopped("following stopped after revision \(revision): \(error)")
        }
    }

    /// Sleeps in steps, so that the follower ends soon.
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

    /// Reads what is new, once.
    ///
    /// - Parameter rebuilds: Whether the file is built again if it has to be.
    /// - Returns: Whether the file has changed.
    /// - Throws: ``StorageError``, ``PrimaryError``.
    @discardableResult
    package func follow(rebuilds: Bool = true) throws -> Bool {
        let head = try primary.head()
        guard let position = try database.replicaPosition(), try !isFar(position, from: head) else {
            if rebuilds { try rebuild() }
            return rebuilds
        }
        guard head != position else { return false }
        let transaction = primary.beginReading()
        defer { transaction.end() }
        do {
            return try database.pull(from: transaction) != position
        } catch is UnknownPosition {
            transaction.end()
            guard rebuilds else { return false }
            try rebuild()
            return true
        }
    }

    /// Whether building the file again is faster than following.
    private func isFar(_ position: ReplicaPosition, from head: ReplicaPosition) throws -> Bool {
        // Revisions may leave out many numbers, so the changes are counted.
        guard head.revision - position.revision > Self.rebuildLimit else { return false }
        return try primary.changeCount(after: position) > Self.rebuildLimit
    }

    private func rebuild() throws {
        become(.rebuilding)
        try Bootstrap(primary: primary).run(into: database)
        state.withLock { $0.rebuildCount += 1 }
    }

    private func register() throws {
        guard let position = try database.replicaPosition() else { return }
        try primary.register(name, at: position)
    }
}
