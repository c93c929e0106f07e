import NIOCore
import NIOHTTPTypes
import PhotoStreamModel
import Synchronization

/// The connection of a client that follows a stream.
///
/// At most one message is in flight, so a client that does not read keeps one message in memory, which it shares with
/// others.
final class EventClient: Sendable {
    let request: EventRequest
    private let channel: any Channel
    private let hub: EventHub
    // The watcher and the event loop set one of them and then read the other, so both are in one order for all threads.
    private let inFlight = Atomic(false)
    private let ended = Atomic(false)
    /// Ends with the answer.
    private let (ending, continuation) = AsyncStream.makeStream(of: Void.self)

    init(_ request: EventRequest, channel: any Channel, of hub: EventHub) {
        (self.request, self.channel, self.hub) = (request, channel, hub)
    }

    /// The event loop of the connection.
    var eventLoop: any EventLoop { channel.eventLoop }

    /// Whether the answer has ended or the client has left.
    var isEnded: Bool { ended.load(ordering: .sequentiallyConsistent) }

    /// Whether a message is in flight, so that the client is not ready for another one.
    var isSending: Bool { inFlight.load(ordering: .sequentiallyConsistent) }

    /// Records that a message is about to be sent.
    func begin() {
        inFlight.store(true, ordering: .sequentiallyConsistent)
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
            inFlight.store(false, ordering: .sequentiallyConsistent)
            // The watcher may be waiting for it.
            if isEnded { hub.ring() }
        }
        if isLast { end() }
        channel.writeAndFlush(HTTPResponsePart.body(bytes), promise: sent)
    }

    /// Ends the answer, even if the client has left.
    func end() {
        ended.store(true, ordering: .sequentiallyConsistent)
        continuation.finish()
    }

    /// Waits until the answer ends or the task is cancelled.
    func untilEnd() async {
        for await _ in ending {}
        end()
    }

    /// Closes the connection without waiting for bytes that the client does not read.
    func close() {
        hub.watches.close(channel)
        end()
    }
}
