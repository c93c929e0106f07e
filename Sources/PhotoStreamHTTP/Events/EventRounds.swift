import Foundation
import Logging
import PhotoStreamModel
import PhotoStreamService

/// The watcher's knowledge of streams and clients, and its rounds; one thread uses it.
final class EventRounds {
    private let hub: EventHub
    private let times: EventTimes
    private var topics: [StreamName: EventTopic] = [:]
    /// Whether followers were not ready for news.
    private var hasWaiting = false
    /// Whether the last look noticed a commit, so that more are likely.
    private var isBusy = false
    /// Returns the version of the file; `nil` while no client follows a stream.
    private var readVersion: (() throws -> Int64)?
    /// The version of the file at the last look.
    private var version: Int64?
    private var lastReading = ContinuousClock.now
    private var lastGrantLook = ContinuousClock.now

    init(_ hub: EventHub) {
        self.hub = hub
        times = hub.times
    }

    /// The maximum time between two rounds.
    var pause: Duration {
        topics.isEmpty ? times.refreshInterval : hasWaiting || isBusy ? times.interval : times.lookInterval
    }

    func add(_ clients: [EventClient]) {
        for client in clients {
            let name = client.request.stream
            topics[name, default: EventTopic(name: name)].followers.append(EventTopic.Follower(client))
        }
    }

    /// Sends each ready client the events that it has not seen.
    func run() {
        removeEnded()
        guard !topics.isEmpty else {
            readVersion = nil
            hub.note(behindSince: nil)
            return
        }
        do {
            try closeRevoked()
            if try isDue() { try read() }
        } catch let error where error is StreamServiceError || error is StorageError {
            // A client that connects again receives the reason.
            hub.logger.warning("event streams end: the file cannot be read", metadata: ["error": "\(error)"])
            readVersion = nil
            sayGoodbye()
            topics = [:]
        } catch {
            hub.logger.warning("events could not be read", metadata: ["error": "\(error)"])
        }
        tendConnections()
    }

    /// Ends all answers, and closes connections whose clients do not read.
    func end() {
        readVersion = nil
        sayGoodbye()
        let deadline = ContinuousClock.now + times.linger
        let clients = topics.values.flatMap { $0.followers.map(\.client) }
        while clients.contains(where: \.isSending), ContinuousClock.now < deadline { hub.wait(until: deadline) }
        for client in clients where client.isSending { client.close() }
        topics = [:]
    }

    /// Closes the connections of clients whose tokens were revoked or have expired.
    private func closeRevoked() throws {
        guard lastGrantLook + times.grantInterval < .now else { return }
        lastGrantLook = .now
        let clients = topics.values.flatMap { $0.followers.map(\.client) }
        let ended = try hub.service.endedGrants(among: Set(clients.map(\.request.grant)))
        for client in clients where ended.contains(client.request.grant) { client.close() }
    }

    private func removeEnded() {
        for name in topics.keys {
            topics[name]?.followers.removeAll(where: \.client.isEnded)
            if topics[name]?.followers.isEmpty == true { topics[name] = nil }
        }
    }

    /// Whether the file was written to, a client is ready for news, or a counter of pictures may be due.
    private func isDue() throws -> Bool {
        let readVersion = try self.readVersion ?? hub.service.watchCommits { [weak hub] in hub?.ring() }
        self.readVersion = readVersion
        let now = try readVersion()
        isBusy = now != version
        version = now
        return isBusy || lastReading + times.refreshInterval < .now
            || topics.values.contains { topic in
                topic.followers.contains { $0.isReady && topic.hasNews(for: $0) }
            }
    }

    /// Reads all streams in one transaction, and sends messages.
    private func read() throws {
        lastReading = .now
        let (readings, steps) = try hub.service.read { session in
            var (readings, steps): ([StreamName: EventTopic.Reading], [EventTopic.Step]) = ([:], [])
            for (name, topic) in topics {
                let reading = try topic.read(in: session)
                readings[name] = reading
                steps += try topic.steps(at: reading, in: session)
            }
            return (readings, steps)
        }
        for name in topics.keys { topics[name]?.reading = readings[name] }
        for step in steps { step.follower.receive(step, times: times) }
        EventDelivery.send(steps.map { EventDelivery($0.bytes, to: $0.follower.client, isLast: $0.seen == nil) })
        for topic in topics.values {
            for follower in topic.followers { follower.note(isBehind: topic.hasNews(for: follower), at: lastReading) }
        }
        let behindSince = topics.values.flatMap { $0.followers.compactMap(\.behindSince) }.min()
        hasWaiting = behindSince != nil
        hub.note(behindSince: behindSince)
    }

    /// Ends the answers of all clients that are ready for the last message, and closes the connections of the others.
    private func sayGoodbye() {
        let clients = topics.values.flatMap { $0.followers.map(\.client) }.filter { !$0.isEnded }
        for client in clients where client.isSending { client.close() }
        EventDelivery.send(clients.filter { !$0.isEnded }.map { EventDelivery(.bye, to: $0, isLast: true) })
    }

    /// Sends comments to clients that have received nothing for a while, and closes connections of clients that do not
    /// read.
    private func tendConnections() {
        let now = ContinuousClock.now
        var silent: [EventClient] = []
        var stalledCount = 0
        for follower in topics.values.flatMap(\.followers) {
            if !follower.isReady {
                guard follower.lastSent + times.clientTimeout < now else { continue }
                stalledCount += 1
                follower.client.close()
            } else if follower.lastSent + times.heartbeat < now {
                follower.lastSent = now
                silent.append(follower.client)
            }
        }
        if stalledCount > 0 {
            hub.logger.info(
                "connections were closed whose clients do not read events", metadata: ["connections": "\(stalledCount)"]
            )
        }
        EventDelivery.send(silent.map { EventDelivery(.heartbeat, to: $0) })
    }
}
