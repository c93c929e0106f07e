import CShims
import Foundation

/// An open folder that opens files beneath it, and nothing outside of it.
struct RootFolder: ~Copyable {
    /// The system's reason for a failure to open a file.
    struct Failure: Error {
        /// A code of `errno`.
        let code: Int32

        /// The system's description.
        var reason: String {
            switch code {
            case EXDEV: "it leads out of the folder"
            case ELOOP: "there is a symbolic link in it that is not followed"
            case EOPNOTSUPP: "its files are views of the kernel, not pictures"
            default: unsafe String(cString: strerror(code))
            }
        }
    }

    private let descriptor: Int32

    /// Opens a folder.
    ///
    /// - Parameter path: An absolute path without symbolic links: a link that was added later is refused.
    /// - Throws: ``Failure``.
    init(_ path: String) throws(Failure) {
        descriptor = try unsafe Self.checked(photostream_open_folder(path))
    }

    deinit {
        close(descriptor)
    }

    /// Opens a file beneath the folder for reading.
    ///
    /// - Parameter path: Relative to the folder. It may name anything, even a folder or a pipe.
    /// - Returns: A descriptor that the caller closes.
    /// - Throws: ``Failure``, with `EXDEV` if the path leads out of the folder.
    func open(_ path: String) throws(Failure) -> Int32 {
        // The kernel would read only the part before the NUL.
        guard !path.utf8.contains(0) else { throw Failure(code: ENOENT) }
        return try unsafe Self.checked(photostream_open_beneath(descriptor, path))
    }

    private static func checked(_ result: Int32) throws(Failure) -> Int32 {
        guard result >= 0 else { throw Failure(code: -result) }
        return result
    }
}

/// The path of a folder, as it was given and without symbolic links.
struct RootPath {
    /// The path as given, absolute, without `.` and repeated slashes.
    let path: String
    /// The same folder without symbolic links.
    let resolvedPath: String

    /// Looks up a folder.
    ///
    /// - Parameter name: A path, absolute or from the working directory.
    /// - Throws: ``RootError`` if there is no folder, or it is the top of the file system.
    init(_ name: String) throws(RootError) {
        guard !name.isEmpty, !name.utf8.contains(0), let found = unsafe realpath(name, nil) else {
            let reason =
                unsafe name.isEmpty || name.utf8.contains(0) ? "that is not a path" : String(cString: strerror(errno))
            throw RootError.unusable(name, reason: reason)
        }
        defer { unsafe free(found) }
        guard let resolved = unsafe String(validatingCString: found) else {
            throw RootError.unusable(name, reason: "its path is not UTF-8")
        }
        guard resolved != "/" else { throw RootError.everything }
        // Shared memory is the only folder of files among the devices.
        guard resolved != "/dev", !resolved.hasPrefix("/dev/") || "\(resolved)/".hasPrefix("/dev/shm/") else {
            throw RootError.unusable(name, reason: "it contains devices, not pictures")
        }
        path = Self.absolute(name) ?? resolved
        resolvedPath = resolved
    }

    /// Returns a path as given, but absolute, even if nothing is there; `nil` if it contains `..`, which only the file
    /// system can resolve.
    static func absolute(_ name: String) -> String? {
        let text = name.hasPrefix("/") ? name : FileManager.default.currentDirectoryPath + "/" + name
        let parts = text.split(separator: "/").filter { $0 != "." }
        return parts.contains("..") ? nil : "/" + parts.joined(separator: "/")
    }
}
