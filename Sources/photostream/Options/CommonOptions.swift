public import ArgumentParser
import Logging
public import PhotoStreamImport
public import PhotoStreamModel
import PhotoStreamPrimary
public import PhotoStreamService

/// The options of every subcommand that uses the file.
struct FileOptions: ParsableArguments {
    /// The path of the file if no path is given.
    static let usualDatabase = "photostream.sqlite"

    @Option(
        help: ArgumentHelp("The database file.", valueName: "file"),
        completion: .file(extensions: ["sqlite", "db"]))
    var database = FileOptions.usualDatabase

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    @Flag(name: .shortAndLong, help: "Log the opening of the file and cache activity to standard error.")
    var verbose = false

    /// Logs to standard error.
    var logger: Logger {
        var logger = Logger(label: "photostream") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = verbose ? .debug : .warning
        return logger
    }

    /// Opens the file, by default for writing.
    func open(
        _ access: FileAccess = .existing, busyTimeoutMilliseconds: Int = 5_000, mapsFile: Bool = true,
        primary: PostgresPrimary? = nil
    ) throws -> PhotoStreamService {
        try PhotoStreamService(
            path: database, access: access, busyTimeoutMilliseconds: busyTimeoutMilliseconds, mapsFile: mapsFile,
            logger: logger, primary: primary,
            willUpdate: { StandardError.write(sentence: $0.description) }
        ) { Moment.now }
    }
}

/// The options of every subcommand that uses the streams.
struct CommonOptions: ParsableArguments {
    @OptionGroup var file: FileOptions

    @OptionGroup var primary: PrimaryOption

    var database: String { file.database }

    /// Whether answers are JSON.
    var json: Bool { file.json }

    /// Logs to standard error.
    var logger: Logger { file.logger }

    /// Opens the file, by default for writing; as an up-to-date replica if a primary is given.
    func open(
        _ access: FileAccess = .existing, busyTimeoutMilliseconds: Int = 5_000, mapsFile: Bool = true
    ) throws -> PhotoStreamService {
        let primary = try primary.primary()
        if let primary { try ReplicaFile.prepare(database, of: primary) }
        return try file.open(
            access, busyTimeoutMilliseconds: busyTimeoutMilliseconds, mapsFile: mapsFile, primary: primary)
    }

    /// Stores the data computed for an answer that has been printed, and closes the file.
    func end(_ service: PhotoStreamService) throws {
        do {
            try service.storeDerived()
            // The next command, or a server, continues.
            let deadline = ContinuousClock.now.advanced(by: .seconds(2))
            while try service.hasSearchedWords && ContinuousClock.now < deadline && service.indexSomeWords() {}
        } catch {
            // The answer is complete; only the next query will take as long again.
            StandardError.write(sentence: "the computed data could not be stored: \(error)")
        }
        try service.close()
    }

    /// Opens the file for a query.
    ///
    /// If the file cannot be written now, because it is read-only or locked, it is opened for reading only: a query
    /// does not wait for a lock, and its computed data are not stored.
    func openForQuery() throws -> PhotoStreamService {
        do {
            return try open(.existing, busyTimeoutMilliseconds: 250)
        } catch let error as StorageError where [.readOnly, .busy].contains(error.code) {
            return try file.open(.readOnly)
        }
    }
}

/// The stream of a subcommand.
struct StreamOption: ParsableArguments {
    @Option(
        name: .customLong("stream"), help: ArgumentHelp("The stream.", valueName: "name"),
        transform: StreamName.init(_:))
    var name: StreamName
}

/// Returns the result of a closure, whose error becomes one of usage.
func asUsageError<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw ValidationError("\(error)")
    }
}

/// The maximum number of photos in an answer.
struct LimitOption: ParsableArguments {
    @Option(
        name: .customLong("limit"), parsing: .unconditional,
        help: ArgumentHelp(
            "The maximum number of photos, 1 to 1000. (default: \(PhotoStreamService.defaultLimit))", valueName: "n"))
    var given: Int?

    var count: Int { given ?? PhotoStreamService.defaultLimit }

    func validate() throws {
        try Self.check(count)
    }

    /// Checks the limit of an answer.
    static func check(_ count: Int) throws {
        guard (1...PhotoStreamService.maximumLimit).contains(count) else {
            let error = StreamServiceError.invalidLimit(count, maximum: PhotoStreamService.maximumLimit)
            throw ValidationError(error.description)
        }
    }
}

/// The state that a client knows.
struct SinceOption: ParsableArguments {
    @Option(
        name: .customLong("since"), parsing: .unconditional,
        help: ArgumentHelp("The state of an earlier answer; 0 is before the first photo.", valueName: "state"))
    var state: String

    var revision: Revision { Revision(state: state) ?? Revision(0) }

    func validate() throws {
        guard Revision(state: state) == nil else { return }
        throw ValidationError(StreamServiceError.invalidState(state).description)
    }
}

/// A number of bytes in the forms that people write: `268435456`, `512MB`, `1 GB`.
struct ByteCount {
    /// The number of bytes, not negative.
    let bytes: Int64

    /// Parses an integer with an optional unit, each 1,024 times the one before.
    ///
    /// - Throws: `ValidationError` with the accepted forms, for anything else and for numbers over 63 bits.
    init(_ text: String) throws {
        let text = text.uppercased()
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard !digits.isEmpty, let shift = Self.shifts[String(unit)] else {
            throw ValidationError("a number of bytes is a whole number, optionally with KB, MB or GB, such as 512MB")
        }
        let (bytes, isTooMuch) = (Int64(digits) ?? .max).multipliedReportingOverflow(by: 1 << shift)
        guard Int64(digits) != nil, !isTooMuch else {
            throw ValidationError("that is more than \(Int64.max) bytes")
        }
        self.bytes = bytes
    }

    private static let shifts: [String: Int64] = [
        "": 0, "B": 0, "KB": 10, "KIB": 10, "MB": 20, "MIB": 20, "GB": 30, "GIB": 30,
    ]
}

extension StreamOrder: ExpressibleByArgument {}

extension ScrollKeeping: ExpressibleByArgument {}

extension ImportFormat: ExpressibleByArgument {}
