import NIOCore

/// Counts a connection for its address until the connection is closed.
final class ConnectionCountHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let connections: SharedBudget
    private let access: AccessSettings
    private var place: SharedBudget.Share?
    /// The problem if the address has too many connections.
    private(set) var problem: Problem?

    /// Creates the handler of one connection.
    init(_ connections: SharedBudget, access: AccessSettings) {
        (self.connections, self.access) = (connections, access)
    }

    func channelActive(context: ChannelHandlerContext) {
        do throws(Problem) {
            place = try connections.place(
                for: BoundedClient(address: access.counted(ServerAddress(context.remoteAddress))))
        } catch {
            problem = error
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        place = nil
        context.fireChannelInactive()
    }
}
