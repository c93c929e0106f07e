import Crypto
import Foundation
import PhotoStreamModel
import PhotoStreamPictures
import PhotoStreamStorage

extension PhotoStreamService {
    /// The number of bytes of a file that are read at once.
    private static let blockByteCount = 1 << 20

    /// Records the unknown contents of photos that are about to be deleted, if their files exist.
    ///
    /// Pictures that were decoded are known; only those that are still to be decoded are read here.
    ///
    /// - Throws: `StorageError`, `CancellationError`.
    /// - Complexity: O(bytes of the files whose content is unknown).
    func noteContent(of ids: [PhotoID], in stream: StreamName) throws {
        let (streamID, roots, unknown) = try transaction { reader in
            let streamID = try reader.photos(named: stream).stream.id
            let roots = try reader.roots(servingStreamID: streamID, on: HostIdentity.name)
            let files = try ids.flatMap { try reader.pictureFiles(of: $0, streamID: streamID) }
            return (streamID, roots, files.filter { $0.state == .read && $0.content == nil })
        }
        var found: [PictureFileRow] = []
        for var file in unknown {
            try Task.checkCancellation()
            guard let root = roots.first(where: { $0.id == file.rootID }) else { continue }
            file.content = Self.content(of: file, beneath: root.resolvedPath)
            if file.content != nil { found.append(file) }
        }
        guard !found.isEmpty else { return }
        try writeLocally { try $0.noteContent(of: found, streamID: streamID) }
    }

    /// Returns the content of a file by all of its bytes, since only a worker reads the structure of pictures; `nil` if it
    /// cannot be read, or is another version.
    static func content(of row: PictureFileRow, beneath root: String) -> KnownContent? {
        guard let descriptor = try? OpenFolder(root).open(row.path) else { return nil }
        // This also closes the descriptor.
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        func isThisVersion() -> Bool {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
            let version = FileVersion(status)
            return version.byteCount == row.byteCount && version.modifiedNanoseconds == row.modifiedNanoseconds
        }
        guard isThisVersion() else { return nil }
        var hash = SHA256()
        while let bytes = try? file.read(upToCount: blockByteCount), !bytes.isEmpty { hash.update(data: bytes) }
        return isThisVersion() ? KnownContent(Array(hash.finalize()), of: .allBytes) : nil
    }
}
