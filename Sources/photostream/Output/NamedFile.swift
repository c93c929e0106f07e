import ArgumentParser
import Foundation

/// The file that a path refers to; two paths are equal if they refer to the same file.
///
/// Existing files are compared by device and inode, others by their folders and names.
struct NamedFile: Equatable {
    private let device: UInt64?
    private let number: UInt64?
    /// The name in the folder, or the path if there is no folder; empty for a file that exists.
    private let name: String

    init(_ path: String) {
        if let file = Self.identity(path) {
            // Hard links have different names.
            (device, number, name) = (file.device, file.number, "")
            return
        }
        // Writing follows a link to a file that does not exist.
        var path = path
        for _ in 0..<Self.maximumLinkCount {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            path = target.hasPrefix("/") ? target : Self.folder(of: path) + "/" + target
        }
        let folder = Self.identity(Self.folder(of: path))
        (device, number) = (folder?.device, folder?.number)
        name =
            folder == nil ? path : String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    }

    /// The number of links after which the system also gives up.
    private static let maximumLinkCount = 40

    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

    private static func identity(_ path: String) -> (device: UInt64, number: UInt64)? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}

/// The files of a database: itself, and those that SQLite keeps next to it.
struct DatabaseFiles {
    /// The endings of the files' names, that of the database itself first.
    static let endings = ["", "-wal", "-shm", "-journal"]

    /// The paths of the files, in the order of ``endings``.
    let paths: [String]

    /// Creates the list of a database's files.
    init(_ database: String) {
        paths = Self.endings.map { database + $0 }
    }

    /// Refuses to replace one of these by another file.
    ///
    /// - Parameters:
    ///   - path: The file to write.
    ///   - option: The option that names it; `nil` for an argument.
    /// - Throws: `ValidationError` if it is one of these files.
    func check(output path: String, option: String? = nil) throws {
        let output = NamedFile(path)
        guard let lost = paths.first(where: { NamedFile($0) == output }) else { return }
        let named = option.map { "\($0) \(path)" } ?? "\"\(path)\""
        throw ValidationError(
            "\(named) would overwrite \(lost == paths.first ? "the database" : "a file of the database")")
    }
}
