import NIOCore

/// Notices a client that sends the head of a request too slowly: by a byte now and then, it would keep its connection for
/// ever.
///
/// It comes before the parser. ``ProtocolHandler``, which sees the parser's messages, tells this one where heads and requests
/// end.
final class HeadPaceHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The event for handlers after this one.
    struct TooSlow {}

    private enum Phase {
        /// The next byte is the first of a request.
        case between
        case head
        case body
    }

    private let limit: TimeAmount
    private var phase = Phase.between
    private var deadline: Scheduled<Void>?

    /// Creates the handler of one connection.
    ///
    /// - Parameter limit: The time from the first byte of a request to the end of its head.
    init(limit: TimeAmount) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if phase == .between {
            phase = .head
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
                context.fireUserInboundEventTriggered(TooSlow())
            }
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
    }

    /// Records that the head has arrived.
    func endHead() {
        phase = .body
        deadline?.cancel()
    }

    /// Records that the request has arrived completely.
    func endRequest() {
        phase = .between
    }
}
