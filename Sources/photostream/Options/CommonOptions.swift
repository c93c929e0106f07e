import ArgumentParser
import Logging
import PhotoStreamModel
import PhotoStreamService

/// The options of every subcommand.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The database file.", valueName: "file"),
        completion: .file(extensions: ["sqlite", "db"]))
    var database = "photostream.sqlite"

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    @Flag(name: .shortAndLong, help: "Say on standard error what is opened, computed and stored.")
    var verbose = false

    /// Opens the file for a change to what it holds already.
    func open(
        _ access: FileAccess = .existing, busyTimeoutMilliseconds: Int = 5_000, mapsFile: Bool = true
    ) throws -> PhotoStreamService {
        var logger = Logger(label: "photostream") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = verbose ? .debug : .warning
        return try PhotoStreamService(
            path: database, access: access, busyTimeoutMilliseconds: busyTimeoutMilliseconds, mapsFile: mapsFile,
            logger: logger,
            willUpdate: { StandardError.write(sentence: $0.description) }
        ) { Moment.now }
    }

    /// Asks questions about one state of the file and shows the answer, then stores what had to be computed for it.
    ///
    /// A file that cannot be written is read all the same, and nothing is stored.
    ///
    /// - Parameters:
    ///   - ask: Asks the questions. It may run more than once, so it prints nothing.
    ///   - show: Prints the answer.
    /// - Throws: The errors of both, and of the file.
    func query<Answer>(
        _ ask: (borrowing Session) throws -> Answer, show: (Answer) throws -> Void
    ) throws {
        try query { service in try show(try service.read(ask)) }
    }

    /// Opens the file, answers, then stores what had to be computed for the answer.
    func query(_ answer: (PhotoStreamService) throws -> Void) throws {
        let service = try openForQuery()
        try answer(service)
        try StandardOutput.flush()
        do {
            try service.storeDerived()
        } catch {
            // The answer stands; only the next one will take as long again.
            StandardError.write(sentence: "what was computed could not be stored: \(error)")
        }
        try service.close()
    }

    /// Opens the file for a question.
    ///
    /// A file that cannot be written now, because it is read-only or locked, is read all the same: an answer waits for no
    /// lock, and what was computed for it is not stored.
    func openForQuery() throws -> PhotoStreamService {
        do {
            return try open(.existing, busyTimeoutMilliseconds: 250)
        } catch StreamServiceError.storage(let failure, _) where failure == .readOnly || failure == .busy {
            return try open(.readOnly)
        }
    }
}
