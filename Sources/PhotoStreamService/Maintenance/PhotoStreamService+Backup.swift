public import PhotoStreamModel
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
    /// - Throws: `StorageError`.
    /// - Complexity: O(bytes of the file).
    public static func backUp(_ path: String, to destination: String, named name: String? = nil) throws {
        try DatabaseBackup(path: path).write(to: destination, named: name)
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
    /// - Throws: `StorageError` if the backup is damaged or not PhotoStream's, if the file
    ///   may not be replaced or is in use, or if files cannot be written.
    /// - Complexity: O(bytes of the backup).
    public static func restore(
        _ path: String, from backup: String, through copy: String, replaces: Bool = false
    ) throws -> Restoration {
        try DatabaseRestore(path: path, from: backup, through: copy).run(replaces: replaces)
    }

    /// Returns the parts of this version that a file lacks, without changing it.
    ///
    /// - Parameter path: The file's path.
    /// - Returns: The migrations that it lacks.
    /// - Throws: `StorageError` if it is not a PhotoStream file, or was made by a newer
    ///   version.
    /// - Complexity: O(photos).
    public static func outstandingUpgrade(of path: String) throws -> Upgrade {
        try Upgrade(ofFileAt: path)
    }
}
