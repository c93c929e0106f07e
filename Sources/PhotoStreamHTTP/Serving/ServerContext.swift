import Hummingbird
import Logging
import NIOCore

/// What belongs to one request beside what was sent.
struct ServerContext: InitializableFromSource {
    /// The connection.
    let channel: any Channel
    /// A logger that knows the request's id.
    let logger: Logger
    /// The request's id.
    let requestID: String

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
        requestID = source.logger[metadataKey: "hb.request.id"].map { "\($0)" } ?? ""
        var logger = source.logger
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: "request"] = "\(requestID)"
        self.logger = logger
    }
}
