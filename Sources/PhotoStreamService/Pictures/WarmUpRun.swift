import PhotoStreamPictureMessages
import PhotoStreamPictures
import Synchronization

/// One warm-up.
final class WarmUpRun: Sendable {
    /// The number of photos of a stream that are checked together: more with a primary, whose servers each take some.
    var pageCount: Int { maker.service.isReplica ? 1_024 : 128 }
    /// The number of worker crashes after which a picture is skipped.
    static let deathLimit = 3
    /// The maximum number of tries of a suspect in one run, including those concurrent with other decodes.
    private static let tryLimit = 6

    struct State {
        var progress = PictureProgress()
        var suspects: [PictureJob] = []
        var lastReport = ContinuousClock.now
    }

    let maker: PictureMaker
    let settings: WarmUpSettings
    private let report: @Sendable (PictureProgress) -> Void
    let state = Mutex(State())
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
                    // Workers also end because this task was cancelled, which implies nothing about the picture.
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

    /// Tries the pictures on which workers have crashed, one after the other.
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
                // A crash of this process counts as well; the next process finds the note.
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

    func count(_ change: (inout PictureProgress) -> Void) {
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
