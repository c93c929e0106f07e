import Foundation
import Hummingbird
import Logging
import NIOCore
import PhotoStreamService
import Synchronization

/// The event streams of a server: one watcher of the file for all clients.
///
/// The watcher has its own thread, which sleeps while no client follows a stream. It keeps no queue per client, only
/// the revision that the client has seen, and makes each message from the change log when the client is ready for it.
final class EventHub: Sendable {
    private struct State {
        /// The clients that the watcher has not added yet.
        var arrivals: [EventClient] = []
        /// The time since which a client has not received the watcher's latest reading.
        var behindSince: ContinuousClock.Instant?
        /// Whether the watcher was woken and has not looked yet.
        var isRung = false
        var isEnding = false
    }

    let service: PhotoStreamService
    let times: EventTimes
    let watches: ClientWatches
    let logger: Logger
    /// The clients, and those that are about to be added.
    private let places: SharedBudget
    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)

    /// The number of clients that follow streams.
    var clientCount: Int { places.count }

    /// The longest time for which a client has not received the watcher's latest reading.
    var lag: Duration { state.withLock { $0.behindSince.map { .now - $0 } ?? .zero } }

    /// Records the time since which a client has not received the watcher's latest reading; `nil` if there is no such
    /// client.
    func note(behindSince time: ContinuousClock.Instant?) {
        state.withLock { $0.behindSince = time }
    }

    /// Creates the event streams; ``run(on:)`` serves them.
    ///
    /// - Parameters:
    ///   - service: The file.
    ///   - settings: The settings, for times and the number of clients.
    ///   - watches: The watches of all connections.
    ///   - logger: Receives failures and closed connections.
    init(_ service: PhotoStreamService, settings: ServerSettings, watches: ClientWatches, logger: Logger) {
        (self.service, self.watches, self.logger) = (service, watches, logger)
        times = settings.eventTimes
        places = SharedBudget(limit: settings.eventClientLimit, of: .eventStreams)
    }

    /// Serves clients until ``end()``.
    ///
    /// - Parameter pool: A thread that is used for nothing else.
    func run(on pool: WorkerPool) async {
        await Task(executorPreference: pool) { self.watch() }.value
    }

    /// Ends all answers with a last message; later clients receive only that.
    func end() {
        state.withLock { $0.isEnding = true }
        ring()
    }

    /// Wakes the watcher, because the file was written to or there is a client.
    func ring() {
        let isFirst = state.withLock { state in
            defer { state.isRung = true }
            return !state.isRung
        }
        if isFirst { wakeUp.signal() }
    }

    /// Returns the body of an answer that follows a stream.
    ///
    /// - Parameters:
    ///   - request: The stream, and the revision that the client has seen.
    ///   - bounded: The client as it is counted.
    ///   - channel: The client's connection.
    /// - Returns: The body, which ends when the server stops, the stream is deleted, or the client leaves.
    /// - Throws: ``Problem`` if too many clients follow streams.
    func body(
        _ request: EventRequest, for bounded: BoundedClient, on channel: any Channel
    ) throws(Problem) -> ResponseBody {
        let seat = try places.place(for: bounded)
        return ResponseBody { [self] writer in
            defer { withExtendedLifetime(seat) {} }
            let retry = EventMessage.retry(milliseconds: .random(in: times.retry))
            try await writer.write(ByteBuffer(bytes: retry))
            let client = EventClient(request, channel: channel)
            // A closed connection is no longer watched: its client has left already.
            guard let watch = watches.watch(of: channel) else { return try await writer.finish(nil) }
            watch.begin { client.end() }
            defer { watch.end() }
            join(client)
            await client.untilEnd()
            try await writer.finish(nil)
        }
    }

    private func join(_ client: EventClient) {
        let isEnding = state.withLock { state in
            if !state.isEnding { state.arrivals.append(client) }
            return state.isEnding
        }
        if isEnding { EventDelivery.send([EventDelivery(.bye, to: client, isLast: true)]) }
        ring()
    }

    /// The watcher: a round after each commit, but not more often than clients may receive messages.
    private func watch() {
        let rounds = EventRounds(self)
        var lastRound = ContinuousClock.now - times.interval
        while true {
            if let pause = rounds.pause {
                _ = wakeUp.wait(timeout: .now() + max(.zero, lastRound + pause - .now))
            } else {
                wakeUp.wait()
            }
            let rest = lastRound + times.interval - .now
            if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
            lastRound = .now
            let (arrivals, isEnding) = state.withLock { state in
                defer { (state.isRung, state.arrivals) = (false, []) }
                return (state.arrivals, state.isEnding)
            }
            rounds.add(arrivals)
            if isEnding { return rounds.end() }
            rounds.run()
        }
    }
}

/// A message on its way to a client.
struct EventDelivery: Sendable {
    let client: EventClient
    let bytes: ByteBuffer
    let isLast: Bool

    init(_ bytes: ByteBuffer, to client: EventClient, isLast: Bool = false) {
        (self.client, self.bytes, self.isLast) = (client, bytes, isLast)
    }

    init(_ message: EventMessage, to client: EventClient, isLast: Bool = false) {
        self.init(ByteBuffer(bytes: message.bytes()), to: client, isLast: isLast)
    }

    /// Sends messages, with one job for each event loop.
    static func send(_ deliveries: [EventDelivery]) {
        for delivery in deliveries { delivery.client.begin() }
        let groups = Dictionary(grouping: deliveries) { ObjectIdentifier($0.client.eventLoop) }
        for group in groups.values {
            group.first?.client.eventLoop.execute {
                for delivery in group { delivery.client.send(delivery.bytes, isLast: delivery.isLast) }
            }
        }
    }
}

extension DispatchTime {
    fileprivate static func + (time: DispatchTime, duration: Duration) -> DispatchTime {
        let (seconds, attoseconds) = duration.components
        return time + DispatchTimeInterval.nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
