import Foundation

/// A `sqlite3` shell that has a transaction open on a file until it is told to let go.
package final class FileHolder {
    /// The kind of a transaction.
    package enum Kind: String {
        /// It holds the write lock.
        case write = "BEGIN IMMEDIATE;"
        /// It reads what was in the file at its beginning.
        case read = "BEGIN; SELECT count(*) FROM sqlite_schema;"
    }

    private let process = Process()
    private let input = Pipe()

    /// Begins the transaction.
    package init(_ path: String, _ kind: Kind = .write) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("\(kind.rawValue)\nSELECT 'held';\n".utf8))
        // The answer comes after the transaction has begun.
        _ = output.fileHandleForReading.availableData
    }

    /// Lets go.
    package func release() throws {
        try input.fileHandleForWriting.write(contentsOf: Data("ROLLBACK;\n".utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
