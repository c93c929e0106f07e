import Foundation
import PhotoStreamTestSupport
import Testing

/// Runs the command and the `sqlite3` shell as processes, and can kill them.
struct ProcessRunner {
    /// The folder for output.
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
    ///   - arguments: The command's arguments.
    ///   - environment: Variables in addition to those of this process.
    ///   - output: The file for standard output; `nil` for none.
    /// - Returns: The running process.
    /// - Throws: The error of starting it.
    func start(_ arguments: [String], environment: [String: String] = [:], output: String? = nil) throws -> Process {
        let process = Process()
        process.executableURL = BuiltCommand.url
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
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
        // The test is about random moments of wall time, so this wait is intended.
        Thread.sleep(forTimeInterval: Double(delay.components.attoseconds) / 1e18 + Double(delay.components.seconds))
        return kill(process)
    }

    /// Kills a process.
    ///
    /// - Returns: Whether it was still running.
    func kill(_ process: Process) -> Bool {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
    }

    /// Returns the output of the shell for some statements and commands of the shell.
    func sqlite(_ database: String, _ lines: String...) throws -> String {
        // Into a file, since pipes with megabytes are not under test here.
        let path = folder + "/sqlite.out"
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = ["-cmd", ".timeout \(waitLimit.components.seconds * 1_000)", database] + lines
        process.standardOutput = try handle(path)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try String(contentsOf: URL(filePath: path), encoding: .utf8)
    }

    /// Checks that a file is intact and that its derived data match its photos.
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
