import NIOCore
import NIOHTTPTypes

/// Closes idle connections, delays every close until the answers are sent, and notices clients that leave.
///
/// An earlier close would discard bytes that the client has not read yet.
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
    /// The number of answers that were written, but that the system has not accepted completely.
    private var unsentCount = 0
    /// The promise of a close that waits until the answers are sent.
    private var closing: EventLoopPromise<Void>?

    /// Creates the handler of one connection or one HTTP/2 request.
    init(_ watches: ClientWatches, of kind: ClientWatches.Kind) {
        (self.watches, self.kind) = (watches, kind)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let loop = context.eventLoop
        let place = NIOLoopBound(context, eventLoop: loop)
        // A close of the context bypasses this handler, which would wait until the answers are sent.
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
        // Clients that wait for an answer or read one are not idle; `DeadlineHandler` closes those that stop reading.
        if isReading || unansweredCount + unsentCount == 0 { context.close(promise: nil) }
    }
}
