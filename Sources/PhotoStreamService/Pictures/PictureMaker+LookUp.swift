import Logging
public import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage
import Synchronization

extension PictureMaker {
    /// Returns the thumbnail of a photo, creating it if it is not stored.
    ///
    /// - Parameters:
    ///   - kind: Its size and format.
    ///   - photo: The photo.
    ///   - stream: The stream.
    /// - Returns: The thumbnail, or the reason why there is none.
    /// - Throws: The errors of ``lookUp(_:of:in:acceptsOriginal:)`` and ``make(_:)``.
    public func thumbnail(
        _ kind: ThumbnailKind, of photo: PhotoID, in stream: StreamName
    ) async throws -> ThumbnailAnswer {
        switch try await lookUps.run({ try self.lookUp(kind, of: photo, in: stream) { _ in false } }) {
        case .answer(let answer): answer
        case .job(let job): try await make(job)
        }
    }

    /// Looks up the thumbnail of a photo; blocks briefly.
    ///
    /// - Parameters:
    ///   - kind: Its size and format.
    ///   - id: The photo.
    ///   - stream: The stream.
    ///   - acceptsOriginal: Whether a file of a type may be sent in place of a thumbnail that would be no smaller. It
    ///     has no effect on a picture whose orientation differs from that of its file.
    /// - Returns: The answer, or the job for ``make(_:)``.
    /// - Throws: ``PictureError``, ``StreamServiceError/unknownStream(_:)``,
    ///   ``StreamServiceError/unknownPhoto(_:stream:)``.
    public func lookUp(
        _ kind: ThumbnailKind, of id: PhotoID, in stream: StreamName, acceptsOriginal: (PictureType) -> Bool
    ) throws -> ThumbnailLookup {
        let (stored, pictured, row, roots) = try service.transaction { reader in
            let streamRow = try reader.row(of: stream)
            let stored = try reader.photo(id, of: streamRow)
            return (
                stored, try reader.picturedPhoto(streamID: streamRow.id, id: id),
                try reader.picture(photoRowID: stored.rowID),
                try reader.roots(servingStreamID: streamRow.id, on: HostIdentity.name)
            )
        }
        guard let pictured else { throw StreamServiceError.unknownPhoto(id.rawValue, stream: stream.rawValue) }
        let found: FoundFile
        switch try service.found(stored.photo.location, beneath: roots, of: id) {
        case .address(let address): return .answer(.address(address))
        case .file(let file): found = file
        }
        var job = PictureJob(
            photo: pictured, color: stored.photo.color, file: found.name, stamp: FileStamp(found.version), kind: kind)
        if let file = found.file, file.type.isOfWeb, job.orientation == nil, stored.photo.metricsSource == .measured,
            max(stored.photo.pixelSize.width, stored.photo.pixelSize.height) <= Int32(kind.size.rawValue),
            acceptsOriginal(file.type)
        {
            return .answer(.original(file))
        }
        if let answer = try known(&job, row: row) { return .answer(answer) }
        guard canMake else {
            return .answer(.unavailable(found.file.flatMap { $0.type.isOfWeb ? $0 : nil }))
        }
        return .job(job)
    }

    /// Looks up a thumbnail by the key of its picture; blocks briefly.
    ///
    /// - Parameters:
    ///   - kind: Its size and format.
    ///   - text: The key.
    ///   - stream: The only stream whose pictures are searched; `nil` for all.
    /// - Returns: The answer, or the job for ``make(_:)``.
    /// - Throws: ``PictureError/unknownKey(_:)`` if no photo has such a picture, and the errors of finding its file.
    public func lookUp(
        _ kind: ThumbnailKind, ofKey text: String, in stream: StreamName? = nil
    ) throws -> ThumbnailLookup {
        guard let key = PictureKey(text) else { throw PictureError.unknownKey(text) }
        guard let photo = try foundPhoto(ofKey: key, in: stream) else { throw PictureError.unknownKey(text) }
        // It may have been created just now and not be stored yet.
        let made = state.withLock { $0.made[photo.rowID] }
        if case .ready(key, _, _)? = made?.outcome, let thumbnail = made?.thumbnails[kind] {
            return .answer(.thumbnail(PictureThumbnail(key: text, kind: kind, bytes: thumbnail.bytes)))
        }
        if let thumbnail = try thumbnail(kind, key: key) { return .answer(thumbnail) }
        let roots = try service.transaction { try $0.roots(servingStreamID: photo.streamID, on: HostIdentity.name) }
        let found: FoundFile
        do throws(PictureError) {
            guard case .file(let file) = try service.found(photo.location, beneath: roots, of: photo.id) else {
                throw PictureError.unknownKey(text)
            }
            found = file
        } catch {
            // The result at this address must not depend on other files at the photo's location.
            if case .tooManyFiles = error { throw error }
            throw PictureError.unknownKey(text)
        }
        let job = PictureJob(
            photo: photo, color: nil, file: found.name, stamp: FileStamp(found.version), kind: kind, requiredKey: key)
        guard canMake else { return .answer(.unavailable(nil)) }
        return .job(job)
    }

    /// Returns the signed address of a thumbnail.
    ///
    /// - Parameters:
    ///   - text: The key of its picture.
    ///   - kind: Its size and format.
    ///   - stream: The only stream whose pictures are searched; `nil` for all.
    /// - Returns: The address; `nil` if answers show no signed addresses.
    /// - Throws: ``PictureError/unknownKey(_:)`` if no photo has such a picture.
    public func signedAddress(
        of text: String, as kind: ThumbnailKind, in stream: StreamName? = nil
    ) throws -> String? {
        guard let signer = try service.transaction({ try service.imageSigner($0) }) else { return nil }
        guard let key = PictureKey(text), try foundPhoto(ofKey: key, in: stream) != nil else {
            throw PictureError.unknownKey(text)
        }
        return signer.address(of: key, as: kind)
    }

    /// The photo with a key, which another server may just have stored; `nil` if there is none.
    private func foundPhoto(ofKey key: PictureKey, in stream: StreamName?) throws -> PicturedPhoto? {
        if let photo = try photo(ofKey: key, in: stream) { return photo }
        return service.database.catchUp() ? try photo(ofKey: key, in: stream) : nil
    }

    private func photo(ofKey key: PictureKey, in stream: StreamName?) throws -> PicturedPhoto? {
        try service.transaction { reader in
            try reader.photos(pictureKey: key, in: try stream.map { try reader.row(of: $0).id }, limit: 1).first
        }
    }

    /// The answer to a job, if its picture was decoded and the thumbnail is stored; sets the key of the job.
    func known(_ job: inout PictureJob, row: PictureRow?) throws -> ThumbnailAnswer? {
        let (rowID, stamp) = (job.rowID, job.stamp)
        let made = state.withLock { $0.made[rowID] }
        if let made, made.stamp == stamp, made.job.isSamePicture(as: job) {
            switch made.outcome {
            case .failed(let failure, let deathCount):
                job.deathCount = deathCount
                return .undecodable(reason: failure.reason, color: job.color)
            case .ready(let key, _, _):
                job.key = key
                if let kind = job.kind, let thumbnail = made.thumbnails[kind] {
                    return .thumbnail(PictureThumbnail(key: key.description, kind: kind, bytes: thumbnail.bytes))
                }
                return try job.kind.flatMap { try thumbnail($0, key: key) }
            }
        }
        guard let row, row.isOf(stamp) else { return nil }
        job.deathCount = row.deaths
        switch row.state {
        case .ready:
            // Another version of the encoder creates other thumbnails, at other addresses.
            guard let key = row.currentKey else { return nil }
            job.key = key
            return try job.kind.flatMap { try thumbnail($0, key: key) }
        case .failed:
            return .undecodable(reason: row.reason ?? "", color: job.color ?? row.color)
        case .alone:
            return .undecodable(reason: "the picture is being tried", color: job.color ?? row.color)
        }
    }

    private func thumbnail(_ kind: ThumbnailKind, key: PictureKey) throws -> ThumbnailAnswer? {
        do {
            return try store.thumbnail(key: key, kind: kind).map {
                .thumbnail(PictureThumbnail(key: key.description, kind: kind, bytes: $0.bytes))
            }
        } catch {
            // It can be created again.
            logger.warning("a stored thumbnail cannot be read", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Creates the thumbnail of a job from a lookup.
    ///
    /// - Throws: ``PictureError/tooManyThumbnails(limit:)``, ``PictureError/unknownKey(_:)``, and `CancellationError`
    ///   for a cancelled task.
    public func make(_ job: PictureJob) async throws -> ThumbnailAnswer {
        let made = try await result(of: job, urgency: .foreground)
        switch made.outcome {
        case .failed(let failure, _):
            guard failure.kind != .noWorker else { return .unavailable(nil) }
            return .undecodable(reason: failure.reason, color: job.color)
        case .ready(let key, _, _):
            if let required = job.requiredKey, required != key { throw PictureError.unknownKey(required.description) }
            guard let kind = job.kind, let thumbnail = made.thumbnails[kind] else {
                return .undecodable(reason: "the thumbnail was not made", color: job.color)
            }
            return .thumbnail(PictureThumbnail(key: key.description, kind: kind, bytes: thumbnail.bytes))
        }
    }
}

extension PictureJob {
    /// Whether another job is for the same picture of the same photo.
    fileprivate func isSamePicture(as other: PictureJob) -> Bool {
        file == other.file && orientation == other.orientation
    }
}
