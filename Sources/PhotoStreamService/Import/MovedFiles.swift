import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage

/// Finds the former files of those that have another name or folder than before, by their contents, or by size, time and
/// name if the content is not known.
struct MovedFiles: Sendable {
    private let service: PhotoStreamService?
    private let streamID: Int64?
    private let known: KnownContents
    /// Whether any file of the stream has vanished, so that a new one may be that file.
    private let hasVanished: Bool
    /// Whether any known content is no longer at its path, so that a file must be read to find it.
    private let hasMissingContent: Bool

    init(of service: PhotoStreamService?, streamID: Int64?, known: KnownContents) throws {
        (self.service, self.streamID, self.known) = (service, streamID, known)
        guard let service, let streamID else {
            (hasVanished, hasMissingContent) = (false, false)
            return
        }
        (hasVanished, hasMissingContent) = try service.transaction { reader in
            (
                try !reader.pictureFiles(streamID: streamID, in: .vanished, limit: 1).isEmpty,
                try known.hasDisplaced || reader.hasVanishedContent(streamID: streamID)
            )
        }
    }

    /// The search for the former file of one that is about to be read.
    struct Search: Sendable {
        /// The content, if it has been read.
        fileprivate(set) var content: FileContent?
        /// Whether the content has to be read.
        fileprivate(set) var readsContent = false
        /// The vanished files with the same size, time and name, and with unknown content.
        fileprivate(set) var byName: [PictureFileRow] = []
    }

    /// Begins a search.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - row: The known file with its path, if there is one.
    /// - Returns: The search.
    /// - Throws: `StorageError`.
    func search(for file: FolderFile, knownAs row: PictureFileRow?) throws -> Search {
        var search = Search(content: row.flatMap { known.content(of: $0, stamp: file.stamp) })
        guard search.content == nil, let service, let streamID else { return search }
        guard row?.photo == nil else {
            // A file with a known content has been read, if that was possible.
            search.readsContent = hasMissingContent && row?.content == nil
            return search
        }
        let byteCount = file.stamp.byteCount
        try service.transaction { reader in
            search.readsContent =
                try hasMissingContent || row?.content != nil
                || reader.hasTombstone(streamID: streamID, byteCount: byteCount)
            guard hasVanished, row == nil else { return }
            search.byName = try reader.vanishedPictureFiles(
                streamID: streamID, byteCount: byteCount, modifiedNanoseconds: file.stamp.modifiedNanoseconds,
                lastName: String(file.lastName)
            ).filter { $0.content == nil }
        }
        return search
    }

    /// Returns the files with the photos of a content whose names belong to no file, or to that of another picture now;
    /// those with the same time, and of these those with the same name, first.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - file: The file that has it now.
    ///   - row: The known file with its path; there are no others if it already had the content.
    /// - Returns: The files.
    /// - Throws: `StorageError`.
    func former(
        with content: FileContent, of file: FolderFile, knownAs row: PictureFileRow?
    ) throws -> [PictureFileRow] {
        guard row?.content?.isOf(content) != true, let service, let streamID else { return [] }
        let found = try service.transaction { try $0.pictureFiles(streamID: streamID, content: content) }
            .filter { $0.rowID != row?.rowID && known.isGone($0, insteadOf: content) }
        func likelihood(_ row: PictureFileRow) -> Int {
            guard row.modifiedNanoseconds == file.stamp.modifiedNanoseconds else { return 0 }
            return row.path.split(separator: "/").last == file.lastName ? 2 : 1
        }
        return (0...2).reversed().flatMap { number in found.filter { likelihood($0) == number } }
    }
}

extension FolderFile {
    /// The last name of its path.
    fileprivate var lastName: Substring { path.split(separator: "/").last ?? path[...] }
}
