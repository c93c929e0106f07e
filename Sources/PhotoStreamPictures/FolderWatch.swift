import Foundation
package import Logging
import PhotoStreamPictureMessages

/// Changes of a watched folder.
package struct FolderChanges: Sendable {
    /// The paths from the root of the folders that have changed, each with all of its content.
    package let folders: Set<String>
    /// The paths from the root of files that their writers have not closed; they are reported later.
    package let unfinished: Set<String>
}

/// Watches a folder and reports which folders in it have changed.
///
///     for await changes in FolderWatch(root: "/home/ada/Pictures").changes(logger: logger) {
///         print("look at", changes.folders)  // the watched folder's own path means everything in it
///     }
///
/// It takes one inotify watch per folder, regardless of the number of files. A change is reported once the changed
/// files have kept their size and time for ``settlingSeconds``, so that incomplete copies are not imported; for a file
/// that its writer has closed, or that was moved, ``completedSeconds`` are enough. A program that opens a file again
/// later causes another report.
///
/// If the system has no capacity for another watch, and on file systems that other machines write, it reports the whole
/// folder every ``periodSeconds`` instead, and logs that once.
package struct FolderWatch: Sendable {
    /// The seconds that a file must stay unchanged.
    package static let settlingSeconds = 2.0
    /// The seconds that a file must stay unchanged after its writer has closed it, or after it was moved: programs that
    /// copy a file and then set its time are done by then.
    package static let completedSeconds = 0.3
    /// The seconds between two scans of a folder that cannot be watched.
    package static let periodSeconds = 60.0

    private let root: String
    private let folder: String
    private let filter: PathFilter

    /// Prepares to watch a folder.
    ///
    /// - Parameters:
    ///   - root: The root: an absolute path without symbolic links.
    ///   - folder: The path of the folder from the root; empty for the root itself.
    ///   - filter: The folders and files to watch, by their paths from the folder.
    package init(root: String, folder: String = "", filter: PathFilter = PathFilter()) {
        (self.root, self.folder, self.filter) = (root, folder, filter)
    }

    /// Watches until the sequence is no longer iterated.
    ///
    /// The first report is of the folder itself, as soon as later changes are detected.
    ///
    /// - Parameter logger: Receives one message if the folder cannot be watched.
    /// - Returns: The changes, as they settle.
    package func changes(logger: Logger) -> AsyncStream<FolderChanges> {
        AsyncStream { continuation in
            let end = DispatchSemaphore(value: 0)
            continuation.onTermination = { _ in end.signal() }
            let thread = Thread { [self] in
                WatchLoop(root: root, folder: folder, filter: filter, logger: logger).run(until: end) {
                    continuation.yield($0)
                }
                continuation.finish()
            }
            thread.name = "folder-watch"
            thread.start()
        }
    }
}

/// The files that were written and have to stay unchanged for a while.
struct SettlingFiles {
    /// A file that has not settled.
    private struct Pending {
        /// Its version; `nil` after it was removed.
        var version: FileStamp?
        var since: Double
        /// Whether its last change was detected as complete.
        var isComplete: Bool
    }

    private var pending: [String: Pending] = [:]

    /// Whether all files have settled.
    var isEmpty: Bool { pending.isEmpty }

    /// The files whose last change was not complete.
    var unfinished: Set<String> { Set(pending.lazy.filter { !$0.value.isComplete }.map(\.key)) }

    /// Records that a file or folder has changed.
    mutating func touch(_ path: String, as change: InotifyWatches.Change, version: FileStamp?, at time: Double) {
        let isComplete =
            switch change {
            case .written: false
            case .completed: true
            case .described: pending[path]?.isComplete ?? true
            }
        pending[path] = Pending(version: version, since: time, isComplete: isComplete)
    }

    /// Checks the files again.
    ///
    /// - Parameters:
    ///   - time: The time, in seconds.
    ///   - settling: The seconds that a file must stay unchanged.
    ///   - completed: The same for a file whose last change was complete.
    ///   - version: Returns the version of a file; `nil` after it was removed.
    /// - Returns: The files that have settled, which are removed from the list.
    mutating func settled(
        at time: Double, after settling: Double, completed: Double, version: (String) -> FileStamp?
    ) -> [String] {
        var settled: [String] = []
        for (path, state) in pending {
            let now = version(path)
            if now != state.version {
                // The event for this change will follow.
                pending[path] = Pending(version: now, since: time, isComplete: false)
            } else if time - state.since >= (state.isComplete ? completed : settling) {
                settled.append(path)
            }
        }
        for path in settled { pending[path] = nil }
        return settled.sorted()
    }
}
