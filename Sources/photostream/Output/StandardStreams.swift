import Foundation
import PhotoStreamService
import PhotoStreamWire
import Synchronization
import SystemPackage

/// The error after the reader closed standard output, as `head` does.
///
/// This is not a failure, but ends the command.
struct ClosedOutput: Error {}

/// The state of both streams, which may be one terminal.
private struct StreamState {
    /// The output that has not been written yet.
    var output: [UInt8] = []
    /// The time of the last line of progress.
    var progressTime = ContinuousClock.now
    /// Whether a line of progress is on the terminal.
    var showsProgress = false

    /// Writes text to standard error in place of the line of progress; errors are ignored.
    mutating func print(_ text: String) {
        let text = (showsProgress ? "\r\u{1B}[K" : "") + text
        showsProgress = false
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }
}

// The innermost lock of the command, which is held while standard error is written, so that texts do not mix.
private let streams = Mutex(StreamState())

/// Standard output, for data only.
enum StandardOutput {
    private static let blockSize = 1 << 16

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes bytes, buffered in blocks.
    ///
    /// - Throws: ``ClosedOutput`` if the reader closed the pipe; ``CommandError`` if writing fails otherwise.
    static func write(_ bytes: some Sequence<UInt8>) throws {
        let isFull = streams.withLock { streams in
            streams.output.append(contentsOf: bytes)
            return streams.output.count >= blockSize
        }
        if isFull { try flush() }
    }

    static func write(line: String) throws {
        try write((line + "\n").utf8)
    }

    static func flush() throws {
        StandardError.clearProgress()
        let bytes = streams.withLock { streams in
            defer { streams.output = [] }
            return streams.output
        }
        do {
            try FileDescriptor.standardOutput.writeAll(bytes)
        } catch {
            guard error as? Errno != .brokenPipe else { throw ClosedOutput() }
            throw CommandError("standard output cannot be written: \(error)")
        }
    }
}

extension StandardOutput {
    /// Writes a JSON value on a line.
    static func write(json body: (inout JSONWriter) -> Void) throws {
        var writer = JSONWriter()
        body(&writer)
        try write(writer.bytes)
        try write(line: "")
    }
}

/// Standard error: diagnostics and progress.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes text; errors are ignored.
    static func write(_ text: String) {
        streams.withLock { $0.print(text) }
    }

    static func write(line: String) {
        write(line + "\n")
    }

    /// Writes a message with the command's name: `photostream: there is no stream "x"`.
    static func write(sentence: String) {
        write(line: "photostream: " + sentence.withoutPeriod.beginningLowerCase.onOneLine)
    }

    /// Shows progress, unless that was done a moment ago.
    ///
    /// On a terminal, progress is a single line that is redrawn at most ten times a second, never wraps, and makes room for
    /// other text and for output; elsewhere, it is plain lines, at most one in five seconds.
    static func show(_ progress: @autoclosure () -> ProgressLine) {
        let (isTerminal, now) = (isTerminal, ContinuousClock.now)
        streams.withLock { streams in
            guard now - streams.progressTime >= (isTerminal ? .milliseconds(100) : .seconds(5)) else { return }
            streams.progressTime = now
            guard isTerminal else { return streams.print(progress().plainLine + "\n") }
            // The width is queried each time, since the window may change.
            streams.print("\r\u{1B}[K" + progress().line(columns: Terminal.width(of: STDERR_FILENO) ?? 80))
            streams.showsProgress = true
        }
    }

    /// Removes the line of progress from the terminal.
    static func clearProgress() { write("") }
}

extension String {
    /// The sentence without its final period.
    var withoutPeriod: String { hasSuffix(".") && !hasSuffix("..") ? String(dropLast()) : self }

    /// The sentence for use after a colon: with a lower-case first letter, unless that begins an abbreviation.
    fileprivate var beginningLowerCase: String {
        guard let first, let second = dropFirst().first, second.isLowercase || second == " " else { return self }
        return first.lowercased() + dropFirst()
    }
}
