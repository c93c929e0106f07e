import Foundation

/// The path of a folder that a person named.
struct RootPath {
    /// As it was named, absolute, without `.` and repeated slashes.
    let path: String
    /// The same folder without symbolic links.
    let resolvedPath: String

    /// Looks a folder up.
    ///
    /// - Parameter name: A path, from the working directory where it is relative.
    /// - Throws: ``RootError`` where there is no folder, or it is the top of the file system.
    init(_ name: String) throws(RootError) {
        guard !name.isEmpty, !name.utf8.contains(0), let found = realpath(name, nil) else {
            let reason = name.isEmpty || name.utf8.contains(0) ? "that is no path" : String(cString: strerror(errno))
            throw RootError.unusable(name, reason: reason)
        }
        defer { free(found) }
        guard let resolved = String(validatingCString: found) else {
            throw RootError.unusable(name, reason: "its path is not UTF-8")
        }
        guard resolved != "/" else { throw RootError.everything }
        path = Self.absolute(name) ?? resolved
        resolvedPath = resolved
    }

    /// A path as a person named it, absolute, also where nothing is there; `nil` with `..` in it, which only a look at
    /// the folders can take back.
    static func absolute(_ name: String) -> String? {
        let text = name.hasPrefix("/") ? name : FileManager.default.currentDirectoryPath + "/" + name
        let parts = text.split(separator: "/").filter { $0 != "." }
        return parts.contains("..") ? nil : "/" + parts.joined(separator: "/")
    }
}
