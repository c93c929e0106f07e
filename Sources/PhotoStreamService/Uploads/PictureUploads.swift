import Foundation
public import Logging
public import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage

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
    ///   ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/storage(_:message:)``.
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
            _ = try translatingStorageErrors {
                try FolderDestination(watching: streamID, of: service).scopes(for: [path])
            }
            do throws(UploadFolder.Failure) {
                try UploadFolder(path: path.resolvedPath).removeLeftovers()
            } catch {
                throw RootError.unusable(destination.folder, reason: error.reason)
            }
            folders[streamID] = path.resolvedPath
        }
        self.folders = folders
    }

    /// Runs the workers until the task is cancelled; first finishes the uploads of killed processes.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.source.run() }
            group.addTask { await self.finishInterrupted() }
        }
    }

    /// Whether clients may upload pictures to the stream with a row id.
    func allows(streamID: Int64) -> Bool { folders[streamID] != nil }

    /// Begins an upload; blocks.
    ///
    /// - Parameters:
    ///   - name: The name of its file, which must not exist in the folder.
    ///   - stream: The stream.
    ///   - restoresDeleted: Whether a photo that a person deleted is restored by its picture.
    /// - Returns: An upload without bytes, which is removed unless it is finished.
    /// - Throws: ``UploadError``, ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/storage(_:message:)``.
    package func begin(
        _ name: String, in stream: StreamName, restoringDeleted restoresDeleted: Bool = false
    ) throws -> PictureUpload {
        let streamID = try service.transaction { try $0.row(of: stream).id }
        guard !service.isReadOnly else {
            throw StreamServiceError.storage(.readOnly, message: "the file is open for reading only")
        }
        guard let path = folders[streamID] else { throw UploadError.off(stream: stream.rawValue) }
        let fileName: UploadName
        do throws(UploadName.Refusal) {
            fileName = try UploadName(name)
        } catch {
            throw UploadError.invalidName(name, reason: error.description)
        }
        // The root may have been removed since the start.
        guard let scope = try scope(of: path, streamID: streamID) else {
            throw UploadError.off(stream: stream.rawValue)
        }
        let id: PhotoID
        do throws(ModelError) {
            id = try PhotoID(scope.path(of: fileName.text))
        } catch {
            throw UploadError.invalidName(name, reason: error.description)
        }
        do {
            let folder = try UploadFolder(path: path)
            guard !folder.contains(fileName) else { throw UploadFolder.Failure(code: EEXIST) }
            try checkIsNew(id, streamID: streamID, restoringDeleted: restoresDeleted)
            return PictureUpload(
                try folder.newFile(), name: fileName, id: id, scope: scope, streamID: streamID,
                restoringDeleted: restoresDeleted, uploads: self)
        } catch let failure as UploadFolder.Failure {
            throw UploadError(failure, name: fileName)
        }
    }

    /// Returns a folder as part of a root of a stream; `nil` if no root serves it.
    func scope(of folder: String, streamID: Int64) throws -> FolderScope? {
        try service.transaction { reader in
            try reader.roots(servingStreamID: streamID, on: HostIdentity.name)
                .compactMap { FolderScope(of: folder, in: $0) }
                .min { $0.folder.utf8.count < $1.folder.utf8.count }
        }
    }

    /// Adds the photo of a file to a stream, like an import of its folder; blocks.
    ///
    /// - Parameters:
    ///   - file: The file, with its path from the root.
    ///   - id: The id of its photo.
    ///   - header: The header of the picture.
    ///   - contentHash: The SHA-256 of the file, if known.
    ///   - scope: The folder.
    ///   - streamID: The row id of the stream.
    ///   - restoresDeleted: Whether a photo that a person deleted is restored.
    /// - Returns: The outcome; `nil` if there is none.
    /// - Throws: ``StreamServiceError/storage(_:message:)``.
    func add(
        _ file: FolderFile, id: PhotoID, header: PictureHeader, contentHash: [UInt8]? = nil, scope: FolderScope,
        streamID: Int64, restoringDeleted restoresDeleted: Bool = false
    ) throws -> FolderOutcome? {
        let made = FileRecord(
            id: id, path: file.path, header: header, modifiedNanoseconds: file.modifiedNanoseconds, zone: .current)
        let row = PictureFileRow(
            rootID: scope.rootID, path: file.path, photo: id, byteCount: file.byteCount,
            modifiedNanoseconds: file.modifiedNanoseconds, contentHash: contentHash, sidecars: file.sidecarState,
            fieldSources: made.sources, state: .read)
        let database = service.database
        return try translatingStorageErrors {
            database.pauseForOtherWriters()
            return try database.retryingWhileLocked {
                var seen = RowIDSet()
                return try database.importFiles(
                    [FolderEntry(row: row, record: made.record)], into: streamID,
                    restoringDeleted: restoresDeleted, seen: &seen
                ).outcomes.first
            }
        }
    }

    /// Refuses the id of a photo that exists or was deleted, because an upload changes no photo.
    private func checkIsNew(_ id: PhotoID, streamID: Int64, restoringDeleted restoresDeleted: Bool) throws {
        let (isThere, isDeleted) = try service.transaction { reader in
            (try reader.photo(streamID: streamID, id: id) != nil, try reader.isDeleted(streamID: streamID, id: id))
        }
        if isThere { throw UploadError.photoExists(id.rawValue) }
        if isDeleted, !restoresDeleted { throw UploadError.photoDeleted(id.rawValue) }
    }
}

extension FolderScope {
    /// The path from the root of a name in the folder.
    func path(of name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }
}

extension UploadError {
    /// Creates the error of a folder that does not accept a file.
    init(_ failure: UploadFolder.Failure, name: UploadName) {
        self =
            switch failure.code {
            case EEXIST: .fileExists(name.text)
            case ENOSPC, EDQUOT: .diskFull
            default: .unavailable(reason: "its folder cannot be written to (\(failure.reason))")
            }
    }
}
