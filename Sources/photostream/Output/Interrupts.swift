import Dispatch
import Foundation
import Synchronization

/// Handles SIGINT and SIGTERM during work that prints a summary before the process ends.
///
/// The first signal cancels the work; a second one ends the process at once. A signal that is ignored, as under `nohup`
/// or in a shell's background job, stays ignored.
final class Interrupts: Sendable {
    private struct State {
        var first: Int32?
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Starts handling signals.
    ///
    /// No later signal is missed.
    init() {
        // These handlers must be installed first, since later ones replace them.
        PartialFiles.handleSignals()
        let registrations = DispatchGroup()
        for signal in [SIGINT, SIGTERM] where !Self.isIgnored(signal) {
            let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
            // The handler retains its source, so that the source lives as long as the process.
            source.setEventHandler { [self] in withExtendedLifetime(source) { arrived(signal) } }
            registrations.enter()
            source.setRegistrationHandler { registrations.leave() }
            source.resume()
        }
        registrations.wait()
    }

    /// Runs work that the first signal cancels, even if the signal came earlier.
    ///
    /// - Parameter body: The work, which must end soon after its task is cancelled.
    /// - Returns: The result of the work, and the first signal, if any.
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

    /// Ends the process by a signal, so that a shell sees the cause.
    static func end(by signal: Int32) -> Never {
        PartialFiles.removeAll()
        Foundation.signal(signal, SIG_DFL)
        // The signal may be blocked on this thread.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, signal)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
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
        guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
