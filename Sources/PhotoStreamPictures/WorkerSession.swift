import Glibc
import PhotoStreamPictureMessages
import Subprocess
import Synchronization

/// The requests of one worker process, and its answers.
///
/// Requests for headers and hashes are sent ahead, so that the process never waits for the next one; a decode is sent
/// alone. Requests sent ahead always fit into the pipe, so writing never waits for a process that itself waits for its
/// output to be read.
struct WorkerSession {
    /// The maximum number of simultaneous requests of a process.
    private static let maximumCount = 16
    /// The maximum total size of these requests, in bytes; a Linux pipe holds 64 KiB.
    private static let maximumByteCount = 32 << 10
    /// The time after which a process without work is ended.
    private static let idleLimit = Duration.seconds(10)

    /// The requests that were sent, or will be sent first, with the oldest first.
    private(set) var jobs: [WorkerQueue.Job]
    /// The number of answers.
    private(set) var answerCount = 0
    /// Whether the process has not answered the first request.
    private(set) var isAwaitingAnswer = false

    private let queue: WorkerQueue
    private let settings: PictureWorkers.Settings
    private var decodeCount = 0

    /// Begins with the unanswered requests of the previous process, or with a new one.
    init(_ jobs: [WorkerQueue.Job], queue: WorkerQueue, settings: PictureWorkers.Settings) {
        (self.jobs, self.queue, self.settings) = (jobs, queue, settings)
    }

    /// Sends requests to a process until there are none for a while, it has decoded enough, or it ends.
    ///
    /// - Parameters:
    ///   - input: Its standard input.
    ///   - output: Its standard output.
    ///   - deadline: Set while the process has a request.
    /// - Throws: Errors of the pipes; ``MessageError`` for an answer that is malformed.
    mutating func run(
        input: WorkerPipe, output: SubprocessOutputSequence, deadline: WorkerDeadline
    ) async throws {
        var reader = AnswerReader(output)
        var (sentCount, sentByteCount) = (0, [Int]())
        while true {
            if jobs.isEmpty {
                guard decodeCount < settings.recycleAfter, let job = await queue.next(within: Self.idleLimit) else {
                    return
                }
                jobs.append(job)
            }
            while sentCount < Self.maximumCount {
                if sentCount == jobs.count {
                    // Requests after one that may have killed a process wait, and so does everything after a decode.
                    guard jobs.allSatisfy({ $0.isQuick && !$0.isSuspect }), let job = queue.nextQuick() else { break }
                    jobs.append(job)
                }
                let job = jobs[sentCount]
                guard sentCount == 0 || job.isQuick && !job.isSuspect && !jobs[0].isSuspect && jobs[0].isQuick else {
                    break
                }
                let bytes = MessageFrame.framed(job.request.bytes)
                guard sentCount == 0 || sentByteCount.reduce(bytes.count, +) <= Self.maximumByteCount else { break }
                // A process that does not read its input must time out as well.
                if sentCount == 0 { deadline.set() }
                try input.write(bytes)
                isAwaitingAnswer = true
                sentCount += 1
                sentByteCount.append(bytes.count)
            }
            deadline.set()
            guard let answer = try await reader.next() else { return }
            let job = jobs.removeFirst()
            isAwaitingAnswer = false
            sentCount -= 1
            sentByteCount.removeFirst()
            answerCount += 1
            if !job.isQuick { decodeCount += 1 }
            queue.finish(job.id, with: answer)
            // It is being killed, although its answer has arrived.
            guard deadline.clear() else { return }
            isAwaitingAnswer = sentCount > 0
        }
    }
}

/// Reads the untrusted answers of a process.
private struct AnswerReader {
    private var blocks: SubprocessOutputSequence.Iterator
    private var bytes: [UInt8] = []

    init(_ output: SubprocessOutputSequence) {
        blocks = output.makeAsyncIterator()
    }

    /// Reads an answer; `nil` at the end of the output.
    mutating func next() async throws -> PictureAnswer? {
        guard let head = try await take(MessageFrame.headByteCount),
            let message = try await take(try MessageFrame.byteCount(head: head))
        else { return nil }
        return try PictureAnswer(bytes: message)
    }

    private mutating func take(_ count: Int) async throws -> [UInt8]? {
        while bytes.count < count {
            guard let block = try await blocks.next() else { return nil }
            unsafe block.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        }
        defer { bytes.removeFirst(count) }
        return Array(bytes.prefix(count))
    }
}

/// The time by which a process must have answered.
final class WorkerDeadline: Sendable {
    private struct State {
        var time: ContinuousClock.Instant?
        var isMissed = false
    }

    private let limit: Duration
    private let state = Mutex(State())

    /// Creates a deadline for each request.
    init(afterSeconds seconds: Int) { limit = .seconds(seconds) }

    /// Whether a process was killed because it missed the deadline.
    var isMissed: Bool { state.withLock { $0.isMissed } }

    /// Sets it.
    func set() {
        state.withLock { $0.time = .now + limit }
    }

    /// Clears it; returns whether it was met.
    func clear() -> Bool {
        state.withLock { state in
            state.time = nil
            return !state.isMissed
        }
    }

    /// Kills a process that misses the deadline; returns if the task is cancelled.
    func watch(_ process: pid_t) async {
        while !Task.isCancelled {
            // A request that is sent from now on has a later deadline.
            let next: ContinuousClock.Instant? = state.withLock { state in
                let next = state.time ?? .now + limit
                state.isMissed = next <= .now
                return state.isMissed ? nil : next
            }
            guard let next else {
                kill(process, SIGKILL)
                return
            }
            try? await Task.sleep(until: next, clock: .continuous)
        }
    }
}
