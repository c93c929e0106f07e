import Foundation
package import PhotoStreamModel

/// The permissions of a file with tokens and photos: other users of the machine get none.
package enum FilePrivacy {
    /// The permissions of a new file.
    static let mode: mode_t = 0o600

    /// The endings of the names of a database's files.
    package static let endings = ["", "-wal", "-shm", "-journal"]

    /// Creates an empty file that only its owner can read or write, unless there is one.
    ///
    /// SQLite gives the files next to a database the same permissions.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``StorageError`` if it cannot be created.
    package static func create(_ path: String) throws(StorageError) {
        // Closing an existing file would release the locks that this process has on it.
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            let code = errno
            throw StorageError(
                code == ENOSPC || code == EDQUOT ? .diskFull : .database,
                message: unsafe "\(path) cannot be created: \(String(cString: strerror(code)))")
        }
        close(descriptor)
    }

    /// Takes the permissions of other users from a database's files; those of the owner and the group stay.
    ///
    /// - Parameter path: The path of the database.
    /// - Returns: The files that others could read or write, and those that they still can: on some file systems, such
    ///   as exFAT, a file has no permissions of its own.
    package static func closeToOthers(_ path: String) -> (changed: [String], open: [String]) {
        var (changed, open): ([String], [String]) = ([], [])
        for file in endings.map({ path + $0 }) {
            guard let mode = permissions(of: file), mode & 0o007 != 0 else { continue }
            _ = unsafe chmod(file, mode & 0o770)
            let isClosed = permissions(of: file).map { $0 & 0o007 == 0 } ?? true
            if isClosed { changed.append(file) } else { open.append(file) }
        }
        return (changed, open)
    }

    /// The files of a database that other users of the machine can read or write.
    package static func filesOpenToOthers(_ path: String) -> [String] {
        endings.map { path + $0 }.filter { permissions(of: $0).map { $0 & 0o007 != 0 } ?? false }
    }

    private static func permissions(of path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
