import PhotoStreamStorage

/// What one question does to chunks, one after the other: makes them of photo rows, folds them, puts them back to what they
/// were.
///
/// One chunk is done as soon as the question comes. What is more takes one of the slots for long folds, and ends when
/// nobody wants it any more.
final class ChunkWork {
    /// How many chunks are made, and how many folded, before a slot is asked for.
    static let freeChunkCount = 1

    private let layouts: LayoutCache
    private let flight: LayoutFlight
    private let isBrief: Bool
    private let reader: PhotoReader?
    private var (madeCount, foldedCount) = (0, 0)

    /// Begins the work of a question.
    ///
    /// - Parameters:
    ///   - service: The service, which gives slots.
    ///   - flight: The fold.
    ///   - reader: The transaction that the work is done in; `nil` where it takes several.
    init(_ service: PhotoStreamService, _ flight: LayoutFlight, in reader: PhotoReader?) {
        (layouts, isBrief, self.flight, self.reader) = (service.layouts, service.isBrief, flight, reader)
        reader?.ignoreCancellation()
    }

    /// Call before each chunk that is made of rows or put back.
    ///
    /// - Throws: ``FlightInProgress`` where there is no slot, `CancellationError` where nobody wants the result.
    func begin() throws { try begin(atOnce: 1) }

    /// Call before each chunk that is folded.
    ///
    /// - Throws: As ``begin()``.
    func beginFold() throws { try begin(&foldedCount, 1) }

    /// Call before so many chunks that are made.
    ///
    /// - Throws: As ``begin()``.
    func begin(atOnce chunkCount: Int) throws { try begin(&madeCount, chunkCount) }

    private func begin(_ count: inout Int, _ more: Int) throws {
        if count + more > Self.freeChunkCount {
            if isBrief { throw LongWorkNeeded() }
            try layouts.takeSlot(flight)
        }
        count += more
        try check()
    }

    /// Throws `CancellationError` where no question wants the result, and `ReadMustRestart` where the transaction is to begin
    /// again.
    func check() throws {
        try flight.checkAbandoned()
        try reader?.throwIfMustRestart()
    }
}
