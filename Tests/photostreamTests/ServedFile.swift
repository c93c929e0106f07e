import Foundation
import Testing

/// The built command serving a file, as a process of its own.
final class ServedFile {
    /// Where it listens: `http://127.0.0.1:PORT`.
    let address: String
    private let process = Process()
    private let errors = Pipe()

    /// Starts it on a free port and waits until it listens.
    init(in folder: URL, database: String = "photostream.sqlite") throws {
        let output = Pipe()
        process.executableURL = try Command.binary()
        process.arguments = ["serve", "--port", "0", "--database", database]
        process.currentDirectoryURL = folder
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        address = line.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// Its port.
    var port: String { address.split(separator: ":").last.map(String.init) ?? "" }

    /// Whether it runs.
    var isRunning: Bool { process.isRunning }

    /// Sends a signal.
    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// Waits for its end.
    func end() -> (status: Int32, errors: String) {
        process.waitUntilExit()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return (process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus, text)
    }

    /// Asks with `curl`, as a person does.
    func curl(_ target: String, _ arguments: String...) throws -> String {
        let curl = Process()
        let output = Pipe()
        curl.executableURL = URL(filePath: "/usr/bin/curl")
        curl.arguments = ["--silent", "--globoff"] + arguments + [address + target]
        curl.standardOutput = output
        try curl.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        curl.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Asks for a JSON object.
    func json(_ target: String) throws -> [String: Any] {
        try Command.Outcome.object(try curl(target))
    }
}
