import Foundation
package import Logging

/// Watches a folder and reports which folders in it have changed.
///
///     for await folders in FolderWatch(root: "/home/ada/Pictures").changes(logger: logger) {
///         print("look at", folders)  // paths from the root; the watched folder's own path means everything in it
///     }
///
/// It takes one watch of inotify for each folder, never one for a file, whatever the number of files. A change is
/// reported once the files that it names have kept size and time for ``settlingSeconds``, so that half-copied files are not taken.
/// Where the system has no room for another watch, and on file systems that other machines write to, it reports the
/// whole folder every ``periodSeconds`` instead, and says so once.
package struct FolderWatch: Sendable {
    /// The seconds that a file must stay as it is.
    package static let settlingSeconds = 2.0
    /// The seconds between two looks at a folder that cannot be watched.
    package static let periodSeconds = 60.0

    private let root: String
    private let folder: String
    private let filter: PathFilter

    /// Prepares to watch a folder.
    ///
    /// - Parameters:
    ///   - root: The root: an absolute path without symbolic links.
    ///   - folder: The path of the folder from the root; empty for the root itself.
    ///   - filter: The folders and files that count, by their paths from the folder.
    package init(root: String, folder: String = "", filter: PathFilter = PathFilter()) {
        (self.root, self.folder, self.filter) = (root, folder, filter)
    }

    /// Watches until the sequence is no longer iterated.
    ///
    /// It begins with the folder itself, as soon as later changes will be seen.
    ///
    /// - Parameter logger: Receives one message if the folder cannot be watched.
    /// - Returns: The paths from the root of the folders that have changed, each time with all that lies in them.
    package func changes(logger: Logger) -> AsyncStream<Set<String>> {
        AsyncStream { continuation in
            let isEnded = EndFlag()
            continuation.onTermination = { _ in isEnded.set() }
            let thread = Thread { [self] in
                WatchLoop(root: root, folder: folder, filter: filter, logger: logger).run(until: isEnded) {
                    continuation.yield($0)
                }
                continuation.finish()
            }
            thread.name = "folder-watch"
            thread.start()
        }
    }
}

/// The files that were written, until they have stayed as they are for a while.
struct SettlingFiles {
    /// The version of a file; `nil` once it is gone.
    typealias Version = (byteCount: Int64, modifiedNanoseconds: Int64)?

    private var pending: [String: (version: Version, since: Double)] = [:]

    /// Whether no file is awaited.
    var isEmpty: Bool { pending.isEmpty }

    /// Notes that a file or folder was touched.
    mutating func touch(_ path: String, version: Version, at time: Double) {
        pending[path] = (version, time)
    }

    /// Looks at the files again.
    ///
    /// - Parameters:
    ///   - time: The time, in seconds.
    ///   - settling: The seconds that a file must stay as it is.
    ///   - version: Returns the version of a file.
    /// - Returns: The files that have settled; they are awaited no more.
    mutating func settled(at time: Double, after settling: Double, version: (String) -> Version) -> [String] {
        var settled: [String] = []
        for (path, state) in pending {
            let now = version(path)
            if now?.byteCount != state.version?.byteCount
                || now?.modifiedNanoseconds != state.version?.modifiedNanoseconds
            {
                pending[path] = (now, time)
            } else if time - state.since >= settling {
                settled.append(path)
            }
        }
        for path in settled { pending[path] = nil }
        return settled.sorted()
    }
}
