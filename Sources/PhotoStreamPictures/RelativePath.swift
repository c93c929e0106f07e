/// Paths from a root, whose parts are separated by slashes; the root is the empty path.
///
/// Slashes are compared as bytes, because a combining mark after one would form another character.
extension String {
    /// The part of a path after its last slash.
    var lastName: Substring {
        utf8.lastIndex(of: UInt8(ascii: "/")).map { self[utf8.index(after: $0)...] } ?? self[...]
    }

    /// The path of the folder that contains a path; empty for the root.
    var parentPath: String { utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[..<$0]) } ?? "" }

    /// The rest of a path beneath a folder; the whole path for an empty folder.
    ///
    /// - Parameter folder: A folder that contains the path.
    /// - Returns: The path from the folder.
    func path(from folder: String) -> String {
        folder.isEmpty ? self : String(self[utf8.index(utf8.startIndex, offsetBy: folder.utf8.count + 1)...])
    }

    /// The path of a name in this folder, which is empty for the root.
    func appending(name: String) -> String { isEmpty ? name : "\(self)/\(name)" }

    /// Whether a path is beneath this folder, which is empty for the root.
    func contains(path: String) -> Bool {
        isEmpty ? !path.isEmpty : path.utf8.starts(with: Array("\(self)/".utf8))
    }
}
