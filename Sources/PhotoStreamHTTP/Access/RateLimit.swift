import PhotoStreamService
import Synchronization

/// A client that is counted: the holder of a token, all who have a link, or another machine.
enum CountedClient: Hashable {
    case holder(String)
    case share(Int64)
    case machine(ServerAddress)

    /// Counts a sender; `nil` for this machine without a token, which may do anything anyway.
    init?(_ grant: AccessGrant, from sender: ServerAddress?) {
        if let share = grant.share {
            self = .share(share.id)
        } else if let name = grant.name {
            self = .holder(name)
        } else if let sender, !sender.isLoopback {
            self = .machine(sender)
        } else {
            return nil
        }
    }
}

/// Counts the requests of clients in a minute.
///
/// Each client has a bucket of tokens that fills evenly, so a burst may use a whole minute's worth at once.
final class RateLimit: Sendable {
    private struct Bucket {
        /// The number that is left.
        var level: Double
        var time: ContinuousClock.Instant
    }

    /// The clients that are remembered; beyond them, those with full buckets are forgotten.
    private static let clientLimit = 10_000

    /// The number in a minute.
    let perMinute: Int
    private let buckets = Mutex<[CountedClient: Bucket]>([:])

    /// Creates a limit.
    init(perMinute: Int) {
        self.perMinute = perMinute
    }

    /// Counts something that a client does.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - now: The time.
    /// - Returns: The seconds after which it may do so; `nil` for now.
    func wait(of client: CountedClient, at now: ContinuousClock.Instant = .now) -> Int? {
        buckets.withLock { buckets in
            if buckets.count >= Self.clientLimit { buckets = buckets.filter { fill(of: $0.value, at: now) < full } }
            if buckets.count >= Self.clientLimit { buckets = [:] }
            let level = buckets[client].map { fill(of: $0, at: now) } ?? full
            guard level >= 1 else { return max(1, Int(((1 - level) / full * 60).rounded(.up))) }
            buckets[client] = Bucket(level: level - 1, time: now)
            return nil
        }
    }

    /// Counts something that a client does, and refuses it where it has done too much.
    ///
    /// - Parameters:
    ///   - grant: The rights of the client.
    ///   - sender: Its address.
    ///   - what: The name of the things that are counted, in the plural.
    /// - Throws: ``Problem`` with the time after which it may do so again.
    func count(_ grant: AccessGrant, from sender: ServerAddress?, what: String) throws(Problem) {
        guard let client = CountedClient(grant, from: sender), let wait = wait(of: client) else { return }
        var problem = Problem(.tooManyRequests, detail: "\(perMinute) \(what) a minute are allowed; wait \(wait) s")
        problem.wait = wait
        throw problem
    }

    private var full: Double { Double(perMinute) }

    private func fill(of bucket: Bucket, at now: ContinuousClock.Instant) -> Double {
        min(full, bucket.level + (now - bucket.time) / .seconds(60) * full)
    }
}
