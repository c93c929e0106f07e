import CShims
import Foundation
import PhotoStreamPictures

/// An open folder for uploaded files, which never replaces a file.
package struct UploadFolder: ~Copyable {
    /// A reason why the system cannot store a file.
    package struct Failure: Error, Equatable {
        /// A code of `errno`.
        package let code: Int32

        /// The system's description.
        package var reason: String { unsafe String(cString: strerror(code)) }
    }

    /// The prefix of the names of unfinished files, with a dot, so that imports and watches skip them.
    package static let prefix = ".photostream-upload-"

    fileprivate let descriptor: Int32

    /// Opens a folder.
    ///
    /// - Parameter path: An absolute path without symbolic links; a link that was added later is refused.
    /// - Throws: ``Failure``, with `ELOOP` for a link.
    package init(path: String) throws(Failure) {
        descriptor = try unsafe Self.checked(photostream_open_folder_for_writing(path))
    }

    deinit {
        close(descriptor)
    }

    /// Whether there is an entry with a name: a file, a folder or a link, even a broken one.
    package borrowing func contains(_ name: UploadName) -> Bool {
        var status = stat()
        return unsafe fstatat(descriptor, name.text, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Returns the existing sidecars for a picture, as a walk would find them, by their names in the folder.
    borrowing func sidecars(of name: UploadName) -> [FolderFile.Sidecar] {
        let stem = name.text.lastIndex(of: ".").map { String(name.text[..<$0]) }
        var sidecars: [FolderFile.Sidecar] = []
        for owner in [name.text, stem].compactMap(\.self) {
            for sidecar in [owner + ".xmp", owner + ".XMP"] {
                var status = stat()
                guard unsafe fstatat(descriptor, sidecar, &status, AT_SYMLINK_NOFOLLOW) == 0,
                    status.st_mode & S_IFMT == S_IFREG
                else { continue }
                let version = UploadFile.Version(status)
                sidecars.append(
                    FolderFile.Sidecar(
                        path: sidecar, byteCount: version.byteCount, modifiedNanoseconds: version.modifiedNanoseconds))
                break
            }
        }
        return sidecars
    }

    /// Removes unfinished files that no process is writing; blocks.
    ///
    /// - Returns: The number of removed files.
    /// - Throws: ``Failure`` if the folder cannot be listed.
    @discardableResult
    package borrowing func removeLeftovers() throws(Failure) -> Int {
        // A separate directory stream, which closes its own descriptor.
        let copy = try unsafe Self.checked(photostream_open_beneath(descriptor, "."))
        guard let folder = unsafe fdopendir(copy) else {
            let code = errno
            close(copy)
            throw Failure(code: code)
        }
        defer { unsafe closedir(folder) }
        var count = 0
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasPrefix(Self.prefix), isAbandoned(name), unsafe unlinkat(descriptor, name, 0) == 0 { count += 1 }
        }
        return count
    }

    /// Whether a file is regular and no process holds its lock.
    private borrowing func isAbandoned(_ name: String) -> Bool {
        let file = unsafe photostream_open_beneath(descriptor, name)
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        return unsafe fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && flock(file, LOCK_EX | LOCK_NB) == 0
    }

    /// Creates an unfinished file.
    ///
    /// - Throws: ``Failure``.
    package consuming func newFile() throws(Failure) -> UploadFile {
        while true {
            let name = Self.prefix + String(UInt64.random(in: 0 ... .max), radix: 36)
            let file = try unsafe Self.checked(photostream_create_beneath(descriptor, name))
            // Held until the file is closed, so that a server that starts meanwhile does not remove it.
            let isLocked = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
            var status = stat()
            guard isLocked, unsafe fstat(file, &status) == 0, status.st_nlink > 0 else {
                // Such a server found it before it was locked.
                close(file)
                continue
            }
            return UploadFile(folder: self, descriptor: file, name: name)
        }
    }

    /// Returns the file of an upload whose writer has ended, with its lock.
    ///
    /// - Parameters:
    ///   - hiddenName: Its name before it was kept.
    ///   - name: Its name afterwards.
    /// - Returns: The state of the file.
    package borrowing func abandonedUpload(hiddenName: String, name: String) -> UploadRemains {
        for (candidate, isKept) in [(hiddenName, false), (name, true)] {
            let file = unsafe photostream_open_beneath(descriptor, candidate)
            guard file >= 0 else { continue }
            var status = stat()
            guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                close(file)
                continue
            }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                close(file)
                return .held
            }
            defer { close(file) }
            guard isKept else {
                _ = unsafe unlinkat(descriptor, candidate, 0)
                return .gone
            }
            return .kept(UploadFile.Version(status))
        }
        return .gone
    }

    fileprivate static func checked(_ result: Int32) throws(Failure) -> Int32 {
        guard result >= 0 else { throw Failure(code: -result) }
        return result
    }
}

/// The state of an upload's file after its writer may have ended.
package enum UploadRemains: Hashable, Sendable {
    /// A process is writing it.
    case held
    /// It does not exist.
    case gone
    /// It has its final name.
    case kept(UploadFile.Version)
}

/// An unfinished file in a folder.
///
/// It is removed at the end of the value's lifetime, unless it was kept.
package struct UploadFile: ~Copyable {
    /// The version of a file, for imports.
    package struct Version: Hashable, Sendable {
        /// The length in bytes.
        package let byteCount: Int64
        /// The time of its last write, in nanoseconds since 1970.
        package let modifiedNanoseconds: Int64

        fileprivate init(_ status: stat) {
            byteCount = Int64(status.st_size)
            // A file may have any time.
            let (seconds, isOver) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
            modifiedNanoseconds = isOver ? .max : seconds &+ Int64(status.st_mtim.tv_nsec)
        }
    }

    private let folder: UploadFolder
    private let descriptor: Int32
    /// The name in the folder until the file is kept.
    package let name: String
    /// The number of bytes so far.
    package private(set) var byteCount: Int64 = 0
    /// The name under which it was kept.
    private var keptName: UploadName?

    fileprivate init(folder: consuming UploadFolder, descriptor: Int32, name: String) {
        (self.descriptor, self.name) = (descriptor, name)
        self.folder = folder
    }

    deinit {
        if keptName == nil { _ = unsafe unlinkat(folder.descriptor, name, 0) }
        close(descriptor)
    }

    /// Appends bytes; blocks.
    ///
    /// - Throws: ``UploadFolder/Failure``, with `ENOSPC` or `EDQUOT` for a full disk.
    package mutating func append(_ bytes: some Collection<UInt8>) throws(UploadFolder.Failure) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
                byteCount += Int64(written)
            } else if errno != EINTR {
                throw UploadFolder.Failure(code: errno)
            }
        }
    }

    /// Waits until the bytes are on the disk; blocks.
    ///
    /// - Throws: ``UploadFolder/Failure``, with `ENOSPC` or `EDQUOT` for a full disk.
    package borrowing func synchronize() throws(UploadFolder.Failure) {
        guard fsync(descriptor) == 0 else { throw UploadFolder.Failure(code: errno) }
    }

    /// Gives the file its final name; blocks.
    ///
    /// - Throws: ``UploadFolder/Failure``, with `EEXIST` if there is an entry with the name, even a broken link.
    package mutating func keep(as name: UploadName) throws(UploadFolder.Failure) {
        _ = try unsafe UploadFolder.checked(photostream_rename_to_new(folder.descriptor, self.name, name.text))
        keptName = name
        guard fsync(folder.descriptor) == 0 else { throw UploadFolder.Failure(code: errno) }
    }

    /// Removes a kept file, unless another file has its name by now; blocks.
    package mutating func takeBack() {
        guard let name = keptName else { return }
        var (own, other) = (stat(), stat())
        guard unsafe fstat(descriptor, &own) == 0,
            unsafe fstatat(folder.descriptor, name.text, &other, AT_SYMLINK_NOFOLLOW) == 0,
            (own.st_dev, own.st_ino) == (other.st_dev, other.st_ino)
        else { return }
        _ = unsafe unlinkat(folder.descriptor, name.text, 0)
    }

    /// Returns the existing sidecars for a picture; see ``UploadFolder/sidecars(of:)``.
    borrowing func sidecars(of name: UploadName) -> [FolderFile.Sidecar] { folder.sidecars(of: name) }

    /// Reads the version of the file.
    ///
    /// - Throws: ``UploadFolder/Failure``.
    package borrowing func version() throws(UploadFolder.Failure) -> Version {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw UploadFolder.Failure(code: errno) }
        return Version(status)
    }
}
