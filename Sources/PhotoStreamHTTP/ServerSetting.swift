import Configuration

/// A setting of a server that is a whole number: its names, range and meaning.
///
/// This table feeds the reading of settings, `photostream serve --print-configuration` and
/// `Documentation/Operations.md`.
public struct ServerSetting: Sendable {
    /// The name in options, such as `import-limit`.
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

    /// The name in the environment and in files, such as `PHOTOSTREAM_IMPORT_LIMIT`.
    public var variable: String { Self.variable(of: name) }

    /// The name in a reader with the prefix `photostream`.
    var key: ConfigKey { ConfigKey(name.replacing("-", with: ".")) }

    /// Returns the name of any setting in the environment and in files, such as `PHOTOSTREAM_ALLOWED_ORIGINS`.
    public static func variable(of name: String) -> String {
        "PHOTOSTREAM_" + name.uppercased().replacing("-", with: "_")
    }

    /// Returns the value in some settings.
    public func value(in settings: ServerSettings) -> Int { settings[keyPath: field] }

    /// All of them.
    public static let all: [ServerSetting] = [
        ServerSetting("port", in: 0...65_535, at: \.port, about: "The port; 0 for any free one."),
        ServerSetting(
            "requests-per-minute", in: 1...10_000_000, at: \.requestsPerMinute,
            about: "Requests of one token, or of one other machine; then 429."),
        ServerSetting(
            "layouts-per-minute", in: 1...1_000_000, at: \.layoutsPerMinute,
            about: "Layouts that one token, or one other machine, has computed; then 429."),
        ServerSetting(
            "head-seconds", in: 1...86_400, at: \.headSeconds,
            about: "Seconds from the first byte of a request to the end of its head; then 408."),
        ServerSetting("body-seconds", in: 1...86_400, at: \.bodySeconds, about: "Seconds of a body; then 408."),
        ServerSetting(
            "import-limit", in: 1...(1 << 40), at: \.importLimit, about: "Bytes of the body of an import; then 413."),
        ServerSetting("imports", in: 1...64, at: \.imports, about: "Imports that run at once; then 429."),
        ServerSetting(
            "upload-limit", in: 1...(1 << 40), at: \.uploadLimit,
            about: "Bytes of a picture that is uploaded; then 413."),
        ServerSetting(
            "connections", in: 1...1_000_000, at: \.connections, about: "Connections; more wait until one is closed."),
        ServerSetting(
            "connections-per-address", in: 1...1_000_000, at: \.connectionsPerAddress,
            about: "Connections of one other machine; then 503."),
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

    /// The names of version 0.2 that are no longer settings: 0.3 ignores them with a warning.
    public static let formerNames = [
        "address-limit", "answer-memory", "body-limit", "body-memory", "body-rate", "field-limit", "http2-requests",
        "pictures", "readers", "request-limit", "requests-per-connection", "thumbnails", "uploads", "writers",
    ]

    /// Returns the warning about a former setting.
    public static func warning(aboutFormer name: String) -> String {
        "\(name) is no longer a setting and is ignored; 0.4 will not know the name"
    }
}
