import Foundation

/// A regular file that may be a picture.
struct FolderFile: Sendable {
    /// The path from the root.
    let path: String
    /// The length in bytes.
    let byteCount: Int64
    /// The modification time, in nanoseconds since 1970.
    let modifiedNanoseconds: Int64
    /// The paths of its sidecars from the root, the strongest first.
    let sidecars: [String]
    /// The names, sizes and times of its sidecars, in a form that is only compared.
    let sidecarState: String
}

/// The patterns of the files to import, relative to the imported folder.
///
/// A pattern without a slash is compared with the last name, any other with the whole path; `*` does not match a slash,
/// `**` does.
struct FolderFilter: Sendable {
    private let include: [String]
    private let exclude: [String]

    /// Checks patterns.
    ///
    /// - Throws: ``FolderImportError/pattern(_:reason:)``.
    init(include: [String], exclude: [String]) throws(FolderImportError) {
        for pattern in include + exclude {
            if pattern.isEmpty || pattern.utf8.contains(0) { throw .pattern(pattern, reason: "it is empty") }
            if pattern.hasPrefix("/") { throw .pattern(pattern, reason: "it must be relative to the folder") }
        }
        (self.include, self.exclude) = (include, exclude)
    }

    func includesFile(_ path: String) -> Bool {
        !exclude.contains { Self.matches(path, pattern: $0) }
            && (include.isEmpty || include.contains { Self.matches(path, pattern: $0) })
    }

    func entersFolder(_ path: String) -> Bool {
        !exclude.contains { Self.matches(path, pattern: $0) || Self.matches(path + "/", pattern: $0) }
    }

    private static func matches(_ path: String, pattern: String) -> Bool {
        guard pattern.contains("/") else {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return unsafe fnmatch(pattern, name, 0) == 0
        }
        // Without this flag, `*` and therefore `**` match slashes, too.
        return unsafe fnmatch(pattern, path, pattern.contains("**") ? 0 : FNM_PATHNAME) == 0
    }
}

/// The files of a folder and its subfolders, in the order of the bytes of their names, folder by folder.
///
/// Hidden files, the folders of other programs and files with an extension of another format are left out. A link is
/// followed if its target stays beneath the root; a folder is entered once.
final class FolderFiles {
    /// A file, or something that cannot be imported.
    enum Item {
        case file(FolderFile)
        case problem(path: String, reason: String)
    }

    private struct Identity: Hashable {
        let device: UInt64
        let number: UInt64
    }

    private enum Entry {
        case item(name: String, Item)
        case folder(name: String, path: String)

        var name: String {
            switch self {
            case .item(let name, _), .folder(let name, _): name
            }
        }
    }

    private let scope: FolderScope
    private let filter: FolderFilter
    private var entered: Set<Identity> = []
    /// What is left of the folders that are open, the innermost last.
    private var folders: [ArraySlice<Entry>] = []

    /// Begins at a folder.
    ///
    /// - Throws: ``FolderImportError/unreadable(_:reason:)``.
    init(_ scope: FolderScope, filter: FolderFilter) throws(FolderImportError) {
        (self.scope, self.filter) = (scope, filter)
        try Self.checkRoot(of: scope)
        switch entries(of: scope.folder) {
        case .success(let entries): folders = [entries[...]]
        // A folder beneath the root may go while it is watched.
        case .failure(let problem) where problem.code == ENOENT && !scope.folder.isEmpty: break
        case .failure(let problem): throw .unreadable(scope.path, reason: problem.reason)
        }
    }

    /// Refuses a root that cannot be opened.
    static func checkRoot(of scope: FolderScope) throws(FolderImportError) {
        do {
            Foundation.close(try RootFolder(scope.rootPath).open("."))
        } catch {
            throw FolderImportError.unreadable(scope.rootPath, reason: error.reason)
        }
    }

    /// Returns the next file or problem; `nil` at the end.
    func next() -> Item? {
        while let last = folders.indices.last {
            guard let entry = folders[last].popFirst() else {
                folders.removeLast()
                continue
            }
            switch entry {
            case .item(_, let item): return item
            case .folder(_, let path):
                switch entries(of: path) {
                case .success(let entries): folders.append(entries[...])
                case .failure(let problem): return .problem(path: path, reason: problem.reason)
                }
            }
        }
        return nil
    }

    /// Returns the number of files and problems.
    func count() throws -> Int {
        var count = 0
        while next() != nil {
            count += 1
            if count % 1_024 == 0 { try Task.checkCancellation() }
        }
        return count
    }

    // MARK: - One folder

    private func entries(of folder: String) -> Result<[Entry], RootFolder.Failure> {
        let path = folder.isEmpty ? scope.rootPath : scope.absolutePath(folder)
        guard let stream = unsafe opendir(path) else { return .failure(RootFolder.Failure(code: errno)) }
        defer { unsafe closedir(stream) }
        var status = stat()
        guard unsafe fstat(dirfd(stream), &status) == 0 else { return .failure(RootFolder.Failure(code: errno)) }
        guard entered.insert(Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))).inserted else {
            return .success([])
        }
        var names: [String] = []
        var entries: [Entry] = []
        while let entry = unsafe readdir(stream) {
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            guard bytes.first != UInt8(ascii: ".") else { continue }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                let shown = String(decoding: bytes, as: UTF8.self)
                entries.append(
                    .item(name: shown, .problem(path: join(folder, shown), reason: "its name is not UTF-8")))
                continue
            }
            if !Self.skippedNames.contains(name) { names.append(name) }
        }
        let all = Set(names)
        entries += names.compactMap { entry($0, in: folder, beside: all) }
        return .success(entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    }

    private func entry(_ name: String, in folder: String, beside names: Set<String>) -> Entry? {
        let path = join(folder, name)
        var status = stat()
        guard unsafe lstat(scope.absolutePath(path), &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFLNK {
            guard staysInside(path) else {
                return .item(name: name, .problem(path: path, reason: "it is a link that leads out of the folder"))
            }
            guard unsafe stat(scope.absolutePath(path), &status) == 0 else {
                return .item(name: name, .problem(path: path, reason: "it is a link to a file that does not exist"))
            }
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return filter.entersFolder(relative(path)) ? .folder(name: name, path: path) : nil
        case S_IFREG:
            let ending = name.split(separator: ".", omittingEmptySubsequences: false).last?.lowercased() ?? ""
            guard !Self.otherEndings.contains(ending), filter.includesFile(relative(path)) else { return nil }
            let sidecars = sidecars(of: name, in: folder, beside: names)
            return .item(
                name: name,
                .file(
                    FolderFile(
                        path: path, byteCount: Int64(status.st_size), modifiedNanoseconds: status.nanoseconds,
                        sidecars: sidecars.map(\.path),
                        sidecarState: sidecars.map { "\($0.path) \($0.state)" }.joined(separator: "\n"))))
        default:
            guard filter.includesFile(relative(path)) else { return nil }
            return .item(name: name, .problem(path: path, reason: "it is not a regular file"))
        }
    }

    /// The sidecars of a file that are regular files: `photo.jpg.xmp` before `photo.xmp`.
    private func sidecars(
        of name: String, in folder: String, beside names: Set<String>
    ) -> [(path: String, state: String)] {
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        return ["\(name).xmp", "\(name).XMP", "\(stem).xmp", "\(stem).XMP"].compactMap { sidecar in
            guard names.contains(sidecar) else { return nil }
            let path = join(folder, sidecar)
            var status = stat()
            guard staysInside(path), unsafe stat(scope.absolutePath(path), &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            return (path, "\(status.st_size) \(status.nanoseconds)")
        }
    }

    private func staysInside(_ path: String) -> Bool {
        guard let found = unsafe realpath(scope.absolutePath(path), nil) else { return true }
        defer { unsafe free(found) }
        let target = unsafe String(cString: found)
        return target == scope.rootPath || target.hasPrefix(scope.rootPath + "/")
    }

    private func join(_ folder: String, _ name: String) -> String { folder.isEmpty ? name : folder + "/" + name }

    /// The path from the imported folder.
    private func relative(_ path: String) -> String {
        scope.folder.isEmpty ? path : String(path.dropFirst(scope.folder.count + 1))
    }

    /// Folders in which other programs keep copies.
    private static let skippedNames: Set<String> = ["@eaDir", "#recycle", "lost+found"]

    /// Endings of files of other formats that are kept together with pictures.
    private static let otherEndings: Set<String> = [
        "xmp", "txt", "json", "jsonl", "xml", "html", "htm", "md", "csv", "tsv", "pdf", "doc", "docx", "zip", "gz",
        "tar",
        "sqlite", "db", "ini", "log", "lrcat", "mp3", "wav", "flac", "m4a", "mp4", "m4v", "mov", "avi", "mkv", "webm",
        "mts",
        "mpg", "mpeg", "3gp", "wmv", "aae", "thm", "part", "tmp", "crdownload",
    ]
}

extension stat {
    /// The modification time, in nanoseconds since 1970.
    fileprivate var nanoseconds: Int64 { Int64(st_mtim.tv_sec) * 1_000_000_000 + Int64(st_mtim.tv_nsec) }
}
