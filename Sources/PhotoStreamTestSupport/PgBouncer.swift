import Foundation

/// PgBouncer between clients and a PostgreSQL server, from Debian's package; it ends with its last reference.
package final class PgBouncer {
    /// The unit for which it lends a session.
    package enum Mode: String, Sendable {
        /// A connection.
        case session
        /// A transaction.
        case transaction
    }

    private static let program = "/usr/sbin/pgbouncer"

    /// Whether the package is installed.
    package static let isAvailable = FileManager.default.isExecutableFile(atPath: program)

    private let process: Process
    private let folder: URL
    private let port: Int

    /// Starts it and waits until it answers.
    package init(before server: PostgresServer, mode: Mode) throws {
        folder = URL(filePath: server.folder).appending(path: "pgbouncer-\(UUID().uuidString)")
        port = try FreePort.choose()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = """
            [databases]
            * = host=127.0.0.1 port=\(server.port)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = trust
            auth_file = \(folder.path)/users
            pool_mode = \(mode.rawValue)
            """
        try Data(configuration.utf8).write(to: folder.appending(path: "pgbouncer.ini"))
        try Data("\"photos\" \"\"\n".utf8).write(to: folder.appending(path: "users"))
        process = PostgresServer.processAsUser([Self.program, "-q", "\(folder.path)/pgbouncer.ini"])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let isUp = eventually {
            (try? PostgresServer.psql("SELECT 1", port: port, database: "postgres")) != nil
        }
        guard isUp else { throw PostgresFailure(message: "PgBouncer does not answer") }
    }

    deinit {
        // It inherits the signal mask of the test process, in which SIGTERM may be blocked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The address of a database through it.
    package func address(of database: String) -> String { "postgres://photos@127.0.0.1:\(port)/\(database)" }
}
