import Foundation

/// A picture's file, open for reading until the last reference goes.
///
/// The descriptor was opened beneath a root and checked: a regular file that begins like a picture. What becomes of the
/// path afterwards does not matter. May be read from several threads at once.
public final class PictureFile: Sendable {
    /// Why bytes cannot be had.
    public enum ReadError: Error, Equatable, Sendable {
        /// The file was written to since it was opened.
        case changed
        /// The system cannot read it; a code of `errno`.
        case failed(Int32)
    }

    private let descriptor: Int32
    /// What the file holds.
    public let type: PictureType
    /// Which bytes it holds.
    public let version: FileVersion

    /// Takes an open file over, or closes it: `nil` comes of what is no regular file or no picture of a known type.
    ///
    /// - Parameter descriptor: Whatever was opened.
    /// - Throws: ``ReadError/failed(_:)``.
    init?(taking descriptor: Int32) throws(ReadError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw ReadError.failed(code)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        let head: [UInt8]
        do throws(ReadError) {
            head = try Self.bytes(descriptor, 0..<Int64(PictureType.headByteCount))
        } catch {
            close(descriptor)
            throw error
        }
        guard let type = PictureType(head: head) else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.type = type
        version = FileVersion(status)
    }

    deinit {
        close(descriptor)
    }

    /// Reads bytes; blocks.
    ///
    /// A file that is written to meanwhile is given up, so that nobody gets half of one picture and half of another.
    ///
    /// - Parameter range: Inside the file.
    /// - Returns: All bytes of the range.
    /// - Throws: ``ReadError``.
    public func bytes(_ range: Range<Int64>) throws(ReadError) -> [UInt8] {
        let bytes = try Self.bytes(descriptor, range)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw ReadError.failed(errno) }
        guard bytes.count == range.count, FileVersion(status).hasSameBytes(as: version) else { throw ReadError.changed }
        return bytes
    }

    /// As many bytes of a range as there are.
    private static func bytes(_ descriptor: Int32, _ range: Range<Int64>) throws(ReadError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count {
                let read = pread(
                    descriptor, buffer.baseAddress.map { $0 + count }, range.count - count,
                    off_t(range.lowerBound) + off_t(count))
                if read > 0 {
                    count += read
                } else if read == 0 {
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        guard failure == 0 else { throw ReadError.failed(failure) }
        return bytes
    }
}
