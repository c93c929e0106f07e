import PhotoStreamStorage

extension PhotoStreamService {
    /// Writes a copy of a whole file as of one moment, while others read and write it.
    ///
    /// The copy has the photos with edits and moves, the change log with its revisions, the stored layouts, and the key
    /// that signs cursors, so that cursors work with the copy.
    ///
    /// A file of an older version is copied without migration. One read transaction is open meanwhile: no other process
    /// waits, but the write-ahead log cannot be emptied until it ends.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - destination: The path of a file that is missing or empty. It is incomplete until this returns, and only its
    ///     owner can read it.
    ///   - name: The name of the copy in errors; `nil` for its path.
    /// - Throws: ``StreamServiceError/storage(_:message:)``.
    /// - Complexity: O(bytes of the file).
    public static func backUp(_ path: String, to destination: String, named name: String? = nil) throws {
        try translatingStorageErrors { try DatabaseBackup(path: path).write(to: destination, named: name) }
    }

    /// Replaces a file by a backup; the file is unchanged or complete at any moment.
    ///
    /// The backup is copied and checked first, and is kept: one that is damaged, lacks a part of its version's schema,
    /// or has triggers of other programs is refused. A file that it replaces is kept under another name, with the
    /// content of its write-ahead log. Thumbnails stay valid, since their keys depend on the contents of pictures.
    ///
    /// The file must not be open in this process, and is not replaced while it is open in another one.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - backup: The path of the backup.
    ///   - copy: The path of a missing or empty file in the folder of the file, which is deleted at the end. If the
    ///     process is killed, the copy is left over.
    ///   - replaces: Whether a file may exist at the path.
    /// - Returns: The result.
    /// - Throws: ``StreamServiceError/storage(_:message:)`` if the backup is damaged or not PhotoStream's, if the file
    ///   may not be replaced or is in use, or if files cannot be written.
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
    /// - Throws: ``StreamServiceError/storage(_:message:)`` if it is not a PhotoStream file, or was made by a newer
    ///   version.
    /// - Complexity: O(photos).
    public static func outstandingUpgrade(of path: String) throws -> Upgrade {
        try translatingStorageErrors { Upgrade(try SchemaVersion(path: path)) }
    }
}

/// The result of ``PhotoStreamService/restore(_:from:through:replaces:)``.
public struct Restoration: Hashable, Sendable {
    /// The bytes of the restored file.
    public let byteCount: Int64
    /// The new path of the file that was replaced; `nil` if there was none.
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
    /// The approximate duration of the upgrade, in seconds.
    public let seconds: Int

    init(_ version: SchemaVersion) {
        (migrations, photoCount) = (version.missing, version.photoCount)
        seconds = version.missing.isEmpty ? 0 : version.rewritesPhotos ? max(1, photoCount * 4 / 1_000_000) : 1
    }
}
