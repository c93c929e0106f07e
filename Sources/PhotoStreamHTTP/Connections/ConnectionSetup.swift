import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypesHTTP1

/// HTTP/1.1 as Hummingbird speaks it, and in front of it what needs more of a request than it passes on.
struct ConnectionSetup: ServerChildChannel {
    private let http1: HTTP1Channel
    private let refusal: ProtocolHandler.Refusal

    /// Sets connections up for a server.
    ///
    /// - Parameters:
    ///   - answer: How Hummingbird answers.
    ///   - refusal: Makes the answer to what is not a request.
    ///   - watches: Told of each connection.
    ///   - settings: How long a connection may stay open without getting on, and how fast bodies must come.
    init(
        _ answer: @escaping HTTPChannelHandler.Responder, refusal: @escaping ProtocolHandler.Refusal,
        _ watches: ClientWatches, _ settings: ServerSettings
    ) {
        self.refusal = refusal
        let patience = TimeAmount.seconds(Int64(settings.idleSeconds))
        let pace = BodyPace.Rule(leastRate: settings.bodyRate, total: .seconds(Int64(settings.bodySeconds)))
        http1 = HTTP1Channel(
            responder: answer,
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    ClientWatchHandler(watches), IdleStateHandler(readTimeout: patience),
                    StalledClientHandler(patience: patience), ConnectionClosingHandler(), BodyPaceHandler(pace),
                ]))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http1.setup(channel: channel, logger: logger).flatMapThrowing { [refusal] value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(ProtocolHandler(refusal), position: .before(codec))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http1.handle(value: value, logger: logger)
    }
}
