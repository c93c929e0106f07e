import ArgumentParser
import Foundation
import Logging
import PhotoStreamWire

/// The form of a server's log.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    /// Lines for people.
    case text
    /// One JSON object per line.
    case json

    /// A logger to standard error.
    var logger: Logger {
        Logger(label: "photostream") { label in
            switch self {
            case .text: StreamLogHandler.standardError(label: label)
            case .json: JSONLogHandler()
            }
        }
    }
}

/// Writes each record as one line of JSON to standard error.
///
/// ```json
/// {"time":"2026-11-24T01:02:03.456Z","level":"info","message":"request","metadata":{"status":"200"}}
/// ```
struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        let line: JSONMembers = [
            "time": Self.time(), "level": event.level.rawValue, "message": "\(event.message)",
            "metadata": JSONMembers(all.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }),
        ]
        StandardError.write(line: String(decoding: JSONWriter.bytes { $0.value(line) }, as: UTF8.self))
    }

    /// The time in UTC, to the millisecond.
    private static func time() -> String {
        Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
