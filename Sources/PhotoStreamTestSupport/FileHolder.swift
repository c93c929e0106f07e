import Foundation

/// A `sqlite3` shell that holds a file's write lock until it is told to let go.
package final class FileHolder {
    private let process = Process()
    private let input = Pipe()

    /// Takes the lock.
    package init(_ path: String) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("BEGIN IMMEDIATE;\nSELECT 'held';\n".utf8))
        // The answer comes after the lock.
        _ = output.fileHandleForReading.availableData
    }

    /// Lets go.
    package func release() throws {
        try input.fileHandleForWriting.write(contentsOf: Data("ROLLBACK;\n".utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
