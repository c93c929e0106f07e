import Dispatch
import Foundation
import Synchronization

/// SIGINT and SIGTERM during work that sums up before the process ends.
///
/// The first signal cancels the work, a second one ends the process at once. A signal that is ignored, as under `nohup` or in
/// a shell's background job, stays ignored.
final class Interrupts: Sendable {
    private struct State {
        var first: Int32?
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Begins to wait for signals; none that comes later is missed.
    init() {
        // Its handlers are to come first: later ones take their place.
        PartialFiles.handleSignals()
        let registrations = DispatchGroup()
        for signal in [SIGINT, SIGTERM] where !Self.isIgnored(signal) {
            let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
            // The source lives as long as the process: it is what its handler holds.
            source.setEventHandler { [self] in withExtendedLifetime(source) { arrived(signal) } }
            registrations.enter()
            source.setRegistrationHandler { registrations.leave() }
            source.resume()
        }
        registrations.wait()
    }

    /// Runs work that the first signal cancels, also one that came before.
    ///
    /// - Parameter body: The work, which ends soon after its task is cancelled.
    /// - Returns: The result of the work, and the signal that came.
    func cancelling<Success: Sendable>(
        _ body: @escaping @Sendable () async throws -> Success
    ) async -> (result: Result<Success, any Error>, signal: Int32?) {
        let work = Task { try await body() }
        let isLate = state.withLock { state in
            state.cancel = { work.cancel() }
            return state.first != nil
        }
        if isLate { work.cancel() }
        let result = await work.result
        return (result, state.withLock { $0.first })
    }

    /// Ends the process by a signal, so that a shell sees what happened.
    static func end(by signal: Int32) -> Never {
        PartialFiles.removeAll()
        Foundation.signal(signal, SIG_DFL)
        // The thread may be one on which the signal is blocked.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, signal)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(signal)
        exit(128 + signal)
    }

    private func arrived(_ signal: Int32) {
        let (isFirst, cancel) = state.withLock { state in
            defer { state.first = state.first ?? signal }
            return (state.first == nil, state.cancel)
        }
        guard isFirst else { Self.end(by: signal) }
        cancel?()
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
