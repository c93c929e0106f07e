import Foundation

/// Runs other programs.
enum Tool {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a program to its end.
    ///
    /// - Returns: Its standard output.
    @discardableResult
    static func run(_ program: String, arguments: [String], allowing codes: Set<Int32> = [0]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard codes.contains(process.terminationStatus) else {
            throw Failure(description: "\(program) \(arguments.joined(separator: " ")) failed")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Starts a program that a signal can end: Dispatch's threads block signals, and the programs that they start
    /// inherit that.
    static func start(_ process: Process) throws {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        try process.run()
    }

    /// The command of the main package: an option, or where `swift build -c release` puts it.
    static func photostream(_ option: String?) throws -> String {
        let path =
            option
            ?? URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../.build/release/photostream").standardized.path(percentEncoded: false)
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Failure(description: "\(path) is missing: run `swift build -c release --product photostream` first")
        }
        return path
    }

    /// A folder that is removed when `body` ends.
    static func withFolder<T>(_ body: (URL) throws -> T) throws -> T {
        let folder = FileManager.default.temporaryDirectory.appending(path: "photostream-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
