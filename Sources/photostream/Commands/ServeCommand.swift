import ArgumentParser
import Configuration
import Foundation
import Logging
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import ServiceLifecycle
import UnixSignals

/// `photostream serve`: the file over HTTP.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the file over HTTP on this machine, as the backend of a gallery client.",
        discussion: """
            Answers on 127.0.0.1 only, and prints the address. Everything is under /v1, where the options of a layout are \
            query parameters without the leading hyphens; /healthz and /readyz report its health. SIGTERM and SIGINT end it \
            once running requests are answered, after 10 seconds at the latest; a second signal ends it at once.

            In addition to --port there are settings in the environment; an option outranks its variable: PHOTOSTREAM_PORT, \
            PHOTOSTREAM_READERS, PHOTOSTREAM_WRITERS and PHOTOSTREAM_PICTURES (how many requests read, write and open \
            pictures at once), PHOTOSTREAM_REQUEST_LIMIT (how many may wait), PHOTOSTREAM_BODY_LIMIT and \
            PHOTOSTREAM_IMPORT_LIMIT (in bytes), PHOTOSTREAM_BODY_MEMORY and PHOTOSTREAM_ANSWER_MEMORY (of all requests \
            together, in bytes), PHOTOSTREAM_BODY_RATE (the least, in bytes a second), PHOTOSTREAM_BODY_SECONDS (for a \
            body), PHOTOSTREAM_IMPORTS and PHOTOSTREAM_CONNECTIONS (how many at once), PHOTOSTREAM_IDLE_SECONDS (of a \
            connection that neither asks nor takes), PHOTOSTREAM_END_SECONDS (for the requests that run at the end) and \
            PHOTOSTREAM_ALLOWED_ORIGINS (between commas, as of --allow-origin).

            EXAMPLES:
              photostream serve
              photostream serve --database holiday.sqlite --port 9000
              photostream serve --allow-origin http://localhost:5173
              curl 'http://127.0.0.1:8080/v1/streams/holiday/layout?width=1200&first=50'
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The port on 127.0.0.1; 0 for any free one. (default: 8080)", valueName: "n"))
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "Let pages of this origin read and write, too, such as http://localhost:5173. May be repeated.",
            valueName: "origin"),
        transform: { try WebOrigin($0) })
    var allowOrigin: [WebOrigin] = []

    @Option(
        help: ArgumentHelp("The database file.", valueName: "file"),
        completion: .file(extensions: ["sqlite", "db"]))
    var database = "photostream.sqlite"

    @Flag(name: .shortAndLong, help: "Say on standard error what is asked, computed and stored.")
    var verbose = false

    func run() async throws {
        let settings = try settings()
        var logger = Logger(label: "photostream") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = verbose ? .debug : .warning
        let service = try openService(logger)
        let server = PhotoStreamServer(service, settings: settings, logger: logger) { port in
            // Whoever started the server reads where it listens; nobody may have to.
            try? StandardOutput.write(line: "http://127.0.0.1:\(port)")
            try? StandardOutput.flush()
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [ServiceGroupConfiguration.ServiceConfiguration(service: server)], logger: logger))
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let ending = Task {
            var isEnding = false
            for await _ in signals {
                if isEnding {
                    server.abort()
                } else {
                    Self.endWithoutFail(afterSeconds: settings.endSeconds, logger)
                    await group.triggerGracefulShutdown()
                }
                isEnding = true
            }
        }
        defer { ending.cancel() }
        try await group.run()
        try service.close()
    }

    /// Ends the process after a while although something may still run, which the file takes no harm from: what was
    /// answered is in it, and what was computed is computed again.
    ///
    /// On a thread of its own, which needs no other to come to its end.
    private static func endWithoutFail(afterSeconds seconds: Int, _ logger: Logger) {
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: Double(seconds))
            logger.warning("ended with work under way that did not stop in time")
            _exit(EXIT_SUCCESS)
        }
    }

    /// The settings: options before the environment before the defaults.
    private func settings() throws -> ServerSettings {
        var options: [AbsoluteConfigKey: ConfigValue] = [:]
        func set(_ key: AbsoluteConfigKey, _ text: String) {
            options[key] = ConfigValue(.string(text), isSecret: false)
        }
        if let port { set("photostream.port", String(port)) }
        if !allowOrigin.isEmpty {
            set("photostream.allowed.origins", allowOrigin.map(\.description).joined(separator: ","))
        }
        let reader = ConfigReader(providers: [
            InMemoryProvider(name: "options", values: options), EnvironmentVariablesProvider(),
        ])
        do {
            return try ServerSettings(reader.scoped(to: "photostream"))
        } catch ServerError.invalidSetting(let name, let value, let range) {
            // As it is spelled where it was set.
            let variable = "PHOTOSTREAM_" + name.uppercased().replacing(".", with: "_")
            let source = name == "port" && port != nil ? "--port" : variable
            throw ServerError.invalidSetting(source, value: value, range: range)
        }
    }

    private func openService(_ logger: Logger) throws -> PhotoStreamService {
        do {
            return try PhotoStreamService(
                path: database, access: .existing, logger: logger, willUpdate: { logger.warning("\($0)") }
            ) { Moment.now }
        } catch StreamServiceError.storage(.readOnly, _) {
            return try PhotoStreamService(path: database, access: .readOnly, logger: logger) { Moment.now }
        }
    }
}
