import PhotoStreamStorage

extension PhotoStreamService {
    /// Writes a copy of a whole file, of one moment, while others read and write it.
    ///
    /// The copy has the photos with edits and moves, the change log with its revisions, the stored layouts, and the key
    /// that signs cursors, so that cursors work with the copy.
    ///
    /// A file of an older version is copied as it is. One read transaction is open meanwhile: no other process waits, and
    /// the write-ahead log keeps everything that is written until it ends.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - destination: The path of a file that is missing or empty. It is not complete before this returns, and only its
    ///     owner can read it.
    ///   - name: The name of the copy in errors; `nil` for its path.
    /// - Throws: ``StreamServiceError/storage(_:message:)``.
    /// - Complexity: O(bytes of the file).
    public static func backUp(_ path: String, to destination: String, named name: String? = nil) throws {
        try translatingStorageErrors { try DatabaseBackup(path: path).write(to: destination, named: name) }
    }

    /// Puts a backup in the place of a file, which is complete or as it was at any moment.
    ///
    /// The backup is copied and checked first, and stays: one that is damaged, that lacks something of its version's schema,
    /// or that has triggers of others is refused. A file that it replaces is kept under another name, with what its
    /// write-ahead log holds. Thumbnails stay valid, since their keys are made from the contents of pictures.
    ///
    /// The file must not be open in this process, and is not replaced while it is open in another one.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - backup: The path of the backup.
    ///   - copy: The path of a missing or empty file in the folder of the file, which is deleted at the end. If the process
    ///     is killed, it stays.
    ///   - replaces: Whether a file may be there.
    /// - Returns: The result.
    /// - Throws: ``StreamServiceError/storage(_:message:)`` if the backup is damaged or not PhotoStream's, if a file is
    ///   there that may not be replaced or is in use, or if files cannot be written.
    /// - Complexity: O(bytes of the backup).
    public static func restore(
        _ path: String, from backup: String, through copy: String, replaces: Bool = false
    ) throws -> Restoration {
        try translatingStorageErrors {
            Restoration(try DatabaseRestore(path: path, from: backup, through: copy).run(replaces: replaces))
        }
    }

    /// Returns the parts of this version that a file lacks, without changing it.
    ///
    /// - Parameter path: The file's path.
    /// - Returns: The migrations that it lacks.
    /// - Throws: ``StreamServiceError/storage(_:message:)`` if it is not a PhotoStream file, or one of a newer version.
    /// - Complexity: O(photos).
    public static func outstandingUpgrade(of path: String) throws -> Upgrade {
        try translatingStorageErrors { Upgrade(try SchemaVersion(path: path)) }
    }
}

/// The result of ``PhotoStreamService/restore(_:from:through:replaces:)``.
public struct Restoration: Hashable, Sendable {
    /// The bytes of the restored file.
    public let byteCount: Int64
    /// The path at which the file is now that was replaced; `nil` if there was none.
    public let keptPath: String?
    /// The tables, views and indexes in the file that are not PhotoStream's, such as `view recent`.
    public let strangers: [String]

    init(_ result: DatabaseRestore.Result) {
        (byteCount, keptPath, strangers) = (result.byteCount, result.keptPath, result.strangers)
    }
}

/// The difference between a file and this version.
public struct Upgrade: Hashable, Sendable {
    /// The names of the migrations that it lacks, in their order; empty for a file of this version.
    public let migrations: [String]
    /// The number of its photos.
    public let photoCount: Int
    /// The approximate time that bringing it up to date takes, in seconds.
    public let seconds: Int

    init(_ version: SchemaVersion) {
        (migrations, photoCount) = (version.missing, version.photoCount)
        seconds = version.missing.isEmpty ? 0 : version.rewritesPhotos ? max(1, photoCount * 4 / 1_000_000) : 1
    }
}
