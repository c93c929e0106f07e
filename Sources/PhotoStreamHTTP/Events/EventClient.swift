import NIOCore
import NIOHTTPTypes
import PhotoStreamModel
import Synchronization

/// The connection of a client that follows a stream.
///
/// At most one message is in flight, so a client that does not read keeps one message in memory, which it shares with
/// others.
final class EventClient: Sendable {
    private struct State {
        /// The time since which a message is in flight.
        var sendingSince: ContinuousClock.Instant?
        var lastSent = ContinuousClock.now
        var isEnded = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    let request: EventRequest
    private let channel: any Channel
    private let state = Mutex(State())

    init(_ request: EventRequest, channel: any Channel) {
        self.request = request
        self.channel = channel
    }

    /// The event loop of the connection.
    var eventLoop: any EventLoop { channel.eventLoop }

    /// Whether the answer has ended or the client has left.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// The time since which a message is in flight; `nil` if the client is ready for one.
    var sendingSince: ContinuousClock.Instant? { state.withLock { $0.sendingSince } }

    /// The time of the last message that the system has accepted.
    var lastSent: ContinuousClock.Instant { state.withLock { $0.lastSent } }

    /// Records that a message is about to be sent.
    func begin() {
        state.withLock { $0.sendingSince = .now }
    }

    /// Sends a message, on the connection's event loop, after ``begin()``.
    ///
    /// It is written to the channel directly, not through the task of the answer: a message for a thousand clients costs a
    /// job for each event loop, not a thousand tasks.
    ///
    /// - Parameters:
    ///   - bytes: The message.
    ///   - isLast: Whether the answer ends with it.
    func send(_ bytes: ByteBuffer, isLast: Bool) {
        let sent = channel.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { [self] _ in
            state.withLock { state in
                (state.sendingSince, state.lastSent) = (nil, .now)
            }
        }
        channel.writeAndFlush(HTTPResponsePart.body(bytes), promise: sent)
        if isLast { end() }
    }

    /// Ends the answer, even if the client has left.
    func end() {
        let waiter = state.withLock { state in
            state.isEnded = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits until the answer ends or the task is cancelled.
    func untilEnd() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isEnded = state.withLock { state in
                    if !state.isEnded { state.waiter = continuation }
                    return state.isEnded
                }
                if isEnded { continuation.resume() }
            }
        } onCancel: {
            end()
        }
    }

    /// Closes the connection without waiting for bytes that the client does not read.
    func close(_ watches: ClientWatches) {
        watches.close(channel)
        end()
    }
}
