import Synchronization

/// The order in which the requests of a lane get its threads: connections take turns, and a short request of a
/// connection that has had few precedes the long requests of connections that have had many.
///
/// Each request gets a number when it arrives: the virtual time, or the number of its connection's last request if that
/// is greater, plus its own cost; the smallest number is next. The virtual time is the number, without its cost, of the
/// last request that got a thread. So a client with one request overtakes hundreds of connections that always have
/// another one waiting.
///
/// Source: S. J. Golestani, "A self-clocked fair queueing scheme for broadband applications", INFOCOM 1994.
final class Turns: Sendable {
    private struct Waiter {
        /// The number, which determines its turn.
        let tag: Double
        let cost: Double
        /// The order of arrival among waiters with the same number.
        let arrival: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var runningCount = 0
        /// The waiting requests, the next one last.
        var waiters: [Waiter] = []
        var time = 0.0
        /// The number of the last request of each connection, while it is greater than the virtual time.
        var last: [ObjectIdentifier: Double] = [:]
        var arrivalCount = 0
    }

    /// The number of connections above which those with numbers in the past are forgotten.
    private static let rememberedCount = 1_024

    private let limit: Int
    private let state = Mutex(State())

    /// Creates the turns of a lane.
    ///
    /// - Parameter limit: The number of requests that may run at once.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of requests that wait for their turns.
    var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Runs a request when it is its turn.
    ///
    /// - Parameters:
    ///   - connection: The connection of the client; `nil` for one that has had no requests yet.
    ///   - cost: The cost in any unit, greater than 0.
    ///   - body: Answers the request.
    /// - Returns: The result of `body`.
    /// - Throws: `CancellationError` if the task is cancelled before its turn, and the errors of `body`.
    func take<Result>(
        of connection: ObjectIdentifier?, cost: Double, _ body: () async throws -> Result
    ) async throws -> Result {
        try await wait(of: connection, cost: cost)
        defer { next() }
        return try await body()
    }

    private func wait(of connection: ObjectIdentifier?, cost: Double) async throws {
        let (tag, arrival, isFree) = state.withLock { state in
            if state.runningCount == 0 { (state.time, state.last) = (0, [:]) }
            let tag = max(state.time, connection.flatMap { state.last[$0] } ?? 0) + cost
            if let connection {
                if state.last.count >= Self.rememberedCount {
                    state.last = state.last.filter { $0.value > state.time }
                }
                state.last[connection] = tag
            }
            state.arrivalCount += 1
            let isFree = state.runningCount < limit
            if isFree {
                state.runningCount += 1
                state.time = max(state.time, tag - cost)
            }
            return (tag, state.arrivalCount, isFree)
        }
        if isFree { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter(tag: tag, cost: cost, arrival: arrival, continuation: continuation)
                let isNext = state.withLock { state in
                    // All running requests may have ended in the meantime.
                    guard state.runningCount >= limit else {
                        state.runningCount += 1
                        return true
                    }
                    let place = state.waiters.firstIndex { ($0.tag, $0.arrival) < (tag, arrival) }
                    state.waiters.insert(waiter, at: place ?? state.waiters.endIndex)
                    return false
                }
                if isNext { continuation.resume() } else if Task.isCancelled { leave(arrival) }
            }
        } onCancel: {
            leave(arrival)
        }
    }

    /// Records that a request has ended, and starts the next one.
    private func next() {
        let waiter = state.withLock { state -> Waiter? in
            guard let waiter = state.waiters.popLast() else {
                state.runningCount -= 1
                return nil
            }
            state.time = max(state.time, waiter.tag - waiter.cost)
            return waiter
        }
        waiter?.continuation.resume()
    }

    /// Removes a request that was cancelled.
    private func leave(_ arrival: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.arrival == arrival }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
