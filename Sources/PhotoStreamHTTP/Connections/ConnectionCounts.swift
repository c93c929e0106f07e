import NIOCore
import Synchronization

/// The connections, or requests of HTTP/2, that each address has open.
///
/// This machine and trusted proxy servers, which have those of many clients, are not counted.
final class ConnectionCounts: Sendable {
    private let limit: Int
    private let what: String
    private let uncounted: Set<ServerAddress>
    private let counts = Mutex<[ServerAddress: Int]>([:])

    /// Creates the counts of a server.
    init(_ settings: ServerSettings) {
        (limit, what) = (settings.connectionsPerAddress, "connections")
        uncounted = settings.access.proxies
    }

    /// Creates counts.
    ///
    /// - Parameters:
    ///   - limit: The most that one address may have open.
    ///   - what: The word for them, in the plural.
    ///   - uncounted: The addresses that are not counted.
    init(limit: Int, what: String, uncounted: Set<ServerAddress>) {
        (self.limit, self.what, self.uncounted) = (limit, what, uncounted)
    }

    /// Counts one.
    ///
    /// - Returns: The problem if the address has too many; ``remove(_:)`` is needed in any case.
    func add(_ address: ServerAddress?) -> Problem? {
        guard let address = counted(address) else { return nil }
        let count = counts.withLock { counts in
            counts[address, default: 0] += 1
            return counts[address] ?? 0
        }
        guard count > limit else { return nil }
        return Problem(.overloaded, detail: "\(limit) \(what) of this address are open; close one")
    }

    /// Records that one was closed.
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

/// Counts a connection for its address from its beginning to its end.
final class ConnectionCountHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let counts: ConnectionCounts
    /// The problem if the address has too many connections.
    private(set) var problem: Problem?

    /// Creates the handler of one connection.
    init(_ counts: ConnectionCounts) {
        self.counts = counts
    }

    func channelActive(context: ChannelHandlerContext) {
        problem = counts.add(ServerAddress(context.remoteAddress))
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        counts.remove(ServerAddress(context.remoteAddress))
        context.fireChannelInactive()
    }
}
