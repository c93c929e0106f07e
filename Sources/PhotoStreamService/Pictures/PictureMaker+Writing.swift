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
        // The end may have come while the last ones were written, and others since.
        await write()
    }

    /// Writes all results: thumbnails into the store, the rest into the file.
    func write() async {
        do {
            try await writes.run { try self.writeNow() }
            state.withLock { $0.hasFailedToNote = false }
        } catch {
            // Kept in memory for another try; if there are too many, decodes give them again.
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
            guard case .ready(let key, _, _) = picture.outcome, !picture.thumbnails.isEmpty else { return nil }
            return (key, picture.thumbnails.values.map(StoredThumbnail.init))
        }
        do {
            try store.add(thumbnails)
            state.withLock { $0.hasFailedToStore = false }
        } catch {
            // A full disk, most likely. They are made again when a client asks for them.
            let isKnown = state.withLock { state in
                defer { state.hasFailedToStore = true }
                return state.hasFailedToStore
            }
            logger.log(
                level: isKnown ? .debug : .warning, "thumbnails cannot be stored", metadata: ["error": "\(error)"])
        }
        let rows = made.compactMap { picture in picture.row.map { (photo: picture.job.photo, row: $0) } }
        if !rows.isEmpty {
            _ = try translatingStorageErrors {
                try service.database.writeLocally { try $0.savePictures(rows, now: service.now()) }
            }
        }
        state.withLock { state in
            for picture in made where state.made[picture.job.rowID]?.number == picture.number {
                state.made[picture.job.rowID] = nil
            }
        }
    }
}
