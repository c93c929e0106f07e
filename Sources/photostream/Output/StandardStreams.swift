import Foundation
import PhotoStreamService
import PhotoStreamWire
import Synchronization

/// The error after the reader closed standard output, as `head` does.
///
/// This is not a failure, but ends the command.
struct ClosedOutput: Error {}

/// Standard output, for data only.
enum StandardOutput {
    private static let blockSize = 1 << 16
    private static let pending = Mutex<[UInt8]>([])

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes bytes, buffered in blocks.
    ///
    /// - Throws: ``ClosedOutput`` if the reader closed the pipe; ``CommandError`` if writing fails otherwise.
    static func write(_ bytes: some Sequence<UInt8>) throws {
        let isFull = pending.withLock { pending in
            pending.append(contentsOf: bytes)
            return pending.count >= blockSize
        }
        if isFull { try flush() }
    }

    static func write(line: String) throws {
        try write((line + "\n").utf8)
    }

    static func flush() throws {
        let bytes = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        do {
            try FileDescriptor.write(bytes, to: STDOUT_FILENO)
        } catch {
            guard error.code != EPIPE else { throw ClosedOutput() }
            throw CommandError("standard output cannot be written: \(error.reason)")
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
        try? FileDescriptor.write(Array(text.utf8), to: STDERR_FILENO)
    }

    static func write(line: String) {
        write(line + "\n")
    }

    /// Writes a message with the command's name: `photostream: there is no stream "x"`.
    static func write(sentence: String) {
        write(line: "photostream: " + sentence.withoutPeriod.beginningLowerCase.onOneLine)
    }
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

/// Writes to open files completely, and reports the reason of a failure.
enum FileDescriptor {
    /// The reason for a failed call.
    struct Problem: Error {
        /// The value of `errno`.
        let code: Int32

        /// The system's description.
        var reason: String { unsafe String(cString: strerror(code)) }
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Problem) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let (count, code) = unsafe rest.withUnsafeBytes { buffer in
                unsafe (Foundation.write(descriptor, buffer.baseAddress, buffer.count), errno)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if code != EINTR {
                throw Problem(code: code)
            }
        }
    }
}
