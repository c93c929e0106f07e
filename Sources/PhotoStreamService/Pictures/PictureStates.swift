import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures

/// The pictures that are requested, decoded, or not written yet: a value whose events return the actions that follow.
///
///     missing ── request ──▶ waiting ── looked up, counted ──▶ decoding ── decoded ──▶ ready or failed ── written ──▶ missing
///
/// - **Missing**: there is no entry, and the file has the result, if there is one.
/// - **Waiting**: the picture is looked up again, because another decode may have ended since the caller's look-up. The
///   isolated retry of a picture on which a worker crashed is counted in the file instead.
/// - **Decoding**: requests that the decode covers join it. If a client joins, the decode counts as a client's. It is
///   cancelled when all callers have left; the count of an isolated retry is lowered again before its caller is answered.
/// - **Ready** or **failed**: the callers are answered, and a lasting result is kept until it is written.
struct PictureStates: Sendable {
    /// An effect, whose end is another event.
    enum Action: Sendable {
        /// Look up the picture; then ``lookedUp(_:as:)``.
        case lookUp(Int, PictureJob)
        /// Set the number of crashes in the file to that of the job, if it is another one; then ``counted(_:isSet:)``.
        case count(Int, PictureJob, from: Int)
        /// Decode the picture; then ``decoded(_:as:)``.
        case decode(Int, PictureJob, Urgency)
        /// Cancel the task of a decode, unless it has ended.
        case endTask(Int)
        /// Answer a caller.
        case answer(Int, Result<PictureResult, any Error>)
        /// Log the failure of a decode.
        case log(PictureJob, PictureFailure)
    }

    /// A decode that has callers.
    struct Decode: Sendable {
        /// The steps of a decode.
        enum Step: Sendable {
            case waiting, decoding
            /// The count of an isolated retry is lowered, because its end implies nothing about the picture.
            case lowering(Result<PictureResult, any Error>)
        }

        let job: PictureJob
        var urgency: Urgency
        var callers: Set<Int>
        var step = Step.waiting
        /// Whether it was decoded a second time.
        var isRepeated = false
        /// Whether the last caller left while the retry was being counted.
        var isAbandoned = false

        /// Whether a request may join.
        fileprivate func covers(_ other: PictureJob) -> Bool {
            if case .lowering = step { return false }
            return !isAbandoned && job.isSamePicture(as: other) && job.stamp == other.stamp
                && (other.kind.map(job.kinds.contains) ?? job.isMeasured)
                && (other.requiredKey == nil || job.isMeasured)
        }
    }

    /// The maximum number of decodes for clients.
    let queueLimit: Int
    /// The decodes by their numbers.
    private(set) var decodes: [Int: Decode] = [:]
    /// The results that are not written yet, by the rows of their photos.
    private(set) var results: [Int64: MadePicture] = [:]
    private var nextNumber = 0
    private var totals = PictureWork()

    init(queueLimit: Int) { self.queueLimit = queueLimit }

    /// The work that was done so far.
    var counts: PictureWork {
        var counts = totals
        counts.awaitedCount = awaitedCount
        counts.activeCount = decodes.values.count(where: { if case .decoding = $0.step { true } else { false } })
        return counts
    }

    private var awaitedCount: Int { decodes.values.count(where: { $0.urgency == .foreground }) }

    private mutating func makeNumber() -> Int {
        nextNumber += 1
        return nextNumber
    }
}

// MARK: - Callers

extension PictureStates {
    /// A caller requests a picture; it is answered exactly once.
    mutating func request(_ job: PictureJob, by caller: Int, urgency: Urgency) -> [Action] {
        if let number = decodes.first(where: { $0.value.covers(job) })?.key {
            decodes[number]?.callers.insert(caller)
            if urgency == .foreground { decodes[number]?.urgency = .foreground }
            return []
        }
        guard urgency == .background || awaitedCount < queueLimit else {
            return [.answer(caller, .failure(PictureError.tooManyThumbnails(limit: queueLimit)))]
        }
        let number = makeNumber()
        decodes[number] = Decode(job: job, urgency: urgency, callers: [caller])
        guard job.purpose == .isolatedRetry else { return [.lookUp(number, job)] }
        return [.count(number, job, from: job.deathCount - 1)]
    }

    /// A caller is cancelled.
    mutating func leave(_ caller: Int) -> [Action] {
        guard let (number, decode) = decodes.first(where: { $0.value.callers.contains(caller) }) else { return [] }
        let left = Result<PictureResult, any Error>.failure(CancellationError())
        guard decode.callers.count == 1 else {
            decodes[number]?.callers.remove(caller)
            return [.answer(caller, left)]
        }
        guard decode.job.purpose == .isolatedRetry else { return end(number, as: left) }
        switch decode.step {
        case .waiting: decodes[number]?.isAbandoned = true
        case .decoding: return [.endTask(number)] + lowerCount(number, endingAs: left)
        case .lowering: break
        }
        return []
    }
}

// MARK: - Ends of actions

extension PictureStates {
    /// A picture was looked up.
    mutating func lookedUp(_ number: Int, as known: Result<PictureResult, any Error>) -> [Action] {
        switch (known, decodes[number]?.job.isOfWarmUp) {
        // A warm-up retries failures that it has found.
        case (.success(.missing), _), (.success(.failed), true): begin(number)
        default: end(number, as: known)
        }
    }

    /// The number of crashes was set in the file, unless another process has changed it.
    mutating func counted(_ number: Int, isSet: Result<Bool, any Error>) -> [Action] {
        guard let decode = decodes[number] else { return [] }
        if case .lowering(let result) = decode.step { return end(number, as: result) }
        let left = Result<PictureResult, any Error>.failure(CancellationError())
        switch isSet {
        case .success(true): return decode.isAbandoned ? lowerCount(number, endingAs: left) : begin(number)
        case _ where decode.isAbandoned: return end(number, as: left)
        case .success(false): return end(number, as: .success(.missing(nil)))
        case .failure(let error): return end(number, as: .failure(error))
        }
    }

    /// A decode has ended.
    mutating func decoded(_ number: Int, as result: Result<DecodedPicture, PictureFailure>) -> [Action] {
        guard let decode = decodes[number], case .decoding = decode.step else { return [] }
        let isRetry = decode.job.purpose == .isolatedRetry
        if case .failure(let failure) = result, failure.kind == .crashed, decode.urgency == .foreground,
            !decode.isRepeated, !isRetry
        {
            // The worker may have been killed for another reason, so nothing is known of the picture yet.
            decodes[number]?.isRepeated = true
            return begin(number)
        }
        let made = keep(MadePicture(result, of: decode.job))
        guard case .failed(let failure) = made.outcome else { return end(number, as: .success(made.result)) }
        return [.log(decode.job, failure)]
            + (isRetry && !failure.isLasting
                ? lowerCount(number, endingAs: .success(made.result)) : end(number, as: .success(made.result)))
    }

    private mutating func begin(_ number: Int) -> [Action] {
        guard let decode = decodes[number] else { return [] }
        decodes[number]?.step = .decoding
        totals.decodeCount += 1
        return [.decode(number, decode.job, decode.urgency)]
    }

    private mutating func lowerCount(_ number: Int, endingAs result: Result<PictureResult, any Error>) -> [Action] {
        guard var job = decodes[number]?.job else { return [] }
        decodes[number]?.step = .lowering(result)
        job.deathCount -= 1
        return [.count(number, job, from: job.deathCount + 1)]
    }

    private mutating func end(_ number: Int, as result: Result<PictureResult, any Error>) -> [Action] {
        guard let decode = decodes.removeValue(forKey: number) else { return [] }
        return [.endTask(number)] + decode.callers.map { .answer($0, result) }
    }
}

// MARK: - Results

extension PictureStates {
    /// Returns the unwritten result of a version of a picture; `nil` if there is none.
    func result(of job: PictureJob) -> PictureResult? {
        guard let made = results[job.rowID], made.stamp == job.stamp, made.job.isSamePicture(as: job) else {
            return nil
        }
        return made.result
    }

    /// Keeps the result of a decode until it is written, if the next decode would have the same one.
    ///
    /// - Returns: The result, with the thumbnails of an earlier one that is not written yet.
    private mutating func keep(_ new: MadePicture) -> MadePicture {
        var made = new
        made.number = makeNumber()
        switch made.outcome {
        case .ready(let key, _, let measures):
            totals.madeCount += 1
            if let earlier = results[made.job.rowID] {
                if earlier.stamp == made.stamp, case .ready(key, _, _) = earlier.outcome {
                    // A decode for another size adds to the result of the first.
                    if measures == nil { made.outcome = earlier.outcome }
                    made.thumbnails = earlier.thumbnails.merging(made.thumbnails) { $1 }
                } else if measures == nil {
                    // Only a decode of everything replaces a failure, or the result of another version.
                    return made
                }
            }
            results[made.job.rowID] = made
        case .failed(let failure):
            totals.failedCount += 1
            // A thumbnail that fails does not revoke the result of an earlier decode, and a warm-up tries a picture on
            // which a worker crashed again.
            let isSuspect = failure.isDeath && made.job.isOfWarmUp
            if failure.isLasting, made.job.isMeasured, !isSuspect { results[made.job.rowID] = made }
        }
        return made
    }

    /// Keeps a result that was not requested here.
    mutating func record(_ result: Result<DecodedPicture, PictureFailure>, of job: PictureJob) -> [Action] {
        let made = keep(MadePicture(result, of: job))
        if case .failed(let failure) = made.outcome { return [.log(job, failure)] }
        totals.decodeCount += 1
        return []
    }

    /// The thumbnails of results are stored, even if the rest of them cannot be written now.
    mutating func noteStored(_ stored: [MadePicture]) {
        for made in stored where results[made.job.rowID]?.number == made.number {
            results[made.job.rowID]?.isStored = true
        }
    }

    /// Results are written, or dropped.
    mutating func forget(_ written: [MadePicture]) {
        for made in written where results[made.job.rowID]?.number == made.number { results[made.job.rowID] = nil }
    }
}
