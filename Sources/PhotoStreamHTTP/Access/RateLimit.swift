import PhotoStreamService
import Synchronization

/// A client that is counted: the holder of a token, all holders of a link, those of them at one address, or another
/// machine.
enum CountedClient: Hashable {
    case holder(String)
    case share(Int64)
    case visitor(Int64, ServerAddress)
    case machine(ServerAddress)

    /// Returns the clients as which a sender is counted.
    ///
    /// - Parameters:
    ///   - grant: The rights of the sender.
    ///   - address: The address under which it is counted.
    /// - Returns: The clients; none for this machine without a token, which is not limited.
    static func counted(_ grant: AccessGrant, at address: ServerAddress?) -> [CountedClient] {
        if let share = grant.share {
            // One holder of the link leaves three quarters to the others.
            return [.share(share.id)] + (address.map { [.visitor(share.id, $0)] } ?? [])
        }
        if let name = grant.name { return [.holder(name)] }
        return address.map { [.machine($0)] } ?? []
    }

    /// The maximum number in a minute, if a token, a link or a machine may do `all`.
    fileprivate func limit(of all: Int) -> Int {
        if case .visitor = self { max(1, all / 4) } else { all }
    }
}

/// Counts the requests of clients in a minute.
///
/// Each client has a bucket of tokens that fills evenly, so a burst may use a whole minute's worth at once.
final class RateLimit: Sendable {
    private struct Bucket {
        /// The remaining number.
        var level: Double
        var time: ContinuousClock.Instant
    }

    /// The maximum number of clients; beyond it, those with full buckets are forgotten.
    private static let clientLimit = 10_000

    let perMinute: Int
    private let buckets = Mutex<[CountedClient: Bucket]>([:])

    init(perMinute: Int) {
        self.perMinute = perMinute
    }

    /// Counts an action of a client.
    ///
    /// - Parameters:
    ///   - clients: The client, in each way in which it is counted.
    ///   - now: The time.
    /// - Returns: The seconds until the action is allowed, and the maximum number in a minute; `nil` if it is allowed
    ///   now.
    func wait(
        of clients: [CountedClient], at now: ContinuousClock.Instant = .now
    ) -> (seconds: Int, perMinute: Int)? {
        buckets.withLock { buckets in
            if buckets.count >= Self.clientLimit { buckets = buckets.filter { level(of: $0, $1, at: now).isLess } }
            if buckets.count >= Self.clientLimit { buckets = [:] }
            var levels: [(client: CountedClient, level: Double)] = []
            for client in clients {
                let (level, limit) = (level(of: client, buckets[client], at: now).level, client.limit(of: perMinute))
                guard level >= 1 else { return (max(1, Int(((1 - level) / Double(limit) * 60).rounded(.up))), limit) }
                levels.append((client, level))
            }
            // Only at the end, so that refused requests do not count.
            for (client, level) in levels { buckets[client] = Bucket(level: level - 1, time: now) }
            return nil
        }
    }

    /// Counts an action of a client, and refuses it if there were too many.
    ///
    /// - Parameters:
    ///   - grant: The rights of the client.
    ///   - address: The address under which it is counted.
    ///   - what: The name of the counted things, in the plural.
    /// - Throws: ``Problem`` with the time after which the client may try again.
    func count(_ grant: AccessGrant, at address: ServerAddress?, what: String) throws(Problem) {
        guard let wait = wait(of: CountedClient.counted(grant, at: address)) else { return }
        var problem = Problem(
            .tooManyRequests, detail: "\(wait.perMinute) \(what) a minute are allowed; wait \(wait.seconds) s")
        problem.wait = wait.seconds
        throw problem
    }

    /// Returns the remaining number in a bucket, and whether it is less than the full number.
    private func level(
        of client: CountedClient, _ bucket: Bucket?, at now: ContinuousClock.Instant
    ) -> (level: Double, isLess: Bool) {
        let full = Double(client.limit(of: perMinute))
        guard let bucket else { return (full, false) }
        let level = min(full, bucket.level + (now - bucket.time) / .seconds(60) * full)
        return (level, level < full)
    }
}
