import Foundation
import SystemPackage

/// A file that appears completely or not at all: it is written under a temporary name and renamed at the end.
final class OutputFile {
    private static let blockSize = 1 << 16

    let temporaryPath: String
    private let path: String
    private let descriptor: Int32
    private var pending: [UInt8] = []
    private var isOpen = true

    /// Starts a file.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - permissions: The permissions of the file, without those that the process withholds. By default, only its
    ///     owner can read it.
    /// - Throws: ``CommandError`` if the path is not writable.
    init(path: String, permissions: mode_t = 0o600) throws {
        let url = URL(filePath: path).resolvingSymlinksInPath()
        self.path = url.path(percentEncoded: false)
        var status = stat()
        if unsafe stat(self.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "not a regular file"
            throw CommandError("\"\(path)\" cannot be written: it is \(kind)")
        }
        let (folder, name) = (url.deletingLastPathComponent(), (self.path as NSString).lastPathComponent)
        PartialFiles.removeStale(of: name, in: folder)
        temporaryPath = folder.appending(path: PartialFiles.name(of: name)).path(percentEncoded: false)
        descriptor = unsafe open(temporaryPath, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, permissions)
        guard descriptor >= 0 else {
            throw CommandError("\"\(path)\" cannot be written: \(Errno(rawValue: errno))")
        }
        // Held while the file is written. If locks are not supported, the process id in the name must do.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        Interrupts.insert(temporaryPath)
    }

    /// Deletes the leftovers of a file from killed processes.
    ///
    /// - Parameter path: The path of the file.
    static func removeLeftovers(of path: String) {
        let url = URL(filePath: path).resolvingSymlinksInPath()
        let name = (url.path(percentEncoded: false) as NSString).lastPathComponent
        PartialFiles.removeStale(of: name, in: url.deletingLastPathComponent())
    }

    /// Starts a temporary file, which is read but never moved to a destination.
    ///
    /// - Throws: ``CommandError`` if the temporary folder is not writable.
    static func temporary() throws -> OutputFile {
        let folder = FileManager.default.temporaryDirectory
        return try OutputFile(path: folder.appending(path: "photostream-\(UUID().uuidString)").path)
    }

    deinit {
        discard()
    }

    func write(_ bytes: some Sequence<UInt8>) throws {
        pending.append(contentsOf: bytes)
        if pending.count >= Self.blockSize { try flush() }
    }

    func flush() throws {
        try writeThrough(pending)
        pending.removeAll(keepingCapacity: true)
    }

    /// Deletes the existing file at the path.
    func removeOld() throws {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw CommandError("\"\(path)\" cannot be replaced: \(Errno(rawValue: errno))")
        }
    }

    /// Reads the whole file in blocks.
    func forEachBlock(_ body: ([UInt8]) throws -> Void) throws {
        try flush()
        lseek(descriptor, 0, SEEK_SET)
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        while true {
            let count = unsafe block.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            try body(Array(block.prefix(count)))
        }
        lseek(descriptor, 0, SEEK_END)
    }

    /// Moves the file to its destination.
    ///
    /// - Parameter replaces: Whether to replace an existing file; if `false`, an existing file is an error.
    /// - Throws: ``CommandError`` if the file cannot be moved.
    func commit(replaces: Bool = true) throws {
        try flush()
        let isInPlace =
            unsafe fsync(descriptor) == 0 && (replaces ? rename(temporaryPath, path) : link(temporaryPath, path)) == 0
        guard isInPlace else {
            throw CommandError("\"\(path)\" cannot be written: \(Errno(rawValue: errno))")
        }
        if !replaces { unsafe unlink(temporaryPath) }
        close(descriptor)
        Interrupts.remove(temporaryPath)
        isOpen = false
    }

    func discard() {
        guard isOpen else { return }
        close(descriptor)
        unsafe unlink(temporaryPath)
        Interrupts.remove(temporaryPath)
        isOpen = false
    }

    /// Unlinks the file, so that it disappears when the process ends for any reason.
    ///
    /// It can then no longer be committed.
    func removeName() {
        unsafe unlink(temporaryPath)
    }

    private func writeThrough(_ bytes: [UInt8]) throws {
        do {
            try FileDescriptor(rawValue: descriptor).writeAll(bytes)
        } catch {
            throw CommandError("\"\(path)\" cannot be written: \(error)")
        }
    }
}

/// The unfinished files of this and other processes.
///
/// ``Interrupts`` deletes those of this process before a signal ends it.
enum PartialFiles {
    /// Returns the temporary name of a file that this process writes.
    static func name(of file: String) -> String { prefix(of: file) + "\(getpid())" + suffix }

    /// Deletes unfinished files of processes that no longer exist.
    ///
    /// - Parameters:
    ///   - file: The name of the finished file.
    ///   - folder: The folder of the file.
    static func removeStale(of file: String, in folder: URL) {
        let prefix = prefix(of: file)
        let path = folder.path(percentEncoded: false)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        where name.hasPrefix(prefix) {
            // A database has files of SQLite next to it.
            let endings = DatabaseFiles.endings.map { suffix + $0 }
            guard let ending = endings.first(where: name.hasSuffix) else { continue }
            guard let process = pid_t(name.dropFirst(prefix.count).dropLast(ending.count)), process > 0 else {
                continue
            }
            let main = String(name.dropLast(ending.count)) + suffix
            let partial = folder.appending(path: main).path(percentEncoded: false)
            guard isGone(process), isUnlocked(partial) else { continue }
            unsafe unlink(folder.appending(path: name).path(percentEncoded: false))
        }
    }

    private static let suffix = ".partial"

    private static func prefix(of file: String) -> String { ".\(file)." }

    private static func isGone(_ process: pid_t) -> Bool { kill(process, 0) == -1 && errno == ESRCH }

    /// Whether a file is not locked, or does not exist.
    ///
    /// A process in another container may be writing it, which its id does not reveal.
    private static func isUnlocked(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
}
