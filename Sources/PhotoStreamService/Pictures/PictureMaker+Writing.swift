import Logging
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamStorage
import Synchronization

extension PictureMaker {
    /// The number of results that are not written yet.
    var unwrittenCount: Int { state.withLock { $0.pictures.results.count } }

    func writeContinually() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: settings.writingInterval)
            await write()
        }
        // The end may have come while the last results were written, and more results since.
        await write()
    }

    /// Writes all results: thumbnails to the store, the rest to the file.
    ///
    /// - Returns: Whether the file can be written.
    @discardableResult
    func write() async -> Bool {
        do {
            try await writes.run { try self.writeNow() }
            note(nil, as: "thumbnails cannot be noted in the file")
            return true
        } catch {
            note(error, as: "thumbnails cannot be noted in the file")
            // Kept in memory for another try; if there are too many, they are dropped and decoded again.
            state.withLock { state in
                let results = Array(state.pictures.results.values)
                if results.count > 4 * Self.unwrittenLimit { state.pictures.forget(results) }
            }
            return false
        }
    }

    /// Logs the first of several failures of the same kind.
    private func note(_ error: (any Error)?, as message: String) {
        guard let error else {
            _ = state.withLock { $0.failing.remove(message) }
            return
        }
        let isFirst = state.withLock { $0.failing.insert(message).inserted }
        logger.log(level: isFirst ? .warning : .debug, "\(message)", metadata: ["error": "\(error)"])
    }

    private func writeNow() throws {
        let made = state.withLock { Array($0.pictures.results.values) }
        guard !made.isEmpty else { return }
        let thumbnails = made.compactMap { picture -> (key: PictureKey, thumbnails: [StoredThumbnail])? in
            guard case .ready(let key, _, _) = picture.outcome, !picture.thumbnails.isEmpty, !picture.isStored
            else { return nil }
            return (key, Array(picture.thumbnails.values))
        }
        do {
            try store.add(thumbnails)
            note(nil, as: "thumbnails cannot be stored")
            state.withLock { $0.pictures.noteStored(made) }
        } catch {
            // Probably a full disk. They are created again when a client requests them.
            note(error, as: "thumbnails cannot be stored")
        }
        let rows = made.compactMap { picture in picture.row.map { (photo: picture.job.photo, row: $0) } }
        if !rows.isEmpty { try save(rows) }
        state.withLock { $0.pictures.forget(made) }
    }

    /// Writes the results of decodes to the file, and those that other servers lack to the primary.
    private func save(_ rows: [(photo: PicturedPhoto, row: PictureRow)]) throws {
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
