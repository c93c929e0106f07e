import Foundation
import Logging
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage

// If a process is killed between naming a file and adding its photo, its note of both remains in the file.
extension PictureUploads {
    /// Finishes the uploads of killed processes by adding the photos of files that have their names.
    ///
    /// An upload that another process is writing is skipped, and one that cannot be finished now is left for the next
    /// start.
    package func finishInterrupted() async {
        guard !service.isReadOnly,
            let noted = try? service.transaction({ try $0.uploads(on: HostIdentity.name) })
        else { return }
        for (id, row) in noted where !Task.isCancelled {
            do {
                guard try await finish(row) else { continue }
                try service.writeLocally { try $0.removeUpload(id) }
            } catch {
                service.logger.warning(
                    "an upload that was interrupted cannot be finished",
                    metadata: ["folder": "\(row.folder)", "name": "\(row.name)", "error": "\(error)"])
            }
        }
    }

    /// Finishes an upload.
    ///
    /// - Returns: Whether its note can be removed.
    private func finish(_ row: UploadRow) async throws -> Bool {
        let remains: UploadRemains
        do throws(UploadFolder.Failure) {
            remains = try UploadFolder(path: row.folder)
                .abandonedUpload(hiddenName: row.hiddenName, name: row.name)
        } catch {
            throw UploadError.unavailable(reason: "its folder cannot be opened (\(error.reason))")
        }
        switch remains {
        case .held: return false
        case .gone: return true
        case .kept(let version):
            // Without its root, the folder no longer serves photos.
            guard let scope = try scope(of: row.folder, streamID: row.streamID) else { return true }
            return try await add(row, version: version, scope: scope)
        }
    }

    /// Adds the photo of a file that has its name, unless an import has done so.
    ///
    /// - Returns: Whether its note can be removed.
    private func add(_ row: UploadRow, version: UploadFile.Version, scope: FolderScope) async throws -> Bool {
        let (path, name) = (scope.path(of: row.name), try UploadName(row.name))
        let id = try PhotoID(path)
        guard try service.transaction({ try $0.photo(streamID: row.streamID, id: id) }) == nil else { return true }
        let sidecars = try UploadFolder(path: row.folder).sidecars(of: name).map { sidecar in
            FolderFile.Sidecar(
                path: scope.path(of: sidecar.path), byteCount: sidecar.byteCount,
                modifiedNanoseconds: sidecar.modifiedNanoseconds)
        }
        let file = PictureFileName(root: scope.rootPath, path: path)
        switch await source.header(of: file, sidecars: sidecars.map(\.path)) {
        case .success(let header):
            let found = FolderFile(
                path: path, byteCount: version.byteCount, modifiedNanoseconds: version.modifiedNanoseconds,
                sidecars: sidecars)
            _ = try add(found, id: id, header: header, scope: scope, streamID: row.streamID)
            return true
        case .failure(let failure):
            try Task.checkCancellation()
            throw UploadError.unavailable(reason: failure.reason)
        }
    }
}
