public import Configuration
import Foundation

/// The settings of a server.
///
/// Each has a default and an environment variable, and some have an option of the command.
public struct ServerSettings: Sendable {
    /// The clients that may reach the server.
    public var access = AccessSettings()
    /// The files of the certificate; `nil` for connections without TLS.
    public var tlsFiles: TLSFiles?
    /// The port; 0 for any free one.
    public var port = 8_080
    /// The number of requests that may read at once; more threads than processors would only take turns.
    public var readers = max(2, ProcessInfo.processInfo.activeProcessorCount)
    /// The number of requests that may write at once; the file accepts one write at a time.
    public var writers = 2
    /// The number of pictures that may be opened or read at once.
    public var pictures = 8
    /// The maximum number of thumbnails that are being made or wait to be made; more are refused.
    public var thumbnails = 512
    /// The maximum number of requests that wait or run in a lane; more are refused.
    public var requestLimit = 512
    /// The maximum length of a body in memory, in bytes.
    public var bodyLimit = 1 << 20
    /// The maximum memory for the bodies of all requests together, in bytes.
    public var bodyMemory = 64 << 20
    /// The maximum memory for large answers that are being sent, of all requests together, in bytes.
    public var answerMemory = 256 << 20
    /// The minimum average rate of a body, in bytes per second.
    public var bodyRate = 16_384
    /// The maximum time of a body, in seconds.
    public var bodySeconds = 600
    /// The number of connections that may be open at once; more wait until one is closed.
    public var connections = 1_024
    /// The maximum number of open requests per connection of HTTP/2.
    public var requestsPerConnection = 128
    /// The maximum number of open requests of all connections of HTTP/2.
    public var http2Requests = 4_096
    /// The maximum number of connections per address, other than this machine and trusted proxy servers.
    public var connectionsPerAddress = 256
    /// The maximum length of a request's address, in bytes.
    public var addressLimit = 65_536
    /// The maximum length of all fields of a request's head together, in bytes.
    public var fieldLimit = 32_768
    /// The seconds in which the head of a request must arrive after its first byte.
    public var headSeconds = 20
    /// The maximum number of requests per minute of one token, or of one address without a token; this machine may send
    /// any number without a token.
    public var requestsPerMinute = 12_000
    /// The maximum number of layouts per minute that one of them may have computed.
    public var layoutsPerMinute = 600
    /// The number of clients that may follow streams at once; they have at most half of the connections.
    public var eventClients = 512
    /// The times of event streams.
    package var eventTimes = EventTimes()
    /// The maximum length of an import's body, in bytes.
    public var importLimit = 1 << 30
    /// The number of imports that may run at once.
    public var imports = 2
    /// The maximum length of a picture that is uploaded, in bytes.
    public var uploadLimit = 100 << 20
    /// The number of pictures that may be uploaded at once.
    public var uploads = 4
    /// The seconds within which a request must be answered, not counting its body, imports and uploads.
    public var requestSeconds = 120
    /// The seconds for which a connection may stay open without a request, or without reading more of an answer.
    public var idleSeconds = 75
    /// The seconds within which the server ends after a signal; four fifths of them are for running requests.
    public var endSeconds = 10
    /// The part of ``endSeconds`` for running requests; the rest is for storing derived data.
    package var requestsPartOfEnd = 0.8
    /// The origins, in addition to the server's own, whose pages may read answers and write.
    public var allowedOrigins: Set<WebOrigin> = []

    /// Whether the web gallery is served.
    public var showsGallery = true

    /// The defaults.
    public init() {}

    /// Reads settings.
    ///
    /// - Parameter reader: The sources in the order of precedence; a setting without a value in any of them has its
    ///   default.
    /// - Throws: ``ServerError`` for a setting that is not a number, is out of range, or is not an origin.
    public init(_ reader: ConfigReader) throws {
        for setting in ServerSetting.all {
            guard let text = reader.string(forKey: setting.key) else { continue }
            guard let number = Int(text), setting.range.contains(number) else {
                throw ServerError.invalidSetting(setting.name, value: text, range: setting.range)
            }
            self[keyPath: setting.field] = number
        }
        let origins = reader.string(forKey: "allowed.origins") ?? ""
        allowedOrigins = Set(try origins.split(separator: ",").map { try WebOrigin(String($0).trimmingSpaces) })
    }

    /// The maximum number of open connections: fewer than the process may have files open, so that some are left for
    /// pictures, bodies and SQLite's files, and accepting never fails for lack of one.
    var connectionLimit: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return connections }
        let files = Int(min(limit.rlim_cur, 1 << 30))
        return min(connections, max(16, files - max(128, files / 4)))
    }

    /// The number of clients that may follow streams at once, so that others find a free connection.
    var eventClientLimit: Int { min(eventClients, connectionLimit / 2) }
}
