import NIOCore

/// The timeouts of a client.
struct ClientTimeouts {
    /// The time from the first byte of a head or of an HTTP/2 frame to its last.
    let head: TimeAmount
    /// The time without a request, or without reading any part of an answer.
    let idle: TimeAmount
    /// The required rate of a body.
    let body: BodyRate

    /// Creates the timeouts of a server's clients.
    init(_ settings: ServerSettings) {
        head = .seconds(Int64(settings.headSeconds))
        idle = .seconds(Int64(settings.idleSeconds))
        body = BodyRate(least: settings.bodyRate, longest: .seconds(Int64(settings.bodySeconds)))
    }
}

/// Bounds the time in which a client sends a head, sends a body, and reads an answer.
///
/// A client that trickles or stalls would otherwise keep its connection, memory and slots forever.
///
/// The handler comes before the parser, so that the first bytes start the time of a head or of an HTTP/2 frame, and a handler
/// after the parser reports its end. Each HTTP/2 request also has one, for its body and its answer.
final class DeadlineHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = Any
    typealias OutboundIn = Any

    /// The inbound event for a head or a frame that takes too long.
    struct HeadTooSlow {}

    /// The error of a body that is too slow.
    struct BodyTooSlow: Error {}

    /// The interval of the checks; a client may exceed its timeout by this time.
    private static let checkInterval = TimeAmount.milliseconds(500)
    /// The time that a client with a slow body has to read the answer before its connection is closed.
    private static let linger = TimeAmount.seconds(2)

    private let timeouts: ClientTimeouts
    private let kind: ClientWatches.Kind
    private var headEnd: NIODeadline?
    /// The rate of the body that is being read.
    private var body: BodyRate?
    /// The progress of a client with unread answers, and the time at which it was reached.
    private var unread: (progress: Int, since: NIODeadline)?
    /// The numbers of written and of sent parts of an HTTP/2 answer.
    private var (pendingCount, sentCount) = (0, 0)
    private var nextCheck: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    /// Creates the handler of one connection or one HTTP/2 request.
    init(_ timeouts: ClientTimeouts, of kind: ClientWatches.Kind) {
        (self.timeouts, self.kind) = (timeouts, kind)
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
        if body == nil, headEnd == nil { headEnd = .now() + timeouts.head }
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
        guard unread == nil, let progress = progress(context) else { return }
        unread = (progress, .now())
        checkLater()
    }

    /// Starts the time of a head or a frame before its first byte.
    func beginHead() {
        headEnd = .now() + timeouts.head
        checkLater()
    }

    /// Ends the time of a head or a frame, which the parser has returned.
    func endHead() {
        headEnd = nil
    }

    /// Records that a body follows.
    func beginBody() {
        body = timeouts.body
    }

    /// Records that bytes of a body have arrived.
    func receiveBody(_ count: Int) {
        body?.receive(count, now: .now())
    }

    /// Records that the body has arrived completely.
    func endBody() {
        body = nil
    }

    /// Schedules the next check, if there is a time to bound.
    private func checkLater() {
        guard nextCheck == nil, let context, headEnd != nil || body != nil || unread != nil else { return }
        nextCheck = context.eventLoop.assumeIsolated().scheduleTask(in: Self.checkInterval) { [self] in
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
        let progress = progress(context)
        if progress != last.progress {
            unread = progress.map { ($0, now) }
        } else if now - last.since >= timeouts.idle {
            unread = nil
            context.close(promise: nil)
        }
    }

    /// Returns a number that changes when the client reads; `nil` if there are no unread answers.
    ///
    /// For an HTTP/2 request, parts are counted, because NIO does not report unsent bytes.
    private func progress(_ context: ChannelHandlerContext) -> Int? {
        guard kind == .connection else { return pendingCount > 0 ? sentCount : nil }
        let count = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return count > 0 ? count : nil
    }
}

/// Measures the rate at which a body arrives.
///
/// Only the time in which the server waits for the client counts.
struct BodyRate {
    /// The time for which the rate is not checked.
    private static let grace = TimeAmount.seconds(10)

    /// The minimum average number of bytes per second after ``grace``.
    private let least: Int
    /// The maximum time for a body.
    private let longest: TimeAmount
    private var byteCount = 0
    /// The total time of earlier waits.
    private var waited = TimeAmount.zero
    private var waitingSince: NIODeadline?

    /// Creates the rate of a new body.
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
