import Foundation

/// The file system of a path.
package struct FileSystem: Equatable {
    /// Its type, such as `ext4` or `nfs4`.
    package let type: String

    /// Whether other machines write to it.
    package var isRemote: Bool {
        ["nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "ocfs2", "afs", "gfs2"].contains(type) || type.hasPrefix("fuse")
    }

    /// Finds the file system of a path.
    ///
    /// - Parameters:
    ///   - path: The path, absolute and without links.
    ///   - mounts: The system's table of mounts; by default the current one.
    ///
    /// Source: proc(5) and getmntent(3): a space in a path is written `\040`.
    package init?(
        of path: String, mounts: String = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
    ) {
        var found: (length: Int, type: String)?
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 2 else { continue }
            let point = fields[1].replacing("\\040", with: " ")
            guard point == "/" || path == point || path.hasPrefix(point + "/") else { continue }
            // If two file systems are mounted at one path, the later one is on top.
            if found.map({ point.utf8.count >= $0.length }) ?? true { found = (point.utf8.count, String(fields[2])) }
        }
        guard let found else { return nil }
        type = found.type
    }
}
