import Foundation
import PhotoStreamModel
import PhotoStreamStorage

/// A file that is a replica, before it is opened for use.
package enum ReplicaFile {
    /// Makes a file a replica of a primary and brings it up to date.
    ///
    /// A missing file is copied from the primary under another name first, so that a half-made one is never in its place. An
    /// existing replica stays as it is while the primary does not answer.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - primary: The primary.
    /// - Throws: ``StorageError`` if the file is not a replica, ``PrimaryError`` if a missing file cannot be copied.
    package static func prepare(_ path: String, of primary: PostgresPrimary) throws {
        guard FileManager.default.fileExists(atPath: path) else { return try create(path, from: primary) }
        let database = try PhotoDatabase(path: path, access: .existing, primary: primary)
        defer { try? database.close() }
        guard try database.replicaPosition() != nil else {
            throw StorageError(
                .constraint,
                message: """
                    \(path) is a file of its own, not a replica; `photostream primary load` copies it to the primary, and a \
                    replica needs another name
                    """)
        }
        do {
            try Follower(primary, of: database, name: path).follow()
        } catch let error as StorageError where error.code == .primaryUnavailable {
            // It is served as it is.
        }
    }

    /// Copies a primary into a new file of its own, which is not a replica.
    ///
    /// - Throws: ``PrimaryError``, ``StorageError``.
    package static func dump(_ primary: PostgresPrimary, to path: String) throws {
        try create(path, from: primary) { try $0.endBeingReplica() }
    }

    private static func create(
        _ path: String, from primary: PostgresPrimary, finish: (PhotoDatabase) throws -> Void = { _ in }
    ) throws {
        let temporary = "\(path).copying-\(ProcessInfo.processInfo.processIdentifier)"
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: temporary + suffix) }
        }
        let database = try PhotoDatabase(path: temporary, access: .readWrite, primary: primary)
        do {
            try Bootstrap(primary: primary).run(into: database)
            try finish(database)
            // What is left of the log is removed with its name.
            try database.copyLogToFile()
        } catch {
            try? database.close()
            throw error
        }
        try database.close()
        guard unsafe link(temporary, path) == 0 else {
            throw StorageError(
                .database, message: "\(path) cannot be created: \(unsafe String(cString: strerror(errno)))")
        }
    }
}
