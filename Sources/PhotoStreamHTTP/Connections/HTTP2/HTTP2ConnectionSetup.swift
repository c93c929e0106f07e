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
        let requests: NIOHTTP2Handler.AsyncStreamMultiplexer<RequestChannel>
    }

    /// The most bytes of a head with its pseudo fields; the library ends connections that send more.
    private static let headByteCount = 80 << 10
    /// The bytes of an answer that wait in memory before its writer waits.
    private static let window = (low: 32 << 10, high: 64 << 10)
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
    private let headTime: TimeAmount
    private let patience: TimeAmount
    private let pace: BodyPace.Rule

    /// Creates the set-up of a server's connections.
    ///
    /// - Parameters:
    ///   - answer: Hummingbird's responder.
    ///   - refusal: Makes the answer to a request that is refused.
    ///   - watches: The watches of all connections and requests.
    ///   - settings: The settings, for idle times, limits, and the pace of heads and bodies.
    init(
        answering answer: @escaping HTTPChannelHandler.Responder, refusal: @escaping ProtocolHandler.Refusal,
        watches: ClientWatches, settings: ServerSettings
    ) {
        (responder, self.refusal, self.watches) = (answer, refusal, watches)
        limits = HTTP2RequestHandler.Limits(
            addressByteCount: settings.addressLimit, fieldByteCount: settings.fieldLimit,
            requestsPerConnection: settings.requestsPerConnection, counts: HTTP2RequestCounts(settings))
        headTime = .seconds(Int64(settings.headSeconds))
        patience = .seconds(Int64(settings.idleSeconds))
        pace = BodyPace.Rule(leastRate: settings.bodyRate, total: .seconds(Int64(settings.bodySeconds)))
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
            try pipeline.addHandlers([
                IdleStateHandler(readTimeout: patience), StalledClientHandler(patience: patience),
                FramePaceHandler(limit: headTime),
            ])
            let connection = HTTP2ConnectionHandler(patience: patience)
            let place = NIOLoopBound(connection, eventLoop: channel.eventLoop)
            let requests = try pipeline.configureAsyncHTTP2Pipeline(
                mode: .server,
                connectionManagerConfiguration: .init(
                    maxIdleTime: patience, maxAge: nil, maxGraceTime: nil,
                    keepalive: .init(pingInterval: patience, ackTimeout: Self.pingTime)),
                http2HandlerConfiguration: configuration
            ) { stream in
                stream.eventLoop.makeCompletedFuture { try self.setUp(stream, of: place.value) }
            }
            try pipeline.addHandler(connection)
            // The connection became active before these handlers were there.
            try pipeline.context(handlerType: NIOHTTP2Handler.self).fireChannelActive()
            if isExcess { connection.refuse() }
            return Value(channel: channel, requests: requests)
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                for try await request in value.requests.inbound {
                    group.addTask { await handleHTTP(asyncChannel: request, logger: logger) }
                }
            }
        } catch {
            logger.trace("Failed to read from Channel. Error: \(error)")
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
        configuration.stream.outboundBufferSizeHighWatermark = Self.window.high
        configuration.stream.outboundBufferSizeLowWatermark = Self.window.low
        return configuration
    }

    /// Sets the channel of one request up.
    private func setUp(_ stream: any Channel, of connection: HTTP2ConnectionHandler) throws -> RequestChannel {
        let pipeline = stream.pipeline.syncOperations
        try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
        try pipeline.addHandler(HTTP2RequestHandler(limits, of: connection, refusal: refusal))
        try pipeline.addHandlers([
            ClientWatchHandler(watches, of: .request), IdleStateHandler(readTimeout: patience),
            StalledAnswerHandler(patience: patience), ConnectionClosingHandler(), BodyPaceHandler(pace),
        ])
        return try RequestChannel(wrappingChannelSynchronously: stream)
    }
}
