import Foundation

/// The division of the files that a server may have open among its parts.
///
///     let limits = OpenFileLimits.ofProcess
///     configuration.maximumReaderCount = limits.databaseReaders
///
/// A server must never have as many files open as the system allows: Dispatch, which counts the threads that are running,
/// ends the program if it cannot open a file of `/proc` for that.
package struct OpenFileLimits: Hashable, Sendable {
    /// The number of files that the process may have open, sockets included.
    package let all: Int

    /// Creates the limits of a process that may have a number of files open.
    package init(all: Int) { self.all = all }

    /// Those of this process.
    package static let ofProcess: OpenFileLimits = {
        var limit = rlimit()
        let isKnown = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return OpenFileLimits(all: isKnown ? Int(min(limit.rlim_cur, 1 << 30)) : 1 << 30)
    }()

    /// The files that the libraries, decode workers, folders and a primary need, and some that are always free.
    private static let reserved = 35

    /// The maximum number of reading connections to the database: folds and scans on all processors may use one each, and short
    /// queries do not wait for them, unless there are few files.
    package var databaseReaders: Int {
        min(ProcessInfo.processInfo.activeProcessorCount + 10, max(2, (all - 40) / 10))
    }

    /// The maximum number of reading connections to the thumbnails.
    package var pictureReaders: Int {
        min(ProcessInfo.processInfo.activeProcessorCount + 4, max(1, (all - 40) / 16))
    }

    /// The maximum number of pictures that are sent as they are, each from its file.
    package var sentPictures: Int { all / 8 }

    /// The maximum number of clients' connections: the rest, or three quarters of all.
    package var connections: Int {
        // Each database has a writer, too; each connection has the file and its log, and all share a third file.
        let databases = 2 * (databaseReaders + 1) + 1 + 2 * (pictureReaders + 1) + 1
        return max(1, min(all - all / 4, all - Self.reserved - databases - sentPictures))
    }
}
