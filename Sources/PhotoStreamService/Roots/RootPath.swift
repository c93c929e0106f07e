import Foundation
import PhotoStreamPictures

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

extension FolderError {
    /// The reason as a clause, for a root or a picture beneath it.
    var rootReason: String {
        switch code {
        case EXDEV: "it leads out of the folder"
        case ELOOP: "there is a symbolic link in it that is not followed"
        case EOPNOTSUPP: "its files are views of the kernel, not pictures"
        default: systemReason
        }
    }
}
