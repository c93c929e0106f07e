import NIOCore
import NIOHTTPTypes

/// Closes a connection that is not used any more, and none before its answers have left: who closes it otherwise
/// throws away what the client has not taken yet.
final class ConnectionClosingHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Whether a request has begun and not ended.
    private var isReading = false
    /// Requests whose answers have not been written to the end.
    private var unansweredCount = 0
    /// Answers that were written, but are not all with the system yet.
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
        // Who waits for an answer has nothing to say, and whoever takes too long to take one is `StalledClientHandler`'s.
        if isReading || unansweredCount + unsentCount == 0 { context.close(promise: nil) }
    }
}
