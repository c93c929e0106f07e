import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// How a layout was used since the file was told last, and whether anything of it is to be stored.
struct LayoutUsage: Sendable {
    /// When it was first asked for, in milliseconds since 1970.
    private var firstUse: Int64
    private var lastUse: Int64
    /// Whether it is to be stored.
    private(set) var isKept: Bool
    /// When the file was last told of it; `nil` for never.
    private var lastTold: Int64?
    /// Whether somebody is telling the file right now.
    private var isTaken = false
    /// Whether the file had no room for it when it was told last.
    private var wasDropped = false
    private var hitCount = 0
    private var foldedChunkCount = 0

    /// A layout that is asked for again so long after the first time is kept, in milliseconds.
    ///
    /// While a window is dragged wider each width is asked for a few times within a moment, then never again; what
    /// somebody looks at is asked for again after that.
    static let probation: Int64 = 2_000
    /// How often the file is told of use alone, in milliseconds.
    private static let interval: Int64 = 60_000

    /// A layout that was asked for now.
    ///
    /// - Parameters:
    ///   - stored: What the file knows of it.
    ///   - now: Milliseconds since 1970.
    init(_ stored: StoredLayout?, now: Int64) {
        // What lies ahead was told by another clock.
        firstUse = min(stored?.firstUsedMilliseconds ?? now, now)
        lastUse = now
        isKept = stored?.isKept ?? false
        lastTold = stored.map { min($0.lastUsedMilliseconds, now) }
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

    /// Whether the file is to be told.
    func isDue(_ laidOut: LaidOutStream, now: Int64) -> Bool {
        if isTaken { return false }
        if laidOut.chunks.isUnsaved { return true }
        guard laidOut.isStorable else { return false }
        guard let lastTold, now - lastTold <= Self.interval, foldedChunkCount == 0 else { return true }
        return isKept && !wasDropped && (laidOut.unsavedPlacementCount > 0 || laidOut.served.byteCount > 0)
    }

    /// What the file is told now.
    func report(_ key: LayoutCache.Key, now: Int64) -> LayoutUseReport {
        LayoutUseReport(
            streamID: key.streamID, layoutKey: key.layoutKey.description, firstUsedMilliseconds: firstUse,
            lastUsedMilliseconds: lastUse, reportedMilliseconds: now, isKept: isKept, hitCount: hitCount,
            foldedChunkCount: foldedChunkCount)
    }

    /// The file is being told.
    mutating func isBeingTold(now: Int64) {
        (hitCount, foldedChunkCount, lastTold, isTaken) = (0, 0, now, true)
    }

    /// The file was told.
    ///
    /// - Parameter wasDropped: Whether it had no room for the layout, which is then on probation again, and tried again not
    ///   before the file is to be told of its use in any case.
    mutating func wasTold(wasDropped: Bool) {
        isTaken = false
        self.wasDropped = wasDropped
        if wasDropped { (isKept, firstUse) = (false, lastUse) }
    }

    /// It is to be stored now, whatever was before.
    mutating func keep() { (isKept, wasDropped) = (true, false) }

    /// The file could not be told after all.
    mutating func take(back use: LayoutUsage) {
        hitCount += use.hitCount
        foldedChunkCount += use.foldedChunkCount
        (lastTold, isTaken) = (use.lastTold, false)
    }
}
