import Dispatch
import Foundation
import Synchronization

/// The signals that end a command: SIGINT, SIGTERM and SIGHUP.
///
/// Before a signal ends the process, its unfinished files are deleted. During work that prints a summary at its end, the first
/// SIGINT or SIGTERM cancels the work instead, and a second one ends the process at once. A signal that is ignored, as under
/// `nohup` or in a shell's background job, stays ignored.
enum Interrupts {
    private struct State {
        var files: Set<String> = []
        var cancelsWork = false
        var first: Int32?
        var cancel: (@Sendable () -> Void)?
    }

    private static let state = Mutex(State())

    /// Whether the signals are handled: always, from the first use on.
    private static let areHandled: Bool = {
        let registrations = DispatchGroup()
        for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) {
            let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
            // The handler retains its source, so that the source lives as long as the process.
            source.setEventHandler { withExtendedLifetime(source) { arrived(signal) } }
            registrations.enter()
            source.setRegistrationHandler { registrations.leave() }
            source.resume()
        }
        registrations.wait()
        return true
    }()

    /// Registers an unfinished file.
    static func insert(_ file: String) {
        _ = areHandled
        state.withLock { _ = $0.files.insert(file) }
    }

    /// Unregisters a file that is complete or deleted.
    static func remove(_ file: String) {
        state.withLock { _ = $0.files.remove(file) }
    }

    /// Makes the first SIGINT or SIGTERM after this call cancel the work of ``cancelling(_:)``.
    static func cancelWork() {
        state.withLock { $0.cancelsWork = true }
        _ = areHandled
    }

    /// Runs work that the first signal cancels, even if the signal arrived earlier.
    ///
    /// - Parameter body: The work, which must end soon after its task is cancelled.
    /// - Returns: The result of the work, and the first signal, if any.
    static func cancelling<Success: Sendable>(
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
        for file in state.withLock({ $0.files }) { unsafe unlink(file) }
        Foundation.signal(signal, SIG_DFL)
        // The signal may be blocked on this thread.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, signal)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(signal)
        exit(128 + signal)
    }

    private static func arrived(_ signal: Int32) {
        let (isFirst, cancel) = state.withLock { state in
            guard state.cancelsWork, state.first == nil, signal != SIGHUP else { return (false, state.cancel) }
            state.first = signal
            return (true, state.cancel)
        }
        guard isFirst else { end(by: signal) }
        cancel?()
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
