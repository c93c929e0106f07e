import Foundation
import Synchronization

/// A private PostgreSQL server for tests, from Debian's package, with its data in a temporary folder.
///
///     let address = try PostgresServer.shared.createDatabase()
///
/// It listens on a free port of 127.0.0.1 and ends with the process that started it, even if that is killed.
package final class PostgresServer: Sendable {
    /// The server that all tests of a process share, each with its own database.
    package static let shared = Result { try PostgresServer() }

    /// Whether the package is installed.
    package static let isAvailable = FileManager.default.isExecutableFile(atPath: "\(programs)/postgres")

    private static let programs = "/usr/lib/postgresql/15/bin"

    /// The folder with the data.
    package let folder: String
    /// The port.
    package let port: Int
    private let running = Mutex<Process?>(nil)
    private let nameCount = Atomic(0)

    /// Creates an empty server and starts it.
    ///
    /// - Parameter settings: Additional settings, such as `wal_level=replica`.
    /// - Throws: ``PostgresFailure`` if it does not start.
    package init(settings: [String] = []) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "PhotoStream-pg-\(UUID().uuidString)").path
        port = try FreePort.choose()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Self.run(program: "/bin/chmod", ["0777", folder])
        let initialization = Self.processAsUser([
            "\(Self.programs)/initdb", "-D", "\(folder)/data", "-A", "trust", "-U", "photos", "-E", "UTF8", "--locale",
            "C", "--no-sync", "--no-instructions",
        ])
        try Self.run(initialization)
        try start(settings: settings)
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts the server and waits until it answers.
    package func start(settings: [String] = []) throws {
        let options =
            [
                "port=\(port)", "listen_addresses=127.0.0.1", "unix_socket_directories=\(folder)", "fsync=off",
                "max_connections=400", "log_min_messages=fatal",
            ] + settings
        let server = ["\(Self.programs)/postgres", "-D", "\(folder)/data"] + options.flatMap { ["-c", $0] }
        let process = Self.processAsUser(["/bin/sh", "-c", Self.keeper, "\(folder)/log", "\(getpid())"] + server)
        // A reader of the tests' output must not wait for the server.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        running.withLock { $0 = process }
        let question = ["-q", "-h", "127.0.0.1", "-p", "\(port)", "-U", "photos"]
        let isUp = eventually { (try? Self.run(program: "\(Self.programs)/pg_isready", question)) != nil }
        guard isUp else { throw PostgresFailure(message: "PostgreSQL does not answer: see \(folder)/log") }
    }

    /// Runs the server until it is terminated or the test process has ended.
    private static let keeper = """
        exec >>"$0" 2>&1; parent=$1; shift; "$@" & child=$!
        trap 'kill -QUIT $child; wait $child; exit 0' TERM
        while [ -d /proc/$parent ] && [ -d /proc/$child ]; do sleep 0.1; done
        kill -QUIT $child; wait $child
        """

    /// Ends the server immediately, as a loss of power would.
    package func stop() {
        running.withLock { running in
            running?.terminate()
            running?.waitUntilExit()
            running = nil
        }
    }

    /// Keeps a copy of the current data.
    package func keepCopy() throws {
        stop()
        try Self.run(program: "/bin/cp", ["-a", "\(folder)/data", "\(folder)/copy"])
        try start()
    }

    /// Returns to the data of the copy.
    package func restoreCopy() throws {
        stop()
        try FileManager.default.removeItem(atPath: "\(folder)/data")
        try Self.run(program: "/bin/cp", ["-a", "\(folder)/copy", "\(folder)/data"])
        try start()
    }

    /// Creates an empty database.
    ///
    /// - Parameter template: The database to copy; `nil` for an empty one.
    /// - Returns: Its address.
    /// - Throws: ``PostgresFailure`` with PostgreSQL's message.
    package func createDatabase(copying template: String? = nil) throws -> String {
        let name = "test\(nameCount.add(1, ordering: .relaxed).newValue)"
        try psql("CREATE DATABASE \(name) \(template.map { "TEMPLATE \($0)" } ?? "")", database: "postgres")
        return address(of: name)
    }

    /// The address of a database.
    package func address(of database: String) -> String { "postgres://photos@127.0.0.1:\(port)/\(database)" }

    /// Runs SQL in a new session, and returns its output: rows of values separated by `|`.
    @discardableResult
    package func psql(_ sql: String, database: String) throws -> String {
        try Self.psql(sql, port: port, database: database)
    }

    /// Runs SQL in a new session on a port.
    @discardableResult
    static func psql(_ sql: String, port: Int, database: String) throws -> String {
        try run(
            program: "/usr/bin/psql",
            [
                "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", "\(port)", "-U", "photos",
                "-d",
                database, "-c", "SET search_path = photostream, public", "-c", sql,
            ])
    }

    // MARK: - Processes

    /// PostgreSQL and PgBouncer refuse to run as root.
    static func processAsUser(_ words: [String]) -> Process {
        let process = Process()
        let prefix =
            geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        let all = prefix + words
        process.executableURL = URL(filePath: all[0])
        process.arguments = Array(all.dropFirst())
        process.currentDirectoryURL = URL(filePath: "/")
        return process
    }

    @discardableResult
    private static func run(program: String, _ words: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = words
        return try run(process)
    }

    @discardableResult
    private static func run(_ process: Process) throws -> String {
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let reason = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw PostgresFailure(message: reason) }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// The message of PostgreSQL or one of its programs.
package struct PostgresFailure: Error, CustomStringConvertible {
    package let message: String
    package var description: String { message }

    /// Creates the error with PostgreSQL's message.
    package init(message: String) { self.message = message }
}
