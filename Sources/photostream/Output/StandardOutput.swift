import Foundation
import Synchronization

/// The reader of standard output went away, as `head` does; no error, but there is nothing left to do.
struct ClosedOutput: Error {}

/// Standard output: data, and nothing else.
enum StandardOutput {
    private static let blockSize = 1 << 16
    private static let pending = Mutex<[UInt8]>([])

    /// Whether a person is looking.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes bytes, in blocks.
    ///
    /// - Throws: ``ClosedOutput`` when nobody reads any more, ``CommandError`` when writing fails otherwise.
    static func write(_ bytes: some Sequence<UInt8>) throws {
        let isFull = pending.withLock { pending in
            pending.append(contentsOf: bytes)
            return pending.count >= blockSize
        }
        if isFull { try flush() }
    }

    /// Writes a line.
    static func write(line: String) throws {
        try write((line + "\n").utf8)
    }

    /// Hands over everything that was written so far.
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
