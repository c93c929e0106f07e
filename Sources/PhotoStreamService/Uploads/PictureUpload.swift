import Foundation
package import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage

/// A picture that is being uploaded: a file with a hidden name, until a worker has decoded it.
///
/// It is removed unless ``finish()`` returns.
package final class PictureUpload: Sendable {
    private let file: UploadFile
    private let id: PhotoID
    private let scope: FolderScope
    private let streamID: Int64
    private let restoresDeleted: Bool
    private let uploads: PictureUploads

    init(
        _ file: consuming UploadFile, id: PhotoID, scope: FolderScope, streamID: Int64,
        restoringDeleted restoresDeleted: Bool, uploads: PictureUploads
    ) {
        self.file = file
        (self.id, self.scope, self.streamID, self.uploads) = (id, scope, streamID, uploads)
        self.restoresDeleted = restoresDeleted
    }

    /// Appends bytes; blocks.
    ///
    /// - Throws: ``UploadError``.
    package func append(_ bytes: some Collection<UInt8>) throws(UploadError) { try file.append(bytes) }

    /// Decodes the picture, gives the file its name, and adds its photo to the stream; blocks except while it waits for
    /// a worker.
    ///
    /// Once added, the photo stays in the stream even if the caller is cancelled before it receives the id.
    ///
    /// - Returns: The id of the photo: the path of its file from the root.
    /// - Throws: ``UploadError``, `StorageError`, `CancellationError`.
    package func finish() async throws -> PhotoID {
        // Also after success: the file was kept and is only unlocked.
        defer { file.release() }
        let hidden = PictureFileName(root: scope.rootPath, path: scope.path(of: file.hiddenName))
        let sidecars = file.sidecars(in: scope)
        let header = try checked(await uploads.source.header(of: hidden, sidecars: sidecars.map(\.path)))
        try file.name.check(header.format)
        let decoded = try await decoded(hidden, size: header.size)
        let contentHash = decoded.measures?.contentHash
        if let contentHash { try checkIsWanted(contentHash, byteCount: decoded.stamp.byteCount) }
        try Task.checkCancellation()
        let noted = try note()
        do {
            try store(header, contentHash: contentHash, sidecars: sidecars)
        } catch let error as StorageError where error.code == .commitUnknown {
            // The photo may have been added, so its file stays, and is released first, since one in use is skipped.
            file.release()
            uploads.finishLater()
            throw error
        } catch {
            file.takeBack()
            forget(noted)
            throw error
        }
        forget(noted)
        await uploads.pictures?.keep(
            decoded, of: id, in: streamID, at: PictureFileName(root: scope.rootPath, path: id.rawValue))
        return id
    }

    /// Refuses a picture that a person deleted, under any name, unless it should be restored.
    private func checkIsWanted(_ contentHash: [UInt8], byteCount: Int64) throws {
        guard !restoresDeleted else { return }
        let tombstone = try uploads.service.transaction { reader in
            try reader.tombstone(streamID: streamID, byteCount: byteCount, contentHash: contentHash)
        }
        if let tombstone, !tombstone.isPruned {
            throw UploadError.deletedBefore(atMilliseconds: tombstone.deletedAt)
        }
    }

    /// Decodes the picture with the same request as for every photo.
    private func decoded(_ file: PictureFileName, size: PixelSize) async throws -> DecodedPicture {
        let request = DecodeRequest(
            file: file, orientation: nil, thumbnails: ThumbnailKind.prepared(for: size), isMeasured: true)
        var result = await uploads.source.decode(request, urgency: .foreground)
        if case .failure(let failure) = result, failure.kind == .crashed, !Task.isCancelled {
            // The worker may have been killed for another reason.
            result = await uploads.source.decode(request, urgency: .foreground)
        }
        return try checked(result)
    }

    /// Returns a worker's result, or throws its failure as an ``UploadError``.
    private func checked<Success>(_ result: Result<Success, PictureFailure>) throws -> Success {
        switch result {
        case .success(let found): return found
        case .failure(let failure):
            // A cancelled request has no worker, either.
            try Task.checkCancellation()
            switch failure.kind {
            case .notAPicture, .damaged, .unsupported, .tooLarge, .timedOut, .crashed:
                throw UploadError.undecodable(reason: failure.reason)
            case .noWorker: throw UploadError.unavailable(reason: "there is no program that decodes pictures")
            case .missing, .denied, .changed, .exhausted: throw UploadError.unavailable(reason: failure.reason)
            }
        }
    }

    /// Records that the file is about to get its name, so that the next start adds its photo if this process is killed.
    ///
    /// - Returns: The row id of the note.
    private func note() throws -> Int64 {
        try file.synchronize()
        return try uploads.service.writeLocally { writer in
            try writer.addUpload(
                UploadRow(
                    streamID: streamID, machine: HostIdentity.name, folder: scope.path, hiddenName: file.hiddenName,
                    name: file.name.text))
        }
    }

    /// Removes a note; if that fails, the next start does it.
    private func forget(_ noted: Int64) {
        _ = try? uploads.service.writeLocally { try $0.removeUpload(noted) }
    }

    /// Gives the file its name, and adds its photo to the stream like an import of the folder.
    private func store(_ header: PictureHeader, contentHash: [UInt8]?, sidecars: [FolderFile.Sidecar]) throws {
        try file.keep()
        let found = FolderFile(path: id.rawValue, stamp: try file.stamp(), sidecars: sidecars)
        let outcome = try uploads.add(
            found, id: id, header: header, contentHash: contentHash, scope: scope, streamID: streamID,
            restoringDeleted: restoresDeleted)
        switch outcome {
        // It is unchanged if a watch of the folder was faster.
        case .imported(.inserted), .imported(.updated), .imported(.unchanged), .imported(.duplicate): break
        // A deleted photo with this content is back, with the id of the upload.
        case .moved: break
        case .imported(.deleted): throw UploadError.photoDeleted(id.rawValue)
        case .takenByOtherRoot, .noted, nil: throw UploadError.photoExists(id.rawValue)
        }
    }
}
