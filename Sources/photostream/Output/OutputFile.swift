import Foundation

/// A file that appears whole or not at all: it is written beside its place and renamed at the end.
final class OutputFile {
    private static let blockSize = 1 << 16

    /// Where it is written.
    let temporaryPath: String
    private let path: String
    private let descriptor: Int32
    private var pending: [UInt8] = []
    private var isOpen = true

    /// Begins a file.
    ///
    /// - Throws: ``CommandError`` when nothing can be written there.
    init(path: String) throws {
        let url = URL(filePath: path).resolvingSymlinksInPath()
        self.path = url.path(percentEncoded: false)
        var status = stat()
        if stat(self.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "no regular file"
            throw CommandError("\"\(path)\" cannot be written: it is \(kind)")
        }
        let (folder, name) = (url.deletingLastPathComponent(), url.lastPathComponent)
        PartialFiles.removeStale(of: name, in: folder)
        temporaryPath = folder.appending(path: PartialFiles.name(of: name)).path(percentEncoded: false)
        descriptor = open(temporaryPath, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw CommandError("\"\(path)\" cannot be written: \(FileDescriptor.Problem(code: errno).reason)")
        }
        // Held while it is written; where a lock cannot be had, the process id alone says so.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        PartialFiles.insert(temporaryPath)
    }

    /// Begins a file that is read while it is there, and never put anywhere.
    ///
    /// - Throws: ``CommandError`` when nothing can be written to the folder for temporary files.
    static func temporary() throws -> OutputFile {
        let folder = FileManager.default.temporaryDirectory
        return try OutputFile(path: folder.appending(path: "photostream-\(UUID().uuidString)").path)
    }

    deinit {
        discard()
    }

    /// Appends bytes.
    func write(_ bytes: some Sequence<UInt8>) throws {
        pending.append(contentsOf: bytes)
        if pending.count >= Self.blockSize { try flush() }
    }

    /// Appends what was kept back.
    func flush() throws {
        try writeThrough(pending)
        pending.removeAll(keepingCapacity: true)
    }

    /// Removes the file that lies at the path until now.
    func removeOld() throws {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw CommandError("\"\(path)\" cannot be replaced: \(FileDescriptor.Problem(code: errno).reason)")
        }
    }

    /// Reads the whole file block by block.
    func forEachBlock(_ body: ([UInt8]) throws -> Void) throws {
        try flush()
        lseek(descriptor, 0, SEEK_SET)
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        while true {
            let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            try body(Array(block.prefix(count)))
        }
        lseek(descriptor, 0, SEEK_END)
    }

    /// Puts the file in its place.
    ///
    /// - Parameter replaces: Whether it takes the place of one that is there; else that is an error.
    /// - Throws: ``CommandError`` when it cannot be put there.
    func commit(replaces: Bool = true) throws {
        try flush()
        let isInPlace =
            fsync(descriptor) == 0 && (replaces ? rename(temporaryPath, path) : link(temporaryPath, path)) == 0
        guard isInPlace else {
            throw CommandError("\"\(path)\" cannot be written: \(FileDescriptor.Problem(code: errno).reason)")
        }
        if !replaces { unlink(temporaryPath) }
        close(descriptor)
        PartialFiles.remove(temporaryPath)
        isOpen = false
    }

    /// Removes what was written.
    func discard() {
        guard isOpen else { return }
        close(descriptor)
        unlink(temporaryPath)
        PartialFiles.remove(temporaryPath)
        isOpen = false
    }

    /// Takes the file's name away, so that it goes with the process however that ends; it cannot be put in its place
    /// then.
    func removeName() {
        unlink(temporaryPath)
    }

    private func writeThrough(_ bytes: [UInt8]) throws {
        do {
            try FileDescriptor.write(bytes, to: descriptor)
        } catch {
            throw CommandError("\"\(path)\" cannot be written: \(error.reason)")
        }
    }
}
