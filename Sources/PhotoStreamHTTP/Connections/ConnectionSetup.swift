import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypesHTTP1

/// Sets connections up with the handlers of this server and Hummingbird's HTTP/1.1.
struct ConnectionSetup: ServerChildChannel {
    private let http1: HTTP1Channel
    private let refusal: ProtocolHandler.Refusal
    private let limits: ProtocolHandler.Limits
    /// The connections of each address.
    let connections: ConnectionCounts
    /// The time for the head of a request.
    let headTime: TimeAmount

    /// Creates the set-up of a server's connections.
    ///
    /// - Parameters:
    ///   - answer: Hummingbird's responder.
    ///   - refusal: Makes the answer to bytes that are not a request.
    ///   - watches: The watches of all connections.
    ///   - settings: The settings, for idle times, limits, and the pace of heads and bodies.
    init(
        answering answer: @escaping HTTPChannelHandler.Responder, refusal: @escaping ProtocolHandler.Refusal,
        watches: ClientWatches, settings: ServerSettings
    ) {
        self.refusal = refusal
        limits = ProtocolHandler.Limits(
            addressByteCount: settings.addressLimit, fieldByteCount: settings.fieldLimit)
        connections = ConnectionCounts(settings)
        headTime = .seconds(Int64(settings.headSeconds))
        let patience = TimeAmount.seconds(Int64(settings.idleSeconds))
        let pace = BodyPace.Rule(leastRate: settings.bodyRate, total: .seconds(Int64(settings.bodySeconds)))
        http1 = HTTP1Channel(
            responder: answer,
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    ClientWatchHandler(watches, of: .connection), IdleStateHandler(readTimeout: patience),
                    StalledClientHandler(patience: patience), ConnectionClosingHandler(), BodyPaceHandler(pace),
                ]))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        let counting = ConnectionCountHandler(connections)
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(counting)
        }.assumeIsolated().flatMap { setup(channel: channel, counting: counting, logger: logger) }.nonisolated()
    }

    /// Sets a connection up that is counted already.
    func setup(
        channel: any Channel, counting: ConnectionCountHandler, logger: Logger
    ) -> EventLoopFuture<HTTP1Channel.Value> {
        let counting = NIOLoopBound(counting, eventLoop: channel.eventLoop)
        return http1.setup(channel: channel, logger: logger).flatMapThrowing { [refusal, limits, headTime] value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            let pace = HeadPaceHandler(limit: headTime)
            try pipeline.addHandler(pace, position: .first)
            try pipeline.addHandler(
                ProtocolHandler(limits, counting: counting.value, pace: pace, refusal: refusal),
                position: .before(codec))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http1.handle(value: value, logger: logger)
    }
}
