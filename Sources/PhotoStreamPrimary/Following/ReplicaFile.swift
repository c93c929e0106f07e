import Foundation
import PhotoStreamModel
import PhotoStreamStorage

/// A file that is a replica, before it is opened for use.
package enum ReplicaFile {
    /// Makes a file a replica of a primary and updates it.
    ///
    /// A missing file is first copied from the primary under another name, so that an incomplete one never has its
    /// name. An existing replica stays unchanged while the primary does not answer.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - primary: The primary.
    ///   - isServed: Whether the file is served unchanged while a ``Follower`` does the slow work and reports failures.
    /// - Throws: ``StorageError`` if the file is not a replica, ``PrimaryError`` if a missing file cannot be copied or
    ///   the primary does not have the tables of this version.
    package static func prepare(_ path: String, of primary: PostgresPrimary, isServed: Bool = false) throws {
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
        let follower = Follower(primary, of: database, name: path)
        do {
            try primary.checkSchema()
            guard !isServed else {
                _ = try? follower.follow(rebuilds: false)
                return
            }
            try follower.follow()
        } catch let error as StorageError where error.code == .primaryUnavailable {
            // The file is used unchanged.
        } catch let error as PrimaryError where error.kind == .unavailable {
            // The same if no connection was made.
        } catch let error as PrimaryError where isServed && error.kind == .empty {
            // The same for a database that was emptied, or is the wrong one.
        }
    }

    /// Copies a primary into a new file that is not a replica.
    ///
    /// - Throws: ``PrimaryError``, ``StorageError``.
    package static func dump(_ primary: PostgresPrimary, to path: String) throws {
        try create(path, from: primary) { try $0.endBeingReplica() }
    }

    private static func create(
        _ path: String, from primary: PostgresPrimary, finish: (PhotoDatabase) throws -> Void = { _ in }
    ) throws {
        removeLeftovers(of: path)
        let temporary = "\(path).copying-\(ProcessInfo.processInfo.processIdentifier)"
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: temporary + suffix) }
        }
        let database = try PhotoDatabase(path: temporary, access: .readWrite, primary: primary)
        do {
            try primary.copy(into: database)
            try finish(database)
            // The rest of the log is removed with its name.
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

    /// Removes the files of processes that were killed while they copied.
    private static func removeLeftovers(of path: String) {
        let file = URL(filePath: path)
        let (folder, start) = (file.deletingLastPathComponent(), "\((path as NSString).lastPathComponent).copying-")
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(start) {
            guard let process = Int32(name.dropFirst(start.count).prefix { $0.isNumber }) else { continue }
            let isOwn = process == ProcessInfo.processInfo.processIdentifier
            guard isOwn || (kill(process, 0) != 0 && errno == ESRCH) else { continue }
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }
}
