/// What one question does to chunks, one after the other: makes them of photo rows, folds them, puts them back to what they
/// were.
///
/// A little is done as soon as the question comes. What is more takes one of the slots for long folds, and ends when
/// nobody wants it any more.
final class ChunkWork {
    /// How many chunks are done before a slot is asked for.
    static let freeChunkCount = 16

    private let layouts: LayoutCache
    private let flight: LayoutFlight
    private var count = 0

    init(_ layouts: LayoutCache, _ flight: LayoutFlight) {
        (self.layouts, self.flight) = (layouts, flight)
    }

    /// Call before each chunk that is made, folded or put back.
    ///
    /// - Throws: ``FlightInProgress`` where there is no slot, `CancellationError` where nobody wants the result.
    func begin() throws { try begin(atOnce: 1) }

    /// Call before so many chunks.
    ///
    /// - Throws: As ``begin()``.
    func begin(atOnce chunkCount: Int) throws {
        if count + chunkCount > Self.freeChunkCount { try layouts.takeSlot(flight) }
        count += chunkCount
        try check()
    }

    /// Throws `CancellationError` where nobody wants the result.
    func check() throws { try flight.checkAbandoned() }
}
