import PhotoStreamLayout
import PhotoStreamStorage

/// The use of a layout in this process, and whether the layout is to be stored.
struct LayoutUsage: Sendable {
    /// The time of the first use or, later, of the last attempt to store it, in milliseconds since 1970.
    private var since: Int64
    private var lastUse: Int64
    /// Whether it is to be stored if the file does not have it.
    private(set) var isWanted = false
    /// The day of the last use in the file; `nil` to write it in any case.
    private var storedDay: Int64?
    private var isStoring = false

    /// The time after which a layout that is used again is stored, in milliseconds.
    ///
    /// While a window is resized, each width is used a few times within a moment, then never again.
    static let delay: Int64 = 10_000

    /// A layout that is used for the first time.
    ///
    /// - Parameters:
    ///   - stored: Its row in the file.
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

    /// Has it stored next time, although it may have been used only once.
    mutating func want() { (isWanted, storedDay) = (true, nil) }

    /// Whether anything of a layout is to be stored.
    func isDue(_ laidOut: LaidOutStream) -> Bool {
        if isStoring { return false }
        if laidOut.chunks.isUnsaved { return true }
        guard stores(laidOut) else { return false }
        return laidOut.unsavedPlacementCount > 0 || laidOut.served.byteCount > 0 || storedDay != day
    }

    /// Whether the layout itself is stored, in addition to the chunks of its stream.
    func stores(_ laidOut: LaidOutStream) -> Bool {
        laidOut.isStorable && !laidOut.placements.isEmpty && (laidOut.storedID != nil || isWanted)
    }

    mutating func beginStoring() { isStoring = true }

    /// Ends an attempt that did not concern the layout, or that is to be repeated.
    mutating func endStoring() { isStoring = false }

    /// Ends an attempt; a layout that the file had no room for has to be used again a while later.
    mutating func didStore(on day: Int64) { (isStoring, isWanted, since, storedDay) = (false, false, lastUse, day) }
}
