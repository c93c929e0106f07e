#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The bytes of one source that were read but not consumed yet.
///
/// One allocation serves the whole source; it grows only for a record that is longer than it.
final class InputBuffer {
    private var storage: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    private static let pollMilliseconds: Int32 = 100

    private let blockSize: Int
    private let descriptor: Int32
    private let closesDescriptor: Bool
    private let name: String

    /// Whether the source has no bytes beyond ``bytes``.
    private(set) var isAtEnd = false
    /// How many bytes were consumed so far.
    private(set) var consumedCount: Int64 = 0

    /// Takes over an open descriptor; `name` is what errors call it.
    init(descriptor: Int32, closesDescriptor: Bool, name: String, blockSize: Int) {
        self.descriptor = descriptor
        self.closesDescriptor = closesDescriptor
        self.name = name
        self.blockSize = max(1, blockSize)
        storage = .allocate(byteCount: self.blockSize, alignment: 16)
    }

    deinit {
        storage.deallocate()
        if closesDescriptor { _ = close(descriptor) }
    }

    /// What was read and not consumed; valid until the next ``fill()``.
    @inline(__always)
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[start..<end]) }

    /// Marks the first `count` bytes as done with.
    @inline(__always)
    func consume(_ count: Int) {
        start += count
        consumedCount += Int64(count)
    }

    /// Reads one more block, or finds the end.
    ///
    /// A read from a pipe or a terminal waits for input; it ends within 100 ms once the task is cancelled.
    ///
    /// - Throws: ``ImportError`` when the system cannot read the source, or when the task was cancelled.
    func fill() throws(ImportError) {
        guard !isAtEnd else { return }
        makeRoom()
        guard let base = storage.baseAddress else { return }
        while true {
            guard try isReadable() else { continue }
            let count = read(descriptor, base + end, blockSize)
            if count > 0 {
                end += count
                return
            }
            if count == 0 {
                isAtEnd = true
                return
            }
            guard errno == EINTR else {
                throw ImportError("Reading \(name) failed: \(String(cString: strerror(errno))).")
            }
        }
    }

    /// Whether a read will not wait; `false` after 100 ms without input.
    private func isReadable() throws(ImportError) -> Bool {
        guard !Task.isCancelled else { throw ImportError("Reading \(name) was cancelled.") }
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&state, 1, Self.pollMilliseconds)
        // A source that cannot be polled is read, which gives the reason.
        return count > 0 || count < 0 && errno != EINTR
    }

    private func makeRoom() {
        guard storage.count - end < blockSize, let base = storage.baseAddress else { return }
        let unread = end - start
        if storage.count - unread >= blockSize {
            memmove(base, base + start, unread)
        } else {
            let larger = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(storage.count * 2, unread + blockSize),
                alignment: 16
            )
            larger.copyMemory(from: bytes)
            storage.deallocate()
            storage = larger
        }
        (start, end) = (0, unread)
    }
}
