public import Configuration
import Foundation
import PhotoStreamModel

/// The settings of a server.
///
/// Those of ``ServerSetting/all`` have an environment variable, and some have an option of the command.
public struct ServerSettings: Sendable {
    /// The clients that may reach the server.
    public var access = AccessSettings()
    /// The files of the certificate; `nil` for connections without TLS.
    public var tlsFiles: TLSFiles?
    /// The port; 0 for any free one.
    public var port = 8_080
    /// The maximum time of a body, in seconds.
    public var bodySeconds = 600
    /// The number of connections that may be open at once; more wait until one is closed.
    public var connections = 1_024
    /// The number of connections that one address may have open, other than this machine and trusted proxy servers.
    public var connectionsPerAddress = 256
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
    /// The seconds within which a request is answered, without its body, and without imports and uploads.
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

    // The rest is the same for every server; tests change it.

    /// The number of requests that read at once; more threads than processors would only take turns.
    package var readers = max(2, ProcessInfo.processInfo.activeProcessorCount)
    /// The number of requests that write at once; the file takes one write at a time.
    package var writers = 2
    /// The number of pictures that are opened or read at once.
    package var pictures = 8
    /// The number of thumbnails that may be made or wait to be made before more are refused.
    package var thumbnails = 512
    /// The number of requests that may wait or run in a lane before others are refused.
    package var requestLimit = 512
    /// The maximum length of a body in memory, in bytes.
    package var bodyLimit = 1 << 20
    /// The maximum memory for the bodies of all requests together, in bytes.
    package var bodyMemory = 64 << 20
    /// The maximum memory for large answers that are being sent, of all requests together, in bytes.
    package var answerMemory = 256 << 20
    /// The least average rate of a body, in bytes per second.
    package var bodyRate = 16_384
    /// The number of requests that one connection of HTTP/2 may have open at once.
    package var requestsPerConnection = 128
    /// The number of requests that all connections of HTTP/2 may have open at once.
    package var http2Requests = 4_096
    /// The maximum length of a request's address, in bytes.
    package var addressLimit = 65_536
    /// The maximum length of all fields of a request's head together, in bytes.
    package var fieldLimit = 32_768
    /// The number of pictures that may be uploaded at once.
    package var uploads = 4

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
    var connectionLimit: Int { min(connections, OpenFileLimits.ofProcess.connections) }

    /// The number of clients that may follow streams at once, so that others find a free connection.
    var eventClientLimit: Int { min(eventClients, connectionLimit / 2) }
}
