import PhotoStreamStorage

/// A folder whose files are imported: a root, or a folder beneath one.
struct FolderScope: Hashable, Sendable {
    /// The row id of the root.
    let rootID: Int64
    /// The root's path without symbolic links.
    let rootPath: String
    /// The folder from the root; empty for the root itself.
    let folder: String
    /// The folder that the import was asked for, which is this one or above it, by its path from the root.
    let base: String

    /// Creates a scope.
    ///
    /// - Parameters:
    ///   - rootID: The row id of the root.
    ///   - rootPath: The root's path without symbolic links.
    ///   - folder: The folder from the root; empty for the root itself.
    ///   - base: The folder that the import was asked for, if it is above this one.
    init(rootID: Int64, rootPath: String, folder: String, base: String? = nil) {
        (self.rootID, self.rootPath, self.folder, self.base) = (rootID, rootPath, folder, base ?? folder)
    }

    /// The absolute path of a path from the root.
    func absolutePath(_ path: String) -> String { rootPath + "/" + path }

    /// The absolute path of the folder.
    var path: String { folder.isEmpty ? rootPath : absolutePath(folder) }
}

extension PhotoReader {
    /// Returns a folder as part of the nearest root of a stream; `nil` if no root serves it.
    func scope(of folder: String, streamID: Int64) throws -> FolderScope? {
        try roots(servingStreamID: streamID, on: HostIdentity.name)
            .compactMap { FolderScope(of: folder, in: $0) }
            .min { $0.folder.utf8.count < $1.folder.utf8.count }
    }
}

extension FolderScope {
    /// Finds a folder in a root; `nil` if it is not beneath the root.
    fileprivate init?(of path: String, in root: RootRow) {
        guard path == root.resolvedPath || path.hasPrefix(root.resolvedPath + "/") else { return nil }
        self.init(
            rootID: root.id, rootPath: root.resolvedPath,
            folder: String(path.dropFirst(root.resolvedPath.count).drop { $0 == "/" }))
    }

    /// Whether another folder is this one or beneath it.
    func contains(_ other: FolderScope) -> Bool {
        rootPath == other.rootPath && FolderSurvey.contains(other.folder, beneath: folder)
    }
}
