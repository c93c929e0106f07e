import Foundation

/// The link count and the permissions of a file, which may be an unnamed one at `/proc/self/fd/N`.
package struct FileStatus: Equatable {
    /// The number of names of the file.
    package let linkCount: Int
    /// The permission bits, such as 0o600.
    package let permissions: Int

    /// Creates a status.
    package init(linkCount: Int, permissions: Int) {
        self.linkCount = linkCount
        self.permissions = permissions
    }

    /// Reads the status of the file at a path, following links; `nil` if there is no file.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(linkCount: Int(status.st_nlink), permissions: Int(status.st_mode & 0o777))
    }
}
