package import PhotoStreamModel

/// A walk over the files beneath a folder, in the natural order of their names.
///
///     let walk = try FolderWalk(root: "/home/ada/Pictures")
///     while let item = walk.next() {
///         if case .file(let file) = item { print(file.path, file.stamp.byteCount) }
///     }
///
/// Every folder is opened beneath the root with the kernel's own check, so that no link and no rename leads out of it.
/// A link is followed if it stays beneath the root and the walk would not reach its target otherwise, because the
/// target is in a folder that is left out; each such target is visited once. Memory is bounded by the listings of one
/// folder and its parents.
package final class FolderWalk {
    /// A step of a walk.
    package enum Item: Hashable, Sendable {
        /// A file that may be a picture.
        case file(FolderFile)
        /// A file or folder that cannot be imported.
        case problem(FolderProblem)
    }

    /// The direction in which the names of a folder are visited.
    package enum Direction: Hashable, Sendable {
        /// `IMG_9`, then `IMG_10`.
        case forwards
        /// `IMG_10`, then `IMG_9`.
        case backwards
    }

    /// A folder that is being visited.
    private struct Level {
        let rules: FolderRules
        /// The entries that were not visited.
        var rest: ArraySlice<FolderListing.Entry>
        let sidecars: [String: FolderListing.Entry]
    }

    private let tree: FolderTree
    private let scope: String
    private let base: String
    private let filter: PathFilter
    private let direction: Direction
    /// The current folder and its parents.
    private var stack: [Level] = []
    private var problems: [FolderProblem] = []
    private var followedTargets: Set<String> = []
    private var rulesOfTargets: [String: FolderRules?] = [:]
    /// The files and folders that were left out so far.
    package private(set) var leftOut = LeftOut()

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - root: The root: an absolute path without symbolic links.
    ///   - folder: The path of the folder from the root; empty for the root itself.
    ///   - base: The folder that the import was asked for, which is `folder` or above it, by its path from the root;
    ///     `nil` for `folder`. It is never left out, and the patterns of the filter refer to it.
    ///   - filter: The files to visit, by their paths from `base`.
    ///   - direction: The direction.
    /// - Throws: ``FolderError`` if the folder cannot be read.
    package init(
        root: String, folder: String = "", base: String? = nil, filter: PathFilter = PathFilter(),
        direction: Direction = .forwards
    ) throws(FolderError) {
        tree = try FolderTree(root)
        (scope, self.base, self.filter, self.direction) = (folder, base ?? folder, filter, direction)
        let listing = try tree.list(folder)
        do throws(RuleFileProblem) {
            if let rules = try tree.rules(at: folder, filter: filter, base: self.base) { push(listing, rules: rules) }
        } catch {
            problems.append(error.folderProblem)
        }
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
            let rules = stack[depth].rules
            switch entry.kind {
            case .folder: descend(into: entry.name, from: rules)
            case .link: if let file = follow(entry.name, from: rules) { return .file(file) }
            case .file:
                if let reason = rules.reasonToLeaveOutFile(entry.name) {
                    countLeftOut(entry.name, for: reason)
                } else if let file = file(entry, named: entry.name) {
                    return .file(file)
                }
            case .other:
                guard rules.reasonToLeaveOutFile(entry.name) == nil else { continue }
                return .problem(
                    FolderProblem(
                        path: rules.folder.appending(name: entry.name), reason: "it is a device, a pipe or a socket",
                        hidesFiles: false))
            }
        }
    }

    private func countLeftOut(_ name: String, for reason: LeftOutReason) {
        guard !IgnoredNames.isSidecar(name), !FolderRules.isRuleFile(name) else { return }
        leftOut.addFiles(for: reason)
    }

    private func descend(into name: String, from rules: FolderRules) {
        if let reason = rules.reasonToLeaveOutFolder(name) { return leftOut.addFolder(for: reason) }
        let path = rules.folder.appending(name: name)
        let listing: FolderListing
        do throws(FolderError) {
            listing = try tree.list(path)
        } catch {
            return problems.append(FolderProblem(path: path, reason: error.reason, hidesFiles: true))
        }
        do throws(RuleFileProblem) {
            guard let inner = try tree.enter(name, from: rules) else { return leftOut.addFolder(for: .nomedia) }
            push(listing, rules: inner)
        } catch {
            problems.append(error.folderProblem)
        }
    }

    /// Makes a folder the current one.
    private func push(_ listing: FolderListing, rules: FolderRules) {
        let names = Set(
            listing.entries.lazy.filter { $0.kind != .folder && !IgnoredNames.isSidecar($0.name) }.map(\.name))
        var sidecars: [String: FolderListing.Entry] = [:]
        for entry in listing.entries where entry.kind == .file && IgnoredNames.isSidecar(entry.name) {
            // The listing has no order, and the same one of a.xmp and a.XMP has to count.
            let owner = String(entry.name.dropLast(4))
            if sidecars[owner].map({ $0.name < entry.name }) ?? true { sidecars[owner] = entry }
        }
        stack.append(Level(rules: rules, rest: sorted(listing.entries)[...], sidecars: sidecars))
        problems += listing.badNames.map {
            FolderProblem(
                path: rules.folder.appending(name: $0), reason: "its name is not UTF-8", hidesFiles: false)
        }
        let stems = Set(names.lazy.compactMap(Self.stem))
        for (owner, sidecar) in sidecars where !names.contains(owner) && !stems.contains(owner) {
            // By its extension, no sidecar is a picture.
            guard rules.reasonToLeaveOutFile(sidecar.name) == .notAPicture else { continue }
            problems.append(
                FolderProblem(
                    path: rules.folder.appending(name: sidecar.name),
                    reason: "there is no picture next to this sidecar",
                    hidesFiles: false))
        }
        problems.sort { Array($0.path.utf8).lexicographicallyPrecedes(Array($1.path.utf8)) == false }
    }

    private func sorted(_ entries: [FolderListing.Entry]) -> [FolderListing.Entry] {
        let places = entries.map { (place: NaturalOrder($0.name), entry: $0) }
        return places.sorted { left, right in
            direction == .forwards ? left.place < right.place : right.place < left.place
        }.map(\.entry)
    }

    /// The file of an entry of the current folder, with its sidecars.
    private func file(_ entry: FolderListing.Entry, named name: String) -> FolderFile? {
        guard let current = stack.last else { return nil }
        let owners = [name] + (Self.stem(name).map { [$0] } ?? [])
        let sidecars = owners.compactMap { current.sidecars[$0] }.map { sidecar in
            FolderFile.Sidecar(path: current.rules.folder.appending(name: sidecar.name), stamp: sidecar.stamp)
        }
        return FolderFile(path: current.rules.folder.appending(name: name), stamp: entry.stamp, sidecars: sidecars)
    }

    // MARK: - Links

    /// Follows a link.
    ///
    /// - Returns: The file at its end; `nil` if the walk reaches that otherwise, or it is a folder, which is entered.
    private func follow(_ name: String, from rules: FolderRules) -> FolderFile? {
        // The target decides which rules apply.
        if IgnoredNames.isHidden(name) {
            countLeftOut(name, for: .hidden)
            return nil
        }
        let path = rules.folder.appending(name: name)
        let target: FolderTree.Target
        do throws(FolderError) {
            target = try tree.target(of: path)
        } catch {
            if let reason = rules.reasonToLeaveOutFile(name) {
                countLeftOut(name, for: reason)
            } else {
                // The target of a broken link may have been anything.
                problems.append(
                    FolderProblem(path: path, reason: "it is a link, and \(error.reason)", hidesFiles: true))
            }
            return nil
        }
        guard !isFound(target) else { return nil }
        switch target.entry.kind {
        case .folder:
            // A link that is left out must not use up its target.
            if let reason = rules.reasonToLeaveOutFolder(name) {
                leftOut.addFolder(for: reason)
            } else if followedTargets.insert(target.path).inserted {
                descend(into: name, from: rules)
            }
        case .file:
            if let reason = rules.reasonToLeaveOutFile(name) {
                countLeftOut(name, for: reason)
            } else if followedTargets.insert(target.path).inserted {
                return file(target.entry, named: name)
            }
        case .link, .other: break
        }
        return nil
    }

    /// The rules for a folder with targets of links; `nil` if it is left out, or cannot be read.
    private func rules(at folder: String) -> FolderRules? {
        if let known = rulesOfTargets[folder] { return known }
        // Many links lead into few folders.
        if rulesOfTargets.count >= 1_000 { rulesOfTargets = [:] }
        let rules = (try? tree.rules(at: folder, filter: filter, base: base)) ?? nil
        rulesOfTargets[folder] = .some(rules)
        return rules
    }

    /// Whether the walk reaches a target without the link, or is in it.
    private func isFound(_ target: FolderTree.Target) -> Bool {
        guard target.path != scope else { return true }
        guard scope.contains(path: target.path),
            let rules = rules(at: target.path.parentPath)
        else { return false }
        let name = String(target.path.lastName)
        guard target.entry.kind == .folder else { return rules.reasonToLeaveOutFile(name) == nil }
        return rules.reasonToLeaveOutFolder(name) == nil && (try? tree.enter(name, from: rules)) != nil
    }

    /// A name without its extension; `nil` if it has none.
    private static func stem(_ name: String) -> String? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return String(name[..<dot])
    }
}
