import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage
import Synchronization

/// A picture that is being uploaded: a file with a hidden name, until a worker has decoded it.
///
/// It is removed unless ``finish()`` returns.
package final class PictureUpload: Sendable {
    /// The largest number that a name gets.
    private static let maximumNumber = 10_000

    private let file: UploadFile
    private let request: UploadRequest
    private let scope: FolderScope
    private let streamID: Int64
    private let uploads: PictureUploads

    init(
        _ file: consuming UploadFile, request: UploadRequest, scope: FolderScope, streamID: Int64,
        uploads: PictureUploads
    ) {
        self.file = file
        (self.request, self.scope, self.streamID, self.uploads) = (request, scope, streamID, uploads)
    }

    /// Returns the first free name; blocks.
    ///
    /// - Throws: ``UploadError`` if the requested name is taken and the file may not get another one; `StorageError`.
    func place() throws -> UploadPlace {
        var refusal: any Error = UploadError.fileExists(file.name.text)
        for number in 1...Self.maximumNumber {
            guard let name = number == 1 ? file.name : file.name.numbered(number) else { break }
            do {
                guard !file.isTaken(name) else { throw UploadError.fileExists(name.text) }
                return try uploads.place(
                    of: name, in: scope, streamID: streamID, restoringDeleted: request.restoresDeleted)
            } catch let error as UploadError where error.isAboutTakenName && request.takenName == .rename {
                if number == 1 { refusal = error }
            }
        }
        throw refusal
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
    /// - Returns: The photo.
    /// - Throws: ``UploadError``, `StorageError`, `CancellationError`.
    package func finish() async throws -> UploadedPhoto {
        // Also after success: the file was kept and is only unlocked.
        defer { file.release() }
        if let time = request.modifiedAtMilliseconds { try file.setModified(min(time, Moment.now)) }
        let hidden = PictureFileName(root: scope.rootPath, path: scope.path(of: file.hiddenName))
        let requested = try await read(hidden, at: try place())
        try file.name.check(requested.header.format)
        let decoded = try await decoded(hidden, size: requested.header.size)
        let content = decoded.measures?.content
        if let content { try checkIsWanted(content, byteCount: decoded.stamp.byteCount) }
        var found = requested
        while true {
            try Task.checkCancellation()
            do {
                let photo = try add(found, content: content)
                guard photo.isNew else { return photo }
                await uploads.pictures?.keep(
                    decoded, of: photo.id, in: streamID,
                    at: PictureFileName(root: scope.rootPath, path: photo.id.rawValue))
                return photo
            } catch let error as UploadError where error.isAboutTakenName && request.takenName == .rename {
                // Another upload was faster; sidecars belong to names.
                found = try await read(hidden, at: try place())
            }
        }
    }

    /// The header of the picture, read together with the sidecars of a name.
    private struct Reading {
        let place: UploadPlace
        let sidecars: [FolderFile.Sidecar]
        let header: PictureHeader
    }

    private func read(_ hidden: PictureFileName, at place: UploadPlace) async throws -> Reading {
        let sidecars = file.sidecars(of: place.name, in: scope)
        let header = try checked(await uploads.source.header(of: hidden, sidecars: sidecars.map(\.path)))
        return Reading(place: place, sidecars: sidecars, header: header)
    }

    /// Gives the file its name, and adds its photo to the stream, unless the stream has the content and names may be
    /// changed.
    private func add(_ found: Reading, content: FileContent?) throws -> UploadedPhoto {
        guard request.takenName == .rename, let content else { return try addNew(found, content: content) }
        return try uploads.addition.withLock { _ in
            let known = try uploads.photo(with: content, in: scope, streamID: streamID)
            if let known { return UploadedPhoto(id: known, isNew: false) }
            return try addNew(found, content: content)
        }
    }

    private func addNew(_ found: Reading, content: FileContent?) throws -> UploadedPhoto {
        let noted = try note(found.place)
        do {
            try store(found, content: content)
        } catch let error as StorageError where error.code == .commitUnknown {
            // The photo may have been added, so its file stays, and is released first, since one in use is skipped.
            file.release()
            uploads.finishLater()
            throw error
        } catch {
            file.takeBack(found.place.name)
            forget(noted)
            throw error
        }
        forget(noted)
        return UploadedPhoto(id: found.place.id, isNew: true)
    }

    /// Refuses a picture that a person deleted, under any name, unless it should be restored.
    private func checkIsWanted(_ content: FileContent, byteCount: Int64) throws {
        guard !request.restoresDeleted else { return }
        let tombstone = try uploads.service.transaction { reader in
            try reader.tombstone(streamID: streamID, content: content, byteCount: byteCount)
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
    private func note(_ place: UploadPlace) throws -> Int64 {
        try file.synchronize()
        return try uploads.service.writeLocally { writer in
            try writer.addUpload(
                UploadRow(
                    streamID: streamID, machine: HostIdentity.name, folder: scope.path, hiddenName: file.hiddenName,
                    name: place.name.text))
        }
    }

    /// Removes a note; if that fails, the next start does it.
    private func forget(_ noted: Int64) {
        _ = try? uploads.service.writeLocally { try $0.removeUpload(noted) }
    }

    /// Gives the file its name, and adds its photo to the stream like an import of the folder.
    private func store(_ reading: Reading, content: FileContent?) throws {
        try file.keep(as: reading.place.name)
        let id = reading.place.id
        let found = FolderFile(path: id.rawValue, stamp: try file.stamp(), sidecars: reading.sidecars)
        let outcome = try uploads.add(
            found, id: id, header: reading.header, content: content, scope: scope, streamID: streamID,
            restoringDeleted: request.restoresDeleted)
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
