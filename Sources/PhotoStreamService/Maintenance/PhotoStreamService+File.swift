import Foundation
public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// Rewrites the file without the space of deleted photos, streams and layouts, and returns that space to the disk.
    ///
    ///     let result = try service.compact()
    ///     print("\(result.bytesBefore) bytes before, \(result.bytesAfter) after")
    ///
    /// Nothing else changes: photos, revisions, cursors and stored layouts stay valid. It is one transaction; if it is
    /// interrupted at any moment, the file is unchanged. Reads continue; writes of other programs, and of this one,
    /// wait until it ends, and fail with `StorageFailure.busy` after 5 seconds. Meanwhile, two more copies of the new
    /// content exist: in the write-ahead log and in a temporary file, which is in `TMPDIR` if that folder can be
    /// written, otherwise in `/var/tmp` or `/tmp`, as SQLite chooses.
    ///
    /// - Parameter progress: Called now and then with the written part of the new content, up to 1. The next step,
    ///   copying it to the file, cannot be interrupted.
    /// - Returns: The size of the file before and after.
    /// - Throws: `StorageError` if the file is open for reading only, if another program
    ///   writes to it for too long, or if the disk is full; `CancellationError` if the task is cancelled. The file is
    ///   then unchanged.
    /// - Complexity: O(bytes of the file).
    public func compact(progress: (Double) -> Void = { _ in }) throws -> Compaction {
        try database.compact(progress: progress)
    }

    /// Checks that the file can be read and is still the one at its path.
    ///
    /// - Throws: `StorageError` if it is not.
    public func checkIsReadable() throws {
        try database.checkIsInPlace()
        _ = try transaction { try $0.stream(id: 0) }
    }

    /// Returns the last revision of any stream in the file; 0 before the first.
    ///
    /// - Throws: `StorageError`.
    public func lastRevision() throws -> Int64 { try transaction { try $0.currentRevision() } }

    /// Returns the last row of the file's change log, of any stream: the state of the file after a write.
    ///
    /// - Throws: `StorageError`.
    public func lastState() throws -> Revision { try transaction { try $0.logEnd() ?? Revision(0) } }

    /// The relation between the file and a state that a client received from any server.
    public enum StateRelation: Hashable, Sendable {
        /// The file has the state.
        case known
        /// The file does not have the state yet.
        case awaited
        /// The state belongs to another history, or is too old to tell.
        case lost
    }

    /// Returns the relation between the file and a state of its own or of another server.
    ///
    /// - Throws: `StorageError`.
    public func relation(of state: Revision) throws -> StateRelation {
        try transaction { reader in
            if try reader.isKnown(state) { return .known }
            return try state.tag != nil && state.rawValue > reader.lastRevision() ?? 0 ? .awaited : .lost
        }
    }

    /// Returns the sizes of the file and of its write-ahead log on the disk, and the time of the last write.
    ///
    /// - Throws: `StorageError` if the file is not at its path.
    public func fileSizes() throws -> FileSizes {
        let manager = FileManager.default
        try database.checkIsInPlace()
        let log = try? manager.attributesOfItem(atPath: database.path + "-wal")
        let file = try? manager.attributesOfItem(atPath: database.path)
        let times = [file, log].compactMap { $0?[.modificationDate] as? Date }
        return FileSizes(
            byteCount: file?[.size] as? Int64 ?? 0, logByteCount: log?[.size] as? Int64 ?? 0,
            lastWriteMilliseconds: times.max().map { Int64($0.timeIntervalSince1970 * 1_000) } ?? 0)
    }

    /// A sentence about the reader that keeps the write-ahead log from being emptied; `nil` while the log is short.
    public var logWarning: String? { database.logObstacle?.description }

    /// Empties the write-ahead log if it is too long.
    ///
    /// - Returns: A sentence about the reader that prevents it; `nil` if the log is short.
    /// - Throws: `StorageError`.
    public func emptyLongLog() throws -> String? {
        try database.emptyLongLog()?.description
    }
}

/// The sizes of a file on the disk.
public struct FileSizes: Hashable, Sendable {
    /// The bytes of the file.
    public let byteCount: Int64
    /// The bytes of its write-ahead log; 0 if there is none.
    public let logByteCount: Int64
    /// The time of the last write by any process, in milliseconds since 1970.
    public let lastWriteMilliseconds: Int64
}
