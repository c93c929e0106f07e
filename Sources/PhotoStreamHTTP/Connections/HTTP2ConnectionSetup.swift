import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// Sets up HTTP/2 connections, on which each request has its own channel with the same guards as an HTTP/1.1 connection.
///
/// Hummingbird's own set-up has no parameters for limits and settings (decision 0032).
struct HTTP2ConnectionSetup: HTTPChannelHandler {
    typealias RequestChannel = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    /// A connection.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// The channels of its requests.
        let requests: AsyncStream<RequestChannel>
    }

    /// The maximum size of a head with its pseudo fields, in bytes; NIO closes connections that send more.
    private static let headByteCount = 80 << 10
    /// The number of resets, and of frames without a request, that NIO accepts within ``countedTime``.
    ///
    /// A gallery cancels the pictures that it has scrolled past, and a browser changes priorities.
    private static let frameCount = 1_000
    private static let countedTime = TimeAmount.seconds(30)
    /// The time that a client has to answer a ping.
    private static let pingTime = TimeAmount.seconds(20)

    let responder: HTTPChannelHandler.Responder
    private let refusal: ProtocolHandler.Refusal
    private let watches: ClientWatches
    private let limits: HTTP2RequestHandler.Limits
    private let timeouts: ClientTimeouts

    /// Creates the set-up of a server's connections.
    ///
    /// - Parameters:
    ///   - answer: Hummingbird's responder.
    ///   - refusal: Makes the answer to a request that is refused.
    ///   - watches: The watches of all connections and requests.
    ///   - settings: The settings, for limits and timeouts.
    init(
        answering answer: @escaping HTTPChannelHandler.Responder, refusal: @escaping ProtocolHandler.Refusal,
        watches: ClientWatches, settings: ServerSettings
    ) {
        (responder, self.refusal, self.watches) = (answer, refusal, watches)
        (limits, timeouts) = (HTTP2RequestHandler.Limits(settings), ClientTimeouts(settings))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        setup(channel: channel, isExcess: false, logger: logger)
    }

    /// Sets up a connection.
    ///
    /// - Parameters:
    ///   - channel: The connection.
    ///   - isExcess: Whether its address has too many connections; it is then closed with GOAWAY.
    ///   - logger: The logger.
    /// - Returns: The connection.
    func setup(channel: any Channel, isExcess: Bool, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let (requests, continuation) = AsyncStream<RequestChannel>.makeStream()
            channel.closeFuture.whenComplete { _ in continuation.finish() }
            let deadlines = DeadlineHandler(timeouts, of: .connection)
            let connection = HTTP2ConnectionHandler(deadlines, idleTime: timeouts.idle)
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
                        maxIdleTime: timeouts.idle, maxAge: nil, maxGraceTime: nil,
                        keepalive: .init(pingInterval: timeouts.idle, ackTimeout: Self.pingTime))),
                // The writer of an answer waits while 64 KiB of it are in memory.
                HTTP2StreamMultiplexer(
                    mode: .server, channel: channel, outboundBufferSizeHighWatermark: 64 << 10,
                    outboundBufferSizeLowWatermark: 32 << 10
                ) { request in
                    request.eventLoop.makeCompletedFuture {
                        _ = continuation.yield(try setUp(request, of: place.value))
                    }
                },
            ])
            // The connection became active before these handlers were added.
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

    /// Sets up the channel of one request.
    private func setUp(_ request: any Channel, of connection: HTTP2ConnectionHandler) throws -> RequestChannel {
        let deadlines = DeadlineHandler(timeouts, of: .request)
        try request.pipeline.syncOperations.addHandlers([
            HTTP2FramePayloadToHTTPServerCodec(), deadlines,
            HTTP2RequestHandler(limits, deadlines: deadlines, of: connection, refusal: refusal),
            IdleStateHandler(readTimeout: timeouts.idle), ConnectionClosingHandler(watches, of: .request),
        ])
        return try RequestChannel(wrappingChannelSynchronously: request)
    }
}

/// Passes on the last byte of each read separately.
///
/// A frame that ends within a read must not end the time of the next frame, which begins in the same read. If the last byte
/// does not complete a frame, the time of that frame starts with it.
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

/// Closes HTTP/2 connections that are idle for too long, that the client has half-closed, on which it sends a frame too slowly,
/// or on which an error occurs.
///
/// NIO's connection manager sends GOAWAY to an idle client, but then waits for the client forever.
final class HTTP2ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// The time that a client has to close its connection after GOAWAY.
    private static let linger = TimeAmount.seconds(5)

    private let deadlines: DeadlineHandler
    private let idleTime: TimeAmount
    /// The requests that have begun and not ended.
    private var requests: Set<HTTP2StreamID> = []
    /// Whether a ping was sent because no frame was parsed in time.
    private var isPinged = false
    private var idleEnd: Scheduled<Void>?

    /// The number of requests that have channels.
    ///
    /// The channel of a request that is reset in the same read is closed only after that read, so that a flood of resets
    /// does not start more requests at once than a connection may have open.
    var channelCount = 0

    /// Creates the handler of one connection.
    ///
    /// - Parameters:
    ///   - deadlines: The handler before NIO's parser.
    ///   - idleTime: The time without a request after which NIO's connection manager sends GOAWAY.
    init(_ deadlines: DeadlineHandler, idleTime: TimeAmount) {
        (self.deadlines, self.idleTime) = (deadlines, idleTime)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        awaitRequest(context)
        // The client sends the first bytes.
        deadlines.beginHead()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        idleEnd?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isPinged = false
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
            // NIO also reports the end of a request that never began, because its head was malformed. NIO's connection
            // manager asserts that the request has begun.
            guard requests.remove(event.streamID) != nil else { return }
            if requests.isEmpty { awaitRequest(context) }
        case ChannelEvent.inputClosed as ChannelEvent:
            // An HTTP/2 client has no reason to half-close its connection.
            context.close(promise: nil)
        case is DeadlineHandler.HeadTooSlow: pingOrRefuse(context)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIO has sent the reason to the client, and does not distinguish errors of one request from others.
        context.close(promise: nil)
    }

    /// Sends GOAWAY to a client that exceeds a limit, and closes the connection.
    func refuse(_ context: ChannelHandlerContext) {
        send(.goAway(lastStreamID: .rootStream, errorCode: .enhanceYourCalm, opaqueData: nil), in: context)
        context.close(promise: nil)
    }

    /// Sends a ping to a client whose bytes have not become a frame in time; refuses it if it has not answered the last ping.
    ///
    /// NIO ignores frames of requests that have ended, so the client may have sent a whole frame. It then answers the ping.
    private func pingOrRefuse(_ context: ChannelHandlerContext) {
        if isPinged { return refuse(context) }
        isPinged = true
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
