import Foundation
import PhotoStreamModel
import Synchronization

/// The file that a database has open, so that it can be told from one that takes its place.
///
/// SQLite reads and writes the file that it has opened wherever that is by now, even where its name is gone. So a write into
/// a file that was deleted or replaced would be lost with the process.
final class OpenFile: Sendable {
    private struct Known {
        let file: FileIdentity?
        /// The files that stand by the side of a file that is written to; no other process removes them meanwhile.
        let companions: [(path: String, identity: FileIdentity)]
    }

    private let path: String
    private let known = Mutex<Known?>(nil)

    /// Describes a file before it is opened.
    ///
    /// - Parameter path: Its path.
    init(path: String) {
        self.path = path
    }

    /// Remembers which files the path leads to: to be called when the file was opened.
    ///
    /// - Parameter isWritten: Whether it is written to.
    func remember(isWritten: Bool) {
        let companions = isWritten ? Self.companions(of: path) : []
        let found = Known(
            file: FileIdentity(path: path),
            companions: companions.compactMap { path in FileIdentity(path: path).map { (path, $0) } })
        known.withLock { $0 = found }
    }

    /// Forgets the file: to be called when it is closed, which may remove the files by its side.
    func forget() { known.withLock { $0 = nil } }

    /// The path of the write-ahead log.
    var logPath: String { Self.companions(of: path)[0] }

    /// Refuses to read where another file is at the path; one that was only deleted or moved away can be read.
    ///
    /// - Throws: ``StorageError`` with ``StorageFailure/moved``.
    func checkIsNotReplaced() throws(StorageError) {
        guard let known = known.withLock({ $0 }), let now = FileIdentity(path: path), now != known.file else { return }
        throw moved
    }

    /// Refuses to write where the file is not at the path any more.
    ///
    /// - Throws: ``StorageError`` with ``StorageFailure/moved``.
    func checkIsInPlace() throws(StorageError) {
        guard let known = known.withLock({ $0 }) else { return }
        guard let file = known.file, FileIdentity(path: path) == file else { throw moved }
        for (path, identity) in known.companions where FileIdentity(path: path) != identity {
            throw StorageError(
                .moved,
                "\(path) is not the one that is in use: that was moved, deleted or replaced; close all programs "
                    + "that use \(self.path) and start them again")
        }
    }

    private var moved: StorageError {
        StorageError(.moved, "\(path) is not the file that is open: that was moved, deleted or replaced")
    }

    /// The log and its index, which SQLite puts next to the file that the path leads to.
    private static func companions(of path: String) -> [String] {
        let path = (path as NSString).resolvingSymlinksInPath
        return [path + "-wal", path + "-shm"]
    }
}
