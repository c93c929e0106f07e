import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypesHTTP1

/// HTTP/1.1 as Hummingbird speaks it, and in front of it what needs more of a request than it passes on.
struct ConnectionSetup: ServerChildChannel {
    private let http1: HTTP1Channel
    private let responder: APIResponder
    private let date: ResponseDate

    /// Sets connections up for a server.
    ///
    /// - Parameters:
    ///   - answer: How Hummingbird answers.
    ///   - responder: What answers all but that.
    ///   - watches: Told of each connection.
    ///   - patience: How long a connection may stay open without getting on.
    init(
        _ answer: @escaping HTTPChannelHandler.Responder, _ responder: APIResponder, _ watches: ClientWatches,
        patience: TimeAmount
    ) {
        let date = ResponseDate()
        (self.responder, self.date) = (responder, date)
        http1 = HTTP1Channel(
            responder: answer,
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    ClientWatchHandler(watches), StalledClientHandler(patience: patience),
                    IdleStateHandler(readTimeout: patience), ConnectionClosingHandler(), LookUpHandler(responder, date),
                ]))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http1.setup(channel: channel, logger: logger).flatMapThrowing { [responder, date] value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(ProtocolHandler(responder, date), position: .before(codec))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http1.handle(value: value, logger: logger)
    }
}
