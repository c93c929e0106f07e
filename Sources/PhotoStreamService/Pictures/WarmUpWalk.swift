import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamStorage

/// The walk of a warm-up over the photos of one stream that layouts show, in stream order, or over those that are hidden
/// in stacks.
struct WarmUpWalk: Sendable {
    let stream: StreamRow
    let isOfHidden: Bool
    /// The number of its photos.
    let photoCount: Int
    /// The place of the last photo that layouts show.
    var place: OrderKey?
    /// The row id of the last photo that is hidden.
    var rowID = Int64.min
    var isAtEnd = false
    /// The pictures that were read but not taken, with the last one first.
    var jobs: [PictureJob] = []
    /// The number of photos so far that need no decode.
    var skippedCount = 0

    /// The time by which the walks take turns; hidden photos come last.
    var nextTime: Int64 {
        guard !isOfHidden, let time = jobs.last?.photo.key.time else { return .min }
        // In streams that begin with the oldest photo, times are negated.
        return stream.order == .oldest ? -max(time, -.max) : time
    }
}

extension PictureMaker {
    /// Returns the walks of a warm-up before their first photos.
    func walks(_ settings: WarmUpSettings) throws -> [WarmUpWalk] {
        try service.transaction { reader in
            let rows = try settings.stream.map { [try reader.row(of: $0)] } ?? reader.streams()
            return try rows.flatMap { row in
                [
                    WarmUpWalk(stream: row, isOfHidden: false, photoCount: try reader.photoCount(in: row.id)),
                    WarmUpWalk(stream: row, isOfHidden: true, photoCount: try reader.hiddenPhotoCount(in: row.id)),
                ]
            }
        }
    }

    /// Returns a walk with the next page of its stream.
    func continued(_ walk: WarmUpWalk, settings: WarmUpSettings) throws -> WarmUpWalk {
        var walk = walk
        // More with a primary, whose servers each take some.
        let pageCount = service.isReplica ? 1_024 : 128
        let page = try service.transaction { reader in
            let (id, isPending) = (walk.stream.id, !settings.checksFiles && !settings.retriesFailures)
            let photos =
                walk.isOfHidden
                ? try reader.hiddenPicturedPhotos(
                    streamID: id, after: walk.rowID, ifPending: isPending, limit: pageCount)
                : try reader.picturedPhotos(
                    streamID: id, after: walk.place, ifPending: isPending, limit: pageCount)
            return (
                photos: photos, rows: try reader.pictures(photoRowIDs: photos.map(\.rowID)),
                roots: try reader.roots(servingStreamID: walk.stream.id, on: HostIdentity.name)
            )
        }
        if let last = page.photos.last { (walk.place, walk.rowID) = (last.key, last.rowID) }
        walk.isAtEnd = page.photos.count < pageCount
        walk.jobs = page.photos.reversed().compactMap { photo in
            job(photo, row: page.rows[photo.rowID], roots: page.roots, settings: settings)
        }
        walk.skippedCount += page.photos.count - walk.jobs.count
        // The servers of a primary walk concurrently, and should rarely decode the same picture.
        if service.isReplica { walk.jobs.shuffle() }
        return walk
    }

    /// The job of a photo whose picture should be decoded: an isolated retry if a worker has crashed on it.
    private func job(
        _ photo: PicturedPhoto, row: PictureRow?, roots: [RootRow], settings: WarmUpSettings
    ) -> PictureJob? {
        guard let location = photo.location, !location.isEmpty else { return nil }
        let purpose = PictureJob.Purpose.warmUp(checksStore: settings.checksFiles)
        let found: FoundFile
        do throws(PictureError) {
            switch try service.found(location, beneath: roots, of: photo.id) {
            case .address: return nil
            case .file(let file): found = file
            }
        } catch {
            switch error {
            case .refusedAddress, .tooManyFiles: break
            default:
                // A decoded picture keeps its thumbnails, and its content is known if the file comes back.
                guard row == nil else { break }
                let file = PictureFileName(root: "", path: location)
                // Clients see the reason, so it contains no path.
                let failure = PictureFailure(.missing, reason: "there is no file that can be read")
                let job = PictureJob(photo: photo, color: nil, file: file, stamp: .none, purpose: purpose)
                update { $0.record(.failure(failure), of: job) }
            }
            return nil
        }
        var job = PictureJob(
            photo: photo, color: nil, file: found.name, stamp: FileStamp(found.version), purpose: purpose)
        switch known(job, row: row) {
        case .missing: return job
        case .ready: return nil
        case .failed(let failure, let deathCount):
            // Version 0.2.0 kept the number of crashes if a later retry failed in another way.
            let isSuspect = failure.isDeath || deathCount > 0
            guard isSuspect && deathCount < PictureRow.deathLimit || settings.retriesFailures else { return nil }
            if isSuspect { job.purpose = .isolatedRetry }
            job.deathCount = deathCount
            return job
        }
    }
}
