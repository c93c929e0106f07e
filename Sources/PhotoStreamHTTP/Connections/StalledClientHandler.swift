import NIOCore

/// Closes a connection whose client reads nothing of an answer for too long.
///
/// A stalled client would keep answers in memory, or a file open, for ever, and would keep the server from ending.
final class StalledClientHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    /// The number of checks within the patience; a client may exceed the patience by one interval.
    private static let stepCount = 4

    private let step: TimeAmount
    private var nextLook: Scheduled<Void>?

    /// Creates the handler of one connection.
    ///
    /// - Parameter patience: The time for which a client may read nothing while the channel is not writable.
    init(patience: TimeAmount) {
        step = .nanoseconds(max(1, patience.nanoseconds / Int64(Self.stepCount)))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stop()
        if !context.channel.isWritable { look(context, pending: Self.pendingByteCount(context), steps: 0) }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A few bytes, with which the channel is still writable, may be left for ever, too.
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

    /// Checks after an interval whether the client has read anything, until no bytes wait for it.
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

    /// The number of bytes that wait to be sent to the client.
    private static func pendingByteCount(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
