import PhotoStreamLayout
import PhotoStreamStorage

/// Tracks the use of a layout in this process, and decides whether the layout is stored.
struct LayoutUsage: Sendable {
    /// The time of the first use or, after an attempt to store the layout, of the last use before it, in milliseconds
    /// since 1970.
    private var since: Int64
    private var lastUse: Int64
    /// Whether the layout is stored if the file does not have it.
    private(set) var isWanted = false
    /// The day of the last use as it is in the file; `nil` to write it in any case.
    private var storedDay: Int64?
    private var isStoring = false

    /// The delay, in milliseconds, after which another use causes a layout to be stored.
    ///
    /// While a window is resized, each width is used a few times in quick succession, then never again.
    static let delay: Int64 = 10_000

    /// Creates the usage of a layout that is used for the first time.
    ///
    /// - Parameters:
    ///   - stored: The layout's row in the file, if it has one.
    ///   - now: Milliseconds since 1970.
    init(_ stored: StoredLayout?, now: Int64) {
        (since, lastUse) = (now, now)
        storedDay = stored?.lastUsedMilliseconds
    }

    /// The start of the day of the last use.
    var day: Int64 {
        let day: Int64 = 86_400_000
        return lastUse - (lastUse % day + day) % day
    }

    mutating func record(at now: Int64) {
        lastUse = now
        if now - since >= Self.delay { isWanted = true }
    }

    /// Requests that the layout is stored next time, even if it was used only once.
    mutating func want() { (isWanted, storedDay) = (true, nil) }

    /// Returns whether any data of a layout have to be stored.
    func isDue(_ laidOut: LaidOutStream) -> Bool {
        if isStoring { return false }
        if laidOut.chunks.isUnsaved { return true }
        guard stores(laidOut) else { return false }
        return laidOut.unsavedPlacementCount > 0 || laidOut.served.cost > 0 || storedDay != day
    }

    /// Returns whether the layout itself is stored, in addition to its stream's chunks.
    func stores(_ laidOut: LaidOutStream) -> Bool {
        laidOut.isStorable && !laidOut.placements.isEmpty && (laidOut.storedID != nil || isWanted)
    }

    mutating func beginStoring() { isStoring = true }

    /// Ends an attempt that did not concern the layout, or that will be repeated.
    mutating func endStoring() { isStoring = false }

    /// Ends an attempt to store the layout.
    ///
    /// If the file had no room for the layout, a use after ``delay`` causes another attempt.
    mutating func didStore(on day: Int64) { (isStoring, isWanted, since, storedDay) = (false, false, lastUse, day) }
}
