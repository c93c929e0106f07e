import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage

/// One warm-up.
struct WarmUpRun {
    let maker: PictureMaker
    let settings: WarmUpSettings
    let report: @Sendable (PictureProgress) -> Void
    var progress = PictureProgress()
    /// The pictures on which workers have crashed.
    var suspects: [PictureJob] = []
    let start = ContinuousClock.now
    var lastReport = ContinuousClock.now

    mutating func run() async throws -> PictureProgress {
        var walks = try await maker.onReadingThread { [maker, settings] in try maker.walks(settings) }
        progress.remainingCount = walks.reduce(0) { $0 + $1.photoCount }
        let width = maker.settings.workerCount + 1
        let urgency: Urgency = settings.isInBackground ? .background : .foreground
        try await withThrowingTaskGroup(of: (job: PictureJob, result: PictureResult).self) { group in
            var activeCount = 0
            while let job = try await next(&walks) {
                guard job.purpose != .isolatedRetry else {
                    suspects.append(job)
                    continue
                }
                if activeCount == width, let ended = try await group.next() {
                    try take(ended.result, of: ended.job)
                    activeCount -= 1
                }
                while maker.unwrittenCount > PictureMaker.unwrittenLimit, await !maker.write() {
                    try await Task.sleep(for: maker.settings.writingInterval)
                }
                group.addTask { [maker] in (job, try await maker.result(of: job, urgency: urgency)) }
                activeCount += 1
            }
            for try await ended in group { try take(ended.result, of: ended.job) }
        }
        try await retrySuspects()
        await maker.write()
        let progress = rated(at: .now)
        report(progress)
        return progress
    }

    /// The newest of the streams' next photos.
    private mutating func next(_ walks: inout [WarmUpWalk]) async throws -> PictureJob? {
        for position in walks.indices {
            while walks[position].jobs.isEmpty, !walks[position].isAtEnd {
                let walk = walks[position]
                walks[position] = try await maker.onReadingThread { [maker, settings] in
                    try maker.continued(walk, settings: settings)
                }
                count(\.skippedCount, adding: walks[position].skippedCount - walk.skippedCount)
            }
        }
        let newest = walks.indices.filter { !walks[$0].jobs.isEmpty }
            .max { walks[$0].nextTime < walks[$1].nextTime }
        return newest.flatMap { walks[$0].jobs.popLast() }
    }

    private mutating func take(_ result: PictureResult, of job: PictureJob) throws {
        switch result {
        case .ready: count(\.madeCount)
        // Another process is decoding it.
        case .missing: count(\.skippedCount)
        case .failed(let failure, _):
            if failure.kind == .noWorker {
                // Workers also end because this task was cancelled, which implies nothing about the picture.
                try Task.checkCancellation()
                throw PictureWorkersMissing()
            }
            guard failure.isDeath, job.isOfWarmUp else { return count(\.failedCount) }
            var suspect = job
            suspect.purpose = .isolatedRetry
            suspects.append(suspect)
        }
    }

    /// Decodes the pictures on which workers have crashed, one after the other.
    private mutating func retrySuspects() async throws {
        for suspect in suspects {
            var job = suspect
            let limit = PictureRow.deathLimit + (settings.retriesFailures ? job.deathCount : 0)
            var result: PictureResult
            repeat {
                // The count is compared with the row.
                await maker.write()
                job.deathCount += 1
                result = try await maker.result(of: job, urgency: .background)
                guard case .failed(let failure, let deathCount) = result, failure.isDeath else { break }
                // A client's decode that it has joined is not counted.
                job.deathCount = deathCount
            } while job.deathCount < limit
            try take(result, of: job)
        }
    }

    private mutating func count(_ counter: WritableKeyPath<PictureProgress, Int>, adding number: Int = 1) {
        progress[keyPath: counter] += number
        progress.remainingCount = max(0, progress.remainingCount - number)
        let now = ContinuousClock.now
        guard now - lastReport >= .milliseconds(200) else { return }
        lastReport = now
        report(rated(at: now))
    }

    private func rated(at now: ContinuousClock.Instant) -> PictureProgress {
        var progress = progress
        progress.picturesPerSecond =
            Double(progress.madeCount) / max(0.001, Double((now - start) / .milliseconds(1)) / 1_000)
        return progress
    }
}
