import NIOCore
import NIOHTTPTypes

/// Closes unused connections, delays every close until the answers have left, and notices clients that leave.
///
/// A close before that would discard the bytes that the client has not read yet.
final class ConnectionClosingHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let watches: ClientWatches
    private let watch = ClientWatch()
    private let kind: ClientWatches.Kind
    /// Whether a request has begun and not ended.
    private var isReading = false
    /// The number of requests whose answers have not been written completely.
    private var unansweredCount = 0
    /// The number of answers that were written, but are not completely with the system yet.
    private var unsentCount = 0
    /// Fulfilled when the connection is closed, which waits for answers to leave.
    private var closing: EventLoopPromise<Void>?

    /// Creates the handler of one connection, or of one request of HTTP/2.
    init(_ watches: ClientWatches, of kind: ClientWatches.Kind) {
        (self.watches, self.kind) = (watches, kind)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let loop = context.eventLoop
        let place = NIOLoopBound(context, eventLoop: loop)
        // Closes from here on, not through this handler, which would first have answers sent.
        watches.add(watch, of: context.channel, as: kind) { loop.execute { place.value.close(promise: nil) } }
    }

    func channelInactive(context: ChannelHandlerContext) {
        watch.leave()
        watches.remove(context.channel)
        context.fireChannelInactive()
    }

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
        if case .inputClosed? = event as? ChannelEvent { watch.leave() }
        guard case .read? = event as? IdleStateHandler.IdleStateEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        // Do not time out clients that wait for an answer, or still read one: `DeadlineHandler` closes those that stop.
        if isReading || unansweredCount + unsentCount == 0 { context.close(promise: nil) }
    }
}
