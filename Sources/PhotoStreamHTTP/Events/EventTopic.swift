import NIOCore
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// A stream that clients follow.
struct EventTopic {
    /// A client, and the last state that it has seen.
    final class Follower {
        let client: EventClient
        /// `nil` before the first message.
        private(set) var seen: Reading?
        /// The time at which the last message began to be sent, or at first that of the request.
        var lastSent = ContinuousClock.now
        /// The time since which there is something that the client has not received.
        private(set) var behindSince: ContinuousClock.Instant?
        /// The time of the last message that made the client read the stream again.
        private var resyncedAt: ContinuousClock.Instant?
        /// The minimum time from that message to the next of its kind; it grows with each consecutive one.
        private var pause = Duration.zero

        init(_ client: EventClient) {
            self.client = client
        }

        /// Whether a message can be sent to the client.
        var isReady: Bool { !client.isSending }

        /// Whether the client may be made to read the stream again.
        ///
        /// During an import, every message would otherwise do so.
        func mayResync(at now: ContinuousClock.Instant) -> Bool { resyncedAt.map { now >= $0 + pause } ?? true }

        /// Records whether there is something that the client has not received.
        func note(isBehind: Bool, at now: ContinuousClock.Instant) {
            behindSince = isBehind ? behindSince ?? now : nil
        }

        /// Records that a message is sent.
        func receive(_ step: Step, times: EventTimes) {
            if step.isResync {
                (resyncedAt, pause) = (.now, min(max(times.interval * 2, pause * 2), times.resyncPause))
            } else if seen?.state != step.seen?.state {
                pause = .zero
            }
            (seen, lastSent) = (step.seen, .now)
        }
    }

    /// A state of the stream, and the revision of its pictures.
    struct Reading: Equatable {
        let state: StreamState
        var pictures: Revision
    }

    /// A message to a follower.
    struct Step {
        let follower: Follower
        let bytes: ByteBuffer
        /// Whether it makes the follower read the stream again.
        let isResync: Bool
        /// The state that the follower has seen after it; `nil` if it is the last message.
        let seen: Reading?
    }

    /// The maximum number of changes in a message.
    private static let changeLimit = 100

    let name: StreamName
    var followers: [Follower] = []
    /// The last reading; `nil` before the first one, and if there is no such stream.
    var reading: Reading?

    /// Whether there is something that a follower has not seen.
    func hasNews(for follower: Follower) -> Bool { reading == nil || follower.seen != reading }

    /// Reads the stream; `nil` if no stream has the name.
    func read(in session: borrowing Session) throws -> Reading? {
        do {
            return Reading(state: try session.state(of: name), pictures: try session.pictureRevision(of: name))
        } catch StreamServiceError.unknownStream {
            return nil
        } catch let error as StorageError where error.code == .corrupt && (try? session.isKeptView(name)) == true {
            // Another program has spoilt this view alone; the other topics go on.
            return nil
        }
    }

    /// Returns the next message for each follower that is ready for one.
    ///
    /// Followers in the same state share one, so a change is read and encoded once for all of them.
    ///
    /// - Parameters:
    ///   - reading: The stream as it is in the session; `nil` if it was deleted.
    ///   - session: The session.
    /// - Returns: The messages.
    /// - Throws: The errors of reading.
    func steps(at reading: Reading?, in session: borrowing Session) throws -> [Step] {
        guard let reading else { return lastSteps() }
        let now = ContinuousClock.now
        var shared: [SentMessage: (bytes: ByteBuffer, isResync: Bool)] = [:]
        var steps: [Step] = []
        for follower in followers where follower.isReady && follower.seen != reading {
            let message = Message(for: follower, at: reading)
            let sent = SentMessage(message: message, share: follower.client.request.grant.share)
            let made = try shared[sent] ?? bytes(of: sent, at: reading, in: session)
            shared[sent] = made
            if made.isResync, !follower.mayResync(at: now) { continue }
            steps.append(
                Step(
                    follower: follower, bytes: made.bytes, isResync: made.isResync,
                    seen: message.seen(by: follower, at: reading)))
        }
        return steps
    }

    private func bytes(
        of sent: SentMessage, at reading: Reading, in session: borrowing Session
    ) throws -> (bytes: ByteBuffer, isResync: Bool) {
        let event = try event(for: sent.message, at: reading, in: session)
        let isResync = if case .resync = event { true } else { false }
        return (ByteBuffer(bytes: event.bytes(for: sent.share.map(ShareAudience.init))), isResync)
    }

    /// Returns the last messages of a stream that was deleted.
    private func lastSteps() -> [Step] {
        followers.filter(\.isReady).map { follower in
            let last = follower.seen?.state.revision ?? follower.client.request.since ?? Revision(0)
            let bytes = ByteBuffer(bytes: EventMessage.resync(last).bytes())
            return Step(follower: follower, bytes: bytes, isResync: true, seen: nil)
        }
    }

    /// A message for the holders of one link, or for all others.
    private struct SentMessage: Hashable {
        let message: Message
        let share: ShareGrant?
    }

    /// A message; two of one kind with the same reading have the same bytes.
    private enum Message: Hashable {
        /// Another stream has the name now, or the kept view another rule.
        case resync
        case pictures
        /// The state if no revision was given, or the current one.
        case changes(since: Revision?)

        init(for follower: Follower, at reading: Reading) {
            guard let seen = follower.seen else {
                self = .changes(since: follower.client.request.since)
                return
            }
            if (seen.state.streamID, seen.state.rule) != (reading.state.streamID, reading.state.rule) {
                self = .resync
            } else if seen.pictures != reading.pictures {
                // Before changes, which may follow each other without a pause.
                self = .pictures
            } else {
                self = .changes(since: seen.state.revision)
            }
        }

        /// Returns the state that a follower has seen with the message.
        func seen(by follower: Follower, at reading: Reading) -> Reading {
            switch self {
            case .resync: reading
            case .pictures: Reading(state: follower.seen?.state ?? reading.state, pictures: reading.pictures)
            case .changes:
                // Results of decoding are not in the log: a returning client may have missed some.
                Reading(
                    state: reading.state,
                    pictures: follower.seen?.pictures
                        ?? (follower.client.request.isReconnection ? Revision(0) : reading.pictures)
                )
            }
        }
    }

    private func event(
        for message: Message, at reading: Reading, in session: borrowing Session
    ) throws -> EventMessage {
        switch message {
        case .resync: return .resync(reading.state.revision)
        case .pictures: return .pictures(reading.pictures)
        case .changes(let since?) where since != reading.state.revision:
            return switch try session.changes(of: name, since: since, atMost: Self.changeLimit) {
            case .changes(let answer): .change(answer)
            case .reload(let reload): .resync(reload.revision)
            }
        case .changes: return .state(reading.state.revision)
        }
    }
}
