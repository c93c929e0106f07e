import Logging
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage
import Synchronization

extension PictureMaker {
    /// Returns the result of a decode that covers a job; joins a running one, or begins one.
    ///
    /// - Throws: ``PictureError/tooManyThumbnails(limit:)``, the errors of looking up, and `CancellationError` as soon as
    ///   the caller is cancelled.
    func result(of job: PictureJob, urgency: Urgency) async throws -> PictureResult {
        let caller = state.withLock { state in
            state.nextCaller += 1
            return state.nextCaller
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.callers[caller] = continuation }
                update { $0.request(job, by: caller, urgency: urgency) }
                // The caller may have been cancelled before its request.
                if Task.isCancelled { update { $0.leave(caller) } }
            }
        } onCancel: {
            update { $0.leave(caller) }
        }
    }

    /// Passes an event to the states of the pictures, and performs the actions that follow.
    func update(_ event: (inout PictureStates) -> [PictureStates.Action]) {
        let afterwards = state.withLock { state in
            event(&state.pictures).compactMap { perform($0, in: &state) }
        }
        for effect in afterwards { effect() }
    }

    /// Starts an action, so that actions start in the order of their events.
    ///
    /// - Returns: The part of the action that may call other code, which has to follow outside of the lock.
    private func perform(_ action: PictureStates.Action, in state: inout State) -> (@Sendable () -> Void)? {
        switch action {
        case .lookUp(let number, let job):
            lookUps.start { [self] in
                let found = Result<PictureResult, any Error> {
                    try known(job, row: service.transaction { try $0.picture(photoRowID: job.rowID) })
                }
                update { $0.lookedUp(number, as: found) }
            }
        case .count(let number, let job, let former):
            writes.start { [self] in
                let isSet = Result<Bool, any Error> { try setCount(of: job, from: former) }
                update { $0.counted(number, isSet: isSet) }
            }
        case .decode(let number, let job, let urgency):
            state.tasks[number] = Task {
                let noDecoder = PictureFailure(.noWorker, reason: "no thumbnails are made here")
                let result = await decoder?.decode(job.request, urgency: urgency) ?? .failure(noDecoder)
                update { $0.decoded(number, as: result) }
            }
        case .endTask(let number):
            guard let task = state.tasks.removeValue(forKey: number) else { return nil }
            return { task.cancel() }
        case .answer(let caller, let result):
            guard let continuation = state.callers.removeValue(forKey: caller) else { return nil }
            return { continuation.resume(with: result) }
        case .log(let job, let failure):
            return { [logger] in
                logger.info(
                    "a picture cannot be decoded",
                    metadata: [
                        "photo": "\(job.photo.id)", "path": "\(String(reflecting: job.file.path))",
                        "root": "\(job.file.root)", "reason": "\(failure.reason)",
                    ])
            }
        }
        return nil
    }

    /// Sets the number of isolated retries in the file to that of a job, before a retry begins or after it is cancelled.
    ///
    /// - Returns: `false` if the number is not `former`, because another process has begun a retry, or if the photo has
    ///   changed.
    func setCount(of job: PictureJob, from former: Int) throws -> Bool {
        try service.database.writeLocally { writer in
            let row = try writer.reader.picture(photoRowID: job.rowID)
            guard (row?.isOf(job.stamp) == true ? row?.deaths : nil) ?? 0 == former else { return false }
            if job.deathCount > 0, let row = MadePicture(.failure(.inRetry), of: job).row {
                return try writer.savePictures([(photo: job.photo, row: row)], now: service.now()) == 1
            }
            try writer.deletePictureTry(streamID: job.photo.streamID, photoRowID: job.rowID, now: service.now())
            return true
        }
    }

    /// Stores the result of the decode that checked the file of a new photo.
    ///
    /// If it cannot be stored, clients cause another decode.
    func keep(_ decoded: DecodedPicture, of id: PhotoID, in streamID: Int64, at file: PictureFileName) async {
        let photo = try? await lookUps.run { [service] in
            try service.transaction { try $0.picturedPhoto(streamID: streamID, id: id) }
        }
        guard let photo else { return }
        let job = PictureJob(
            photo: photo, color: nil, file: file, stamp: decoded.stamp, purpose: .warmUp(checksStore: false))
        guard job.orientation ?? decoded.orientation == decoded.orientation else { return }
        update { $0.record(.success(decoded), of: job) }
        await write()
    }
}
