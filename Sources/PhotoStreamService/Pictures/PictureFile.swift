import Foundation
import PhotoStreamPictureMessages

/// A picture's file, open for reading until the last reference is released.
///
/// The descriptor was opened beneath a root and checked: a regular file that begins like a picture. Later changes of
/// the path have no effect. Several threads may read it at once.
public final class PictureFile: Sendable {
    /// A reason why bytes are not available.
    public enum ReadError: Error, Equatable, Sendable {
        /// The file was written since it was opened.
        case changed
        /// The system cannot read it; contains a code of `errno`.
        case failed(Int32)
    }

    /// An open file, which is closed with the last reference.
    private final class Descriptor: Sendable {
        let number: Int32
        init(_ number: Int32) { self.number = number }
        deinit { close(number) }
    }

    private let descriptor: Descriptor
    /// The bytes of the file that this is: all of them, or those of a film.
    public let part: Range<Int64>
    /// The last component of the path at which it was opened.
    public let name: String
    /// The type of the picture.
    public let type: PictureType
    /// The version of its bytes.
    public let version: FileVersion
    /// The number of bytes.
    public var byteCount: Int64 { part.upperBound - part.lowerBound }

    /// Takes ownership of an open file, or closes it if it is not a regular file with a picture of a known type.
    ///
    /// - Parameters:
    ///   - descriptor: A descriptor of any kind.
    ///   - path: The path at which it was opened.
    /// - Returns: The version of a regular file, and its picture if the type is known: decoders know more types than the
    ///   server serves unmodified. `nil` for anything else.
    /// - Throws: ``ReadError/failed(_:)``.
    static func opened(
        _ descriptor: Int32, at path: String
    ) throws(ReadError) -> (version: FileVersion, picture: PictureFile?)? {
        var picture: PictureFile?
        defer { if picture == nil { close(descriptor) } }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw ReadError.failed(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        let version = FileVersion(status)
        if let type = PictureType(head: try bytes(of: descriptor, in: 0..<Int64(PictureType.headByteCount))) {
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            picture = PictureFile(
                Descriptor(descriptor), part: 0..<version.byteCount, name: name, type: type, version: version)
        }
        return (version, picture)
    }

    private init(
        _ descriptor: Descriptor, part: Range<Int64>, name: String, type: PictureType, version: FileVersion
    ) {
        (self.descriptor, self.part) = (descriptor, part)
        self.name = name
        self.type = type
        self.version = version
    }

    /// Returns the film in a part of the file, under the picture's name with another extension.
    func film(in part: Range<Int64>) -> PictureFile {
        let base = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
        return PictureFile(
            descriptor, part: part, name: "\(base).\(PictureType.mp4.fileExtension)", type: .mp4, version: version)
    }

    /// Reads bytes; blocks.
    ///
    /// A read fails if the file was written meanwhile, so that no client receives parts of two pictures.
    ///
    /// - Parameter range: At most ``byteCount``.
    /// - Returns: All bytes of the range.
    /// - Throws: ``ReadError``.
    public func bytes(_ range: Range<Int64>) throws(ReadError) -> [UInt8] {
        let start = part.lowerBound + range.lowerBound
        let bytes = try Self.bytes(of: descriptor.number, in: start..<(start + Int64(range.count)))
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0 else { throw ReadError.failed(errno) }
        guard bytes.count == range.count, FileVersion(status).hasSameBytes(as: version) else { throw ReadError.changed }
        return bytes
    }

    /// Returns as many bytes of a range as there are.
    private static func bytes(of descriptor: Int32, in range: Range<Int64>) throws(ReadError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count {
                let read = unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + count }, range.count - count,
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

/// The version of the bytes of a file: equal versions of a file are equal bytes.
public struct FileVersion: Hashable, Sendable {
    /// The device that the file is on.
    public let device: UInt64
    /// Its inode number there.
    public let number: UInt64
    /// Its length in bytes.
    public let byteCount: Int64
    /// The time of its last write, in nanoseconds since 1970, unless a program has set it back.
    public let modifiedNanoseconds: Int64
    /// The time of its last change of any kind, in nanoseconds since 1970, which cannot be set back.
    public let changedNanoseconds: Int64
    /// Whether the last write is old enough: a file that is written twice in one tick of the file system's clock looks
    /// the same afterwards, so until then, equal versions may have different bytes.
    public let isSettled: Bool

    /// The minimum age of the last write.
    private static let settlingNanoseconds: Int64 = 2_000_000_000

    /// Reads the version from the status of a file.
    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        byteCount = Int64(status.st_size)
        modifiedNanoseconds = FileStamp.nanoseconds(status.st_mtim)
        changedNanoseconds = FileStamp.nanoseconds(status.st_ctim)
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        isSettled = modifiedNanoseconds <= FileStamp.nanoseconds(now) - Self.settlingNanoseconds
    }

    /// Whether the file was not written between two versions; a rename or removal is not a write.
    func hasSameBytes(as other: FileVersion) -> Bool {
        device == other.device && number == other.number && byteCount == other.byteCount
            && modifiedNanoseconds == other.modifiedNanoseconds
    }
}
