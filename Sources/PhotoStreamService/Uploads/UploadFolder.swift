import CShims
import Foundation
package import PhotoStreamPictureMessages
package import PhotoStreamPictures

/// An open folder for uploaded files, which never replaces a file.
package struct UploadFolder: ~Copyable, Sendable {
    /// The prefix of the names of unfinished files, with a dot, so that imports and watches skip them.
    package static let prefix = ".photostream-upload-"

    fileprivate let folder: OpenFolder

    /// Opens a folder.
    ///
    /// - Parameter path: An absolute path without symbolic links; a link that was added later is refused.
    /// - Throws: `FolderError`, with `ELOOP` for a link.
    package init(path: String) throws(FolderError) {
        folder = try OpenFolder(path, forWriting: true)
    }

    /// Whether there is an entry with a name: a file, a folder or a link, even a broken one.
    package borrowing func contains(_ name: UploadName) -> Bool {
        var status = stat()
        return unsafe fstatat(folder.descriptor, name.text, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Returns the existing sidecars for a picture, as a walk would find them.
    borrowing func sidecars(of name: UploadName, in scope: FolderScope) -> [FolderFile.Sidecar] {
        let stem = name.text.lastIndex(of: ".").map { String(name.text[..<$0]) }
        var sidecars: [FolderFile.Sidecar] = []
        for owner in [name.text, stem].compactMap(\.self) {
            for sidecar in [owner + ".xmp", owner + ".XMP"] {
                var status = stat()
                guard unsafe fstatat(folder.descriptor, sidecar, &status, AT_SYMLINK_NOFOLLOW) == 0,
                    status.st_mode & S_IFMT == S_IFREG
                else { continue }
                sidecars.append(FolderFile.Sidecar(path: scope.path(of: sidecar), stamp: FileStamp(status)))
                break
            }
        }
        return sidecars
    }

    /// Removes unfinished files that no process is writing; blocks.
    ///
    /// - Returns: The number of removed files.
    /// - Throws: `FolderError` if the folder cannot be listed.
    @discardableResult
    package borrowing func removeLeftovers() throws(FolderError) -> Int {
        // A separate directory stream, which closes its own descriptor.
        let copy = try folder.open(".")
        guard let stream = unsafe fdopendir(copy) else {
            let code = errno
            close(copy)
            throw FolderError(code: code)
        }
        defer { unsafe closedir(stream) }
        var count = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasPrefix(Self.prefix), case .released = remains(of: name, removing: true) { count += 1 }
        }
        return count
    }

    /// Creates an unfinished file, which will get a name.
    ///
    /// - Throws: ``UploadError``.
    package consuming func newFile(named name: UploadName) throws(UploadError) -> UploadFile {
        while true {
            let hiddenName = Self.prefix + String(UInt64.random(in: 0 ... .max), radix: 36)
            let file = unsafe photostream_create_beneath(folder.descriptor, hiddenName)
            guard file >= 0 else { throw UploadError(code: -file, name: name) }
            // Held until the file is released, so that a server that starts meanwhile does not remove it.
            let isLocked = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
            var status = stat()
            guard isLocked, unsafe fstat(file, &status) == 0, status.st_nlink > 0 else {
                // Such a server found it before it was locked.
                close(file)
                continue
            }
            return UploadFile(folder: self, descriptor: file, hiddenName: hiddenName, name: name)
        }
    }

    /// Returns the state of an upload's file, and removes the file if its writer has ended before it was kept.
    ///
    /// - Parameters:
    ///   - hiddenName: Its name before it was kept.
    ///   - name: Its name afterwards.
    /// - Returns: The state of the file.
    package borrowing func abandonedUpload(hiddenName: String, name: String) -> UploadRemains {
        switch remains(of: hiddenName, removing: true) {
        case .held: .held
        case .gone: remains(of: name)
        case .released: .gone
        }
    }

    /// The state of the regular file with a name, which is removed under its lock if that is requested: a file that a
    /// process has just created is not locked yet.
    private borrowing func remains(of name: String, removing: Bool = false) -> UploadRemains {
        guard let file = try? folder.open(name) else { return .gone }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .gone }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return .held }
        if removing { _ = unsafe unlinkat(folder.descriptor, name, 0) }
        return .released(FileStamp(status))
    }
}

/// The state of an upload's file after its writer may have ended.
package enum UploadRemains: Hashable, Sendable {
    /// A process is writing it.
    case held
    /// There is no such file.
    case gone
    /// No process is writing it any more.
    case released(FileStamp)
}

/// An unfinished file in a folder.
///
/// It is removed at the end of the value's lifetime, unless it was kept.
package struct UploadFile: ~Copyable, Sendable {
    private let folder: UploadFolder
    private let descriptor: Int32
    /// The name in the folder until the file is kept.
    package let hiddenName: String
    /// The name that was requested for it.
    package let name: UploadName

    fileprivate init(folder: consuming UploadFolder, descriptor: Int32, hiddenName: String, name: UploadName) {
        (self.descriptor, self.hiddenName, self.name) = (descriptor, hiddenName, name)
        self.folder = folder
    }

    deinit {
        // A file that was kept has no hidden name any more.
        _ = unsafe unlinkat(folder.folder.descriptor, hiddenName, 0)
        close(descriptor)
    }

    /// Removes the file unless it was kept, and lets other processes have it; blocks.
    package borrowing func release() {
        _ = unsafe unlinkat(folder.folder.descriptor, hiddenName, 0)
        _ = flock(descriptor, LOCK_UN)
    }

    /// Appends bytes; blocks.
    ///
    /// - Throws: ``UploadError``.
    package borrowing func append(_ bytes: some Collection<UInt8>) throws(UploadError) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                throw UploadError(code: errno, name: name)
            }
        }
    }

    /// Waits until the bytes are on the disk; blocks.
    ///
    /// - Throws: ``UploadError``.
    package borrowing func synchronize() throws(UploadError) {
        guard fsync(descriptor) == 0 else { throw UploadError(code: errno, name: name) }
    }

    /// Gives the file the time of its last modification on another machine; blocks.
    ///
    /// - Parameter milliseconds: The time, in milliseconds since 1970.
    /// - Throws: ``UploadError``.
    package borrowing func setModified(_ milliseconds: Int64) throws(UploadError) {
        let time = timespec(tv_sec: Int(milliseconds / 1_000), tv_nsec: Int(milliseconds % 1_000) * 1_000_000)
        guard unsafe futimens(descriptor, [time, time]) == 0 else {
            throw UploadError(code: errno, name: name)
        }
    }

    /// Gives the file its final name; blocks.
    ///
    /// - Parameter name: The name.
    /// - Throws: ``UploadError/fileExists(_:)`` if there is an entry with the name, even a broken link.
    package borrowing func keep(as name: UploadName) throws(UploadError) {
        let result = unsafe photostream_rename_to_new(folder.folder.descriptor, hiddenName, name.text)
        guard result >= 0 else { throw UploadError(code: -result, name: name) }
        guard fsync(folder.folder.descriptor) == 0 else { throw UploadError(code: errno, name: name) }
    }

    /// Removes a kept file, unless another file has its name by now; blocks.
    ///
    /// - Parameter name: The name with which it was kept.
    package borrowing func takeBack(_ name: UploadName) {
        var (own, other) = (stat(), stat())
        guard unsafe fstat(descriptor, &own) == 0,
            unsafe fstatat(folder.folder.descriptor, name.text, &other, AT_SYMLINK_NOFOLLOW) == 0,
            (own.st_dev, own.st_ino) == (other.st_dev, other.st_ino)
        else { return }
        _ = unsafe unlinkat(folder.folder.descriptor, name.text, 0)
    }

    /// Returns the existing sidecars for the picture; see ``UploadFolder/sidecars(of:in:)``.
    borrowing func sidecars(of name: UploadName, in scope: FolderScope) -> [FolderFile.Sidecar] {
        folder.sidecars(of: name, in: scope)
    }

    /// Whether its folder has an entry with a name.
    borrowing func isTaken(_ name: UploadName) -> Bool { folder.contains(name) }

    /// Reads the version of the file.
    ///
    /// - Throws: ``UploadError``.
    package borrowing func stamp() throws(UploadError) -> FileStamp {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw UploadError(code: errno, name: name) }
        return FileStamp(status)
    }
}
