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
            let photos = try reader.photos(named: stream)
            let (stored, streamRow) = (try reader.photo(id, of: photos), photos.stream)
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
        let stamp = FileStamp(found.version)
        var job = PictureJob(
            photo: pictured, color: stored.photo.color ?? (row?.isOf(stamp) == true ? row?.color : nil),
            file: found.name, stamp: stamp, purpose: .thumbnail(kind))
        if let file = found.file, file.type.isOfWeb, job.orientation == nil, stored.photo.metricsSource == .measured,
            max(stored.photo.pixelSize.width, stored.photo.pixelSize.height) <= Int32(kind.size.rawValue),
            acceptsOriginal(file.type)
        {
            return .answer(.original(file))
        }
        let result = known(job, row: row)
        guard case .missing(let key) = result else { return .answer(try answer(to: job, with: result)) }
        guard canMake else { return .answer(.unavailable(found.file.flatMap { $0.type.isOfWeb ? $0 : nil })) }
        job.key = key
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
        guard let key = PictureKey(text), let photo = try foundPhoto(ofKey: key, in: stream) else {
            throw PictureError.unknownKey(text)
        }
        // It may have been created just now and not be stored yet.
        let made = state.withLock { $0.pictures.results[photo.rowID]?.result }
        var bytes: [UInt8]?
        if case .ready(key, let thumbnails)? = made { bytes = thumbnails[kind] }
        if let bytes = bytes ?? storedThumbnail(kind, key: key) {
            return .answer(.thumbnail(PictureThumbnail(key: text, kind: kind, bytes: bytes)))
        }
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
            photo: photo, color: nil, file: found.name, stamp: FileStamp(found.version),
            purpose: .thumbnail(kind, of: key))
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

    /// The maximum number of photos with one picture that are compared with the rule of a kept view.
    private static let comparedCount = 1_000

    /// The photo with a key, which another server may just have stored; `nil` if there is none.
    private func foundPhoto(ofKey key: PictureKey, in stream: StreamName?) throws -> PicturedPhoto? {
        func found() throws -> PicturedPhoto? {
            try service.transaction { reader in
                guard let stream else { return try reader.photos(pictureKey: key, in: nil, limit: 1).first }
                let named = try reader.photos(named: stream)
                let limit = named.rule == nil ? 1 : Self.comparedCount
                return try reader.photos(pictureKey: key, in: named.stream.id, limit: limit).first { pictured in
                    try named.rule == nil
                        || reader.photos(rowIDs: [pictured.rowID]).contains { named.contains($0.photo) }
                }
            }
        }
        return try found() ?? (service.database.catchUp() ? found() : nil)
    }

    /// Returns what memory, the file and the store know of a picture; blocks briefly.
    ///
    /// - Parameters:
    ///   - job: The picture.
    ///   - row: Its row in the file.
    /// - Returns: Its result; ready only if the thumbnails that the job needs are there, too.
    func known(_ job: PictureJob, row: PictureRow?) -> PictureResult {
        guard let result = state.withLock({ $0.pictures.result(of: job) }) ?? row?.result(of: job.stamp) else {
            return .missing(nil)
        }
        switch (result, job.purpose) {
        // Only the content of the file determines whether it has the key that a client requires.
        case (.ready, .thumbnail(_, of: .some)): return .missing(nil)
        case (.ready(let key, let made), .thumbnail(let kind, of: nil)):
            return (made[kind] ?? storedThumbnail(kind, key: key)).map { PictureResult.ready(key, [kind: $0]) }
                ?? .missing(key)
        // Thumbnails in memory are stored soon.
        case (.ready(let key, let made), .warmUp(checksStore: true))
        where !job.preparedKinds.allSatisfy(made.keys.contains) && !hasThumbnails(job.preparedKinds, of: key):
            return .missing(nil)
        default: return result
        }
    }

    private func storedThumbnail(_ kind: ThumbnailKind, key: PictureKey) -> [UInt8]? {
        do {
            return try store.thumbnail(key: key, kind: kind)?.bytes
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
        try answer(to: job, with: try await result(of: job, urgency: .foreground))
    }

    private func answer(to job: PictureJob, with result: PictureResult) throws(PictureError) -> ThumbnailAnswer {
        switch result {
        case .failed(let failure, _) where failure.kind == .noWorker: return .unavailable(nil)
        case .failed(let failure, _): return .undecodable(reason: failure.reason, color: job.color)
        case .missing: return .undecodable(reason: "another process is decoding the picture", color: job.color)
        case .ready(let key, let thumbnails):
            if let required = job.requiredKey, required != key { throw PictureError.unknownKey(required.description) }
            // The client may have joined a warm-up whose picture another process has decoded.
            guard let kind = job.kind, let bytes = thumbnails[kind] ?? storedThumbnail(kind, key: key) else {
                return .undecodable(reason: "the thumbnail was not made", color: job.color)
            }
            return .thumbnail(PictureThumbnail(key: key.description, kind: kind, bytes: bytes))
        }
    }
}
