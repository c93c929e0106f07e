import NIOCore
import NIOHTTPTypes

/// Ends a request of HTTP/2 whose client reads nothing of its answer for too long.
///
/// It does for one request what ``StalledClientHandler`` does for a connection: a client may read others of the same
/// connection, and leave this one no window. The library does not tell how many bytes of a request wait, so it counts parts.
final class StalledAnswerHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The length of the parts in which an answer is written, in bytes.
    private static let partByteCount = 16 << 10
    /// The number of checks within the patience; a client may exceed the patience by one interval.
    private static let stepCount = 4

    private let step: TimeAmount
    private var pendingCount = 0
    private var sentCount = 0
    private var nextLook: Scheduled<Void>?

    /// Creates the handler of one request.
    ///
    /// - Parameter patience: The time for which a client may read nothing while parts wait for it.
    init(patience: TimeAmount) {
        step = .nanoseconds(max(1, patience.nanoseconds / Int64(Self.stepCount)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .body(var bytes) = unwrapOutboundIn(data) else { return send(data, promise: promise, in: context) }
        while bytes.readableBytes > Self.partByteCount, let part = bytes.readSlice(length: Self.partByteCount) {
            send(wrapOutboundOut(.body(part)), promise: nil, in: context)
        }
        send(wrapOutboundOut(.body(bytes)), promise: promise, in: context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        nextLook?.cancel()
    }

    private func send(_ data: NIOAny, promise: EventLoopPromise<Void>?, in context: ChannelHandlerContext) {
        pendingCount += 1
        let sent = promise ?? context.eventLoop.makePromise()
        sent.futureResult.assumeIsolated().whenComplete { [self] _ in
            pendingCount -= 1
            sentCount += 1
            guard pendingCount == 0 else { return }
            nextLook?.cancel()
            nextLook = nil
        }
        context.write(data, promise: sent)
        if pendingCount > 0, nextLook == nil { look(context, sent: sentCount, steps: 0) }
    }

    /// Checks after an interval whether any part has left, until none waits.
    private func look(_ context: ChannelHandlerContext, sent: Int, steps: Int) {
        nextLook = context.eventLoop.assumeIsolated().scheduleTask(in: step) { [self] in
            let steps = sentCount == sent ? steps + 1 : 0
            if steps == Self.stepCount {
                nextLook = nil
                context.close(promise: nil)
            } else {
                look(context, sent: sentCount, steps: steps)
            }
        }
    }
}
