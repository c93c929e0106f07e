import CShims
import PhotoStreamStorage

/// The known files of a folder and those of them that are gone, by folder.
///
/// It decides for which folders a missing disk is more likely than missing pictures.
struct FolderSurvey {
    /// The minimum number of photos in a folder, all of them gone, for which it is held.
    private static let leastCount = 5

    /// The folders whose photos are kept, by their paths from the root, with the reasons.
    struct Hold {
        fileprivate(set) var reasons: [String: String] = [:]

        /// Whether the photo of a file is kept.
        func contains(_ path: String) -> Bool { FolderSurvey.ancestors(of: path).contains { reasons[$0] != nil } }
    }

    private struct Count {
        var known = 0
        var gone = 0
    }

    private let scope: FolderScope
    /// The folders that a person confirmed, by their paths from the root.
    let confirmed: [String]
    /// The numbers of photos in each folder and beneath it.
    private var counts: [String: Count] = [:]
    /// The folders with existing files, and the folders above them.
    private var present: Set<String> = []

    /// Creates an empty survey.
    ///
    /// - Parameters:
    ///   - scope: The folder.
    ///   - confirmed: Folders that a person named, absolute or from the working directory.
    init(_ scope: FolderScope, confirmed: [String]) {
        self.scope = scope
        self.confirmed = confirmed.compactMap { name in
            guard let path = RootPath.absolute(name) else { return nil }
            if path == scope.rootPath { return "" }
            return path.hasPrefix(scope.rootPath + "/") ? String(path.dropFirst(scope.rootPath.count + 1)) : nil
        }
    }

    /// Adds known files.
    mutating func add(_ files: [LookedUpFile]) {
        for file in files {
            for folder in Self.ancestors(of: file.row.path) {
                if !file.isGone { present.insert(folder) }
                guard file.row.photo != nil else { continue }
                counts[folder, default: Count()].known += 1
                counts[folder, default: Count()].gone += file.isGone ? 1 : 0
            }
        }
    }

    /// The folders with files that are mount points.
    var mountedFolders: Set<String> { present.filter(isMountRoot) }

    /// Decides which photos are kept although their files are gone.
    ///
    /// - Parameters:
    ///   - mounted: The folders that were mount points when files were seen in them.
    ///   - allowsMost: Whether more than half of the photos may be removed.
    /// - Returns: The folders.
    func hold(mounted: Set<String>, allowsMost: Bool) -> Hold {
        var hold = Hold()
        for folder in mounted where counts[folder]?.gone ?? 0 > 0 && !isConfirmed(folder) && !isMountRoot(folder) {
            hold.reasons[folder] = "its disk is not mounted; import --prune-folder takes its photos all the same"
        }
        for (folder, count) in counts where count.known >= Self.leastCount && count.gone == count.known {
            guard !isConfirmed(folder), !hold.contains("\(folder)/") else { continue }
            hold.reasons[folder] =
                "it had \(count.known) photos, and none of their files is there; import --prune-folder takes them all the same"
        }
        // Only the topmost of nested folders is reported.
        for folder in hold.reasons.keys
        where Self.ancestors(of: folder).contains(where: { $0 != folder && hold.reasons[$0] != nil }) {
            hold.reasons[folder] = nil
        }
        let all = counts[scope.folder] ?? Count()
        let named = (confirmed + hold.reasons.keys).filter { folder in
            !(confirmed + hold.reasons.keys).contains { $0 != folder && Self.contains(folder, beneath: $0) }
        }
        let taken = all.gone - named.reduce(0) { $0 + (counts[$1]?.gone ?? 0) }
        if !allowsMost, taken * 2 > all.known {
            hold.reasons[scope.folder] =
                "the files of \(taken) of its \(all.known) photos are gone, more than half; import --prune --yes takes them"
        }
        return hold
    }

    private func isConfirmed(_ folder: String) -> Bool { confirmed.contains { Self.contains(folder, beneath: $0) } }

    private func isMountRoot(_ folder: String) -> Bool {
        unsafe photostream_is_mount_root(folder.isEmpty ? scope.rootPath : scope.absolutePath(folder)) == 1
    }

    /// Whether a folder is another one or beneath it.
    static func contains(_ other: String, beneath folder: String) -> Bool {
        folder.isEmpty || folder == other || other.hasPrefix(folder + "/")
    }

    /// Returns the folders above a path, including the root as an empty path.
    private static func ancestors(of path: String) -> [String] {
        var folders = [""]
        for position in path.utf8.indices where path.utf8[position] == UInt8(ascii: "/") {
            folders.append(String(path[..<position]))
        }
        return folders
    }
}
