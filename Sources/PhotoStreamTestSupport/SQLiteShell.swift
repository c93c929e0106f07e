import Foundation

/// A running `sqlite3` shell, for locks and snapshots of another program.
///
/// ```swift
/// let shell = try SQLiteShell(database: path)
/// _ = try shell.ask("BEGIN IMMEDIATE; SELECT 'locked'")
/// // No other program can write here.
/// try shell.close()
/// ```
package struct SQLiteShell {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts the shell.
    ///
    /// - Parameter database: The path of the file.
    /// - Throws: The error of starting it.
    package init(database: String) throws {
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [database]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
    }

    /// Runs statements and waits for their result.
    ///
    /// - Parameter statements: Statements that return at least one row.
    /// - Returns: The output of the shell.
    /// - Throws: The error of the pipe.
    package func ask(_ statements: String) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data((statements + ";\n").utf8))
        return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }

    /// Ends the input, which rolls back an open transaction, and waits for the end of the shell.
    ///
    /// - Throws: The error of the pipe.
    package func close() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
