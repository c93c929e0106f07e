import Dispatch
import PhotoStreamStorage
import Synchronization

/// A running fold.
///
/// Other queries about the same layout wait for its result. A waiting query holds no connection. When the fold is over,
/// the query is repeated in another transaction.
final class InFlightFold: Sendable {
    /// The number of queries that wait for the result, not for a slot to fold another layout.
    private let waitingCount = Atomic(0)
    /// Signalled at the end of the fold, and again by each query that it wakes, for the next one.
    private let end = DispatchSemaphore(value: 0)

    /// The interval between two checks for cancellation: Swift notifies only asynchronous functions of it.
    private static let checkInterval = DispatchTimeInterval.milliseconds(20)

    /// Waits until the fold is over.
    ///
    /// - Parameter forResult: Whether the caller needs the result, so that the fold must not be abandoned; otherwise it
    ///   waits for a slot.
    /// - Throws: `CancellationError` if the caller's task is cancelled.
    func wait(forResult: Bool) throws {
        if forResult { waitingCount.add(1, ordering: .relaxed) }
        defer { if forResult { waitingCount.subtract(1, ordering: .relaxed) } }
        while end.wait(timeout: .now() + Self.checkInterval) == .timedOut { try Task.checkCancellation() }
        end.signal()
    }

    /// Ends the fold and wakes the queries that wait for it.
    func finish() { end.signal() }

    /// Throws `CancellationError` if the task that folds was cancelled and no query waits for the result.
    func checkAbandoned() throws {
        guard Task.isCancelled, waitingCount.load(ordering: .relaxed) == 0 else { return }
        throw CancellationError()
    }
}

/// Counts the chunks that one query builds, folds or reverts, and takes a slot if there are several.
///
/// A query processes one chunk immediately. For more, it takes one of the slots for long folds.
final class ChunkWork {
    /// The number of chunks that may be built, and the number that may be folded, without a slot.
    static let freeChunkCount = 1

    private let layouts: LayoutCache
    private let fold: InFlightFold
    private let reader: PhotoReader?
    private var madeCount = 0
    private var foldedCount = 0

    /// Creates the counts of one query.
    ///
    /// - Parameters:
    ///   - service: The service, whose layout cache provides the slots.
    ///   - fold: The fold.
    ///   - reader: The transaction of the work; `nil` if the work uses several.
    init(_ service: PhotoStreamService, for fold: InFlightFold, in reader: PhotoReader?) {
        layouts = service.layouts
        self.reader = reader
        self.fold = fold
        reader?.ignoreCancellation()
    }

    /// Must be called before chunks are built from rows or reverted.
    ///
    /// - Parameter chunkCount: The number of chunks that are built together.
    /// - Throws: `ReadInterruption.mustWait` if no slot is free, `CancellationError` if no query needs the result any
    ///   more.
    func begin(atOnce chunkCount: Int = 1) throws { try begin(&madeCount, more: chunkCount) }

    /// Must be called before each chunk is folded.
    ///
    /// - Throws: As ``begin(atOnce:)``.
    func beginFold() throws { try begin(&foldedCount, more: 1) }

    private func begin(_ count: inout Int, more: Int) throws {
        if count + more > Self.freeChunkCount {
            try layouts.takeSlot(fold)
        }
        count += more
        try check()
    }

    /// Throws `CancellationError` if no query needs the result any more, and `ReadInterruption.logIsLong` if the
    /// transaction must restart.
    func check() throws {
        try fold.checkAbandoned()
        try reader?.throwIfMustRestart()
    }
}
