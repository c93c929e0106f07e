import Foundation
import PhotoStreamModel
import Synchronization

/// The identity of the open file, to detect that another file has taken its place.
///
/// SQLite keeps reading and writing the file that it opened, even after it was moved or deleted. A write to a deleted
/// or replaced file would be lost when the process ends.
final class OpenFile: Sendable {
    private struct Known {
        let file: FileIdentity?
        /// The `-wal` and `-shm` files of a file that is written to; no other process removes them while it is open.
        let companions: [(path: String, identity: FileIdentity)]
    }

    private let path: String
    private let known = Mutex<Known?>(nil)

    /// Creates the identity of a file that is not open yet.
    init(path: String) {
        self.path = path
    }

    /// Records the files at the path.
    ///
    /// Call this after opening them.
    ///
    /// - Parameter isWritten: Whether the file is open for writing.
    func remember(isWritten: Bool) {
        let companions = isWritten ? Self.companions(of: path) : []
        let found = Known(
            file: FileIdentity(path: path),
            companions: companions.compactMap { path in FileIdentity(path: path).map { (path, $0) } })
        known.withLock { $0 = found }
    }

    /// Forgets the files.
    ///
    /// Call this before closing, which may remove the companions.
    func forget() { known.withLock { $0 = nil } }

    /// The path of the write-ahead log.
    var logPath: String { Self.companions(of: path)[0] }

    /// Throws if another file is at the path.
    ///
    /// A file that was only deleted or moved can still be read.
    ///
    /// - Throws: ``StorageError`` with ``StorageFailure/moved``.
    func checkIsNotReplaced() throws(StorageError) {
        guard let known = known.withLock({ $0 }), let now = FileIdentity(path: path), now != known.file else { return }
        throw moved
    }

    /// Throws if the file is no longer at the path.
    ///
    /// - Throws: ``StorageError`` with ``StorageFailure/moved``.
    func checkIsInPlace() throws(StorageError) {
        guard let known = known.withLock({ $0 }) else { return }
        guard let file = known.file, FileIdentity(path: path) == file else { throw moved }
        for (path, identity) in known.companions where FileIdentity(path: path) != identity {
            throw StorageError(
                .moved,
                message: "\(path) is not the file in use, which was moved, deleted or replaced; close all programs "
                    + "that use \(self.path) and start them again")
        }
    }

    private var moved: StorageError {
        StorageError(.moved, message: "\(path) is not the open file, which was moved, deleted or replaced")
    }

    /// The log and its index, which SQLite puts next to the file after resolving symbolic links.
    private static func companions(of path: String) -> [String] {
        let path = (path as NSString).resolvingSymlinksInPath
        return [path + "-wal", path + "-shm"]
    }
}

/// The identity of a file, independent of its name: it stays the same when the file is moved.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t

    /// Looks up the file at a path, following symbolic links; `nil` if there is none.
    init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}
