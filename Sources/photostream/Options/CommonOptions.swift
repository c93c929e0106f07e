import ArgumentParser
import Logging
import PhotoStreamService

/// What every subcommand takes.
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
        _ access: PhotoStreamService.Access = .existing, busyTimeoutMilliseconds: Int = 5_000, mapsFile: Bool = true
    ) throws -> PhotoStreamService {
        var logger = Logger(label: "photostream") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = verbose ? .debug : .warning
        return try PhotoStreamService(
            path: database, access: access, busyTimeoutMilliseconds: busyTimeoutMilliseconds, mapsFile: mapsFile,
            logger: logger,
            willUpdate: { StandardError.write(sentence: $0.description) }
        ) { Moment.now }
    }

    /// Answers a question; what had to be computed for it is stored once the answer is out.
    ///
    /// A file that cannot be written is read all the same, and nothing is stored.
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
    /// Where it cannot be written now, because it is read-only or somebody holds it, it is read all the same: an answer
    /// waits for nobody's lock, and what was computed for it is not stored.
    func openForQuery() throws -> PhotoStreamService {
        do {
            return try open(.existing, busyTimeoutMilliseconds: 250)
        } catch StreamServiceError.storage(let code, _) where code == "readOnly" || code == "busy" {
            return try open(.readOnly)
        }
    }
}
