import Foundation
public import Logging
public import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage
import Synchronization

/// The folders into which clients may upload pictures, one for each stream.
///
/// A program creates it together with the server, which accepts uploads through it, and runs both. Pictures are decoded
/// before they get their names, in separate processes, which live while ``run()`` runs.
public final class PictureUploads: Sendable {
    /// A folder, and the stream of its photos.
    public struct Destination: Hashable, Sendable {
        /// The stream.
        public let stream: StreamName
        /// The folder's path, relative to the working directory unless it is absolute.
        public let folder: String

        /// Creates a destination.
        public init(stream: StreamName, folder: String) {
            (self.stream, self.folder) = (stream, folder)
        }
    }

    /// The number of workers; uploads must leave processors to clients that view pictures.
    private static let workerCount = 2

    let service: PhotoStreamService
    let source: any HeaderSource & PictureDecoding
    /// The store of thumbnails; `nil` if there are none.
    let pictures: PictureMaker?
    /// The folders without symbolic links, by the row ids of their streams.
    private let folders: [Int64: String]
    /// Held from the search for the content of an upload until its photo is added, so that two uploads of one content, by
    /// two clients or after a lost connection, add one photo.
    let addition = Mutex(())
    /// Has an element while there may be uploads to finish.
    let unfinished = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Prepares uploads.
    ///
    /// Each folder becomes a root of its stream unless it is already beneath one. Unfinished files of killed processes
    /// are removed from it.
    ///
    /// - Parameters:
    ///   - destinations: The folders, one for each stream.
    ///   - service: The file.
    ///   - pictures: The store of thumbnails; `nil` if there are none.
    ///   - logger: Receives the ends of workers.
    /// - Throws: ``FolderImportError/noWorker``, ``RootError`` for a folder that cannot be opened,
    ///   ``StreamServiceError/unknownStream(_:)``, `StorageError`.
    public convenience init(
        _ destinations: [Destination], of service: PhotoStreamService, keepingThumbnailsIn pictures: PictureMaker?,
        logger: Logger
    ) throws {
        var settings = PictureWorkers.Settings(executablePath: try FolderWorkers.program())
        settings.count = Self.workerCount
        try self.init(
            destinations, of: service, keepingThumbnailsIn: pictures,
            reading: PictureWorkers(settings, logger: logger))
    }

    /// Prepares uploads with a source of headers and decoded pictures.
    package init(
        _ destinations: [Destination], of service: PhotoStreamService, keepingThumbnailsIn pictures: PictureMaker?,
        reading source: any HeaderSource & PictureDecoding
    ) throws {
        (self.service, self.pictures, self.source) = (service, pictures, source)
        var folders: [Int64: String] = [:]
        for destination in destinations {
            let path = try RootPath(destination.folder)
            try PhotoStreamService.checkOpening(path, name: destination.folder)
            let streamID = try service.transaction { try $0.row(of: destination.stream).id }
            _ = try FolderDestination(watching: streamID, of: service).scopes(for: [path])
            do throws(FolderError) {
                try UploadFolder(path: path.resolvedPath).removeLeftovers()
            } catch {
                throw RootError.unusable(destination.folder, reason: error.systemReason)
            }
            folders[streamID] = path.resolvedPath
        }
        self.folders = folders
    }

    /// Runs the workers until the task is cancelled, and finishes uploads of killed processes and those whose photos may
    /// not have been added.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.source.run() }
            group.addTask { await self.finishAll() }
        }
    }

    /// Whether clients may upload pictures to the stream with a row id.
    func allows(streamID: Int64) -> Bool { folders[streamID] != nil }

    /// Begins an upload; blocks.
    ///
    /// - Parameters:
    ///   - request: The name of its file, and the rules.
    ///   - stream: The stream.
    /// - Returns: An upload without bytes, which is removed unless it is finished.
    /// - Throws: ``UploadError``, ``StreamServiceError/unknownStream(_:)``, `StorageError`.
    package func begin(_ request: UploadRequest, in stream: StreamName) throws -> PictureUpload {
        let streamID = try service.transaction { try $0.row(of: stream).id }
        guard !service.isReadOnly else {
            throw StorageError(.readOnly, message: "the file is open for reading only")
        }
        guard let path = folders[streamID] else { throw UploadError.off(stream: stream.rawValue) }
        let name = try UploadName(request.name)
        // The root may have been removed since the start.
        guard let scope = try service.transaction({ try $0.scope(of: path, streamID: streamID) }) else {
            throw UploadError.off(stream: stream.rawValue)
        }
        do {
            let file = try UploadFolder(path: path).newFile(named: name)
            let upload = PictureUpload(file, request: request, scope: scope, streamID: streamID, uploads: self)
            // The bytes of a refused upload are not received.
            _ = try upload.place()
            return upload
        } catch let error as FolderError {
            throw UploadError(code: error.code, name: name)
        }
    }

    /// Adds the photo of a file to a stream, like an import of its folder; blocks.
    ///
    /// - Parameters:
    ///   - file: The file, with its path from the root.
    ///   - id: The id of its photo.
    ///   - header: The header of the picture.
    ///   - content: The content of the file, if known.
    ///   - scope: The folder.
    ///   - streamID: The row id of the stream.
    ///   - restoresDeleted: Whether a photo that a person deleted is restored.
    /// - Returns: The outcome; `nil` if there is none.
    /// - Throws: `StorageError`.
    func add(
        _ file: FolderFile, id: PhotoID, header: PictureHeader, content: FileContent? = nil, scope: FolderScope,
        streamID: Int64, restoringDeleted restoresDeleted: Bool = false
    ) throws -> FolderOutcome? {
        let made = FileRecord(
            id: id, path: file.path, header: header, modifiedNanoseconds: file.stamp.modifiedNanoseconds, zone: .current
        )
        var row = PictureFileRow(
            rootID: scope.rootID, path: file.path, photo: id, byteCount: file.stamp.byteCount,
            modifiedNanoseconds: file.stamp.modifiedNanoseconds, content: content.map(KnownContent.init),
            sidecars: file.sidecarState, state: .read)
        row.take(made)
        let database = service.database
        database.pauseForOtherWriters()
        return try database.retryingWhileLocked {
            var seen = RowIDSet()
            // A picture whose file has vanished is there again.
            let former = try content.flatMap { try vanishedFile(with: $0, streamID: streamID) }
            return try database.importFiles(
                [FolderEntry(row: row, record: made.record, content: content, movedFrom: former)], into: streamID,
                restoringDeleted: restoresDeleted, seen: &seen
            ).outcomes.first
        }
    }

    /// Returns a file with a content that has vanished and is still gone: its disk may be there again since the last import.
    private func vanishedFile(with content: FileContent, streamID: Int64) throws -> PictureFileRow? {
        let (rows, roots) = try service.transaction { reader in
            (try reader.pictureFiles(streamID: streamID, content: content), try reader.roots())
        }
        return rows.first { row in
            guard row.state == .vanished, let root = roots.first(where: { $0.id == row.rootID }) else { return false }
            var status = stat()
            return unsafe stat("\(root.resolvedPath)/\(row.path)", &status) != 0
        }
    }

    /// Returns a name as that of a file and the id of its photo; blocks.
    ///
    /// - Throws: ``UploadError`` if the stream has a photo with the id, or a person deleted it, because an upload changes no
    ///   photo; `StorageError`.
    func place(
        of name: UploadName, in scope: FolderScope, streamID: Int64, restoringDeleted restoresDeleted: Bool
    ) throws -> UploadPlace {
        let id: PhotoID
        do throws(ModelError) {
            id = try PhotoID(scope.path(of: name.text))
        } catch {
            throw UploadError.invalidName(name.text, reason: error.description)
        }
        let (isThere, isDeleted) = try service.transaction { reader in
            (try reader.photo(streamID: streamID, id: id) != nil, try reader.isDeleted(streamID: streamID, id: id))
        }
        if isThere { throw UploadError.photoExists(id.rawValue) }
        if isDeleted, !restoresDeleted { throw UploadError.photoDeleted(id.rawValue) }
        return UploadPlace(name: name, id: id)
    }

    /// Returns the photo of an existing file of a folder's root with these bytes, if there is one; blocks.
    ///
    /// The same picture with other metadata, or with a film, is another file.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: O(bytes of the files with the same picture that were not decoded yet).
    func photo(
        with content: FileContent, in scope: FolderScope, streamID: Int64
    ) throws -> PhotoID? {
        let rows = try service.transaction { reader in
            try reader.pictureFiles(streamID: streamID, rootID: scope.rootID, content: content).map { row in
                (row: row, hash: try reader.fileHash(of: row, streamID: streamID))
            }
        }
        // A file may have been removed or written since it was imported.
        return rows.first { row, hash in
            var status = stat()
            guard unsafe stat(scope.absolutePath(row.path), &status) == 0, row.isOf(FileStamp(status)) else {
                return false
            }
            return (hash ?? PhotoStreamService.content(of: row, beneath: scope.rootPath)?.hash) == content.fileHash
        }?.row.photo
    }
}

extension FolderScope {
    /// The path from the root of a name in the folder.
    func path(of name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }
}

extension UploadError {
    /// Creates the error of a folder that does not accept a file, from a code of `errno`.
    init(code: Int32, name: UploadName) {
        self =
            switch code {
            case EEXIST: .fileExists(name.text)
            case ENOSPC, EDQUOT: .diskFull
            default:
                .unavailable(reason: "its folder cannot be written to (\(FolderError(code: code).systemReason))")
            }
    }
}
