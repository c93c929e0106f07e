import Foundation
import Logging
public import PhotoStreamModel
package import PhotoStreamPictureMessages
package import PhotoStreamPictures
import PhotoStreamStorage
import Synchronization

/// A decoder of pictures: the workers, or a test's own.
package protocol PictureDecoding: Sendable {
    /// Runs the decoder until the task is cancelled.
    func run() async
    /// Decodes a picture.
    func decode(_ request: DecodeRequest, urgency: Urgency) async -> Result<DecodedPicture, PictureFailure>
}

extension PictureWorkers: PictureDecoding {}

/// Workers that also read headers, and that their other user runs.
private struct SharedWorkers: PictureDecoding {
    let workers: PictureWorkers

    func run() async {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
    }

    func decode(_ request: DecodeRequest, urgency: Urgency) async -> Result<DecodedPicture, PictureFailure> {
        await workers.decode(request, urgency: urgency)
    }
}

/// Makes the thumbnails of a file's photos, keeps them, and answers with them.
///
///     let maker = try PictureMaker(service)
///     let answer = try await maker.whileRunning {
///         try await maker.thumbnail(ThumbnailKind(.pixels320, as: .webP), of: photo, in: stream)
///     }
///
/// Decodes happen in processes of their own, which live while ``run()`` runs. Clients that wait for one thumbnail wait for
/// one decode, and a decode that no client waits for any more is dropped if it has not begun.
public final class PictureMaker: Sendable {
    /// A decode that clients wait for.
    private struct Flight {
        let number: Int
        let stamp: FileStamp
        let kinds: [ThumbnailKind]
        let isMeasured: Bool
        let task: SharedTask<MadePicture>
    }

    private struct State {
        /// The decodes under way, by the rows of their photos.
        var flights: [Int64: [Flight]] = [:]
        /// The number of them that clients wait for.
        var clientFlightCount = 0
        /// Results that are not written yet, by the rows of their photos.
        var made: [Int64: MadePicture] = [:]
        var nextNumber = 0
        var activeDecodeCount = 0
        var startedDecodeCount = 0
        var counts = PictureWork()
        /// Whether the last thumbnails could not be stored.
        var hasFailedToStore = false
        /// Whether the last results could not be written into the file.
        var hasFailedToNote = false
    }

    let service: PhotoStreamService
    let store: PictureStore
    let settings: PictureSettings
    let logger: Logger
    private let decoder: (any PictureDecoding)?
    private let state = Mutex(State())
    let lookUps = BlockingQueue("photostream.pictures.read")
    let writes = BlockingQueue("photostream.pictures.write")

    /// The number of unwritten results above which no more are made in the background.
    static let unwrittenLimit = 256

    /// Opens the store of a file's thumbnails, and finds the decoder.
    ///
    /// - Parameters:
    ///   - service: The file.
    ///   - settings: The settings.
    /// - Throws: ``StreamServiceError/storage(_:message:)`` if the store cannot be opened.
    public convenience init(_ service: PhotoStreamService, settings: PictureSettings = PictureSettings()) throws {
        let path = settings.workerPath ?? PictureWorkers.locate()
        let workers = path.map { path in
            var options = PictureWorkers.Settings(executablePath: path)
            options.count = settings.workerCount
            return PictureWorkers(options, logger: service.logger)
        }
        if workers == nil {
            service.logger.warning(
                "there is no program photostream-pictures, so no thumbnails are made; originals are sent instead")
        }
        try self.init(service, decoder: workers, settings: settings)
    }

    /// Opens the store of a file's thumbnails, for workers that the caller runs.
    package convenience init(
        _ service: PhotoStreamService, sharing workers: PictureWorkers, settings: PictureSettings = PictureSettings()
    ) throws {
        try self.init(service, decoder: SharedWorkers(workers: workers), settings: settings)
    }

    /// Opens the store of a file's thumbnails, for a decoder.
    package init(
        _ service: PhotoStreamService, decoder: (any PictureDecoding)?, settings: PictureSettings = PictureSettings()
    ) throws {
        self.service = service
        self.settings = settings
        self.decoder = service.isReadOnly ? nil : decoder
        logger = service.logger
        store = try translatingStorageErrors {
            try PictureStore(
                path: service.pictureStorePath,
                budgetBytes: settings.budgetBytes ?? PictureSettings.standardBudget(at: service.pictureStorePath),
                today: Self.today)
        }
    }

    /// Returns the number of the current day.
    @Sendable static func today() -> Int32 { Int32(clamping: Int64(Date().timeIntervalSince1970) / 86_400) }

    /// Whether thumbnails can be made, and not only be found.
    public var canMake: Bool { decoder != nil }

    /// The work that was done so far.
    public var counts: PictureWork { state.withLock { $0.counts } }

    /// Decodes and writes until the task is cancelled, then writes what is left.
    public func run() async {
        await withTaskGroup { group in
            if let decoder { group.addTask { await decoder.run() } }
            group.addTask { await self.writeContinually() }
            await group.waitForAll()
        }
    }
}

extension PictureMaker {
    /// Runs while `body` does.
    ///
    /// - Parameter body: The work.
    /// - Returns: The result of `body`, after everything was written.
    /// - Throws: The errors of `body`.
    public func whileRunning<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let running = Task { await run() }
        defer { running.cancel() }
        let result = await Task { try await body() }.cancellingWithCaller()
        running.cancel()
        await running.value
        return try result.get()
    }
}

/// The work of a ``PictureMaker``.
public struct PictureWork: Hashable, Sendable {
    /// The decodes that were begun.
    public var decodeCount = 0
    /// The pictures that were decoded.
    public var madeCount = 0
    /// The decodes that failed.
    public var failedCount = 0
}

// MARK: - Thumbnails

/// The answer to a question for a thumbnail.
public enum ThumbnailAnswer: Sendable {
    /// The thumbnail.
    case thumbnail(PictureThumbnail)
    /// The file itself, which is no larger than the thumbnail would be.
    case original(PictureFile)
    /// The picture is at an address elsewhere.
    case address(String)
    /// The picture cannot be decoded; the reason, and the colour that stands for it, if it is known.
    case undecodable(reason: String, color: RGBColor?)
    /// No thumbnails can be made here; the file itself, if it is of a type that is served as it is.
    case unavailable(PictureFile?)
}

/// A thumbnail.
public struct PictureThumbnail: Hashable, Sendable {
    /// The key of its picture, as text.
    public let key: String
    /// Its size and format.
    public let kind: ThumbnailKind
    /// The encoded picture.
    public let bytes: [UInt8]
}

/// The outcome of looking for a thumbnail.
public enum ThumbnailLookup: Sendable {
    /// It is known.
    case answer(ThumbnailAnswer)
    /// It has to be made.
    case job(PictureJob)
}

extension PictureMaker {
    /// Returns the thumbnail of a photo, and makes it if it is not stored.
    ///
    /// - Parameters:
    ///   - kind: Its size and format.
    ///   - photo: The photo.
    ///   - stream: The stream.
    /// - Returns: The thumbnail, or the reason why there is none.
    /// - Throws: As ``lookUp(_:of:in:acceptsOriginal:)`` and ``make(_:)``.
    public func thumbnail(
        _ kind: ThumbnailKind, of photo: PhotoID, in stream: StreamName
    ) async throws -> ThumbnailAnswer {
        switch try await lookUps.run({ try self.lookUp(kind, of: photo, in: stream) { _ in false } }) {
        case .answer(let answer): answer
        case .job(let job): try await make(job)
        }
    }

    /// Looks for the thumbnail of a photo; blocks for a moment.
    ///
    /// - Parameters:
    ///   - kind: Its size and format.
    ///   - id: The photo.
    ///   - stream: The stream.
    ///   - acceptsOriginal: Whether a file of a type may be sent in place of a thumbnail that would be no smaller. It has
    ///     no effect on a picture that is to be displayed in another orientation than its file's.
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

    /// Looks for a thumbnail by the key of its picture; blocks for a moment.
    ///
    /// - Parameters:
    ///   - kind: Its size and format.
    ///   - text: The key.
    /// - Returns: The answer, or the job for ``make(_:)``.
    /// - Throws: ``PictureError/unknownKey(_:)`` if no photo has such a picture, and what finding its file throws.
    public func lookUp(_ kind: ThumbnailKind, ofKey text: String) throws -> ThumbnailLookup {
        guard let key = PictureKey(text) else { throw PictureError.unknownKey(text) }
        guard let photo = try service.transaction({ try $0.photos(pictureKey: key, limit: 1).first }) else {
            throw PictureError.unknownKey(text)
        }
        // It may have been made a moment ago, and not be stored yet.
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
            // Nothing at this address depends on what else is where the photo's file was.
            if case .tooManyFiles = error { throw error }
            throw PictureError.unknownKey(text)
        }
        let job = PictureJob(
            photo: photo, color: nil, file: found.name, stamp: FileStamp(found.version), kind: kind, requiredKey: key)
        guard canMake else { return .answer(.unavailable(nil)) }
        return .job(job)
    }

    /// The answer to a job, if its picture was decoded before and the thumbnail is stored; notes the key in the job.
    private func known(_ job: inout PictureJob, row: PictureRow?) throws -> ThumbnailAnswer? {
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
            // Another version of the encoder makes other thumbnails, at other addresses.
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
            // It can be made again.
            logger.warning("a stored thumbnail cannot be read", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Makes the thumbnail of a job.
    ///
    /// - Parameter job: A job of a lookup.
    /// - Returns: The answer.
    /// - Throws: ``PictureError/tooManyThumbnails(limit:)``, ``PictureError/unknownKey(_:)``, and `CancellationError` for a
    ///   cancelled task.
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
    /// Whether another job is about the same picture of the same photo.
    fileprivate func isSamePicture(as other: PictureJob) -> Bool {
        file == other.file && orientation == other.orientation
    }
}

extension PictureType {
    /// Whether every browser shows it.
    public var isOfWeb: Bool {
        switch self {
        case .jpeg, .png, .gif, .webP: true
        case .avif, .heic, .heicSequence, .heif, .tiff, .bmp, .jpegXL: false
        }
    }
}

// MARK: - Decodes

extension PictureMaker {
    /// Returns the result of a decode that covers a job; joins one that is under way, or begins one.
    func result(of job: PictureJob, urgency: Urgency) async throws -> MadePicture {
        try await flight(for: job, urgency: urgency).value()
    }

    /// A decode that the caller has joined.
    private func flight(for job: PictureJob, urgency: Urgency) throws(PictureError) -> SharedTask<MadePicture> {
        let isForeground = urgency == .foreground
        let (flight, number): (SharedTask<MadePicture>?, Int?) = state.withLock { state in
            for flight in state.flights[job.rowID] ?? []
            where flight.stamp == job.stamp && (job.kind.map(flight.kinds.contains) ?? flight.isMeasured)
                && (job.requiredKey == nil || flight.isMeasured)
            {
                if flight.task.join() { return (flight.task, nil) }
            }
            guard !isForeground || state.clientFlightCount < settings.queueLimit else { return (nil, nil) }
            state.nextNumber += 1
            let task = SharedTask<MadePicture>()
            _ = task.join()
            state.flights[job.rowID, default: []].append(
                Flight(
                    number: state.nextNumber, stamp: job.stamp, kinds: job.kinds, isMeasured: job.key == nil, task: task
                ))
            if isForeground { state.clientFlightCount += 1 }
            return (task, state.nextNumber)
        }
        guard let flight else { throw PictureError.tooManyThumbnails(limit: settings.queueLimit) }
        guard let number else { return flight }
        flight.start { [self] in
            defer {
                state.withLock { state in
                    state.flights[job.rowID]?.removeAll { $0.number == number }
                    if state.flights[job.rowID]?.isEmpty == true { state.flights[job.rowID] = nil }
                    if isForeground { state.clientFlightCount -= 1 }
                }
            }
            return try await fly(job, number: number, urgency: urgency)
        }
        return flight
    }

    private func fly(_ job: PictureJob, number: Int, urgency: Urgency) async throws -> MadePicture {
        try Task.checkCancellation()
        // Between the lookup and now another decode may have ended, or its result may have been written.
        if job.requiredKey == nil, !job.isRepeated, !job.isTriedAlone,
            let made = try await lookUps.run({ try self.madeMeanwhile(job) })
        {
            return made
        }
        var (result, isAlone) = await decode(job, urgency: urgency)
        if case .failure(let failure) = result, failure.kind == .crashed, urgency == .foreground, !Task.isCancelled {
            // Perhaps the worker was killed for another reason; nothing is known of the picture yet.
            (result, isAlone) = await decode(job, urgency: urgency)
        }
        switch result {
        case .success(let decoded): return add(decoded, of: job, number: number)
        case .failure(let failure):
            try Task.checkCancellation()
            return add(failure, of: job, isAlone: isAlone, number: number)
        }
    }

    private func decode(
        _ job: PictureJob, urgency: Urgency
    ) async -> (result: Result<DecodedPicture, PictureFailure>, isAlone: Bool) {
        guard let decoder else {
            return (.failure(PictureFailure(.noWorker, reason: "no thumbnails are made here")), true)
        }
        let (number, isFirst) = state.withLock { state in
            state.startedDecodeCount += 1
            state.activeDecodeCount += 1
            state.counts.decodeCount += 1
            return (state.startedDecodeCount, state.activeDecodeCount == 1)
        }
        let result = await decoder.decode(job.request, urgency: urgency)
        let isAlone = state.withLock { state in
            state.activeDecodeCount -= 1
            return isFirst && state.startedDecodeCount == number
        }
        return (result, isAlone)
    }

    /// The result of a job whose picture another decode has given since the lookup, or found to be damaged.
    private func madeMeanwhile(_ job: PictureJob) throws -> MadePicture? {
        var job = job
        let row = try service.transaction { try $0.picture(photoRowID: job.rowID) }
        let answer = try known(&job, row: row)
        if job.kind == nil, let key = job.key {
            return MadePicture(job: job, stamp: job.stamp, outcome: .ready(key, .up, nil), thumbnails: [:], number: 0)
        }
        if job.kind != nil, case .undecodable(let reason, _)? = answer {
            let failure = PictureFailure(.damaged, reason: reason)
            return MadePicture(
                job: job, stamp: job.stamp, outcome: .failed(failure, deathCount: job.deathCount), thumbnails: [:],
                number: 0)
        }
        guard case .thumbnail(let thumbnail)? = answer, let key = PictureKey(thumbnail.key) else { return nil }
        // Only the bytes are of use to the waiting clients.
        let made = Thumbnail(kind: thumbnail.kind, width: 0, height: 0, bytes: thumbnail.bytes)
        return MadePicture(
            job: job, stamp: job.stamp, outcome: .ready(key, .up, nil), thumbnails: [thumbnail.kind: made], number: 0)
    }

    private func add(_ decoded: DecodedPicture, of job: PictureJob, number: Int) -> MadePicture {
        let key: PictureKey
        if let measures = decoded.measures {
            key = PictureKey(
                contentHash: measures.contentHash, orientation: decoded.orientation,
                encoderVersion: PictureJob.encoderVersion)
        } else if let known = job.key, FileStamp(decoded) == job.stamp {
            key = known
        } else {
            let failure = PictureFailure(.changed, reason: "the file was written to meanwhile")
            return add(failure, of: job, isAlone: false, number: number)
        }
        var thumbnails: [ThumbnailKind: Thumbnail] = [:]
        // A worker that a picture has taken over may send anything.
        for thumbnail in decoded.thumbnails where ThumbnailHeader.problem(of: thumbnail) == nil {
            thumbnails[thumbnail.kind] = thumbnail
        }
        var made = MadePicture(
            job: job, stamp: FileStamp(decoded), outcome: .ready(key, decoded.orientation, decoded.measures),
            thumbnails: thumbnails, number: number)
        state.withLock { state in
            state.counts.madeCount += 1
            // A second decode for another size adds to what the first has given.
            if let earlier = state.made[job.rowID], earlier.stamp == made.stamp,
                case .ready(key, let orientation, let measures?) = earlier.outcome
            {
                let outcome = made.outcome
                made = MadePicture(
                    job: job, stamp: made.stamp,
                    outcome: decoded.measures == nil ? .ready(key, orientation, measures) : outcome,
                    thumbnails: earlier.thumbnails.merging(made.thumbnails) { $1 }, number: number)
            }
            state.made[job.rowID] = made
        }
        return made
    }

    private func add(_ failure: PictureFailure, of job: PictureJob, isAlone: Bool, number: Int) -> MadePicture {
        let deathCount = job.deathCount + (failure.isDeath && isAlone ? 1 : 0)
        var made = MadePicture(
            job: job, stamp: failure.kind == .missing || failure.kind == .denied ? .none : job.stamp,
            outcome: .failed(failure, deathCount: deathCount), thumbnails: [:], number: number)
        logger.info(
            "a picture cannot be decoded",
            metadata: [
                "photo": "\(job.photo.id)", "path": "\(String(reflecting: job.file.path))", "root": "\(job.file.root)",
                "reason": "\(failure.reason)",
            ])
        state.withLock { state in
            state.counts.failedCount += 1
            if number == 0 {
                state.nextNumber += 1
                made.number = state.nextNumber
            }
            // A thumbnail that fails does not take back what an earlier decode has given, and in the background a picture of
            // which a worker died is tried again.
            let isSuspect = failure.isDeath && job.kind == nil && !job.isTriedAlone
            if failure.isLasting, job.key == nil, !isSuspect { state.made[job.rowID] = made }
        }
        return made
    }

    /// Notes that a picture is given up.
    func giveUp(_ job: PictureJob, because failure: PictureFailure) {
        _ = add(failure, of: job, isAlone: false, number: 0)
    }

    /// Notes that the file of a photo cannot be opened.
    func addUnreachable(_ job: PictureJob, reason: String) {
        _ = add(PictureFailure(.missing, reason: reason), of: job, isAlone: false, number: 0)
    }
}

// MARK: - Writing

extension PictureMaker {
    /// The number of results that are not written yet.
    var unwrittenCount: Int { state.withLock { $0.made.count } }

    private func writeContinually() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: settings.writingInterval)
            await write()
        }
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
                try service.database.write { try $0.savePictures(rows, now: service.now()) }
            }
        }
        state.withLock { state in
            for picture in made where state.made[picture.job.rowID]?.number == picture.number {
                state.made[picture.job.rowID] = nil
            }
        }
    }
}
