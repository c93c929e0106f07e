import Foundation
import PhotoStreamPictureMessages
import PhotoStreamTestSupport

/// The built worker as a process, with pipes.
final class WorkerProcess {
    /// The built worker, which is next to the test bundle.
    static let url = BuiltCommand.url.deletingLastPathComponent().appending(path: "photostream-pictures")

    let process = Process()
    let input = Pipe()
    let output = Pipe()
    private let errors = Pipe()

    /// Starts a worker.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - searchPath: The folders in which it looks for programs; `nil` for those of this process.
    /// - Throws: The error of the system if it cannot be started.
    init(_ arguments: String..., searchPath: String? = nil) throws {
        // A worker that has died must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        process.executableURL = Self.url
        process.arguments = arguments
        if let searchPath { process.environment = ["PATH": searchPath] }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Sends bytes as they are; nothing happens if the worker has died.
    func send(_ bytes: [UInt8]) {
        try? input.fileHandleForWriting.write(contentsOf: Data(bytes))
    }

    /// Receives an answer; `nil` if the worker died first.
    func receive() throws -> PictureAnswer? {
        guard let head = try output.fileHandleForReading.read(upToCount: MessageFrame.headByteCount),
            head.count == MessageFrame.headByteCount
        else { return nil }
        var message = Data()
        let count = try MessageFrame.byteCount(head: Array(head))
        while message.count < count,
            let part = try output.fileHandleForReading.read(upToCount: count - message.count), !part.isEmpty
        {
            message += part
        }
        guard message.count == count else { return nil }
        return try PictureAnswer(bytes: Array(message))
    }

    /// Sends a request and receives its answer.
    func ask(_ request: PictureRequest) throws -> PictureAnswer? {
        send(MessageFrame.framed(request.bytes))
        return try receive()
    }

    /// Closes the worker's input.
    func endInput() {
        try? input.fileHandleForWriting.close()
    }

    /// Waits until it has ended, and returns its status, or the signal that ended it as a negative number.
    func status() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// The text that the worker wrote to standard error; call it after the end.
    func errorText() -> String {
        String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
}
