import NIOCore
import Synchronization

/// Counts the open connections or HTTP/2 requests of each address.
///
/// This machine and trusted proxies are not counted, because they connect for many clients.
final class ConnectionCounts: Sendable {
    private let limit: Int
    private let noun: String
    private let access: AccessSettings
    private let counts = Mutex<[ServerAddress: Int]>([:])

    /// Creates the counts of a server's connections.
    init(_ settings: ServerSettings) {
        (limit, noun) = (settings.connectionsPerAddress, "connections")
        access = settings.access
    }

    /// Creates counts.
    ///
    /// - Parameters:
    ///   - limit: The maximum for one address.
    ///   - noun: The plural noun for messages.
    ///   - access: The settings that define which addresses are counted.
    init(limit: Int, noun: String, of access: AccessSettings) {
        (self.limit, self.noun, self.access) = (limit, noun, access)
    }

    /// Adds one to the count of an address; each call needs one of ``remove(_:)``.
    ///
    /// - Returns: The problem if the address has too many.
    func add(_ address: ServerAddress?) -> Problem? {
        guard let address = access.counted(address) else { return nil }
        let count = counts.withLock { counts in
            counts[address, default: 0] += 1
            return counts[address] ?? 0
        }
        guard count > limit else { return nil }
        return Problem(.overloaded, detail: "\(limit) \(noun) of this address are open; close one")
    }

    /// Subtracts one from the count of an address.
    func remove(_ address: ServerAddress?) {
        guard let address = access.counted(address) else { return }
        counts.withLock { counts in
            counts[address, default: 1] -= 1
            if counts[address] == 0 { counts[address] = nil }
        }
    }
}

/// Counts the open HTTP/2 requests of all connections and of each address.
///
/// An address may have at most a quarter of the limit, except this machine and trusted proxies.
final class HTTP2RequestCounts: Sendable {
    private let limit: Int
    private let addresses: ConnectionCounts
    private let count = Mutex(0)

    /// Creates the counts of a server.
    init(_ settings: ServerSettings) {
        limit = settings.http2Requests
        addresses = ConnectionCounts(limit: max(1, limit / 4), noun: "requests", of: settings.access)
    }

    /// Adds a request; each call needs one of ``remove(_:)``.
    ///
    /// - Returns: The problem if there are too many.
    func add(_ address: ServerAddress?) -> Problem? {
        let all = count.withLock { count in
            count += 1
            return count
        }
        let problem = addresses.add(address)
        guard all > limit else { return problem }
        return Problem(.overloaded, detail: "\(limit) requests of HTTP/2 are open; ask again later")
    }

    /// Removes a request that was answered or cancelled.
    func remove(_ address: ServerAddress?) {
        count.withLock { $0 -= 1 }
        addresses.remove(address)
    }
}

/// Counts a connection for its address until the connection is closed.
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
