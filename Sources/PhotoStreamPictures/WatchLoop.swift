import Foundation
import Logging
import Synchronization

/// The loop of a thread that watches a folder.
final class WatchLoop {
    /// A reason to scan the whole folder periodically instead.
    private struct Unwatchable: Error {
        let reason: String
    }

    private let root: String
    private let folder: String
    private let filter: PathFilter
    private let logger: Logger
    private var watches = InotifyWatches()
    private var files = SettlingFiles()

    init(root: String, folder: String, filter: PathFilter, logger: Logger) {
        (self.root, self.folder, self.filter, self.logger) = (root, folder, filter, logger)
    }

    /// Reports changes until a flag is set.
    func run(until isEnded: EndFlag, tell: (FolderChanges) -> Void) {
        do {
            try watch(isEnded, tell: tell)
        } catch {
            logger.warning(
                "\(path(folder)) is looked at every \(Int(FolderWatch.periodSeconds)) seconds, because it cannot be watched: \(error.reason)"
            )
            lookFromTimeToTime(isEnded, tell: tell)
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

    private func lookFromTimeToTime(_ isEnded: EndFlag, tell: (FolderChanges) -> Void) {
        tell(changes([folder]))
        var last = Self.now
        while !isEnded.isSet {
            Thread.sleep(forTimeInterval: 0.1)
            guard Self.now - last >= FolderWatch.periodSeconds else { continue }
            tell(changes([folder]))
            last = Self.now
        }
    }

    private func watch(_ isEnded: EndFlag, tell: (FolderChanges) -> Void) throws(Unwatchable) {
        try checkFileSystem()
        do throws(InotifyError) {
            try watches.open()
            try add(folder)
        } catch {
            throw Unwatchable(reason: error.reason)
        }
        tell(changes([folder]))
        // Files that were being written when the watch began are checked once more.
        files.touch(folder, as: .written, version: version(folder), at: Self.now)
        while !isEnded.isSet {
            var changed: Set<String> = []
            for event in watches.events(withinMilliseconds: 100) {
                do throws(InotifyError) {
                    if try take(event) { changed.insert(folder) }
                } catch {
                    throw Unwatchable(reason: error.reason)
                }
            }
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
    private func take(_ event: InotifyWatches.Event) throws(InotifyError) -> Bool {
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
    private func add(_ place: String) throws(InotifyError) {
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

    private func version(_ place: String) -> SettlingFiles.Version {
        var status = stat()
        guard unsafe lstat(path(place), &status) == 0 else { return nil }
        // The time of a folder changes with each file in it, which is tracked separately.
        guard status.st_mode & S_IFMT != S_IFDIR else { return (0, 0) }
        return (
            Int64(status.st_size), Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        )
    }

    /// Refuses file systems that other machines write, for which inotify reports nothing.
    private func checkFileSystem() throws(Unwatchable) {
        guard let system = FileSystem(of: path(folder)), system.isRemote else { return }
        throw Unwatchable(reason: "the file system \(system.type) does not report changes by other machines")
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

/// A flag that one thread sets to end the loop of another.
final class EndFlag: Sendable {
    private let state = Mutex(false)

    /// Whether it is set.
    var isSet: Bool { state.withLock { $0 } }

    /// Sets it.
    func set() { state.withLock { $0 = true } }
}
