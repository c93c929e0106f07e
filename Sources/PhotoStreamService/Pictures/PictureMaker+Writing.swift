import Logging
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamStorage
import Synchronization

extension PictureMaker {
    /// The number of results that are not written yet.
    var unwrittenCount: Int { state.withLock { $0.made.count } }

    func writeContinually() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: settings.writingInterval)
            await write()
        }
        // The end may have come while the last results were written, and more results since.
        await write()
    }

    /// Writes all results: thumbnails to the store, the rest to the file.
    func write() async {
        do {
            try await writes.run { try self.writeNow() }
            state.withLock { $0.hasFailedToNote = false }
        } catch {
            // Kept in memory for another try; if there are too many, they are dropped and decoded again.
            let isKnown = state.withLock { state in
                if state.made.count > 4 * Self.unwrittenLimit { state.made = [:] }
                defer { state.hasFailedToNote = true }
                return state.hasFailedToNote
            }
            logger.log(
                level: isKnown ? .debug : .warning, "thumbnails cannot be noted in the file",
                metadata: ["error": "\(error)"])
        }
    }

    private func writeNow() throws {
        let made = state.withLock { Array($0.made.values) }
        guard !made.isEmpty else { return }
        let thumbnails = made.compactMap { picture -> (key: PictureKey, thumbnails: [StoredThumbnail])? in
            guard case .ready(let key, _, _) = picture.outcome, !picture.thumbnails.isEmpty, !picture.isStored
            else { return nil }
            return (key, picture.thumbnails.values.map(StoredThumbnail.init))
        }
        do {
            try store.add(thumbnails)
            state.withLock { state in
                state.hasFailedToStore = false
                // If the rest cannot be written now, the thumbnails are not stored a second time with it.
                for picture in made where state.made[picture.job.rowID]?.number == picture.number {
                    state.made[picture.job.rowID]?.isStored = true
                }
            }
        } catch {
            // Probably a full disk. They are created again when a client requests them.
            let isKnown = state.withLock { state in
                defer { state.hasFailedToStore = true }
                return state.hasFailedToStore
            }
            logger.log(
                level: isKnown ? .debug : .warning, "thumbnails cannot be stored", metadata: ["error": "\(error)"])
        }
        let rows = made.compactMap { picture in picture.row.map { (photo: picture.job.photo, row: $0) } }
        if !rows.isEmpty { try translatingStorageErrors { try note(rows) } }
        state.withLock { state in
            for picture in made where state.made[picture.job.rowID]?.number == picture.number {
                state.made[picture.job.rowID] = nil
            }
        }
    }

    /// Writes the results of decodes to the file, and those that other servers lack to the primary.
    private func note(_ rows: [(photo: PicturedPhoto, row: PictureRow)]) throws {
        let database = service.database
        var (own, shared) = (rows, [(photo: PicturedPhoto, row: PictureRow)]())
        if service.isReplica {
            let shown = try database.read { try $0.shownPictures(photoRowIDs: rows.map(\.photo.rowID)) }
            (own, shared) = ([], [])
            for (photo, row) in rows {
                let isKnown = row.state != .ready || shown[photo.rowID]?.hasSameResult(as: row) == true
                if isKnown { own.append((photo, row)) } else { shared.append((photo, row)) }
            }
        }
        if !own.isEmpty { try database.writeLocally { try $0.savePictures(own, now: service.now()) } }
        if !shared.isEmpty { try database.write { try $0.savePictures(shared, now: service.now()) } }
    }
}
