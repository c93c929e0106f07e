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

    /// The path from the watched folder, to which patterns refer.
    private func relative(_ place: String) -> String {
        folder.isEmpty ? place : String(place.dropFirst(folder.count + 1))
    }

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
        tell(changes([folder]))
        // Files that were being written when the watch began are checked once more.
        files.touch(folder, as: .written, version: version(folder), at: Self.now)
        while end.wait(timeout: .now()) == .timedOut {
            var changed: Set<String> = []
            for event in watches.events(withinMilliseconds: 100) where try take(event) { changed.insert(folder) }
            let settled = files.settled(
                at: Self.now, after: FolderWatch.settlingSeconds, completed: FolderWatch.completedSeconds,
                version: version)
            changed.formUnion(settled.map { $0 == folder ? folder : Self.parent($0) })
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
            let path = place.isEmpty ? name : "\(place)/\(name)"
            if isFolder {
                guard !IgnoredNames.ignoresFolder(name), filter.includesFolder(relative(path)) else { return false }
                // Files may have been added to it before it was watched, so its folder is scanned as a whole.
                try add(path)
            } else if IgnoredNames.isHidden(name) {
                return false
            }
            files.touch(path, as: change, version: version(path), at: Self.now)
            return false
        }
    }

    /// Watches a folder and its subfolders; one that was removed meanwhile is skipped.
    private func add(_ place: String) throws(Unwatchable) {
        try watches.add(place, at: path(place))
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path(place)) else { return }
        for name in names where !IgnoredNames.ignoresFolder(name) {
            let inner = place.isEmpty ? name : "\(place)/\(name)"
            var status = stat()
            guard unsafe lstat(path(inner), &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
                filter.includesFolder(relative(inner))
            else { continue }
            try add(inner)
        }
    }

    private func version(_ place: String) -> FileStamp? {
        var status = stat()
        guard unsafe lstat(path(place), &status) == 0 else { return nil }
        // The time of a folder changes with each file in it, which is tracked separately.
        return status.st_mode & S_IFMT == S_IFDIR ? FileStamp.none : FileStamp(status)
    }

    private static func parent(_ place: String) -> String {
        place.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
    }

    private static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
