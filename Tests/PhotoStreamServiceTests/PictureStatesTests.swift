import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService
@testable import PhotoStreamStorage

/// Random events of pictures, whose actions end in a random order.
///
/// `PHOTOSTREAM_PICTURE_STEPS` sets the number of events for each seed, `PHOTOSTREAM_PICTURE_SEED` the first seed.
@Suite struct PictureStatesTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let stepCount = environment["PHOTOSTREAM_PICTURE_STEPS"].flatMap(Int.init) ?? 20_000
    private static let firstSeed = environment["PHOTOSTREAM_PICTURE_SEED"].flatMap(UInt64.init) ?? 1

    @Test(arguments: firstSeed..<firstSeed + 5)
    func `every request is answered once, no picture is decoded twice at once, and crashes are counted`(seed: UInt64) {
        var world = PictureWorld(seed: seed)
        for step in 1...Self.stepCount {
            world.takeStep()
            if step % 64 == 0 { world.finish() }
        }
        world.finish()
        #expect(world.problems.prefix(5) == [])
        // The events reach every part of the states.
        for (event, count) in world.eventCounts { #expect(count > Self.stepCount / 2_000, "\(event)") }
        #expect(world.eventCounts.count == 11)
    }
}

/// Pictures that random callers request, with a file that knows their results.
private struct PictureWorld {
    private struct NotWritten: Error {}

    private struct Caller {
        let isClient: Bool
        /// Whether it was cancelled before the result was known.
        var hasLeft = false
        var isAnswered = false
    }

    private struct Decode: Hashable {
        let rowID: Int64
        let kinds: [ThumbnailKind]
        let isMeasured: Bool
    }

    private var states = PictureStates(queueLimit: 2)
    private var random: SplitMix64
    private var callers: [Caller] = []
    private var lookUps: [(number: Int, job: PictureJob)] = []
    private var counts: [(number: Int, job: PictureJob, former: Int)] = []
    private var decodes: [Int: PictureJob] = [:]
    /// The results in the file, by the rows of photos.
    private var file: [Int64: PictureResult] = [:]
    /// The crashes of isolated retries since the last result of another kind.
    private var crashCounts: [Int64: Int] = [:]
    private(set) var problems: [String] = []
    private(set) var eventCounts: [String: Int] = [:]

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func expect(_ condition: Bool, _ problem: String) {
        if !condition { problems.append(problem) }
    }

    // MARK: - Events

    mutating func takeStep() {
        switch random.int(in: 0...12) {
        case 0, 1: requestForClient()
        case 2: requestForWarmUp()
        case 3: requestRetry()
        case 4: leave()
        case 5: write()
        case 6, 7: endLookUp()
        case 8, 9: endCount()
        case 10: crashElsewhere()
        default: endDecode()
        }
        check()
    }

    /// Ends all actions.
    mutating func finish() {
        while !lookUps.isEmpty || !counts.isEmpty || !decodes.isEmpty {
            endLookUp()
            endCount()
            endDecode()
            check()
        }
        write()
        expect(states.decodes.isEmpty, "a decode is left")
        expect(callers.allSatisfy(\.isAnswered), "a caller is not answered")
        for rowID in 1...3 {
            let count = deathCount(Int64(rowID))
            expect(count == crashCounts[Int64(rowID), default: 0], "\(count) crashes are counted")
        }
        callers = []
    }

    private mutating func requestForClient() {
        let kind: ThumbnailKind
        var key: PictureKey?
        let rowID = Int64(random.int(in: 1...3))
        if case .ready(let known, _)? = file[rowID], random.int(in: 0...1) == 0 {
            (kind, key) = (ThumbnailKind(.pixels1280, as: .jpeg), known)
        } else {
            kind = random.element(of: Self.prepared)
        }
        var job = Self.job(rowID, .thumbnail(kind))
        job.key = key
        request(job, isClient: true)
        eventCounts["client", default: 0] += 1
    }

    private mutating func requestForWarmUp() {
        request(Self.job(Int64(random.int(in: 1...3)), .warmUp(checksStore: false)), isClient: false)
        eventCounts["warm-up", default: 0] += 1
    }

    private mutating func requestRetry() {
        let rowID = Int64(random.int(in: 1...3))
        write()
        var job = Self.job(rowID, .isolatedRetry)
        job.deathCount = deathCount(rowID) + 1
        request(job, isClient: false)
        eventCounts["retry", default: 0] += 1
    }

    /// Another process retries a picture and does not survive.
    private mutating func crashElsewhere() {
        let rowID = Int64(random.int(in: 1...3))
        let isRetried =
            decodes.values.contains { $0.rowID == rowID && $0.purpose == .isolatedRetry }
            || counts.contains { $0.job.rowID == rowID && $0.former > $0.job.deathCount }
        guard !isRetried else { return }
        write()
        crashCounts[rowID] = deathCount(rowID) + 1
        file[rowID] = .failed(PictureFailure(.crashed, reason: ""), deathCount: deathCount(rowID) + 1)
        eventCounts["crash elsewhere", default: 0] += 1
    }

    private mutating func request(_ job: PictureJob, isClient: Bool) {
        callers.append(Caller(isClient: isClient))
        let isFull = states.counts.awaitedCount >= states.queueLimit
        let answered = callers.count(where: \.isAnswered)
        perform(states.request(job, by: callers.count - 1, urgency: isClient ? .foreground : .background))
        if callers.count(where: \.isAnswered) > answered {
            expect(isClient && isFull, "a request is refused")
            eventCounts["refusal", default: 0] += 1
        }
    }

    private mutating func leave() {
        let waiting = callers.indices.filter { !callers[$0].isAnswered }
        guard !waiting.isEmpty else { return }
        let caller = random.element(of: waiting)
        callers[caller].hasLeft = !states.decodes.values.contains {
            guard case .lowering = $0.step else { return false }
            return $0.callers == [caller]
        }
        perform(states.leave(caller))
        // A caller may leave twice: its task is cancelled while it requests the picture.
        perform(states.leave(caller))
        eventCounts["leave", default: 0] += 1
    }

    /// Writes all results.
    private mutating func write() {
        let results = Array(states.results.values)
        for made in results {
            let rowID = made.job.rowID
            // A thumbnail that was added to an earlier result is not written.
            guard let row = made.row else { continue }
            file[rowID] = row.state == .ready ? made.result : row.result(of: made.stamp)
            if deathCount(rowID) == 0 { crashCounts[rowID] = 0 }
        }
        states.forget(results)
    }

    private mutating func endLookUp() {
        guard !lookUps.isEmpty else { return }
        let (number, job) = lookUps.remove(at: random.int(in: 0...lookUps.count - 1))
        var known = states.result(of: job) ?? file[job.rowID] ?? .missing(nil)
        if case .ready(let key, _) = known, let kind = job.kind, !Self.prepared.contains(kind) {
            known = .missing(key)
        }
        perform(states.lookedUp(number, as: .success(known)))
        eventCounts["look-up", default: 0] += 1
    }

    /// Ends the first write of a count.
    private mutating func endCount() {
        guard !counts.isEmpty else { return }
        let (number, job, former) = counts.removeFirst()
        guard random.int(in: 0...7) > 0 else {
            // A count that cannot be lowered remains.
            if former > job.deathCount { crashCounts[job.rowID] = deathCount(job.rowID) }
            perform(states.counted(number, isSet: .failure(NotWritten())))
            eventCounts["count not written", default: 0] += 1
            return
        }
        guard deathCount(job.rowID) == former else {
            perform(states.counted(number, isSet: .success(false)))
            eventCounts["other count", default: 0] += 1
            return
        }
        let failure = PictureFailure(.crashed, reason: "")
        file[job.rowID] = job.deathCount == 0 ? nil : .failed(failure, deathCount: job.deathCount)
        perform(states.counted(number, isSet: .success(true)))
        eventCounts["count", default: 0] += 1
    }

    private mutating func endDecode() {
        guard !decodes.isEmpty else { return }
        let number = random.element(of: decodes.keys.sorted())
        guard let job = decodes.removeValue(forKey: number) else { return }
        let result = outcome(of: job)
        if job.purpose == .isolatedRetry, case .failure(let failure) = result, failure.isDeath {
            crashCounts[job.rowID, default: 0] += 1
            expect(crashCounts[job.rowID] == job.deathCount, "crash \(job.deathCount) is not counted")
        }
        perform(states.decoded(number, as: result))
        eventCounts["decode", default: 0] += 1
    }

    private mutating func outcome(of job: PictureJob) -> Result<DecodedPicture, PictureFailure> {
        switch random.int(in: 0...9) {
        case 0: return .failure(PictureFailure(.damaged, reason: ""))
        case 1: return .failure(PictureFailure(.noWorker, reason: ""))
        case 2: return .failure(PictureFailure(.timedOut, reason: ""))
        case 3...5: return .failure(PictureFailure(.crashed, reason: ""))
        default:
            let hash = [UInt8](repeating: UInt8(job.rowID), count: 32)
            let measures = PictureMeasures(
                content: FileContent(pictureHash: hash, fileHash: hash), placeholder: [], color: RGBColor(rawValue: 0))
            return .success(
                DecodedPicture(
                    stamp: job.stamp, displayedSize: PixelSize(uncheckedWidth: 4, height: 3), orientation: .up,
                    measures: job.isMeasured ? measures : nil, thumbnails: []))
        }
    }

    // MARK: - Actions

    private mutating func perform(_ actions: [PictureStates.Action]) {
        for action in actions {
            switch action {
            case .lookUp(let number, let job): lookUps.append((number, job))
            case .count(let number, let job, let former): counts.append((number, job, former))
            case .decode(let number, let job, let urgency):
                expect(decodes[number] == nil, "a decode begins twice")
                let isAwaited = states.decodes[number]?.callers.contains { callers[$0].isClient } == true
                expect(!isAwaited || urgency == .foreground, "a client's request is decoded as one of a warm-up")
                if job.purpose == .isolatedRetry {
                    expect(deathCount(job.rowID) == job.deathCount, "a retry begins before it is counted")
                }
                decodes[number] = job
            case .endTask(let number): decodes[number] = nil
            case .answer(let caller, let result):
                expect(!callers[caller].isAnswered, "a caller is answered twice")
                if callers[caller].hasLeft {
                    expect(Self.isCancelled(result), "a caller that has left receives another result")
                }
                callers[caller].isAnswered = true
            case .log: break
            }
        }
    }

    private static func isCancelled(_ result: Result<PictureResult, any Error>) -> Bool {
        guard case .failure(let error) = result else { return false }
        return error is CancellationError
    }

    private mutating func check() {
        let active = decodes.values.map { Decode(rowID: $0.rowID, kinds: $0.kinds, isMeasured: $0.isMeasured) }
        expect(Set(active).count == active.count, "a picture is decoded twice at once")
        for number in states.decodes.keys {
            let isWaiting = lookUps.contains { $0.number == number } || counts.contains { $0.number == number }
            expect(isWaiting || decodes[number] != nil, "a request waits for nothing")
        }
    }

    /// The number of counted retries in the file.
    private func deathCount(_ rowID: Int64) -> Int {
        guard case .failed(_, let count)? = file[rowID] else { return 0 }
        return count
    }

    private static let size = PixelSize(uncheckedWidth: 4_000, height: 3_000)
    private static let prepared = ThumbnailKind.prepared(for: size)

    private static func job(_ rowID: Int64, _ purpose: PictureJob.Purpose) -> PictureJob {
        let photo = PicturedPhoto(
            streamID: 1, rowID: rowID, key: OrderKey(time: 0, rank: rowID), id: PhotoID(stored: "\(rowID)"),
            location: "a", orientation: .up, pixelSize: size, editedFields: [], fileFields: [])
        return PictureJob(
            photo: photo, color: nil, file: PictureFileName(root: "/", path: "\(rowID)"),
            stamp: FileStamp(byteCount: rowID, modifiedNanoseconds: 1), purpose: purpose)
    }
}
