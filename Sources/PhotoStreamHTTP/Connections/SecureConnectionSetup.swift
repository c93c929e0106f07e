import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// Sets up connections with TLS, and then for the protocol that client and server negotiate.
struct SecureConnectionSetup: ServerChildChannel {
    /// A connection of either protocol.
    enum Negotiated: Sendable {
        case http1(ConnectionSetup.Value)
        case http2(HTTP2ConnectionSetup.Value)
    }

    /// A connection, and the future with its protocol.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let negotiated: EventLoopFuture<Negotiated>
    }

    let http1: ConnectionSetup
    let http2: HTTP2ConnectionSetup
    let certificate: TLSCertificate
    let watches: ClientWatches

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let counting = http1.countingHandler()
            let handshake = HandshakeHandler(watches, timeout: http1.timeouts.head)
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Negotiated> { result, channel in
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
            return Value(channel: channel, negotiated: negotiation.protocolNegotiationResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        switch try? await value.negotiated.get() {
        case .http1(let connection): await http1.handle(value: connection, logger: logger)
        case .http2(let connection): await http2.handle(value: connection, logger: logger)
        case nil: break
        }
    }
}

/// Closes a connection whose handshake takes too long, or is not complete when the server shuts down.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let watches: ClientWatches
    private let timeout: TimeAmount
    private var deadline: Scheduled<Void>?
    private var isOver = false

    /// Creates the handler of one connection.
    ///
    /// - Parameters:
    ///   - watches: The watches of all connections.
    ///   - timeout: The time from the start of the connection to the end of the handshake.
    init(_ watches: ClientWatches, timeout: TimeAmount) {
        (self.watches, self.timeout) = (watches, timeout)
    }

    /// Records that the handshake is complete.
    func end() {
        isOver = true
        deadline?.cancel()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let (loop, place) = (context.eventLoop, NIOLoopBound(context, eventLoop: context.eventLoop))
        watches.add(ClientWatch(), of: context.channel, as: .connection) {
            loop.execute { place.value.close(promise: nil) }
        }
        deadline = loop.assumeIsolated().scheduleTask(in: timeout) { context.close(promise: nil) }
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
