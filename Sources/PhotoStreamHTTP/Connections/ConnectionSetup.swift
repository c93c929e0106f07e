import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypesHTTP1

/// Sets connections up with the handlers of this server and Hummingbird's HTTP/1.1.
struct ConnectionSetup: ServerChildChannel {
    private let http1: HTTP1Channel
    private let refusal: ProtocolHandler.Refusal
    private let limits: HeadLimits
    /// The connections of each address.
    let connections: ConnectionCounts
    /// The times of clients.
    let times: ClientTimes

    /// Creates the set-up of a server's connections.
    ///
    /// - Parameters:
    ///   - answer: Hummingbird's responder.
    ///   - refusal: Makes the answer to bytes that are not a request.
    ///   - watches: The watches of all connections.
    ///   - settings: The settings, for limits and the times of clients.
    init(
        answering answer: @escaping HTTPChannelHandler.Responder, refusal: @escaping ProtocolHandler.Refusal,
        watches: ClientWatches, settings: ServerSettings
    ) {
        self.refusal = refusal
        (limits, connections) = (HeadLimits(settings), ConnectionCounts(settings))
        let times = ClientTimes(settings)
        self.times = times
        http1 = HTTP1Channel(
            responder: answer,
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    IdleStateHandler(readTimeout: times.idle), ConnectionClosingHandler(watches, of: .connection),
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
        return http1.setup(channel: channel, logger: logger).flatMapThrowing { [refusal, limits, times] value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            let deadlines = DeadlineHandler(times, of: .connection)
            try pipeline.addHandler(deadlines, position: .first)
            try pipeline.addHandler(
                ProtocolHandler(limits, counting: counting.value, deadlines: deadlines, refusal: refusal),
                position: .before(codec))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http1.handle(value: value, logger: logger)
    }
}
