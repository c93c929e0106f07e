public import Configuration

/// A setting of a server that is a whole number: its names, range and meaning.
///
/// This table feeds the reading of settings, `photostream serve --print-configuration` and
/// `Documentation/Operations.md`.
public struct ServerSetting: Sendable {
    /// The name in options, such as `body-limit`.
    public let name: String
    /// The allowed numbers.
    public let range: ClosedRange<Int>
    /// Its meaning with its unit, in one line.
    public let about: String
    let field: any WritableKeyPath<ServerSettings, Int> & Sendable

    private init(
        _ name: String, in range: ClosedRange<Int>, at field: any WritableKeyPath<ServerSettings, Int> & Sendable,
        about: String
    ) {
        (self.name, self.range, self.field, self.about) = (name, range, field, about)
    }

    /// The name in the environment and in files, such as `PHOTOSTREAM_BODY_LIMIT`.
    public var variable: String { Self.variable(of: name) }

    /// The name in a reader with the prefix `photostream`.
    public var key: ConfigKey { Self.key(of: name) }

    /// Returns the name of any setting in the environment and in files, such as `PHOTOSTREAM_ALLOWED_ORIGINS`.
    public static func variable(of name: String) -> String {
        "PHOTOSTREAM_" + name.uppercased().replacing("-", with: "_")
    }

    /// Returns the name of any setting in a reader with the prefix `photostream`.
    public static func key(of name: String) -> ConfigKey { ConfigKey(name.replacing("-", with: ".")) }

    /// Returns the value in some settings.
    public func value(in settings: ServerSettings) -> Int { settings[keyPath: field] }

    /// All of them.
    public static let all: [ServerSetting] = [
        ServerSetting("port", in: 0...65_535, at: \.port, about: "The port; 0 for any free one."),
        ServerSetting("readers", in: 1...256, at: \.readers, about: "Requests that read at once."),
        ServerSetting("writers", in: 1...64, at: \.writers, about: "Requests that write at once."),
        ServerSetting(
            "pictures", in: 1...256, at: \.pictures, about: "Originals and thumbnails that are opened at once."),
        ServerSetting(
            "thumbnails", in: 1...65_536, at: \.thumbnails, about: "Thumbnails that clients may wait for; then 503."),
        ServerSetting(
            "request-limit", in: 1...65_536, at: \.requestLimit,
            about: "Requests of one kind that may run or wait; then 503."),
        ServerSetting(
            "requests-per-minute", in: 1...10_000_000, at: \.requestsPerMinute,
            about: "Requests of one token, or of one other machine; then 429."),
        ServerSetting(
            "layouts-per-minute", in: 1...1_000_000, at: \.layoutsPerMinute,
            about: "Layouts that one token, or one other machine, has computed; then 429."),
        ServerSetting(
            "address-limit", in: 256...65_536, at: \.addressLimit, about: "Bytes of a request's address; then 414."),
        ServerSetting(
            "field-limit", in: 1_024...65_536, at: \.fieldLimit, about: "Bytes of the fields of a request; then 431."),
        ServerSetting(
            "head-seconds", in: 1...86_400, at: \.headSeconds,
            about: "Seconds from the first byte of a request to the end of its head; then 408."),
        ServerSetting(
            "body-limit", in: 1...(1 << 30), at: \.bodyLimit, about: "Bytes of a body that is kept in memory; then 413."
        ),
        ServerSetting(
            "body-memory", in: 1...(1 << 40), at: \.bodyMemory,
            about: "Bytes of the bodies of all requests together; then 503."),
        ServerSetting(
            "body-rate", in: 1...(1 << 30), at: \.bodyRate, about: "Bytes a second of a body at least; then 408."),
        ServerSetting("body-seconds", in: 1...86_400, at: \.bodySeconds, about: "Seconds of a body; then 408."),
        ServerSetting(
            "answer-memory", in: 1...(1 << 40), at: \.answerMemory,
            about: "Bytes of large answers that are being sent, together; then 503."),
        ServerSetting(
            "import-limit", in: 1...(1 << 40), at: \.importLimit, about: "Bytes of the body of an import; then 413."),
        ServerSetting("imports", in: 1...64, at: \.imports, about: "Imports that run at once; then 429."),
        ServerSetting(
            "upload-limit", in: 1...(1 << 40), at: \.uploadLimit,
            about: "Bytes of a picture that is uploaded; then 413."),
        ServerSetting("uploads", in: 1...64, at: \.uploads, about: "Uploads that run at once; then 503."),
        ServerSetting(
            "connections", in: 1...1_000_000, at: \.connections, about: "Connections; more wait until one is closed."),
        ServerSetting(
            "connections-per-address", in: 1...1_000_000, at: \.connectionsPerAddress,
            about: "Connections of one other machine; then 503."),
        ServerSetting(
            "requests-per-connection", in: 1...65_536, at: \.requestsPerConnection,
            about: "Requests that a connection of HTTP/2 may have open at once; more wait for these."),
        ServerSetting(
            "http2-requests", in: 1...1_000_000, at: \.http2Requests,
            about: "Requests that all connections of HTTP/2 may have open at once; then 503."),
        ServerSetting(
            "event-clients", in: 0...1_000_000, at: \.eventClients, about: "Clients that follow streams; then 503."),
        ServerSetting(
            "idle-seconds", in: 1...86_400, at: \.idleSeconds,
            about: "Seconds without a request, or without reading an answer; then the connection is closed."),
        ServerSetting(
            "request-seconds", in: 1...86_400, at: \.requestSeconds,
            about: "Seconds to the answer to a request, except imports, uploads and events; then 503."),
        ServerSetting(
            "end-seconds", in: 1...86_400, at: \.endSeconds,
            about: "Seconds to the end after a signal; four fifths are for running requests."),
    ]
}
