import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

/// The layouts that were asked for last, in memory, what is being folded, and what of it all is to be stored.
///
/// An entry is used only while its stream has the same revision and its stored chunks the same generation as when it was
/// made; both are read in the transaction that asks. So an entry may be old, but what is answered from it is not. An old
/// one is what a new one is repaired from.
final class LayoutCache: Sendable {
    /// Names a layout of a stream.
    struct Key: Hashable, Sendable {
        let streamID: Int64
        let layoutKey: LayoutKey
    }

    /// What there is to answer a question from.
    enum Found {
        /// The layout.
        case ready(LaidOutStream)
        /// Another question resolves it already.
        case wait(FlightInProgress)
        /// The caller is to resolve it, and to end the flight in any case.
        case lead(LayoutFlight, earlier: LaidOutStream?)
    }

    private struct Entry {
        var laidOut: LaidOutStream
        var use: LayoutUsage
        var lastUse: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var flights: [Key: LayoutFlight] = [:]
        /// The flights that fold or make more than a few chunks, in the order in which they began.
        var folding: [LayoutFlight] = []
        var marks: [Int64: StreamVersion] = [:]
        var clock = 0

        /// Drops entries, the least recently used first; the last one always stays.
        mutating func dropLeastUsed(beyond capacity: Int, bytes limit: Int) {
            guard entries.count > 1 else { return }
            var bytes = entries.values.reduce(0) { $0 + $1.laidOut.byteCount }
            while entries.count > 1, entries.count > capacity || bytes > limit,
                let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                bytes -= oldest.value.laidOut.byteCount
                entries[oldest.key] = nil
            }
        }
    }

    private static let capacity = 64
    // Dropping a layout costs another read of its checkpoints, or another fold, and nothing else.
    private static let byteLimit = 96 << 20
    /// How many long folds run at once: each holds a connection and a core, and other questions need some, too.
    private static let concurrentFoldLimit = 2
    private let state = Mutex(State())

    /// What is known of a stream's state, to look only at the log behind it.
    func mark(of streamID: Int64) -> StreamVersion? { state.withLock { $0.marks[streamID] } }

    /// Remembers a stream's state.
    func remember(_ mark: StreamVersion, of streamID: Int64) {
        state.withLock { state in
            // A transaction that began earlier may end later.
            if let known = state.marks[streamID], known.isLater(than: mark) { return }
            state.marks[streamID] = mark
        }
    }

    /// A layout in a stream's state, if it is at hand.
    func ready(_ key: Key, _ mark: StreamVersion, now: Int64) -> LaidOutStream? {
        state.withLock { state in
            guard var entry = state.entries[key], entry.laidOut.chunks.matches(mark) else { return nil }
            state.clock += 1
            entry.lastUse = state.clock
            entry.use.recordHit(now: now)
            state.entries[key] = entry
            return entry.laidOut
        }
    }

    /// A layout in a stream's state, or what to do to get it.
    func find(_ key: Key, _ mark: StreamVersion, now: Int64) -> Found {
        state.withLock { state in
            if var entry = state.entries[key], entry.laidOut.chunks.matches(mark) {
                state.clock += 1
                entry.lastUse = state.clock
                entry.use.recordHit(now: now)
                state.entries[key] = entry
                return .ready(entry.laidOut)
            }
            if let flight = state.flights[key] {
                return .wait(FlightInProgress(flight: flight, isOfResult: true))
            }
            let flight = LayoutFlight()
            state.flights[key] = flight
            return .lead(flight, earlier: state.entries[key]?.laidOut)
        }
    }

    /// Takes one of the slots for long folds, unless the flight has one.
    ///
    /// - Throws: ``FlightInProgress`` where there is none: the one to wait for is that which has folded for longest.
    func takeSlot(_ flight: LayoutFlight) throws {
        let other = state.withLock { state -> LayoutFlight? in
            if state.folding.contains(where: { $0 === flight }) { return nil }
            guard state.folding.count >= Self.concurrentFoldLimit else {
                state.folding.append(flight)
                return nil
            }
            return state.folding.first
        }
        if let other { throw FlightInProgress(flight: other, isOfResult: false) }
    }

    /// Ends a flight, which folds a layout that others may ask for or, without a key, something else.
    func end(_ flight: LayoutFlight, _ key: Key? = nil) {
        state.withLock { state in
            if let key { state.flights[key] = nil }
            state.folding.removeAll { $0 === flight }
        }
        flight.finish()
    }

    /// A stream's chunks in the newest state that a layout at hand has them in: all of its layouts share them.
    func chunks(of streamID: Int64) -> StreamChunks? {
        state.withLock { state in
            state.entries.lazy.filter { $0.key.streamID == streamID }.map(\.value.laidOut.chunks)
                .max { $0.revision < $1.revision }
        }
    }

    /// Keeps a layout that was just resolved, unless what is there is newer.
    func insert(_ laidOut: LaidOutStream, for key: Key, _ stored: StoredLayout?, foldedCount: Int, now: Int64) {
        state.withLock { state in
            state.clock += 1
            var use = state.entries[key]?.use ?? LayoutUsage(stored, now: now)
            use.recordFold(of: foldedCount, now: now)
            if let present = state.entries[key]?.laidOut, present.chunks.revision > laidOut.chunks.revision {
                state.entries[key]?.use = use
                return
            }
            state.entries[key] = Entry(laidOut: laidOut, use: use, lastUse: state.clock)
            state.dropLeastUsed(beyond: Self.capacity, bytes: Self.byteLimit)
        }
    }

    /// Marks a layout as one to be stored.
    func keep(_ key: Key) {
        state.withLock { $0.entries[key]?.use.keep() }
    }

    /// Forgets all layouts, so that the next question finds them in the file.
    func forgetAll() {
        state.withLock { $0.entries = [:] }
    }

    /// What the checkpoints of a layout take in the file; 0 where it is not at hand.
    func checkpointByteCount(_ key: Key) -> Int64 {
        state.withLock { $0.entries[key]?.laidOut.checkpointByteCount ?? 0 }
    }

    /// Whether the file has all of a layout that is to be stored of it.
    func isStored(_ key: Key) -> Bool {
        state.withLock { state in
            guard let entry = state.entries[key] else { return false }
            return !entry.laidOut.chunks.isUnsaved && entry.laidOut.unsavedPlacementCount == 0
        }
    }
}

extension LayoutCache {
    /// A layout that the file is to be told of.
    struct Work: Sendable {
        let key: Key
        let laidOut: LaidOutStream
        let use: LayoutUsage
    }

    /// What the file is to be told, by stream; until it is given back it counts as told.
    func takeWork(now: Int64) -> [Int64: [Work]] {
        state.withLock { state in
            var work: [Int64: [Work]] = [:]
            for (key, entry) in state.entries where entry.use.isDue(entry.laidOut, now: now) {
                // What is not the newest can be stored no more; the next question brings it up to date.
                guard let mark = state.marks[key.streamID], entry.laidOut.chunks.matches(mark) else { continue }
                work[key.streamID, default: []].append(Work(key: key, laidOut: entry.laidOut, use: entry.use))
                state.entries[key]?.use.isBeingTold(now: now)
            }
            return work
        }
    }

    /// Takes back what could not be written, to be tried again.
    func giveBack(_ work: [Work]) {
        state.withLock { state in
            for item in work { state.entries[item.key]?.use.take(back: item.use) }
        }
    }

    /// Takes note that the file was told.
    ///
    /// - Parameters:
    ///   - work: What it was told.
    ///   - wasDropped: Whether there was no room for it: then it has to be asked for again a while later to be kept.
    func finish(_ work: Work, wasDropped: Bool) {
        state.withLock { $0.entries[work.key]?.use.wasTold(wasDropped: wasDropped) }
    }

    /// Puts a layout that was stored in the place of the one that was not.
    func replace(_ laidOut: LaidOutStream, with stored: LaidOutStream, _ key: Key) {
        state.withLock { state in
            // Only if it is still that one.
            guard state.entries[key]?.laidOut.served === laidOut.served else { return }
            state.entries[key]?.laidOut = stored
        }
    }
}
