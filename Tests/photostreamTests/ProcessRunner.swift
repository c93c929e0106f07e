import Foundation
import PhotoStreamTestSupport
import Testing

/// Runs the command and the `sqlite3` shell as processes of their own, some of them to be killed.
struct ProcessRunner {
    /// Where it may write.
    let folder: String

    /// Runs the command to its end.
    @discardableResult
    func run(_ arguments: [String]) throws -> Process {
        let process = try start(arguments)
        process.waitUntilExit()
        return process
    }

    /// Starts the command.
    ///
    /// - Parameters:
    ///   - arguments: What it is to do.
    ///   - output: The file that what it prints goes to; `nil` for none.
    /// - Returns: The running process.
    /// - Throws: What starting it throws.
    func start(_ arguments: [String], output: String? = nil) throws -> Process {
        let process = Process()
        process.executableURL = BuiltCommand.url
        process.arguments = arguments
        process.standardOutput = try output.map(handle) ?? FileHandle.nullDevice
        process.standardError = try output.map { try handle($0 + ".errors") } ?? FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Starts the command and kills it after a while.
    ///
    /// - Returns: Whether it was killed before it ended by itself.
    func kill(_ arguments: [String], after delay: Duration) throws -> Bool {
        let process = try start(arguments)
        // A moment of wall time is what is to be random here, so waiting is the test and not a way around one.
        Thread.sleep(forTimeInterval: Double(delay.components.attoseconds) / 1e18 + Double(delay.components.seconds))
        return kill(process)
    }

    /// Kills a process.
    ///
    /// - Returns: Whether it had not ended by itself.
    func kill(_ process: Process) -> Bool {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
    }

    /// What the shell prints for statements and its own commands.
    func sqlite(_ database: String, _ lines: String...) throws -> String {
        // Into a file: megabytes through a pipe are not what is tested here.
        let path = folder + "/sqlite.out"
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = ["-cmd", ".timeout 10000", database] + lines
        process.standardOutput = try handle(path)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try String(contentsOf: URL(filePath: path), encoding: .utf8)
    }

    /// A file is whole, and all that is derived in it is what its photos give.
    func expectSound(_ database: String, _ moment: String) throws {
        #expect(try sqlite(database, "PRAGMA integrity_check") == "ok\n", "\(moment)")
        let path = folder + "/verify.out"
        let verify = try start(["cache", "verify", "--database", database], output: path)
        verify.waitUntilExit()
        let errors = try String(contentsOf: URL(filePath: path + ".errors"), encoding: .utf8)
        #expect(verify.terminationReason == .exit && verify.terminationStatus == 0, "\(moment): \(errors.prefix(300))")
    }

    private func handle(_ path: String) throws -> FileHandle {
        try Data().write(to: URL(filePath: path))
        return try FileHandle(forWritingTo: URL(filePath: path))
    }
}

extension SplitMix64 {
    /// A number from 0 up to 1.
    mutating func fraction() -> Double {
        Double(int(in: 0...999_999)) / 1_000_000
    }
}
