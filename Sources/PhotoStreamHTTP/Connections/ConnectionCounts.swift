import NIOCore
import Synchronization

/// The connections, or requests of HTTP/2, that each address has open.
///
/// This machine and trusted proxy servers, which have those of many clients, are not counted.
final class ConnectionCounts: Sendable {
    private let limit: Int
    private let what: String
    private let access: AccessSettings
    private let counts = Mutex<[ServerAddress: Int]>([:])

    /// Creates the counts of a server.
    init(_ settings: ServerSettings) {
        (limit, what) = (settings.connectionsPerAddress, "connections")
        access = settings.access
    }

    /// Creates counts.
    ///
    /// - Parameters:
    ///   - limit: The most that one address may have open.
    ///   - what: The word for them, in the plural.
    ///   - access: The settings that say which addresses are counted.
    init(limit: Int, what: String, of access: AccessSettings) {
        (self.limit, self.what, self.access) = (limit, what, access)
    }

    /// Counts one.
    ///
    /// - Returns: The problem if the address has too many; ``remove(_:)`` is needed in any case.
    func add(_ address: ServerAddress?) -> Problem? {
        guard let address = access.counted(address) else { return nil }
        let count = counts.withLock { counts in
            counts[address, default: 0] += 1
            return counts[address] ?? 0
        }
        guard count > limit else { return nil }
        return Problem(.overloaded, detail: "\(limit) \(what) of this address are open; close one")
    }

    /// Records that one was closed.
    func remove(_ address: ServerAddress?) {
        guard let address = access.counted(address) else { return }
        counts.withLock { counts in
            counts[address, default: 1] -= 1
            if counts[address] == 0 { counts[address] = nil }
        }
    }
}

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
