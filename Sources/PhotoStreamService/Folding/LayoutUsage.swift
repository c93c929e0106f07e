import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// The use of a layout since the last report to the file, and whether the layout is to be stored.
struct LayoutUsage: Sendable {
    /// The time when it was first asked for, in milliseconds since 1970.
    private var firstUse: Int64
    private var lastUse: Int64
    /// Whether it is to be stored.
    private(set) var isKept: Bool
    /// The time of the last report; `nil` for never.
    private var lastReported: Int64?
    /// Whether a report is being written.
    private var isReporting = false
    /// Whether the file had no room for it at the last report.
    private var wasDropped = false
    private var hitCount = 0
    private var foldedChunkCount = 0

    /// The time after which a layout that is asked for again is kept, in milliseconds.
    ///
    /// While a window is resized, each width is asked for a few times within a moment, then never again. A layout that is
    /// looked at is asked for again after that.
    static let probation: Int64 = 2_000
    /// The time between two reports of use alone, in milliseconds.
    private static let interval: Int64 = 60_000

    /// A layout that was asked for now.
    ///
    /// - Parameters:
    ///   - stored: Its row in the file.
    ///   - now: Milliseconds since 1970.
    init(_ stored: StoredLayout?, now: Int64) {
        // A time in the future is another clock's.
        firstUse = min(stored?.firstUsedMilliseconds ?? now, now)
        lastUse = now
        isKept = stored?.isKept ?? false
        lastReported = stored.map { min($0.lastUsedMilliseconds, now) }
        considerKeeping()
    }

    mutating func recordHit(now: Int64) {
        hitCount += 1
        lastUse = now
        considerKeeping()
    }

    mutating func recordFold(of chunkCount: Int, now: Int64) {
        if chunkCount == 0 { hitCount += 1 }
        foldedChunkCount += chunkCount
        lastUse = now
        considerKeeping()
    }

    private mutating func considerKeeping() {
        if lastUse - firstUse >= Self.probation { isKept = true }
    }

    /// Whether a report is due.
    func isDue(_ laidOut: LaidOutStream, now: Int64) -> Bool {
        if isReporting { return false }
        if laidOut.chunks.isUnsaved { return true }
        guard laidOut.isStorable else { return false }
        guard let lastReported, now - lastReported <= Self.interval, foldedChunkCount == 0 else { return true }
        return isKept && !wasDropped && (laidOut.unsavedPlacementCount > 0 || laidOut.served.byteCount > 0)
    }

    /// The report to the file.
    func report(_ key: LayoutCache.Key, now: Int64) -> LayoutUseReport {
        LayoutUseReport(
            streamID: key.streamID, layoutKey: key.layoutKey.description, firstUsedMilliseconds: firstUse,
            lastUsedMilliseconds: lastUse, reportedMilliseconds: now, isKept: isKept, hitCount: hitCount,
            foldedChunkCount: foldedChunkCount)
    }

    /// Begins a report.
    mutating func willReport(now: Int64) {
        (hitCount, foldedChunkCount, lastReported, isReporting) = (0, 0, now, true)
    }

    /// Ends a report.
    ///
    /// - Parameter wasDropped: Whether the file had no room for the layout, which is then on probation again and not tried
    ///   again before the next report of its use.
    mutating func didReport(wasDropped: Bool) {
        isReporting = false
        self.wasDropped = wasDropped
        if wasDropped { (isKept, firstUse) = (false, lastUse) }
    }

    /// Has it stored at the next report.
    mutating func keep() { (isKept, wasDropped) = (true, false) }

    /// Takes back the use of a report that failed.
    mutating func restore(_ use: LayoutUsage) {
        hitCount += use.hitCount
        foldedChunkCount += use.foldedChunkCount
        (lastReported, isReporting) = (use.lastReported, false)
    }
}
