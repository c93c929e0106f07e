import Synchronization

/// The connections that each address has open.
///
/// This machine and trusted proxy servers, which have those of many clients, are not counted.
final class ConnectionCounts: Sendable {
    private let limit: Int
    private let uncounted: Set<ServerAddress>
    private let counts = Mutex<[ServerAddress: Int]>([:])

    /// Creates the counts of a server.
    init(_ settings: ServerSettings) {
        limit = settings.connectionsPerAddress
        uncounted = settings.access.proxies
    }

    /// Counts a connection.
    ///
    /// - Returns: The problem if the address has too many; ``remove(_:)`` is needed in any case.
    func add(_ address: ServerAddress?) -> Problem? {
        guard let address = counted(address) else { return nil }
        let count = counts.withLock { counts in
            counts[address, default: 0] += 1
            return counts[address] ?? 0
        }
        guard count > limit else { return nil }
        return Problem(.overloaded, detail: "\(limit) connections of this address are open; close one")
    }

    /// Records that a connection was closed.
    func remove(_ address: ServerAddress?) {
        guard let address = counted(address) else { return }
        counts.withLock { counts in
            counts[address, default: 1] -= 1
            if counts[address] == 0 { counts[address] = nil }
        }
    }

    private func counted(_ address: ServerAddress?) -> ServerAddress? {
        guard let address, !address.isLoopback, !uncounted.contains(address) else { return nil }
        return address
    }
}
