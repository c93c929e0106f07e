import CShims
import Foundation

/// A reason why a folder cannot be read, in terms of the system.
package struct FolderError: Error, Hashable, Sendable {
    /// A code of `errno`.
    package let code: Int32

    /// The reason as a clause.
    package var reason: String {
        switch code {
        case EXDEV: "it leads out of the folder"
        case ELOOP: "there is a loop of links in it, or a link that is not followed"
        case ENOENT: "there is nothing at its end"
        case EACCES, EPERM: "it may not be read"
        default: unsafe String(cString: strerror(code))
        }
    }
}

/// The entries of a folder, in the order of the bytes of their names.
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
        /// The length in bytes; 0 unless it is a file.
        var byteCount: Int64 = 0
        /// The time of its last write, in nanoseconds since 1970; 0 unless it is a file.
        var modifiedNanoseconds: Int64 = 0
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
    private let descriptor: Int32

    /// Opens a root.
    ///
    /// - Parameter root: An absolute path without symbolic links.
    /// - Throws: ``FolderError``.
    init(_ root: String) throws(FolderError) {
        let result = unsafe photostream_open_folder(root)
        guard result >= 0 else { throw FolderError(code: -result) }
        (self.root, descriptor) = (root, result)
    }

    deinit {
        close(descriptor)
    }

    /// Lists a folder.
    ///
    /// - Parameter path: The path from the root; empty for the root.
    /// - Returns: Its entries.
    /// - Throws: ``FolderError``.
    func list(_ path: String) throws(FolderError) -> FolderListing {
        let folder = try open(path.isEmpty ? "." : path)
        guard let stream = unsafe fdopendir(folder) else {
            let code = errno
            close(folder)
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
            if let entry = Self.entry(name, in: folder) { listing.entries.append(entry) }
        }
        listing.entries.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        listing.badNames.sort()
        return listing
    }

    /// Resolves a link.
    ///
    /// - Parameter path: The path of the link from the root.
    /// - Returns: The file or folder at its end.
    /// - Throws: ``FolderError``, with `EXDEV` if it leads out of the root.
    func target(of path: String) throws(FolderError) -> Target {
        let file = try open(path)
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw FolderError(code: errno) }
        let full = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")
        guard let full, full == root || full.hasPrefix(root + "/") else { throw FolderError(code: EXDEV) }
        return Target(
            path: String(full.dropFirst(root.utf8.count + 1)),
            entry: Self.entry(full.split(separator: "/").last.map(String.init) ?? "", of: status))
    }

    private func open(_ path: String) throws(FolderError) -> Int32 {
        let result = unsafe photostream_open_beneath(descriptor, path)
        guard result >= 0 else { throw FolderError(code: -result) }
        return result
    }

    /// An entry of an open folder; `nil` if it was removed meanwhile.
    private static func entry(_ name: String, in folder: Int32) -> FolderListing.Entry? {
        var status = stat()
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return entry(name, of: status)
    }

    private static func entry(_ name: String, of status: stat) -> FolderListing.Entry {
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            // A file may have any time.
            let (seconds, isOver) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
            let time = isOver ? (status.st_mtim.tv_sec < 0 ? .min : .max) : seconds &+ Int64(status.st_mtim.tv_nsec)
            return FolderListing.Entry(
                name: name, kind: .file, byteCount: Int64(status.st_size), modifiedNanoseconds: time)
        case S_IFDIR: return FolderListing.Entry(name: name, kind: .folder)
        case S_IFLNK: return FolderListing.Entry(name: name, kind: .link)
        default: return FolderListing.Entry(name: name, kind: .other)
        }
    }
}
