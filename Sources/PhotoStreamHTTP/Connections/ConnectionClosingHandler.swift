import NIOCore
import NIOHTTPTypes

/// Closes unused connections, and delays every close until the answers have left.
///
/// A close before that would discard the bytes that the client has not read yet.
final class ConnectionClosingHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Whether a request has begun and not ended.
    private var isReading = false
    /// The number of requests whose answers have not been written completely.
    private var unansweredCount = 0
    /// The number of answers that were written, but are not completely with the system yet.
    private var unsentCount = 0
    /// Fulfilled when the connection is closed, which waits for answers to leave.
    private var closing: EventLoopPromise<Void>?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isReading = true
            unansweredCount += 1
        case .body: break
        case .end: isReading = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        unansweredCount = max(0, unansweredCount - 1)
        unsentCount += 1
        let sent = promise ?? context.eventLoop.makePromise()
        sent.futureResult.assumeIsolated().whenComplete { [self] _ in
            unsentCount -= 1
            guard unsentCount == 0, let closing else { return }
            self.closing = nil
            context.close(mode: .all, promise: closing)
        }
        context.write(data, promise: sent)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, unsentCount > 0 else { return context.close(mode: mode, promise: promise) }
        if let closing {
            closing.futureResult.cascade(to: promise)
        } else {
            closing = promise ?? context.eventLoop.makePromise()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .read? = event as? IdleStateHandler.IdleStateEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        // Do not time out clients that wait for an answer, or still read one: `StalledClientHandler` closes those that
        // stop.
        if isReading || unansweredCount + unsentCount == 0 { context.close(promise: nil) }
    }
}
