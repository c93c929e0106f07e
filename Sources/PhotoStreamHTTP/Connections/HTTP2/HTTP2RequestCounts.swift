import Synchronization

/// The requests of HTTP/2 that are open, of all connections and of each address.
///
/// One address has at most a quarter of all, other than this machine and trusted proxy servers.
final class HTTP2RequestCounts: Sendable {
    private let limit: Int
    private let addresses: ConnectionCounts
    private let count = Mutex(0)

    /// Creates the counts of a server.
    init(_ settings: ServerSettings) {
        limit = settings.http2Requests
        addresses = ConnectionCounts(limit: max(1, limit / 4), what: "requests", of: settings.access)
    }

    /// Counts a request.
    ///
    /// - Returns: The problem if there are too many; ``remove(_:)`` is needed in any case.
    func add(_ address: ServerAddress?) -> Problem? {
        let all = count.withLock { count in
            count += 1
            return count
        }
        let problem = addresses.add(address)
        guard all > limit else { return problem }
        return Problem(.overloaded, detail: "\(limit) requests of HTTP/2 are open; ask again later")
    }

    /// Records that a request has been answered or given up.
    func remove(_ address: ServerAddress?) {
        count.withLock { $0 -= 1 }
        addresses.remove(address)
    }
}
