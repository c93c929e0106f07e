import NIOCore
import NIOHTTPTypes

/// The pace at which a body arrives.
///
/// Only the time in which the server waits for its client counts.
struct BodyPace {
    /// The least rate and the longest time of a body.
    struct Rule: Sendable {
        /// The least average of bytes per second, once ``grace`` is over.
        let leastRate: Int
        /// The longest time for a body.
        let total: TimeAmount
        /// The time in which a client may send nothing at all.
        static let grace = TimeAmount.seconds(10)
    }

    private let rule: Rule
    private var byteCount = 0
    /// The time that the server has waited, without the current wait.
    private var waited = TimeAmount.zero
    private var waitingSince: NIODeadline?

    init(_ rule: Rule) {
        self.rule = rule
    }

    /// Records that the server waits for bytes.
    mutating func wait(now: NIODeadline) {
        if waitingSince == nil { waitingSince = now }
    }

    /// Records that bytes have arrived.
    mutating func receive(_ count: Int, now: NIODeadline) {
        waited = total(now: now)
        waitingSince = nil
        byteCount += count
    }

    /// Whether the body has taken too long.
    func isTooSlow(now: NIODeadline) -> Bool {
        let total = total(now: now)
        let counted = max(0, (total - Rule.grace).nanoseconds)
        return total > rule.total || Double(byteCount) < Double(rule.leastRate) * Double(counted) / 1e9
    }

    private func total(now: NIODeadline) -> TimeAmount {
        waitingSince.map { waited + (now - $0) } ?? waited
    }
}

/// Ends requests whose bodies arrive too slowly: a client that trickles one holds memory, or one of a few places, that
/// others need.
final class BodyPaceHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart

    /// The error with which a body ends that was too slow.
    struct TooSlow: Error {}

    /// The interval of the checks.
    private static let step = TimeAmount.milliseconds(500)
    /// The time that the client has to read the answer before its connection is closed.
    private static let farewell = TimeAmount.seconds(2)

    private let rule: BodyPace.Rule
    /// The pace of the body that is being read.
    private var pace: BodyPace?
    private var nextLook: Scheduled<Void>?

    /// Creates the handler of one connection.
    init(_ rule: BodyPace.Rule) {
        self.rule = rule
    }

    func read(context: ChannelHandlerContext) {
        pace?.wait(now: .now())
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: pace = BodyPace(rule)
        case .body(let bytes): pace?.receive(bytes.readableBytes, now: .now())
        case .end: pace = nil
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if pace != nil, nextLook == nil { lookLater(context) }
        context.fireChannelReadComplete()
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

    private func lookLater(_ context: ChannelHandlerContext) {
        nextLook = context.eventLoop.assumeIsolated().scheduleTask(in: Self.step) { [self] in
            nextLook = nil
            guard let pace else { return }
            guard pace.isTooSlow(now: .now()) else { return lookLater(context) }
            self.pace = nil
            context.fireErrorCaught(TooSlow())
            nextLook = context.eventLoop.assumeIsolated().scheduleTask(in: Self.farewell) {
                context.close(promise: nil)
            }
        }
    }
}
