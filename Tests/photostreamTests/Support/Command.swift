import Foundation
import Testing

/// The built binary, run as a process in a temporary folder.
final class Command: Sendable {
    /// The outcome of a run.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String

        /// Standard output as a JSON object.
        var json: [String: Any] {
            get throws { try Self.object(output) }
        }

        /// Standard output as JSON Lines.
        var jsonLines: [[String: Any]] {
            get throws { try output.split(separator: "\n").map { try Self.object(String($0)) } }
        }

        static func object(_ text: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
    }

    /// SampleData of the package.
    static let samples = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "SampleData")

    /// The folder that commands run in.
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "photostream-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs the command.
    @discardableResult
    func callAsFunction(_ arguments: String..., input: String? = nil, path: String? = nil) throws -> Outcome {
        try run(arguments, input: input, path: path)
    }

    /// Runs the command.
    @discardableResult
    func run(
        _ arguments: [String], input: String? = nil, path: String? = nil, environment: [String: String] = [:]
    ) throws -> Outcome {
        try start(arguments, input: input, path: path, environment: environment).outcome()
    }

    /// Runs a script of `/bin/sh`, with the command as `$0` and arguments, in which it may mount without effect on
    /// others.
    ///
    /// - Returns: The outcome; `nil` without the right to mount.
    func mounting(_ mount: String, _ script: String, _ arguments: [String] = []) throws -> Outcome? {
        guard getuid() == 0 else { return nil }
        let shell = ["-m", "/bin/sh", "-c", "\(mount) || exit 77\n\(script)", try Self.binary().path]
        let outcome = try start(shell + arguments, program: URL(filePath: "/usr/bin/unshare")).outcome()
        return outcome.status == 77 ? nil : outcome
    }

    /// A command that runs, while the test goes on: a task for it might not begin before other tests have ended.
    struct Running {
        fileprivate let process: Process
        fileprivate let name: String
        fileprivate let command: Command

        /// Waits for the end.
        func outcome() throws -> Outcome {
            process.waitUntilExit()
            let outcome = Outcome(
                status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
                output: try command.text(".\(name).out"), errors: try command.text(".\(name).err"))
            for ending in ["out", "err", "in"] {
                try? FileManager.default.removeItem(at: command.url(".\(name).\(ending)"))
            }
            return outcome
        }
    }

    /// Starts the command, or another program.
    func start(
        _ arguments: [String], input: String? = nil, path: String? = nil, environment: [String: String] = [:],
        program: URL? = nil
    ) throws -> Running {
        let process = Process()
        process.executableURL = try program ?? Self.binary()
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let path { process.environment?["PATH"] = path }
        // Files rather than pipes, which could fill up.
        let name = UUID().uuidString
        let (output, errors) = (try handle(".\(name).out"), try handle(".\(name).err"))
        process.standardOutput = output
        process.standardError = errors
        if let input {
            try write(".\(name).in", input)
            process.standardInput = try FileHandle(forReadingFrom: url(".\(name).in"))
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        try process.run()
        return Running(process: process, name: name, command: self)
    }

    /// A stream of the sample photos.
    func importSamples(into stream: String = "demo") throws {
        let outcome = try self("import", "--stream", stream, Self.samples.appending(path: "photos.jsonl").path)
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    func url(_ name: String) -> URL { folder.appending(path: name) }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: url(name))
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url(name)), as: UTF8.self)
    }

    /// The names of the files in the folder.
    var files: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) }
    }

    private func handle(_ name: String) throws -> FileHandle {
        try Data().write(to: url(name))
        return try FileHandle(forWritingTo: url(name))
    }

    /// The binary, which the build puts next to the test bundle.
    static func binary() throws -> URL {
        var starts = CommandLine.arguments.map { URL(filePath: $0) } + Bundle.allBundles.map(\.bundleURL)
        starts.append(URL(filePath: "/proc/self/exe").resolvingSymlinksInPath())
        for start in starts {
            var folder = start
            for _ in 0..<4 {
                let candidate = folder.appending(path: "photostream")
                var isDirectory: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isDirectory),
                    !isDirectory.boolValue, FileManager.default.isExecutableFile(atPath: candidate.path)
                {
                    return candidate
                }
                folder.deleteLastPathComponent()
            }
        }
        throw MissingBinary()
    }

    private struct MissingBinary: Error, CustomStringConvertible {
        let description = "the binary photostream is not next to the test bundle"
    }
}
