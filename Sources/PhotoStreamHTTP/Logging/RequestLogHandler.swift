import Logging

/// Keeps what belongs to each entry until there is an entry.
///
/// Every request has its own logger with an id, and most requests log nothing. Handlers that write text make it of all
/// that they are told as soon as they are told.
struct RequestLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    private var base: any LogHandler

    /// Wraps what writes.
    init(_ base: any LogHandler) {
        self.base = base
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { base.metadataProvider }
        set { base.metadataProvider = newValue }
    }

    var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] ?? base[metadataKey: key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var event = event
        // What is told with the entry itself outranks the rest.
        event.metadata = metadata.merging(event.metadata ?? [:]) { $1 }
        base.log(event: event)
    }
}
