#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The bytes of a source that have been read but not consumed.
///
/// One allocation serves the whole source; it grows only for a longer record.
@safe
final class InputBuffer {
    private var storage: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    private static let pollMilliseconds: Int32 = 100

    private let blockSize: Int
    private let descriptor: Int32
    private let closesDescriptor: Bool
    private let name: String

    /// Whether the source has no more bytes after ``bytes``.
    private(set) var isAtEnd = false
    /// The number of bytes consumed so far.
    private(set) var consumedCount: Int64 = 0

    /// Creates a buffer for an open descriptor; `name` is the source's name in errors.
    init(descriptor: Int32, closesDescriptor: Bool, name: String, blockSize: Int) {
        self.descriptor = descriptor
        self.closesDescriptor = closesDescriptor
        self.name = name
        self.blockSize = max(1, blockSize)
        unsafe storage = .allocate(byteCount: self.blockSize, alignment: 16)
    }

    deinit {
        unsafe storage.deallocate()
        if closesDescriptor { _ = close(descriptor) }
    }

    /// The bytes that were read and not consumed; valid until the next ``fill()``.
    @inline(__always)
    var bytes: Bytes { unsafe Bytes(UnsafeRawBufferPointer(rebasing: storage[start..<end])) }

    /// Consumes the first `count` bytes.
    @inline(__always)
    func consume(_ count: Int) {
        start += count
        consumedCount += Int64(count)
    }

    /// Reads one more block, or detects the end.
    ///
    /// A read from a pipe or terminal waits for input; it ends within 100 ms after the task is cancelled.
    ///
    /// - Throws: ``ImportError`` if the source cannot be read or the task is cancelled.
    func fill() throws(ImportError) {
        guard !isAtEnd else { return }
        makeRoom()
        guard let base = unsafe storage.baseAddress else { return }
        while true {
            guard try isReadable() else { continue }
            let count = unsafe read(descriptor, base + end, blockSize)
            if count > 0 {
                end += count
                return
            }
            if count == 0 {
                isAtEnd = true
                return
            }
            guard errno == EINTR else {
                throw ImportError("Reading \(name) failed: \(String(errorNumber: errno)).")
            }
        }
    }

    /// Whether a read will not wait; `false` after 100 ms without input.
    private func isReadable() throws(ImportError) -> Bool {
        guard !Task.isCancelled else { throw ImportError("Reading \(name) was cancelled.") }
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&state, 1, Self.pollMilliseconds)
        // If polling fails, the read that follows reports the reason.
        return count > 0 || count < 0 && errno != EINTR
    }

    private func makeRoom() {
        guard unsafe storage.count - end < blockSize, let base = unsafe storage.baseAddress else { return }
        let unread = end - start
        if unsafe storage.count - unread >= blockSize {
            unsafe memmove(base, base + start, unread)
        } else {
            let larger = unsafe UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(storage.count * 2, unread + blockSize),
                alignment: 16
            )
            unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[start..<end]))
            unsafe storage.deallocate()
            unsafe storage = larger
        }
        (start, end) = (0, unread)
    }
}

extension String {
    /// The system's text for an error number.
    init(errorNumber: Int32) {
        self = unsafe String(cString: strerror(errorNumber))
    }
}
