import CShims
import Glibc
import PhotoStreamPictureMessages

/// A regular file that is open for reading.
final class OpenedPicture {
    /// The descriptor; closed with the object.
    let descriptor: Int32
    /// The version when it was opened.
    let stamp: FileStamp
    /// The length when it was opened, in bytes.
    var byteCount: Int64 { stamp.byteCount }

    /// Opens a file beneath a root.
    ///
    /// - Throws: ``PictureFailure`` with the reason.
    init(root: String, path: String) throws(PictureFailure) {
        // The kernel would read only the part before the NUL.
        guard !root.utf8.contains(0), !path.utf8.contains(0) else { throw Self.failure(code: ENOENT, noun: "the file") }
        let folder = unsafe photostream_open_folder(root)
        guard folder >= 0 else { throw Self.failure(code: -folder, noun: "the folder") }
        defer { close(folder) }
        let descriptor = unsafe photostream_open_beneath(folder, path)
        guard descriptor >= 0 else { throw Self.failure(code: -descriptor, noun: "the file") }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw PictureFailure(.notAPicture, reason: "It is not a regular file.")
        }
        self.descriptor = descriptor
        stamp = FileStamp(status)
    }

    deinit { close(descriptor) }

    /// Whether the length or the time of the last change has changed since the file was opened.
    var hasChanged: Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return true }
        return FileStamp(status) != stamp
    }

    /// Reads up to `count` bytes at an offset; fewer at the end of the file.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read them.
    func read(at offset: Int64, count: Int) throws(PictureFailure) -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let result = unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled,
                    off_t(offset) + off_t(filled))
                if result < 0, errno == EINTR { continue }
                if result < 0 { failed = true }
                guard result > 0 else { break }
                filled += result
            }
        }
        guard !failed else { throw PictureFailure(.damaged, reason: "The file cannot be read.") }
        return bytes
    }

    /// The error for a file that another process is writing.
    static let changed = PictureFailure(.changed, reason: "The file was changed while it was read.")

    private static func failure(code: Int32, noun: String) -> PictureFailure {
        switch code {
        case ENOENT, ENOTDIR, ENAMETOOLONG: PictureFailure(.missing, reason: "There is no such file.")
        case EACCES, EPERM, ELOOP, EXDEV, EOPNOTSUPP:
            PictureFailure(.denied, reason: "It is not permitted to open \(noun).")
        case EMFILE, ENFILE, ENOMEM: PictureFailure(.exhausted, reason: "The system has no room to open \(noun).")
        case ENXIO, ENODEV, EISDIR: PictureFailure(.notAPicture, reason: "It is not a regular file.")
        default: PictureFailure(.damaged, reason: "The system cannot open \(noun) (error \(code)).")
        }
    }
}
