import Foundation
import PhotoStreamPictureMessages

/// The entries of a folder.
struct FolderListing {
    /// The kind of an entry.
    enum Kind {
        case file
        case folder
        case link
        case other
    }

    /// A name in a folder.
    struct Entry {
        let name: String
        let kind: Kind
        /// The version of its content, if it is a file.
        let stamp: FileStamp
    }

    var entries: [Entry] = []
    /// Names that are not UTF-8, with the other bytes escaped.
    var badNames: [String] = []
}

/// A root that allows reading only the folders beneath it.
struct FolderTree: ~Copyable {
    /// The target of a link.
    struct Target {
        /// The path from the root, without links.
        let path: String
        let entry: FolderListing.Entry
    }

    private let root: String
    private let folder: OpenFolder

    /// The name of the root.
    var name: String { String(root.lastName) }

    /// Opens a root.
    ///
    /// - Parameter root: An absolute path without symbolic links.
    /// - Throws: ``FolderError``.
    init(_ root: String) throws(FolderError) {
        folder = try OpenFolder(root)
        self.root = root
    }

    /// Lists a folder.
    ///
    /// - Parameter path: The path from the root; empty for the root.
    /// - Returns: Its entries, in no order.
    /// - Throws: ``FolderError``.
    func list(_ path: String) throws(FolderError) -> FolderListing {
        let descriptor = try folder.open(path.isEmpty ? "." : path)
        guard let stream = unsafe fdopendir(descriptor) else {
            let code = errno
            close(descriptor)
            throw FolderError(code: code)
        }
        defer { unsafe closedir(stream) }
        var listing = FolderListing()
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw FolderError(code: errno) }
                break
            }
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
                unsafe Array(name.prefix { $0 != 0 })
            }
            guard bytes != [0x2E], bytes != [0x2E, 0x2E] else { continue }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                listing.badNames.append(String(decoding: bytes, as: UTF8.self))
                continue
            }
            if let entry = Self.entry(name, in: descriptor) { listing.entries.append(entry) }
        }
        listing.badNames.sort()
        return listing
    }

    /// Whether there is a file at a path from the root, or a link to one.
    func hasFile(_ path: String) -> Bool {
        guard let file = try? folder.open(path) else { return false }
        defer { close(file) }
        var status = stat()
        return unsafe fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Reads a small file.
    ///
    /// - Parameters:
    ///   - path: The path from the root.
    ///   - limit: The number of bytes after which reading ends.
    /// - Returns: The content, with one byte more than `limit` of a longer file; `nil` if there is no file at the path.
    /// - Throws: ``FolderError``.
    func contents(of path: String, limit: Int) throws(FolderError) -> [UInt8]? {
        let file: Int32
        do throws(FolderError) {
            file = try folder.open(path)
        } catch {
            guard error.code != ENOENT else { return nil }
            throw error
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw FolderError(code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let wanted = min(block.count, limit + 1 - bytes.count)
            let count = unsafe block.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, wanted) }
            if count < 0 {
                guard errno == EINTR else { throw FolderError(code: errno) }
            } else if count == 0 {
                break
            } else {
                bytes += block[..<count]
            }
        }
        return bytes
    }

    /// Resolves a link.
    ///
    /// - Parameter path: The path of the link from the root.
    /// - Returns: The file or folder at its end.
    /// - Throws: ``FolderError``, with `EXDEV` if it leads out of the root.
    func target(of path: String) throws(FolderError) -> Target {
        let file = try folder.open(path)
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw FolderError(code: errno) }
        let full = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")
        guard let full, full == root || full.hasPrefix(root + "/") else { throw FolderError(code: EXDEV) }
        return Target(
            path: String(full.dropFirst(root.utf8.count + 1)),
            entry: Self.entry(full.split(separator: "/").last.map(String.init) ?? "", of: status))
    }

    /// An entry of an open folder; `nil` if it was removed meanwhile.
    private static func entry(_ name: String, in folder: Int32) -> FolderListing.Entry? {
        var status = stat()
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return entry(name, of: status)
    }

    private static func entry(_ name: String, of status: stat) -> FolderListing.Entry {
        let kind: FolderListing.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        return FolderListing.Entry(name: name, kind: kind, stamp: FileStamp(status))
    }
}
