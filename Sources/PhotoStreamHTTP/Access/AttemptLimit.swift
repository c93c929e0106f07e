import Synchronization

/// Counts wrong tokens by address: a client that tries many has to wait.
///
/// A correct token is always accepted: otherwise one client could lock out others with the same address. No token can
/// be found by guessing, since there are 2^256.
final class AttemptLimit: Sendable {
    private struct Count {
        var failures = 0
        let since: ContinuousClock.Instant
    }

    /// The number of wrong tokens that an address may send in ``time``.
    private static let limit = 20
    private static let time = Duration.seconds(60)
    /// The maximum number of addresses; beyond it, all are forgotten.
    private static let addressLimit = 10_000

    private let counts = Mutex<[ServerAddress?: Count]>([:])

    /// Counts a wrong token; returns whether the number is still small.
    func allowsFailure(from address: ServerAddress?) -> Bool {
        let now = ContinuousClock.now
        let address = address?.network
        return counts.withLock { counts in
            if counts.count >= Self.addressLimit { counts = counts.filter { $0.value.since + Self.time > now } }
            if counts.count >= Self.addressLimit { counts = [:] }
            var count = counts[address] ?? Count(since: now)
            if count.since + Self.time <= now { count = Count(since: now) }
            count.failures += 1
            counts[address] = count
            return count.failures <= Self.limit
        }
    }
}
