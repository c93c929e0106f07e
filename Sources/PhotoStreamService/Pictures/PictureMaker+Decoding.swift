import Logging
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage
import Synchronization

extension PictureMaker {
    /// Returns the result of a decode that covers a job; joins a running one, or begins one.
    func result(of job: PictureJob, urgency: Urgency) async throws -> MadePicture {
        try await flight(for: job, urgency: urgency).value()
    }

    /// The decode that the caller has joined.
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
        // Since the lookup, another decode may have ended, or its result may have been written.
        if job.requiredKey == nil, !job.isRepeated, !job.isTriedAlone,
            let made = try await lookUps.run({ try self.madeMeanwhile(job) })
        {
            return made
        }
        var (result, isAlone) = await decode(job, urgency: urgency)
        if case .failure(let failure) = result, failure.kind == .crashed, urgency == .foreground, !Task.isCancelled {
            // The worker may have been killed for another reason, so nothing is known of the picture yet.
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

    /// The result of a job whose picture another decode has finished since the lookup, or found to be damaged.
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
        // The waiting clients need only the bytes.
        let made = Thumbnail(kind: thumbnail.kind, width: 0, height: 0, bytes: thumbnail.bytes)
        return MadePicture(
            job: job, stamp: job.stamp, outcome: .ready(key, .up, nil), thumbnails: [thumbnail.kind: made], number: 0)
    }

    @discardableResult
    private func add(_ decoded: DecodedPicture, of job: PictureJob, number: Int) -> MadePicture {
        let key: PictureKey
        if let measures = decoded.measures {
            key = PictureKey(
                contentHash: measures.contentHash, orientation: decoded.orientation,
                encoderVersion: PictureJob.encoderVersion)
        } else if let known = job.key, FileStamp(decoded) == job.stamp {
            key = known
        } else {
            let failure = PictureFailure(.changed, reason: "the file was changed meanwhile")
            return add(failure, of: job, isAlone: false, number: number)
        }
        var thumbnails: [ThumbnailKind: Thumbnail] = [:]
        // A picture may have taken control of the worker, which then may send anything.
        for thumbnail in decoded.thumbnails where ThumbnailHeader.problem(of: thumbnail) == nil {
            thumbnails[thumbnail.kind] = thumbnail
        }
        var made = MadePicture(
            job: job, stamp: FileStamp(decoded), outcome: .ready(key, decoded.orientation, decoded.measures),
            thumbnails: thumbnails, number: number)
        state.withLock { state in
            state.counts.madeCount += 1
            // A second decode for another size adds to the result of the first.
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
            // A thumbnail that fails does not revoke the result of an earlier decode, and in the background, a picture
            // on which a worker crashed is tried again.
            let isSuspect = failure.isDeath && job.kind == nil && !job.isTriedAlone
            if failure.isLasting, job.key == nil, !isSuspect { state.made[job.rowID] = made }
        }
        return made
    }

    /// Stores the result of the decode that checked the file of a new photo.
    ///
    /// If it cannot be stored, clients cause another decode.
    func keep(_ decoded: DecodedPicture, of id: PhotoID, in streamID: Int64, at file: PictureFileName) async {
        let photo = try? await lookUps.run { [service] in
            try service.transaction { try $0.picturedPhoto(streamID: streamID, id: id) }
        }
        guard let photo else { return }
        let job = PictureJob(photo: photo, color: nil, file: file, stamp: FileStamp(decoded))
        guard job.orientation ?? decoded.orientation == decoded.orientation else { return }
        let number = state.withLock { state in
            state.nextNumber += 1
            state.counts.decodeCount += 1
            return state.nextNumber
        }
        add(decoded, of: job, number: number)
        await write()
    }

    /// Records that a picture is skipped for good.
    func giveUp(_ job: PictureJob, because failure: PictureFailure) {
        _ = add(failure, of: job, isAlone: false, number: 0)
    }

    /// Records that the file of a photo cannot be opened.
    func addUnreachable(_ job: PictureJob, reason: String) {
        _ = add(PictureFailure(.missing, reason: reason), of: job, isAlone: false, number: 0)
    }
}
