import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// Sets connections of HTTP/2 up: each request has a channel of its own, with the same guards as a connection of HTTP/1.1.
///
/// Hummingbird's set-up takes neither limits nor settings (decision 0032).
struct HTTP2ConnectionSetup: HTTPChannelHandler {
    typealias RequestChannel = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    /// A connection.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// The channels of its requests.
        let requests: AsyncStream<RequestChannel>
    }

    /// The most bytes of a head with its pseudo fields; the library ends connections that send more.
    private static let headByteCount = 80 << 10
    /// The number of resets, and of frames without a request, that a client may send within ``countedTime``.
    ///
    /// A gallery gives up the pictures that it has scrolled past, and a browser changes priorities.
    private static let frameCount = 1_000
    private static let countedTime = TimeAmount.seconds(30)
    /// The time that a client has to answer a ping.
    private static let pingTime = TimeAmount.seconds(20)

    let responder: HTTPChannelHandler.Responder
    private let refusal: ProtocolHandler.Refusal
    private let watches: ClientWatches
    private let limits: HTTP2RequestHandler.Limits
    private let times: ClientTimes

    /// Creates the set-up of a server's connections.
    ///
    /// - Parameters:
    ///   - answer: Hummingbird's responder.
    ///   - refusal: Makes the answer to a request that is refused.
    ///   - watches: The watches of all connections and requests.
    ///   - settings: The settings, for limits and the times of clients.
    init(
        answering answer: @escaping HTTPChannelHandler.Responder, refusal: @escaping ProtocolHandler.Refusal,
        watches: ClientWatches, settings: ServerSettings
    ) {
        (responder, self.refusal, self.watches) = (answer, refusal, watches)
        (limits, times) = (HTTP2RequestHandler.Limits(settings), ClientTimes(settings))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        setup(channel: channel, isExcess: false, logger: logger)
    }

    /// Sets a connection up.
    ///
    /// - Parameters:
    ///   - channel: The connection.
    ///   - isExcess: Whether its address has too many connections, so that it is closed with a goodbye.
    ///   - logger: The logger.
    /// - Returns: The connection.
    func setup(channel: any Channel, isExcess: Bool, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let (requests, continuation) = AsyncStream<RequestChannel>.makeStream()
            channel.closeFuture.whenComplete { _ in continuation.finish() }
            let deadlines = DeadlineHandler(times, of: .connection)
            let connection = HTTP2ConnectionHandler(deadlines, idleTime: times.idle)
            let place = NIOLoopBound(connection, eventLoop: channel.eventLoop)
            let configuration = configuration
            // The multiplexer comes last, so that `connection` sees every frame that the parser returns.
            try pipeline.addHandlers([
                LastByteHandler(), deadlines,
                NIOHTTP2Handler(
                    mode: .server, connectionConfiguration: configuration.connection,
                    streamConfiguration: configuration.stream),
                connection,
                NIOHTTP2ServerConnectionManagementHandler(
                    eventLoop: channel.eventLoop,
                    configuration: .init(
                        maxIdleTime: times.idle, maxAge: nil, maxGraceTime: nil,
                        keepalive: .init(pingInterval: times.idle, ackTimeout: Self.pingTime))),
                // An answer's writer waits while 64 KiB of it wait in memory.
                HTTP2StreamMultiplexer(
                    mode: .server, channel: channel, outboundBufferSizeHighWatermark: 64 << 10,
                    outboundBufferSizeLowWatermark: 32 << 10
                ) { request in
                    request.eventLoop.makeCompletedFuture {
                        _ = continuation.yield(try setUp(request, of: place.value))
                    }
                },
            ])
            // The connection became active before these handlers were there.
            try pipeline.context(handlerType: NIOHTTP2Handler.self).fireChannelActive()
            if isExcess { connection.refuse(try pipeline.context(handler: connection)) }
            return Value(channel: channel, requests: requests)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withDiscardingTaskGroup { group in
            for await request in value.requests {
                group.addTask { await handleHTTP(asyncChannel: request, logger: logger) }
            }
        }
    }

    private var configuration: NIOHTTP2Handler.Configuration {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.requestsPerConnection),
            HTTP2Setting(parameter: .maxHeaderListSize, value: Self.headByteCount),
        ]
        configuration.connection.controlFrameRateLimit.maximumCount = Self.frameCount
        configuration.connection.controlFrameRateLimit.windowLength = Self.countedTime
        configuration.stream.streamResetFrameRateLimit.maximumCount = Self.frameCount
        configuration.stream.streamResetFrameRateLimit.windowLength = Self.countedTime
        return configuration
    }

    /// Sets the channel of one request up.
    private func setUp(_ request: any Channel, of connection: HTTP2ConnectionHandler) throws -> RequestChannel {
        let deadlines = DeadlineHandler(times, of: .request)
        try request.pipeline.syncOperations.addHandlers([
            HTTP2FramePayloadToHTTPServerCodec(), deadlines,
            HTTP2RequestHandler(limits, deadlines: deadlines, of: connection, refusal: refusal),
            IdleStateHandler(readTimeout: times.idle), ConnectionClosingHandler(watches, of: .request),
        ])
        return try RequestChannel(wrappingChannelSynchronously: request)
    }
}

/// Passes the last byte of each read on by itself.
///
/// A frame that ends within a read does not end the time of the next one, which has begun in the same read: only the last byte
/// shows whether the client is within a frame.
final class LastByteHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if bytes.readableBytes > 1, let others = bytes.readSlice(length: bytes.readableBytes - 1) {
            context.fireChannelRead(wrapInboundOut(others))
        }
        context.fireChannelRead(wrapInboundOut(bytes))
    }
}

/// Ends connections of HTTP/2: those without a request for too long, those whose client has closed them or sends a frame too
/// slowly, and those on which an error has occurred.
///
/// The library's handler says goodbye to an idle client, but waits for its answer for ever.
final class HTTP2ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// The time that a client has to answer a goodbye.
    private static let linger = TimeAmount.seconds(5)

    private let deadlines: DeadlineHandler
    private let idleTime: TimeAmount
    /// The requests that have begun and not ended.
    private var requests: Set<HTTP2StreamID> = []
    /// Whether a ping was sent to a client whose bytes have not become a frame in time.
    private var isAsked = false
    private var idleEnd: Scheduled<Void>?

    /// The number of requests that have channels.
    ///
    /// The channel of a request that is reset in the same read is closed only after that read, so that a flood of resets
    /// does not start more requests at once than a connection may have open.
    var channelCount = 0

    /// Creates the handler of one connection.
    ///
    /// - Parameters:
    ///   - deadlines: The handler before the library's parser.
    ///   - idleTime: The time without a request after which the library's handler says goodbye.
    init(_ deadlines: DeadlineHandler, idleTime: TimeAmount) {
        (self.deadlines, self.idleTime) = (deadlines, idleTime)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        awaitRequest(context)
        // The client begins.
        deadlines.beginHead()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        idleEnd?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isAsked = false
        deadlines.endHead()
        let frame = unwrapInboundIn(data)
        if case .headers = frame.payload {
            requests.insert(frame.streamID)
            idleEnd?.cancel()
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as StreamClosedEvent:
            // The library also reports the end of a request with a malformed head, which has not begun: its next handler
            // asserts that it has.
            guard requests.remove(event.streamID) != nil else { return }
            if requests.isEmpty { awaitRequest(context) }
        case ChannelEvent.inputClosed as ChannelEvent:
            // No client of HTTP/2 has a reason to close its side alone.
            context.close(promise: nil)
        case is DeadlineHandler.HeadTooSlow: askOrRefuse(context)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The library has told the client the reason. It does not tell errors of one request from others.
        context.close(promise: nil)
    }

    /// Says goodbye to a client that asks too much, and closes the connection.
    func refuse(_ context: ChannelHandlerContext) {
        send(.goAway(lastStreamID: .rootStream, errorCode: .enhanceYourCalm, opaqueData: nil), in: context)
        context.close(promise: nil)
    }

    /// Sends a ping to a client whose bytes have not become a frame, and refuses it if it still does not send one.
    ///
    /// The library ignores frames of requests that have ended, so the client may be well: then it answers.
    private func askOrRefuse(_ context: ChannelHandlerContext) {
        if isAsked { return refuse(context) }
        isAsked = true
        send(.ping(HTTP2PingData(withInteger: 0), ack: false), in: context)
        deadlines.beginHead()
    }

    private func send(_ payload: HTTP2Frame.FramePayload, in context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
    }

    private func awaitRequest(_ context: ChannelHandlerContext) {
        idleEnd = context.eventLoop.assumeIsolated().scheduleTask(in: idleTime + Self.linger) {
            context.close(promise: nil)
        }
    }
}
