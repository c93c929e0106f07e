import Foundation

/// A walk over the files beneath a folder, in the order of the bytes of their names.
///
///     let walk = try FolderWalk(root: "/home/ada/Pictures")
///     while let item = walk.next() {
///         if case .file(let file) = item { print(file.path, file.stamp.byteCount) }
///     }
///
/// Every folder is opened beneath the root with the kernel's own check, so that no link and no rename leads out of it.
/// A link is followed if it stays beneath the root and the walk would not reach its target otherwise, because the
/// target is in a hidden folder; each such target is visited once. Memory is bounded by the listings of one folder and
/// its parents.
package final class FolderWalk {
    /// A step of a walk.
    package enum Item: Hashable, Sendable {
        /// A file that may be a picture.
        case file(FolderFile)
        /// A file or folder that cannot be imported.
        case problem(FolderProblem)
    }

    private let tree: FolderTree
    private let scope: String
    private let filter: PathFilter
    /// The listings of the current folder and its parents, each with the entries that were not visited.
    private var stack:
        [(path: String, rest: ArraySlice<FolderListing.Entry>, sidecars: [String: FolderListing.Entry])] =
            []
    private var problems: [FolderProblem] = []
    private var followedTargets: Set<String> = []
    /// The files that were skipped so far, without hidden ones and those that the filter does not select.
    package private(set) var skipped = SkippedFiles()

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - root: The root: an absolute path without symbolic links.
    ///   - folder: The path of the folder from the root; empty for the root itself.
    ///   - filter: The files to visit, by their paths from the folder.
    /// - Throws: ``FolderError`` if the folder cannot be read.
    package init(root: String, folder: String = "", filter: PathFilter = PathFilter()) throws(FolderError) {
        tree = try FolderTree(root)
        (scope, self.filter) = (folder, filter)
        try enter(folder)
    }

    /// Takes the next step.
    ///
    /// - Returns: A file or a problem; `nil` at the end.
    package func next() -> Item? {
        while true {
            if let problem = problems.popLast() { return .problem(problem) }
            guard let depth = stack.indices.last else { return nil }
            guard let entry = stack[depth].rest.popFirst() else {
                stack.removeLast()
                continue
            }
            let path = Self.path(in: stack[depth].path, of: entry.name)
            switch entry.kind {
            case .folder: descend(into: path, name: entry.name)
            case .link: if let file = follow(path, name: entry.name) { return .file(file) }
            case .file:
                guard counts(path, name: entry.name) else {
                    countSkipped(path, name: entry.name)
                    continue
                }
                if let file = file(entry, at: path, named: entry.name) { return .file(file) }
            case .other:
                guard !IgnoredNames.ignoresFile(entry.name) else { continue }
                return .problem(
                    FolderProblem(path: path, reason: "it is a device, a pipe or a socket", hidesFiles: false))
            }
        }
    }

    private func counts(_ path: String, name: String) -> Bool {
        !IgnoredNames.ignoresFile(name) && filter.includesFile(relative(path))
    }

    private func countSkipped(_ path: String, name: String) {
        guard !IgnoredNames.isHidden(name), filter.includesFile(relative(path)), !name.lowercased().hasSuffix(".xmp")
        else { return }
        if IgnoredNames.isVideo(name) { skipped.videoCount += 1 } else { skipped.otherCount += 1 }
    }

    private func descend(into path: String, name: String) {
        guard !IgnoredNames.ignoresFolder(name), filter.includesFolder(relative(path)) else { return }
        do throws(FolderError) {
            try enter(path)
        } catch {
            problems.append(FolderProblem(path: path, reason: error.reason, hidesFiles: true))
        }
    }

    /// Lists a folder and makes it the current one.
    private func enter(_ path: String) throws(FolderError) {
        let listing = try tree.list(path)
        let names = Set(
            listing.entries.lazy.filter { $0.kind != .folder && !$0.name.lowercased().hasSuffix(".xmp") }.map(\.name))
        var sidecars: [String: FolderListing.Entry] = [:]
        for entry in listing.entries where entry.kind == .file && entry.name.lowercased().hasSuffix(".xmp") {
            sidecars[String(entry.name.dropLast(4))] = entry
        }
        stack.append((path, listing.entries[...], sidecars))
        problems += listing.badNames.map {
            FolderProblem(path: Self.path(in: path, of: $0), reason: "its name is not UTF-8", hidesFiles: false)
        }
        let stems = Set(names.lazy.compactMap(Self.stem))
        for (owner, sidecar) in sidecars where !names.contains(owner) && !stems.contains(owner) {
            let place = Self.path(in: path, of: sidecar.name)
            guard filter.includesFile(relative(place)), !IgnoredNames.isHidden(sidecar.name) else { continue }
            problems.append(
                FolderProblem(path: place, reason: "there is no picture next to this sidecar", hidesFiles: false))
        }
        problems.sort { Array($0.path.utf8).lexicographicallyPrecedes(Array($1.path.utf8)) == false }
    }

    /// The file of an entry, with its sidecars; `nil` if it was removed.
    private func file(_ entry: FolderListing.Entry, at path: String, named name: String) -> FolderFile? {
        guard let current = stack.last else { return nil }
        let owners = [name] + (Self.stem(name).map { [$0] } ?? [])
        let sidecars = owners.compactMap { current.sidecars[$0] }.map { sidecar in
            FolderFile.Sidecar(path: Self.path(in: current.path, of: sidecar.name), stamp: sidecar.stamp)
        }
        return FolderFile(path: path, stamp: entry.stamp, sidecars: sidecars)
    }

    // MARK: - Links

    /// Follows a link.
    ///
    /// - Returns: The file at its end; `nil` if the walk reaches that otherwise, or it is a folder, which is entered.
    private func follow(_ path: String, name: String) -> FolderFile? {
        guard !IgnoredNames.isHidden(name) else { return nil }
        let target: FolderTree.Target
        do throws(FolderError) {
            target = try tree.target(of: path)
        } catch {
            // The target of a broken link may have been anything.
            if counts(path, name: name) {
                problems.append(
                    FolderProblem(path: path, reason: "it is a link, and \(error.reason)", hidesFiles: true))
            }
            return nil
        }
        guard !isFound(target), followedTargets.insert(target.path).inserted else { return nil }
        switch target.entry.kind {
        case .folder: descend(into: path, name: name)
        case .file where counts(path, name: name): return file(target.entry, at: path, named: name)
        case .file, .link, .other: break
        }
        return nil
    }

    /// Whether the walk reaches a target without the link, or is in it.
    private func isFound(_ target: FolderTree.Target) -> Bool {
        let names = target.path.split(separator: "/").map(String.init)
        guard scope.isEmpty || target.path == scope || target.path.hasPrefix(scope + "/") else { return false }
        var folder = ""
        for (depth, name) in names.dropLast().enumerated() {
            folder = Self.path(in: folder, of: name)
            guard depth >= scope.split(separator: "/").count else { continue }
            if IgnoredNames.ignoresFolder(name) || !filter.includesFolder(relative(folder)) { return false }
        }
        guard let last = names.last else { return true }
        return target.entry.kind == .folder
            ? !IgnoredNames.ignoresFolder(last) && filter.includesFolder(relative(target.path))
            : counts(target.path, name: last)
    }

    /// The path from the folder of the walk, to which patterns refer.
    private func relative(_ path: String) -> String {
        scope.isEmpty ? path : String(path.dropFirst(scope.count + 1))
    }

    private static func path(in folder: String, of name: String) -> String {
        folder.isEmpty ? name : "\(folder)/\(name)"
    }

    /// A name without its extension; `nil` if it has none.
    private static func stem(_ name: String) -> String? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return String(name[..<dot])
    }
}
