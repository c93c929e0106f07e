import Foundation

/// A session of `psql` that keeps its transaction open, as if its user had gone away.
///
///     let session = try OpenSession(of: "editor", at: server, database: name)
///     try session.run("BEGIN; LOCK TABLE photo")
package final class OpenSession {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - role: The role.
    ///   - server: The server.
    ///   - database: The name of the database.
    /// - Throws: ``PostgresFailure`` if the session cannot begin.
    package init(of role: String = "photos", at server: PostgresServer, database: String) throws {
        process.executableURL = URL(filePath: "/usr/bin/psql")
        process.arguments = [
            "-X", "-q", "-A", "-t", "-h", "127.0.0.1", "-p", "\(server.port)", "-U", role, "-d", database,
        ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try run("SET search_path = photostream")
    }

    deinit { end() }

    /// Runs statements and waits for their end, even if one of them is refused.
    package func run(_ statements: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(statements);\n\\echo done\n".utf8))
        var answer = Data()
        while !String(decoding: answer, as: UTF8.self).contains("done\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw PostgresFailure(message: "psql has ended") }
            answer += more
        }
    }

    /// Ends the session, whose open transaction is rolled back.
    package func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
