import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// Sets connections up with TLS, and then for the protocol on which client and server have agreed.
struct SecureConnectionSetup: ServerChildChannel {
    /// A connection of either protocol.
    enum Agreed: Sendable {
        case http1(ConnectionSetup.Value)
        case http2(HTTP2ConnectionSetup.Value)
    }

    /// A connection, and what is agreed on later.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let agreed: EventLoopFuture<Agreed>
    }

    let http1: ConnectionSetup
    let http2: HTTP2ConnectionSetup
    let certificate: TLSCertificate
    let watches: ClientWatches

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let counting = ConnectionCountHandler(http1.connections)
            let handshake = HandshakeHandler(watches, limit: http1.times.head)
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Agreed> { result, channel in
                handshake.end()
                switch result {
                case .negotiated("h2"):
                    let isExcess = counting.problem != nil
                    return http2.setup(channel: channel, isExcess: isExcess, logger: logger).map { .http2($0) }
                case .negotiated, .fallback:
                    return http1.setup(channel: channel, counting: counting, logger: logger).map { .http1($0) }
                }
            }
            try pipeline.addHandlers([
                counting, handshake, NIOSSLServerHandler(context: certificate.context), negotiation,
            ])
            return Value(channel: channel, agreed: negotiation.protocolNegotiationResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        switch try? await value.agreed.get() {
        case .http1(let connection): await http1.handle(value: connection, logger: logger)
        case .http2(let connection): await http2.handle(value: connection, logger: logger)
        case nil: break
        }
    }
}

/// Closes a connection whose client does not agree on a protocol in time, or at the end of the server.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let watches: ClientWatches
    private let limit: TimeAmount
    private var deadline: Scheduled<Void>?
    private var isOver = false

    /// Creates the handler of one connection.
    ///
    /// - Parameters:
    ///   - watches: The watches of all connections.
    ///   - limit: The time from the beginning of the connection.
    init(_ watches: ClientWatches, limit: TimeAmount) {
        (self.watches, self.limit) = (watches, limit)
    }

    /// Records that client and server have agreed.
    func end() {
        isOver = true
        deadline?.cancel()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let (loop, place) = (context.eventLoop, NIOLoopBound(context, eventLoop: context.eventLoop))
        watches.add(ClientWatch(), of: context.channel, as: .connection) {
            loop.execute { place.value.close(promise: nil) }
        }
        deadline = loop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        watches.remove(context.channel)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, !isOver { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}
