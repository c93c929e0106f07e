import NIOCore

/// Closes a connection whose client takes nothing of an answer for too long.
///
/// Whoever stands still would keep answers in memory, or a file open, for ever, and the server from ending.
final class StalledClientHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    /// How often it looks while it is patient: so much of the patience, at most, is added to it.
    private static let stepCount = 4

    private let step: TimeAmount
    private var nextLook: Scheduled<Void>?

    /// Creates the handler of one connection.
    ///
    /// - Parameter patience: How long a client may take nothing while more waits for it than is buffered gladly.
    init(patience: TimeAmount) {
        step = .nanoseconds(max(1, patience.nanoseconds / Int64(Self.stepCount)))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stop()
        if !context.channel.isWritable { look(context, pending: Self.pendingByteCount(context), steps: 0) }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // What is buffered gladly may be left for ever, too.
        if case .read? = event as? IdleStateHandler.IdleStateEvent, nextLook == nil {
            look(context, pending: Self.pendingByteCount(context), steps: 0)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
    }

    private func stop() {
        nextLook?.cancel()
        nextLook = nil
    }

    /// Looks after a step whether the client has taken anything, until nothing waits for it.
    private func look(_ context: ChannelHandlerContext, pending: Int, steps: Int) {
        guard pending > 0 else {
            nextLook = nil
            return
        }
        nextLook = context.eventLoop.assumeIsolated().scheduleTask(in: step) { [self] in
            let now = Self.pendingByteCount(context)
            let steps = now == pending ? steps + 1 : 0
            if steps == Self.stepCount {
                context.close(promise: nil)
            } else {
                look(context, pending: now, steps: steps)
            }
        }
    }

    /// How many bytes wait to be taken by the client's socket.
    private static func pendingByteCount(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
