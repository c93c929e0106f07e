import Foundation
import Logging
import PhotoStreamPictureMessages

/// The loop of a thread that watches a folder.
final class WatchLoop {
    private let root: String
    private let folder: String
    private let filter: PathFilter
    private let logger: Logger
    private var watches = InotifyWatches()
    private var files = SettlingFiles()

    init(root: String, folder: String, filter: PathFilter, logger: Logger) {
        (self.root, self.folder, self.filter, self.logger) = (root, folder, filter, logger)
    }

    /// Reports changes until a signal.
    func run(until end: DispatchSemaphore, tell: (FolderChanges) -> Void) {
        do {
            try watch(until: end, tell: tell)
        } catch {
            logger.warning(
                "\(path(folder)) is looked at every \(Int(FolderWatch.periodSeconds)) seconds, because it cannot be watched: \(error.reason)"
            )
            repeat {
                tell(changes([folder]))
            } while end.wait(timeout: .now() + FolderWatch.periodSeconds) == .timedOut
        }
    }

    /// The folder that is scanned after a change of a file, or of the watched folder itself.
    private func changedFolder(of path: String) -> String { folder.contains(path: path) ? path.parentPath : folder }

    private func changes(_ folders: Set<String>) -> FolderChanges {
        FolderChanges(folders: folders, unfinished: files.unfinished)
    }

    private func path(_ place: String) -> String { place.isEmpty ? root : "\(root)/\(place)" }

    private func watch(until end: DispatchSemaphore, tell: (FolderChanges) -> Void) throws(Unwatchable) {
        // inotify reports no changes by other machines.
        if let system = FileSystem(of: path(folder)), system.isRemote {
            throw Unwatchable(reason: "the file system \(system.type) does not report changes by other machines")
        }
        try watches.open()
        try add(folder)
        // Lists above the folder apply to it.
        var parent = folder
        while !parent.isEmpty {
            parent = parent.parentPath
            try watches.add(parent, at: path(parent))
        }
        tell(changes([folder]))
        // Files that were being written when the watch began are checked once more.
        files.touch(folder, as: .written, version: version(folder), at: Self.now)
        while end.wait(timeout: .now()) == .timedOut {
            var changed: Set<String> = []
            for event in watches.events(withinMilliseconds: 100) where try take(event) { changed.insert(folder) }
            let settled = files.settled(
                at: Self.now, after: FolderWatch.settlingSeconds, completed: FolderWatch.completedSeconds,
                version: version)
            // Folders that were left out until now are watched before they are scanned. Those that are left out from now
            // on stay watched, but a walk finds nothing in them.
            for path in settled where FolderRules.isRuleFile(String(path.lastName)) { try add(changedFolder(of: path)) }
            changed.formUnion(settled.map(changedFolder))
            if !changed.isEmpty { tell(changes(changed)) }
        }
    }

    /// Handles an event.
    ///
    /// - Returns: Whether events were lost, so that everything has to be scanned.
    private func take(_ event: InotifyWatches.Event) throws(Unwatchable) -> Bool {
        switch event {
        case .overflow:
            // New folders may be among the lost events.
            try add(folder)
            return true
        case .changed(let place, let name, let isFolder, let change):
            let path = place.appending(name: name)
            let isAbove = place != folder && !folder.contains(path: place)
            guard !isAbove || name == IgnoreList.fileName else { return false }
            if isFolder {
                // Files may have been added to it before it was watched, so its folder is scanned as a whole.
                guard try add(name, in: place) else { return false }
            } else if IgnoredNames.isHidden(name), !FolderRules.isRuleFile(name) {
                return false
            }
            files.touch(path, as: change, version: version(path), at: Self.now)
            return false
        }
    }

    /// Watches a folder and its subfolders, without those that are left out.
    private func add(_ place: String) throws(Unwatchable) {
        // Its rules may change later, even if it is left out now.
        try watches.add(place, at: path(place))
        guard let tree = try? FolderTree(root), let rules = try? tree.rules(at: place, filter: filter, base: folder)
        else { return }
        try addFolders(in: tree, rules: rules)
    }

    /// Watches a new folder and its subfolders.
    ///
    /// - Returns: Whether it is not left out.
    private func add(_ name: String, in place: String) throws(Unwatchable) -> Bool {
        // A scan reports a root that cannot be opened.
        guard let tree = try? FolderTree(root) else { return true }
        guard let rules = try? tree.rules(at: place, filter: filter, base: folder),
            rules.reasonToLeaveOutFolder(name) == nil
        else { return false }
        try add(name, in: tree, rules: rules)
        return true
    }

    private func addFolders(in tree: borrowing FolderTree, rules: FolderRules) throws(Unwatchable) {
        guard let listing = try? tree.list(rules.folder) else { return }
        for entry in listing.entries where entry.kind == .folder && rules.reasonToLeaveOutFolder(entry.name) == nil {
            try add(entry.name, in: tree, rules: rules)
        }
    }

    /// Watches a folder and its subfolders; one that was removed meanwhile is skipped.
    private func add(_ name: String, in tree: borrowing FolderTree, rules: FolderRules) throws(Unwatchable) {
        let place = rules.folder.appending(name: name)
        // A folder with a file `.nomedia` or a list that cannot be read is watched alone: the file may change.
        try watches.add(place, at: path(place))
        guard let inner = try? tree.enter(name, from: rules) else { return }
        try addFolders(in: tree, rules: inner)
    }

    private func version(_ place: String) -> FileStamp? {
        var status = stat()
        guard unsafe lstat(path(place), &status) == 0 else { return nil }
        // The time of a folder changes with each file in it, which is tracked separately.
        return status.st_mode & S_IFMT == S_IFDIR ? FileStamp.none : FileStamp(status)
    }

    private static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
