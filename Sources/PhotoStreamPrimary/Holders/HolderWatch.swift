import Synchronization

/// Finds the transactions of other programs that block this server, names them, and ends those that block all writers.
///
/// It reads PostgreSQL's locks on its own connection while another connection waits. A transaction that every look
/// finds for ``PostgresPrimary/Timeouts/forHolder`` is reported once a minute. If it holds a lock that every writer
/// needs, and this role has the permission, its session is ended, so that no writer waits for it any longer. The
/// statements of a server end by themselves, so a server's session is ended only if every look finds that PostgreSQL
/// waits for the server: no timeout of PostgreSQL applies to one that stops while it sends statements. A prepared
/// transaction has no session; only its owner should roll it back.
final class HolderWatch: Sendable {
    private struct Seen {
        var holder: LockHolder
        let first: ContinuousClock.Instant
        /// The first of the looks without an interruption that found that PostgreSQL waits for its program.
        let firstWait: ContinuousClock.Instant?
        var last: ContinuousClock.Instant
        var lastNamed: ContinuousClock.Instant?
    }

    private struct State {
        var seen: [String: Seen] = [:]
        var isLooking = false
        var lastLook: ContinuousClock.Instant?
        var alertUntil: ContinuousClock.Instant?
        var endedCount = 0
        var connection: PrimaryConnection?
    }

    /// The time between two looks.
    static let pause = Duration.milliseconds(250)
    /// The time for which looks continue after a wait for a lock that timed out.
    private static let alertness = Duration.seconds(2)
    /// The time after which a transaction that looks no longer find is forgotten; a look may miss a short wait for a
    /// row.
    private static let memory = Duration.seconds(3)
    private static let namingPause = Duration.seconds(60)
    private static let limit = Duration.milliseconds(300)
    private static let limitToConnect = Duration.milliseconds(800)

    private let address: PrimaryAddress
    private let reportDelay: Duration
    private let observe: @Sendable (HeldUp) -> Void
    private let state = Mutex(State())

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - reportDelay: The time for which a transaction must be seen before it is reported.
    ///   - observe: Receives each reported transaction, on the thread that waits for it.
    init(_ address: PrimaryAddress, reportDelay: Duration, observe: @escaping @Sendable (HeldUp) -> Void) {
        (self.address, self.reportDelay, self.observe) = (address, reportDelay, observe)
    }

    /// The number of sessions that were ended.
    var endedCount: Int { state.withLock { $0.endedCount } }

    /// The transactions that currently block this server, with the times for which they have been seen.
    var holders: [(holder: LockHolder, time: Duration)] {
        let now = ContinuousClock.now
        return state.withLock { state in
            state.seen.values.filter { now - $0.last < Self.memory && now - $0.first >= reportDelay }
                .map { ($0.holder, now - $0.first) }
        }.sorted { $0.holder.transaction < $1.holder.transaction }
    }

    /// Starts the looks after a wait for a lock that timed out.
    func alert() {
        state.withLock { $0.alertUntil = .now.advanced(by: Self.alertness) }
    }

    /// Closes the looks' connection after a successful write, unless a wait for a lock has timed out recently.
    func calm() {
        state.withLock { state in
            guard state.alertUntil.map({ $0 < .now }) ?? true else { return }
            state.connection = nil
        }
    }

    /// Reads the locks, unless it was done just now or no wait for a lock has timed out.
    ///
    /// - Parameter always: Whether to read them in any case, because the wait is long.
    func look(always: Bool = false) {
        let now = ContinuousClock.now
        let mayLook = state.withLock { state in
            guard !state.isLooking, always || state.alertUntil.map({ now < $0 }) ?? false,
                state.lastLook.map({ now - $0 >= Self.pause }) ?? true
            else { return false }
            state.isLooking = true
            return true
        }
        guard mayLook else { return }
        let kept = state.withLock { state in
            defer { state.connection = nil }
            return state.connection
        }
        var connection = kept
        do {
            let own = try kept ?? PrimaryConnection(address, within: Self.limitToConnect)
            connection = own
            try act(on: LockHolder.look(by: own, within: Self.limit), by: own)
        } catch {
            // The primary does not answer: its problem is not a lock, and the writer reports it.
        }
        state.withLock { state in
            state.isLooking = false
            state.lastLook = .now
            if let connection, !connection.isBroken { state.connection = connection }
        }
    }

    private func act(on holders: [LockHolder], by connection: PrimaryConnection) throws(PrimaryError) {
        let now = ContinuousClock.now
        let toName = state.withLock { state in
            for holder in holders where holder.isAwaited && !holder.isHeldUp {
                let earlier = state.seen[holder.transaction]
                state.seen[holder.transaction] = Seen(
                    holder: holder, first: earlier?.first ?? now,
                    firstWait: holder.waitsForProgram ? earlier?.firstWait ?? now : nil, last: now,
                    lastNamed: earlier?.lastNamed)
            }
            state.seen = state.seen.filter { now - $0.value.last < Self.memory }
            return state.seen.values.filter { $0.last == now && now - $0.first >= reportDelay }
        }
        for seen in toName {
            let holder = seen.holder
            var isEnded = false
            let isStalled = seen.firstWait.map { now - $0 >= reportDelay } ?? false
            if holder.holdsUpAll, !holder.isServer || isStalled, holder.mayBeEnded {
                isEnded = try holder.end(by: connection, within: Self.limit)
            }
            let isNew = state.withLock { state in
                if isEnded { state.endedCount += 1 }
                let isNew = seen.lastNamed.map { now - $0 >= Self.namingPause } ?? true
                if isEnded {
                    state.seen[holder.transaction] = nil
                } else if isNew {
                    state.seen[holder.transaction]?.lastNamed = now
                }
                return isNew || isEnded
            }
            if isNew { observe(HeldUp(holder: holder, time: now - seen.first, isEnded: isEnded)) }
        }
    }
}

/// An event: a transaction of another program has blocked this server for long.
package struct HeldUp: Sendable {
    /// The transaction.
    package let holder: LockHolder
    /// The time for which it has been seen.
    package let time: Duration
    /// Whether its session was ended.
    package let isEnded: Bool

    /// The kind of event, as a log message.
    package var message: String {
        if isEnded { return "a session held up all writers and was ended" }
        guard holder.holdsUpAll else { return "an open transaction holds up writes of its rows" }
        if holder.preparedName != nil { return "a prepared transaction holds up all writers" }
        if holder.isServer { return "another server holds up all writers" }
        return "a session holds up all writers, and this role may not end it"
    }

    /// The event in a sentence.
    package var description: String {
        let remedy = isEnded || holder.isServer ? "" : "; to end it: \(holder.remedy)"
        return "\(message), for \(time.components.seconds) s: \(holder.name)\(remedy)"
    }
}
