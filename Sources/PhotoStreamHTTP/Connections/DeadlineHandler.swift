import NIOCore

/// The times that a client has.
struct ClientTimes {
    /// The time from the first byte of a head, or of a frame of HTTP/2, to its end.
    let head: TimeAmount
    /// The time without a request, or without reading any of an answer.
    let idle: TimeAmount
    /// The rate of a body that begins.
    let body: BodyRate

    /// Creates the times of a server's clients.
    init(_ settings: ServerSettings) {
        head = .seconds(Int64(settings.headSeconds))
        idle = .seconds(Int64(settings.idleSeconds))
        body = BodyRate(least: settings.bodyRate, longest: .seconds(Int64(settings.bodySeconds)))
    }
}

/// Bounds the times in which a client sends a head, sends a body, and reads an answer: one that trickles or stalls would keep
/// its connection, memory or one of a few places for ever.
///
/// It comes before the parser, so that bytes begin the time of a head, or of a frame of HTTP/2. A handler after the parser
/// reports what the bytes are. Each request of HTTP/2 has one, too, for its body and its answer.
final class DeadlineHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = Any
    typealias OutboundIn = Any

    /// The event of a head or a frame that takes too long, for handlers after this one.
    struct HeadTooSlow {}

    /// The error with which a body ends that is too slow.
    struct BodyTooSlow: Error {}

    /// The interval of the checks, by which a client may exceed its time.
    private static let step = TimeAmount.milliseconds(500)
    /// The time that the client has to read the answer to a body that is too slow before its connection is closed.
    private static let linger = TimeAmount.seconds(2)

    private let times: ClientTimes
    private let kind: ClientWatches.Kind
    private var headEnd: NIODeadline?
    /// The rate of the body that is being read.
    private var body: BodyRate?
    /// A number that changes when the client reads, and the time since which it has not.
    private var unread: (mark: Int, since: NIODeadline)?
    /// The parts of answers that a request of HTTP/2 has not sent, and has sent.
    private var (pendingCount, sentCount) = (0, 0)
    private var nextCheck: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    /// Creates the handler of one connection, or of one request of HTTP/2.
    init(_ times: ClientTimes, of kind: ClientWatches.Kind) {
        (self.times, self.kind) = (times, kind)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        nextCheck?.cancel()
        self.context = nil
    }

    func read(context: ChannelHandlerContext) {
        body?.wait(now: .now())
        checkLater()
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if body == nil, headEnd == nil { headEnd = .now() + times.head }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        checkLater()
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard kind == .request else { return context.write(data, promise: promise) }
        pendingCount += 1
        let sent = promise ?? context.eventLoop.makePromise()
        sent.futureResult.assumeIsolated().whenComplete { [self] _ in
            pendingCount -= 1
            sentCount += 1
        }
        context.write(data, promise: sent)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard unread == nil, let mark = unreadMark(context) else { return }
        unread = (mark, .now())
        checkLater()
    }

    /// Begins the time of a head or a frame before its first byte.
    func beginHead() {
        headEnd = .now() + times.head
        checkLater()
    }

    /// Records that the parser has returned a head or a frame.
    func endHead() {
        headEnd = nil
    }

    /// Records that a body follows.
    func beginBody() {
        body = times.body
    }

    /// Records that bytes of a body have arrived.
    func receiveBody(_ count: Int) {
        body?.receive(count, now: .now())
    }

    /// Records that the body has arrived completely.
    func endBody() {
        body = nil
    }

    /// Checks after an interval, until there is nothing to wait for.
    private func checkLater() {
        guard nextCheck == nil, let context, headEnd != nil || body != nil || unread != nil else { return }
        nextCheck = context.eventLoop.assumeIsolated().scheduleTask(in: Self.step) { [self] in
            nextCheck = nil
            check(context, now: .now())
            checkLater()
        }
    }

    private func check(_ context: ChannelHandlerContext, now: NIODeadline) {
        if let headEnd, headEnd <= now {
            self.headEnd = nil
            context.fireUserInboundEventTriggered(HeadTooSlow())
        }
        if body?.isTooSlow(now: now) == true {
            body = nil
            context.fireErrorCaught(BodyTooSlow())
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.linger) { context.channel.close(promise: nil) }
        }
        guard let last = unread else { return }
        let mark = unreadMark(context)
        if mark != last.mark {
            unread = mark.map { ($0, now) }
        } else if now - last.since >= times.idle {
            unread = nil
            context.close(promise: nil)
        }
    }

    /// Returns a number that changes when the client reads; `nil` if nothing waits for it.
    ///
    /// A request of HTTP/2 counts parts, since the library does not report its bytes.
    private func unreadMark(_ context: ChannelHandlerContext) -> Int? {
        guard kind == .connection else { return pendingCount > 0 ? sentCount : nil }
        let count = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return count > 0 ? count : nil
    }
}

/// The rate at which a body arrives.
///
/// Only the time in which the server waits for its client counts.
struct BodyRate {
    /// The time in which a client may send nothing at all.
    private static let grace = TimeAmount.seconds(10)

    /// The least average of bytes per second, once ``grace`` is over.
    private let least: Int
    /// The longest time for a body.
    private let longest: TimeAmount
    private var byteCount = 0
    /// The time that the server has waited, without the current wait.
    private var waited = TimeAmount.zero
    private var waitingSince: NIODeadline?

    /// Creates the rate of a body that begins.
    init(least: Int, longest: TimeAmount) {
        (self.least, self.longest) = (least, longest)
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
        let counted = max(0, (total - Self.grace).nanoseconds)
        return total > longest || Double(byteCount) < Double(least) * Double(counted) / 1e9
    }

    private func total(now: NIODeadline) -> TimeAmount {
        waitingSince.map { waited + (now - $0) } ?? waited
    }
}
