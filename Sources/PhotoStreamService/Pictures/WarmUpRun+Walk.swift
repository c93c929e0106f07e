import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamStorage
import Synchronization

/// A photo that a warm-up may decode.
struct WarmUpCandidate: Sendable {
    let job: PictureJob
    /// Whether a worker has crashed on it.
    let isSuspect: Bool
}

/// The walk of a warm-up over one stream, in stream order.
struct WarmUpWalk: Sendable {
    let stream: StreamRow
    var place: OrderKey?
    var isAtEnd = false
    /// Candidates that were read but not taken, with the last one first.
    var candidates: [WarmUpCandidate] = []
}

extension WarmUpRun {
    func walks() throws -> [WarmUpWalk] {
        try maker.service.transaction { reader in
            let rows = try settings.stream.map { [try reader.row(of: $0)] } ?? reader.streams()
            let count = try rows.reduce(0) { $0 + (try reader.photoCount(in: $1.id)) }
            state.withLock { $0.progress.remainingCount = count }
            return rows.map { WarmUpWalk(stream: $0) }
        }
    }

    /// The newest of the streams' next photos.
    func next(_ walks: inout [WarmUpWalk]) async throws -> WarmUpCandidate? {
        for position in walks.indices {
            while walks[position].candidates.isEmpty, !walks[position].isAtEnd {
                try Task.checkCancellation()
                let walk = walks[position]
                walks[position] = try await maker.onReadingThread { try self.continued(walk) }
            }
        }
        func time(_ walk: WarmUpWalk) -> Int64 {
            guard let time = walk.candidates.last?.job.photo.key.time else { return .min }
            // In streams that begin with the oldest photo, times are negated.
            return walk.stream.order == .oldest ? -max(time, -.max) : time
        }
        let newest = walks.indices.filter { !walks[$0].candidates.isEmpty }.max { time(walks[$0]) < time(walks[$1]) }
        return newest.flatMap { walks[$0].candidates.popLast() }
    }

    /// Returns the walk with the next page of its stream.
    private func continued(_ walk: WarmUpWalk) throws -> WarmUpWalk {
        var walk = walk
        let streamID = walk.stream.id
        let page = try maker.service.transaction { reader in
            let photos = try reader.picturedPhotos(
                streamID: streamID, after: walk.place, ifPending: !settings.checksFiles && !settings.retriesFailures,
                limit: pageCount)
            return (
                photos: photos, rows: try reader.pictures(photoRowIDs: photos.map(\.rowID)),
                roots: try reader.roots(servingStreamID: streamID, on: HostIdentity.name)
            )
        }
        walk.place = page.photos.last?.key ?? walk.place
        walk.isAtEnd = page.photos.count < pageCount
        for photo in page.photos {
            if let candidate = candidate(photo, row: page.rows[photo.rowID], roots: page.roots) {
                walk.candidates.append(candidate)
            } else {
                count { $0.skippedCount += 1 }
            }
        }
        walk.candidates.reverse()
        // The servers of a primary walk concurrently, and should rarely decode the same picture.
        if maker.service.isReplica { walk.candidates.shuffle() }
        return walk
    }

    /// The photo, if its picture should be decoded.
    private func candidate(_ photo: PicturedPhoto, row: PictureRow?, roots: [RootRow]) -> WarmUpCandidate? {
        guard let location = photo.location, !location.isEmpty else { return nil }
        let found: FoundFile
        do throws(PictureError) {
            switch try maker.service.found(location, beneath: roots, of: photo.id) {
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
                maker.addUnreachable(
                    PictureJob(photo: photo, color: nil, file: file, stamp: .none),
                    reason: "there is no file that can be read")
            }
            return nil
        }
        var job = PictureJob(photo: photo, color: nil, file: found.name, stamp: FileStamp(found.version))
        guard let row, row.isOf(job.stamp) else { return WarmUpCandidate(job: job, isSuspect: false) }
        job.deathCount = row.deaths
        switch row.state {
        case .ready:
            if let key = row.currentKey, maker.hasThumbnails(key) { return nil }
            job.isRepeated = true
            return WarmUpCandidate(job: job, isSuspect: false)
        case .alone:
            guard !LoneTry.isRunning(row.reason, now: maker.service.now()) else { return nil }
            // The process that tried it has ended.
            job.deathCount += 1
            return WarmUpCandidate(job: job, isSuspect: true)
        case .failed:
            if row.isDeath, row.deaths < Self.deathLimit { return WarmUpCandidate(job: job, isSuspect: true) }
            guard settings.retriesFailures else { return nil }
            job.deathCount = 0
            return WarmUpCandidate(job: job, isSuspect: row.isDeath)
        }
    }
}
