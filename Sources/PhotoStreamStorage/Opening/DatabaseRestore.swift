package import Foundation
import GRDB
package import PhotoStreamModel

/// Restores a file from a backup.
///
/// The backup is copied and checked under another name first, so that an interruption leaves the file either restored
/// or unchanged. A file that is replaced is kept under another name; if the process is killed between the two renames,
/// only that name exists.
package struct DatabaseRestore: Sendable {
    private let path: String
    private let backup: String
    private let copy: String

    /// Creates the restoration of a file.
    ///
    /// - Parameters:
    ///   - path: The file's path, which must not be a link.
    ///   - backup: The path of the backup, which stays as it is.
    ///   - copy: The path of a missing or empty file in the folder of the file, which is deleted at the end.
    package init(path: String, from backup: String, through copy: String) {
        (self.path, self.backup, self.copy) = (path, backup, copy)
    }

    /// Puts the backup in place.
    ///
    /// - Parameters:
    ///   - replaces: Whether a file may be at the path, which is kept under another name.
    ///   - now: The time, for the name of a file that is kept.
    /// - Returns: The result.
    /// - Throws: ``StorageError`` if the backup is not a PhotoStream file or is damaged, if a file is there that may not
    ///   be replaced or that a program has open, or if files cannot be written.
    /// - Complexity: O(bytes of the backup).
    package func run(replaces: Bool, now: Date = Date()) throws(StorageError) -> Restoration {
        guard Self.exists(backup) else { throw StorageError(.database, message: "\(backup) does not exist") }
        try checkIsFile()
        try checkIsOther()
        // Companions without their file count as well: SQLite would take them for part of the restored one.
        let present = FilePrivacy.endings.filter { Self.exists(path + $0) }
        guard replaces || present.isEmpty else {
            throw StorageError(.database, message: "\(path + present[0]) already exists")
        }
        defer { for ending in FilePrivacy.endings { unsafe unlink(copy + ending) } }
        try makePrivateCopy()
        try DatabaseBackup(path: backup).write(to: copy, named: path, leavesNoFiles: true)
        let strangers = try check(copy)
        try takeOverMode()
        try synchronize(copy)
        let kept = try replace(present, keptAt: DatedPath.free(path, word: "replaced", now: now))
        // The other users who could read it must not read it under its new name.
        if let kept { _ = FilePrivacy.closeToOthers(kept) }
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
        return Restoration(byteCount: size ?? 0, keptPath: kept, strangers: strangers)
    }

    /// Creates the copy, empty, and readable for its owner only: tokens and photos must not be exposed even for a
    /// moment.
    private func makePrivateCopy() throws(StorageError) {
        let descriptor = unsafe open(copy, O_RDWR | O_CREAT | O_CLOEXEC, FilePrivacy.mode)
        guard descriptor >= 0 else { throw failure("cannot be written") }
        defer { close(descriptor) }
        guard fchmod(descriptor, FilePrivacy.mode) == 0 else { throw failure("cannot be written") }
    }

    /// Gives the copy the owner's and the group's permissions of the file that it replaces.
    private func takeOverMode() throws(StorageError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return }
        guard unsafe chmod(copy, status.st_mode & 0o770 | FilePrivacy.mode) == 0 else {
            throw failure("cannot be written")
        }
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// Refuses anything but a regular file, including a symbolic link.
    private func checkIsFile() throws(StorageError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw StorageError(.database, message: "\(path) is not a regular file")
    }

    private func checkIsOther() throws(StorageError) {
        var (one, two) = (stat(), stat())
        guard unsafe stat(path, &one) == 0, unsafe stat(backup, &two) == 0,
            one.st_dev == two.st_dev, one.st_ino == two.st_ino
        else { return }
        throw StorageError(.database, message: "\(backup) is the file itself, not a backup of it")
    }

    /// The maximum number of problems in an error.
    private static let problemLimit = 5

    /// Checks that the copy is undamaged and has the schema of a version of PhotoStream.
    ///
    /// - Returns: The tables, views and indexes that are not PhotoStream's.
    private func check(_ copy: String) throws(StorageError) -> [String] {
        try DatabaseOpener.readAsItIs(copy, leavesNoFiles: true, purpose: "checked") { connection in
            try connection.inDatabase { database in
                do {
                    let finding = try database.first("PRAGMA integrity_check(1)") { $0.text(0) }
                    guard finding == "ok" else {
                        let reason = finding ?? "it cannot be checked"
                        throw StorageError(.corrupt, message: "\(backup) is damaged: \(reason)")
                    }
                    let schema = try FileSchema.Comparison(database, path: backup)
                    guard !schema.problems.isEmpty else { return schema.strangers }
                    let problems = schema.problems.prefix(Self.problemLimit).joined(separator: "; ")
                    throw StorageError(
                        .schemaDiffers, message: "\(backup) is not as PhotoStream makes its files: \(problems)")
                } catch let error as DatabaseError {
                    throw StorageError(.corrupt, message: "\(backup) is damaged: \(error)")
                }
            }
        }
    }

    /// Moves the file and its companions to another name and the copy to their place, while no program can open the file.
    ///
    /// - Parameters:
    ///   - present: The endings of the files that are there.
    ///   - kept: The other name.
    /// - Returns: The other name; `nil` if no file was there.
    /// - Throws: ``StorageError``, after which everything is as it was.
    private func replace(_ present: [String], keptAt kept: String) throws(StorageError) -> String? {
        let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
        // Without the file itself there is nothing that a program could have open.
        guard descriptor >= 0 || errno == ENOENT else { throw failure("cannot be replaced") }
        // Closing the file releases the lock; another file is in its place by then.
        defer { if descriptor >= 0 { close(descriptor) } }
        if descriptor >= 0 { try lock(descriptor) }
        var moved: [String] = []
        do throws(StorageError) {
            for ending in present where ending != "-shm" {
                guard unsafe rename(path + ending, kept + ending) == 0 else { throw failure("cannot be replaced") }
                moved.append(ending)
            }
            unsafe unlink(path + "-shm")
            guard unsafe link(copy, path) == 0 else { throw failure("cannot be written") }
            try synchronize(folder)
        } catch {
            for ending in moved { unsafe rename(kept + ending, path + ending) }
            throw error
        }
        return present.isEmpty ? nil : kept
    }

    /// Takes the lock that SQLite takes before it changes a file in place.
    ///
    /// Every open connection of a file in WAL mode holds a shared lock on these bytes, so this fails while there is one,
    /// also for a file that is too damaged for SQLite to open.
    ///
    /// Source: https://www.sqlite.org/src/file/src/os.h, PENDING_BYTE and SHARED_SIZE.
    private func lock(_ descriptor: Int32) throws(StorageError) {
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = (0x4000_0000, 512)
        guard unsafe fcntl(descriptor, Self.setOpenFileLock, &lock) == 0 else {
            guard errno == EAGAIN || errno == EACCES else { throw failure("cannot be locked") }
            throw StorageError(
                .busy, message: "\(path) is open in another program; end it first, such as a running photostream serve")
        }
    }

    /// `F_OFD_SETLK`, which the C library's module omits: unlike other locks, it conflicts with those of this process.
    ///
    /// Source: fcntl(2), and the kernel's asm-generic/fcntl.h.
    private static let setOpenFileLock: Int32 = 37

    private var folder: String {
        let parent = (path as NSString).deletingLastPathComponent
        return parent.isEmpty ? "." : parent
    }

    private func synchronize(_ path: String) throws(StorageError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot be written") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("cannot be written") }
    }

    private func failure(_ what: String) -> StorageError {
        StorageError(.database, message: "\(path) \(what): \(unsafe String(cString: strerror(errno)))")
    }
}
