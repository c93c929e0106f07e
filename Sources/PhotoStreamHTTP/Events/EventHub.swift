import Foundation
import Hummingbird
import Logging
import NIOCore
import PhotoStreamPrimary
import PhotoStreamService
import Synchronization

/// The event streams of a server: one watcher of the file for all clients, and for probes and metrics.
///
/// The watcher has its own thread, which looks once a second while no client follows a stream. It keeps no queue per
/// client, only the revision that the client has seen, and makes each message from the change log when the client is
/// ready for it.
final class EventHub: Sendable {
    private struct State {
        /// The clients that the watcher has not added yet.
        var arrivals: [EventClient] = []
        /// The time since which a client has not received the watcher's latest reading.
        var behindSince: ContinuousClock.Instant?
        /// `nil` before the first look.
        var condition: FileCondition?
        var isEnding = false
    }

    let service: PhotoStreamService
    private let pictures: PictureMaker?
    private let follower: Follower?
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

    /// The condition of the file at the watcher's last look.
    ///
    /// - Throws: ``Problem`` if the look was too long ago: the file, or the watcher, is stuck.
    var condition: FileCondition {
        get throws(Problem) {
            let (condition, limit) = (state.withLock { $0.condition }, times.conditionLimit)
            guard let condition, condition.time + limit > .now else {
                throw Problem(.overloaded, detail: "the file has not answered for \(limit); ask again later")
            }
            return condition
        }
    }

    /// Creates the event streams; ``run()`` serves them.
    ///
    /// - Parameters:
    ///   - service: The file.
    ///   - pictures: The maker of its thumbnails, if any.
    ///   - follower: The follower that keeps the file up to date if it is a replica.
    ///   - settings: The settings, for times and the number of clients.
    ///   - watches: The watches of all connections.
    ///   - logger: Receives failures and closed connections.
    init(
        _ service: PhotoStreamService, pictures: PictureMaker?, follower: Follower?, settings: ServerSettings,
        watches: ClientWatches, logger: Logger
    ) {
        (self.service, self.pictures, self.follower) = (service, pictures, follower)
        (self.watches, self.logger, times) = (watches, logger, settings.eventTimes)
        places = SharedBudget(limit: settings.eventClientLimit, of: .eventStreams)
    }

    /// Serves clients until ``end()``, on a separate thread.
    func run() async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                self.watch()
                continuation.resume()
            }
            thread.name = "events"
            thread.stackSize = 4 << 20
            thread.start()
        }
    }

    /// Ends all answers with a last message; later clients receive only that.
    func end() {
        state.withLock { $0.isEnding = true }
        ring()
    }

    /// Wakes the watcher, because the file was written to, there is a client, or a client has received its last message.
    func ring() { wakeUp.signal() }

    /// Waits until the watcher is woken, but not beyond a time; returns whether it was woken.
    @discardableResult
    func wait(until time: ContinuousClock.Instant) -> Bool {
        let rest = Int(max(.zero, time - .now) / .microseconds(1))
        let isRung = wakeUp.wait(timeout: .now() + .microseconds(rest)) == .success
        while wakeUp.wait(timeout: .now()) == .success {}
        return isRung
    }

    /// Reads the condition of the file, for probes and metrics.
    func look() {
        let condition = FileCondition(of: service, pictures: pictures, follower: follower)
        state.withLock { $0.condition = condition }
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
            let client = EventClient(request, channel: channel, of: self)
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
        var (lastRound, lastLook) = (ContinuousClock.now - times.interval, ContinuousClock.now)
        while true {
            let isRung = wait(until: lastRound + rounds.pause)
            while ContinuousClock.now < lastRound + times.interval { wait(until: lastRound + times.interval) }
            lastRound = .now
            let (arrivals, isEnding) = state.withLock { state in
                defer { state.arrivals = [] }
                return (state.arrivals, state.isEnding)
            }
            rounds.add(arrivals)
            if isEnding { return rounds.end() }
            rounds.run()
            if isRung || lastLook + times.refreshInterval <= lastRound {
                lastLook = lastRound
                look()
            }
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
