import Foundation
import Logging
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage

// If a process is killed between naming a file and adding its photo, or a primary does not say whether it has added the
// photo, the note of both remains in the file.
extension PictureUploads {
    /// The pause before uploads are tried again whose photos could not be stored.
    private static let pause = Duration.seconds(5)

    /// Finishes uploads at the start, and whenever one was left.
    func finishAll() async {
        finishLater()
        for await _ in unfinished.stream {
            while await !finishInterrupted(), (try? await Task.sleep(for: Self.pause)) != nil {}
        }
    }

    /// Has the upload that was left finished by ``run()``.
    func finishLater() { unfinished.continuation.yield() }

    /// Finishes the uploads that were left by adding the photos of files that have their names.
    ///
    /// An upload that another process is writing is skipped, and so is one whose file cannot be read, until the next
    /// start.
    ///
    /// - Returns: Whether no photo remains that could not be stored.
    private func finishInterrupted() async -> Bool {
        guard !service.isReadOnly,
            let noted = try? service.transaction({ try $0.uploads(on: HostIdentity.name) })
        else { return true }
        var isDone = true
        for (id, row) in noted where !Task.isCancelled {
            do {
                guard try await finish(row) else { continue }
                try service.writeLocally { try $0.removeUpload(id) }
            } catch {
                if error is StorageError { isDone = false }
                service.logger.warning(
                    "an upload that was interrupted cannot be finished",
                    metadata: ["folder": "\(row.folder)", "name": "\(row.name)", "error": "\(error)"])
            }
        }
        return isDone
    }

    /// Finishes an upload.
    ///
    /// - Returns: Whether its note can be removed.
    private func finish(_ row: UploadRow) async throws -> Bool {
        let remains: UploadRemains
        do throws(FolderError) {
            remains = try UploadFolder(path: row.folder)
                .abandonedUpload(hiddenName: row.hiddenName, name: row.name)
        } catch {
            throw UploadError.unavailable(reason: "its folder cannot be opened (\(error.systemReason))")
        }
        switch remains {
        case .held: return false
        case .gone: return true
        case .released(let stamp):
            // Without its root, the folder no longer serves photos.
            let scope = try service.transaction { try $0.scope(of: row.folder, streamID: row.streamID) }
            guard let scope else { return true }
            return try await add(row, stamp: stamp, scope: scope)
        }
    }

    /// Adds the photo of a file that has its name, unless an import has done so.
    ///
    /// - Returns: Whether its note can be removed.
    private func add(_ row: UploadRow, stamp: FileStamp, scope: FolderScope) async throws -> Bool {
        let (path, name) = (scope.path(of: row.name), try UploadName(row.name))
        let id = try PhotoID(path)
        guard try service.transaction({ try $0.photo(streamID: row.streamID, id: id) }) == nil else { return true }
        let sidecars = try UploadFolder(path: row.folder).sidecars(of: name, in: scope)
        let file = PictureFileName(root: scope.rootPath, path: path)
        switch await source.header(of: file, sidecars: sidecars.map(\.path)) {
        case .success(let header):
            let found = FolderFile(path: path, stamp: stamp, sidecars: sidecars)
            _ = try add(found, id: id, header: header, scope: scope, streamID: row.streamID)
            return true
        case .failure(let failure):
            try Task.checkCancellation()
            throw UploadError.unavailable(reason: failure.reason)
        }
    }
}
