import Logging
public import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage
import Synchronization

/// The progress of a warm-up.
public struct PictureProgress: Hashable, Sendable {
    /// The pictures that were decoded.
    public var madeCount = 0
    /// The pictures that cannot be decoded.
    public var failedCount = 0
    /// The photos that need no decode: their pictures are as they were, or elsewhere.
    public var skippedCount = 0
    /// The photos that were not looked at yet.
    public var remainingCount = 0
    /// The pictures that were decoded in a second, on average.
    public var picturesPerSecond = 0.0
}

/// The settings of a warm-up.
public struct WarmUpSettings: Hashable, Sendable {
    /// The stream; `nil` for all.
    public var stream: StreamName?
    /// Whether pictures that could not be decoded are tried again.
    public var retriesFailures = false
    /// Whether files are looked at to see whether they have changed, and stored thumbnails whether they are still there.
    public var checksFiles = true
    /// Whether clients that look at pictures go first, as they do in a server.
    public var isInBackground = false

    /// The defaults.
    public init() {}
}

/// The error of a warm-up whose decode workers cannot be started.
public struct PictureWorkersMissing: Error, Sendable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// One sentence.
    public var description: String { "the program photostream-pictures cannot be run, so no thumbnails are made" }
}

extension PictureMaker {
    /// Decodes the pictures of all photos that have no thumbnails yet, the newest first.
    ///
    /// It resumes where an earlier one ended. A picture of which a worker dies is tried again at the end, alone; after three
    /// deaths it is given up. Run it while ``run()`` runs.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - progress: Called a few times a second at most, and at the end.
    /// - Returns: The progress at the end.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``PictureWorkersMissing``, and `CancellationError` within a
    ///   tenth of a second of the cancellation of the task.
    @discardableResult
    public func warmUp(
        _ settings: WarmUpSettings = WarmUpSettings(),
        progress: @escaping @Sendable (PictureProgress) -> Void = { _ in }
    ) async throws -> PictureProgress {
        guard canMake else { throw PictureWorkersMissing() }
        let run = WarmUpRun(self, settings: settings, progress: progress)
        defer { Task { await self.write() } }
        return try await run.run()
    }

    /// Warms up until the task is cancelled: once at the start, and again whenever there are new photos or changed files.
    ///
    /// - Parameters:
    ///   - interval: The time between two looks for new photos.
    ///   - longInterval: The time between two looks for changed files of which no photo changed. They take longer.
    public func warmUpContinually(
        every interval: Duration = .seconds(2), andLongest longInterval: Duration = .seconds(60)
    ) async {
        guard canMake else { return }
        var settings = WarmUpSettings()
        settings.isInBackground = true
        var seen: [Int64: StreamMark] = [:]
        var last = ContinuousClock.now
        while !Task.isCancelled {
            do {
                let marks = try await onReadingThread { try self.marks() }
                let isChanged = marks.mapValues(\.revision) != seen.mapValues(\.revision)
                if isChanged || marks != seen && ContinuousClock.now - last >= longInterval {
                    let progress = try await warmUp(settings)
                    settings.checksFiles = false
                    // What was written meanwhile may have been missed.
                    (seen, last) = (marks, .now)
                    logger.debug(
                        "made thumbnails",
                        metadata: ["made": "\(progress.madeCount)", "failed": "\(progress.failedCount)"])
                }
            } catch is CancellationError {
                return
            } catch is PictureWorkersMissing {
                // The workers have logged the reason.
                return
            } catch {
                logger.warning("thumbnails cannot be made in the background", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: interval)
        }
    }

    /// The marks of each stream: with other ones, it may have photos without pictures.
    private func marks() throws -> [Int64: StreamMark] {
        try service.transaction { reader in
            var marks: [Int64: StreamMark] = [:]
            for stream in try reader.streams() {
                marks[stream.id] = StreamMark(
                    revision: try reader.version(of: stream.id, since: nil).revision,
                    pictures: try reader.pictureRevision(streamID: stream.id, now: service.now()))
            }
            return marks
        }
    }
}

/// The state of a stream: of its photos, and of what is known of their pictures.
private struct StreamMark: Hashable {
    let revision: Revision
    let pictures: Int64
}

/// A photo that a warm-up may decode.
private struct WarmUpCandidate: Sendable {
    let job: PictureJob
    /// Whether a worker has died of it.
    let isSuspect: Bool
}

/// One warm-up.
private final class WarmUpRun: Sendable {
    /// The photos of a stream that are looked at together.
    private static let pageCount = 128
    /// The deaths of its worker after which a picture is given up.
    private static let deathLimit = 3
    /// The tries of a suspect in one run, also those during which other pictures were decoded.
    private static let tryLimit = 6

    private struct State {
        var progress = PictureProgress()
        var suspects: [PictureJob] = []
        var lastReport = ContinuousClock.now
    }

    private let maker: PictureMaker
    private let settings: WarmUpSettings
    private let report: @Sendable (PictureProgress) -> Void
    private let state = Mutex(State())
    private let start = ContinuousClock.now

    init(
        _ maker: PictureMaker, settings: WarmUpSettings, progress: @escaping @Sendable (PictureProgress) -> Void
    ) {
        (self.maker, self.settings, report) = (maker, settings, progress)
    }

    func run() async throws -> PictureProgress {
        var walks = try await maker.onReadingThread { try self.walks() }
        let width = maker.settings.workerCount + 1
        try await withThrowingTaskGroup(of: Void.self) { group in
            var activeCount = 0
            while let candidate = try await next(&walks) {
                guard !candidate.isSuspect else {
                    state.withLock { $0.suspects.append(candidate.job) }
                    continue
                }
                if activeCount == width {
                    try await group.next()
                    activeCount -= 1
                }
                while maker.unwrittenCount > PictureMaker.unwrittenLimit {
                    try await Task.sleep(for: .milliseconds(20))
                }
                group.addTask { try await self.decode(candidate.job) }
                activeCount += 1
            }
            try await group.waitForAll()
        }
        try await tryAlone()
        await maker.write()
        return finish()
    }

    private func decode(_ job: PictureJob) async throws {
        let made = try await maker.result(of: job, urgency: settings.isInBackground ? .background : .foreground)
        switch made.outcome {
        case .ready: count { $0.madeCount += 1 }
        case .failed(let failure, let deathCount):
            guard failure.isDeath, deathCount < Self.deathLimit else {
                if failure.kind == .noWorker {
                    // Workers also end because this task does. Nothing is known of the picture.
                    try Task.checkCancellation()
                    throw PictureWorkersMissing()
                }
                count { $0.failedCount += 1 }
                return
            }
            var suspect = job
            suspect.deathCount = deathCount
            state.withLock { $0.suspects.append(suspect) }
        }
    }

    /// Tries the pictures of which workers have died, one after the other.
    private func tryAlone() async throws {
        let suspects = state.withLock { $0.suspects }
        each: for suspect in suspects {
            var job = suspect
            job.isTriedAlone = true
            var failure: PictureFailure?
            if job.deathCount >= Self.deathLimit {
                let reason = PictureFailure(.crashed, reason: "decoding it ended the program \(job.deathCount) times")
                maker.giveUp(job, because: reason)
                failure = reason
            }
            for _ in 0..<Self.tryLimit where job.deathCount < Self.deathLimit {
                let current = job
                // A death of this whole process counts, too: the next one finds the note.
                guard try await maker.noteTry(of: current) else {
                    count { $0.skippedCount += 1 }
                    continue each
                }
                let made: MadePicture
                do {
                    made = try await maker.result(of: job, urgency: .background)
                } catch {
                    await maker.withdrawTry(of: current)
                    throw error
                }
                guard case .failed(let reason, let deathCount) = made.outcome else {
                    failure = nil
                    break
                }
                (failure, job.deathCount) = (reason, deathCount)
                guard reason.isDeath else { break }
            }
            await maker.write()
            let hasFailed = failure != nil
            count { progress in
                if hasFailed { progress.failedCount += 1 } else { progress.madeCount += 1 }
            }
        }
    }

    private func count(_ change: (inout PictureProgress) -> Void) {
        let due: PictureProgress? = state.withLock { state in
            change(&state.progress)
            state.progress.remainingCount = max(0, state.progress.remainingCount - 1)
            let now = ContinuousClock.now
            guard now - state.lastReport >= .milliseconds(200) else { return nil }
            state.lastReport = now
            return rated(state.progress, at: now)
        }
        if let due { report(due) }
    }

    private func finish() -> PictureProgress {
        let progress = state.withLock { rated($0.progress, at: .now) }
        report(progress)
        return progress
    }

    private func rated(_ progress: PictureProgress, at now: ContinuousClock.Instant) -> PictureProgress {
        var progress = progress
        progress.picturesPerSecond =
            Double(progress.madeCount) / max(0.001, Double((now - start) / .milliseconds(1)) / 1_000)
        return progress
    }
}

// MARK: - The walk over photos

/// The walk of a warm-up over one stream, in its order.
private struct WarmUpWalk: Sendable {
    let stream: StreamRow
    var place: OrderKey?
    var isAtEnd = false
    /// Candidates that were read but not taken, the last one first.
    var candidates: [WarmUpCandidate] = []
}

extension WarmUpRun {
    fileprivate func walks() throws -> [WarmUpWalk] {
        try maker.service.transaction { reader in
            let rows = try settings.stream.map { [try reader.row(of: $0)] } ?? reader.streams()
            let count = try rows.reduce(0) { $0 + (try reader.photoCount(in: $1.id)) }
            state.withLock { $0.progress.remainingCount = count }
            return rows.map { WarmUpWalk(stream: $0) }
        }
    }

    /// The newest photo that is next in its stream.
    fileprivate func next(_ walks: inout [WarmUpWalk]) async throws -> WarmUpCandidate? {
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

    /// The walk with the next page of its stream.
    private func continued(_ walk: WarmUpWalk) throws -> WarmUpWalk {
        var walk = walk
        let streamID = walk.stream.id
        let page = try maker.service.transaction { reader in
            let photos: [PicturedPhoto]
            if settings.checksFiles || settings.retriesFailures {
                let stored = try reader.photos(streamID: streamID, after: walk.place, limit: Self.pageCount)
                photos = try stored.compactMap { try reader.picturedPhoto(streamID: streamID, id: $0.photo.id) }
            } else {
                photos = try reader.pendingPictures(streamID: streamID, after: walk.place, limit: Self.pageCount)
            }
            return (
                photos: photos, rows: try reader.pictures(photoRowIDs: photos.map(\.rowID)),
                roots: try reader.roots(servingStreamID: streamID, on: HostIdentity.name)
            )
        }
        walk.place = page.photos.last?.key ?? walk.place
        walk.isAtEnd = page.photos.count < Self.pageCount
        for photo in page.photos {
            if let candidate = candidate(photo, row: page.rows[photo.rowID], roots: page.roots) {
                walk.candidates.append(candidate)
            } else {
                count { $0.skippedCount += 1 }
            }
        }
        walk.candidates.reverse()
        return walk
    }

    /// The photo if its picture is to be decoded.
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
                guard row == nil || row?.state == .ready else { break }
                let file = PictureFileName(root: "", path: location)
                // The reason is shown to clients, which learn no path.
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
            // The process that tried it has died.
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

extension PictureMaker {
    /// Runs what blocks on the thread for reading.
    func onReadingThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        return try await lookUps.run(body)
    }

    /// Whether the store has the thumbnails of every picture; also true if it is full, so that what was dropped to make room
    /// is not made again and again.
    func hasThumbnails(_ key: PictureKey) -> Bool {
        let kinds = ThumbnailSize.defaults.map { ThumbnailKind($0, as: .webP) }
        if store.contains(key: key, kinds: kinds) { return true }
        guard let byteCount = try? store.byteCount else { return true }
        return byteCount > store.budgetBytes / 10 * 9
    }

    /// Notes in the file that a picture is being tried alone.
    ///
    /// - Returns: `false`, without a note, if another process is trying it.
    func noteTry(of job: PictureJob) async throws -> Bool {
        try await writes.run { [service] in
            let now = service.now()
            let row = PictureRow(trying: job, note: LoneTry.note(now: now))
            return try translatingStorageErrors {
                try service.database.write { writer in
                    if let other = try writer.reader.picture(photoRowID: job.rowID), other.state == .alone,
                        other.isOf(job.stamp), LoneTry.isRunning(other.reason, now: now),
                        !LoneTry.isOwn(other.reason)
                    {
                        return false
                    }
                    try writer.savePictures([(photo: job.photo, row: row)], now: now)
                    return true
                }
            }
        }
    }

    /// Takes the note back, so that a try that was cancelled does not count as a death.
    func withdrawTry(of job: PictureJob) async {
        var row = PictureRow(trying: job, note: "the program that decodes it ended")
        (row.state, row.failureKind) = (.failed, PictureFailure.Kind.crashed.rawValue)
        let withdrawn = row
        // An error leaves the note, which counts as a death: one of three.
        try? await writes.run { [service] in
            try service.database.write { writer in
                if job.deathCount == 0 {
                    try writer.deletePictures(
                        streamID: job.photo.streamID, photoRowIDs: [job.rowID], now: service.now())
                } else {
                    try writer.savePictures([(photo: job.photo, row: withdrawn)], now: service.now())
                }
            }
        }
    }
}
