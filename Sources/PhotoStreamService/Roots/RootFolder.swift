import COpenBeneath
import Foundation

/// An open folder beneath which files are opened, and nothing outside of it.
struct RootFolder: ~Copyable {
    /// Why the system opens nothing.
    struct Failure: Error {
        /// A code of `errno`.
        let code: Int32

        /// In the system's words.
        var reason: String {
            switch code {
            case EXDEV: "it leads out of the folder"
            case ELOOP: "there is a symbolic link in it that is not followed"
            default: String(cString: strerror(code))
            }
        }
    }

    private let descriptor: Int32

    /// Opens a folder.
    ///
    /// - Parameter path: An absolute path without symbolic links: one that has come in later is refused.
    /// - Throws: ``Failure``.
    init(_ path: String) throws(Failure) {
        descriptor = try Self.checked(photostream_open_folder(path))
    }

    deinit {
        close(descriptor)
    }

    /// Opens a file beneath the folder for reading.
    ///
    /// - Parameter path: Relative to the folder. What it names may be anything, a folder or a pipe too.
    /// - Returns: A descriptor that the caller closes.
    /// - Throws: ``Failure``, with `EXDEV` where the path leads out.
    func open(_ path: String) throws(Failure) -> Int32 {
        // The kernel would read what is before the NUL.
        guard !path.utf8.contains(0) else { throw Failure(code: ENOENT) }
        return try Self.checked(photostream_open_beneath(descriptor, path))
    }

    private static func checked(_ result: Int32) throws(Failure) -> Int32 {
        guard result >= 0 else { throw Failure(code: -result) }
        return result
    }
}
