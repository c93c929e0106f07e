import Hummingbird
import Logging
import NIOCore

/// What belongs to one request beside what was sent.
struct ServerContext: InitializableFromSource {
    /// What the log calls a request's id.
    static let idKey = "request"
    /// The connection.
    let channel: any Channel
    private let source: Logger
    /// The request's id.
    let requestID: String

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
        self.source = source.logger
        requestID = source.logger[metadataKey: "hb.request.id"].map { "\($0)" } ?? ""
    }

    /// A logger that knows the request's id; made when there is something to tell.
    var logger: Logger {
        var logger = source
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: Self.idKey] = "\(requestID)"
        return logger
    }
}
