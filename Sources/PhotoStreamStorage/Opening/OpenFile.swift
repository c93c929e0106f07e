import Foundation
import PhotoStreamModel
import Synchronization

/// An open file: everything about it that the transactions of this process share.
///
/// Its identity shows whether another file has taken its place. SQLite keeps reading and writing the file that it
/// opened, even after it was moved or deleted. A write to a deleted or replaced file would be lost when the process ends.
final class OpenFile: Sendable {
    /// The state of an open file, which is never locked during I/O.
    struct State {
        /// The files at the path; `nil` while none is open.
        fileprivate var known: Known?
        /// The generations of stored chunks that this process has found damaged and disregards.
        ///
        /// They are rebuilt in memory, which needs no write, and stored with a new generation if the file can be written.
        var distrustedGenerations: Set<Int64> = []
        /// Whether this process has found the index of words damaged and disregards it until it is deleted.
        var distrustsWords = false
        /// The counts of the writes of a replica that its primary did not accept at once.
        var primaryWrites = PrimaryWriteCounts()
        /// Whether everything that the file shares with its primary is being replaced.
        var isRebuilding = false
        /// The number of such replacements so far, and of changes that invalidate everything derived from the file.
        var rebuildCount = 0
        /// The closures that are called after the writes of this process, by number.
        var listeners: [Int: @Sendable () -> Void] = [:]
        var lastListener = 0
    }

    fileprivate struct Known {
        let file: FileIdentity?
        /// The `-wal` and `-shm` files of a file that is written to; no other process removes them while it is open.
        let companions: [(path: String, identity: FileIdentity)]
    }

    private let path: String
    /// The size of new chunks.
    let chunkSize: ChunkSize
    /// The length of the change log.
    let changeLog: ChangeLog
    let state = Mutex(State())

    /// Creates a file that is not open yet.
    init(path: String, chunkSize: ChunkSize = .standard, changeLog: ChangeLog = .standard) {
        (self.path, self.chunkSize, self.changeLog) = (path, chunkSize, changeLog)
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
        state.withLock { $0.known = found }
    }

    /// Forgets the files.
    ///
    /// Call this before closing, which may remove the companions.
    func forget() { state.withLock { $0.known = nil } }

    /// The path of the write-ahead log.
    var logPath: String { Self.companions(of: path)[0] }

    /// Throws if another file is at the path.
    ///
    /// A file that was only deleted or moved can still be read.
    ///
    /// - Throws: ``StorageError`` with ``StorageFailure/moved``.
    func checkIsNotReplaced() throws(StorageError) {
        guard let known = state.withLock({ $0.known }), let now = FileIdentity(path: path), now != known.file else {
            return
        }
        throw moved
    }

    /// Throws if the file is no longer at the path.
    ///
    /// - Throws: ``StorageError`` with ``StorageFailure/moved``.
    func checkIsInPlace() throws(StorageError) {
        guard let known = state.withLock({ $0.known }) else { return }
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
