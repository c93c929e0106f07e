import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

/// The layouts that were used last, in memory, the folds that are running, and the layouts that are to be stored.
///
/// An entry is used only while its stream has the same revision and its stored chunks the same generation as when it was
/// made; both are read in the transaction of the question. So an entry may be old, but no answer made from it is. A new
/// layout is repaired from an old entry.
final class LayoutCache: Sendable {
    /// Names a layout of a stream.
    struct Key: Hashable, Sendable {
        let streamID: Int64
        let layoutKey: LayoutKey
    }

    /// The result of a look-up.
    enum Found {
        /// The layout.
        case ready(LaidOutStream)
        /// Another question is folding it.
        case wait(FoldInProgress)
        /// The caller has to fold it, and to end the fold in any case.
        case mustFold(InFlightFold, earlier: LaidOutStream?)
    }

    private struct Entry {
        var laidOut: LaidOutStream
        var use: LayoutUsage
        var lastUse: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var inFlight: [Key: InFlightFold] = [:]
        /// The folds of more than a few chunks, in the order in which they began.
        var folding: [InFlightFold] = []
        var marks: [Int64: StreamVersion] = [:]
        var rebuildCount = 0
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
    /// The number of long folds that run concurrently: each holds a connection and a core, and other questions need some.
    let foldSlotCount: Int
    private let state = Mutex(State())

    /// Creates an empty cache.
    ///
    /// - Parameter foldSlotCount: The number of long folds that run concurrently; `nil` for all cores but one, at least one.
    init(foldSlotCount: Int? = nil) {
        self.foldSlotCount = max(1, foldSlotCount ?? ProcessInfo.processInfo.activeProcessorCount - 1)
    }

    /// The known state of a stream, so that only the log after it has to be read.
    func mark(of streamID: Int64) -> StreamVersion? { state.withLock { $0.marks[streamID] } }

    /// Forgets everything if the file was rebuilt since the last call: revisions of its former history may be greater.
    func noteRebuilds(_ count: Int) {
        state.withLock { state in
            guard state.rebuildCount != count else { return }
            (state.entries, state.marks, state.rebuildCount) = ([:], [:], count)
        }
    }

    /// Remembers a stream's state.
    func remember(_ mark: StreamVersion, of streamID: Int64) {
        state.withLock { state in
            // A transaction that began earlier may end later.
            if let known = state.marks[streamID], known.isLater(than: mark) { return }
            state.marks[streamID] = mark
        }
    }

    /// A layout in a stream's state, if it is in memory.
    func ready(_ key: Key, at mark: StreamVersion, now: Int64) -> LaidOutStream? {
        state.withLock { state in
            guard var entry = state.entries[key], entry.laidOut.chunks.matches(mark) else { return nil }
            state.clock += 1
            entry.lastUse = state.clock
            entry.use.record(at: now)
            state.entries[key] = entry
            return entry.laidOut
        }
    }

    /// A layout in a stream's state, or the way to get it.
    func find(_ key: Key, at mark: StreamVersion, now: Int64) -> Found {
        state.withLock { state in
            if var entry = state.entries[key], entry.laidOut.chunks.matches(mark) {
                state.clock += 1
                entry.lastUse = state.clock
                entry.use.record(at: now)
                state.entries[key] = entry
                return .ready(entry.laidOut)
            }
            if let fold = state.inFlight[key] {
                return .wait(FoldInProgress(fold: fold, isOfResult: true))
            }
            let fold = InFlightFold()
            state.inFlight[key] = fold
            return .mustFold(fold, earlier: state.entries[key]?.laidOut)
        }
    }

    /// Takes one of the slots for long folds, unless the fold has one.
    ///
    /// - Throws: ``FoldInProgress`` if there is none, with the fold that has run for longest.
    func takeSlot(_ fold: InFlightFold) throws {
        let other = state.withLock { state -> InFlightFold? in
            if state.folding.contains(where: { $0 === fold }) { return nil }
            guard state.folding.count >= foldSlotCount else {
                state.folding.append(fold)
                return nil
            }
            return state.folding.first
        }
        if let other { throw FoldInProgress(fold: other, isOfResult: false) }
    }

    /// Ends a fold: of a layout that others may ask for or, without a key, of something else.
    func end(_ fold: InFlightFold, of key: Key? = nil) {
        state.withLock { state in
            if let key { state.inFlight[key] = nil }
            state.folding.removeAll { $0 === fold }
        }
        fold.finish()
    }

    /// A stream's chunks in the newest state of any of its layouts in memory, which share them.
    func chunks(of streamID: Int64) -> StreamChunks? {
        state.withLock { state in
            state.entries.lazy.filter { $0.key.streamID == streamID }.map(\.value.laidOut.chunks)
                .max { $0.revision < $1.revision }
        }
    }

    /// Keeps a layout that was just folded, unless the entry is newer.
    func insert(_ laidOut: LaidOutStream, for key: Key, stored: StoredLayout?, now: Int64) {
        state.withLock { state in
            state.clock += 1
            var use = state.entries[key]?.use ?? LayoutUsage(stored, now: now)
            use.record(at: now)
            if let present = state.entries[key]?.laidOut, present.chunks.revision > laidOut.chunks.revision {
                state.entries[key]?.use = use
                return
            }
            state.entries[key] = Entry(laidOut: laidOut, use: use, lastUse: state.clock)
            state.dropLeastUsed(beyond: Self.capacity, bytes: Self.byteLimit)
        }
    }

    /// Has a layout stored next time.
    func want(_ key: Key) {
        state.withLock { $0.entries[key]?.use.want() }
    }

    /// Forgets all layouts, so that the next question reads them from the file.
    func forgetAll() {
        state.withLock { $0.entries = [:] }
    }

    /// The bytes of a layout's checkpoints in the file; 0 if it is not in memory.
    func checkpointByteCount(_ key: Key) -> Int64 {
        state.withLock { $0.entries[key]?.laidOut.checkpointByteCount ?? 0 }
    }

    /// Whether the file has everything of a layout that is to be stored.
    func isStored(_ key: Key) -> Bool {
        state.withLock { state in
            guard let entry = state.entries[key] else { return false }
            return !entry.laidOut.chunks.isUnsaved && entry.laidOut.unsavedPlacementCount == 0
        }
    }
}

extension LayoutCache {
    /// A layout that is to be stored.
    struct Due: Sendable {
        let key: Key
        let laidOut: LaidOutStream
        let use: LayoutUsage
    }

    /// Takes the layouts that are to be stored, by stream.
    ///
    /// No other call takes them until they are given back or finished.
    func takeDue() -> [Int64: [Due]] {
        state.withLock { state in
            var due: [Int64: [Due]] = [:]
            for (key, entry) in state.entries where entry.use.isDue(entry.laidOut) {
                // An old layout cannot be stored any more; the next question brings it up to date.
                guard let mark = state.marks[key.streamID], entry.laidOut.chunks.matches(mark) else { continue }
                due[key.streamID, default: []].append(Due(key: key, laidOut: entry.laidOut, use: entry.use))
                state.entries[key]?.use.beginStoring()
            }
            return due
        }
    }

    /// Takes back layouts that could not be stored, to be tried again.
    func giveBack(_ due: [Due]) {
        state.withLock { state in
            for item in due { state.entries[item.key]?.use.endStoring() }
        }
    }

    /// Records that a layout, or only its stream's chunks, were stored; the result replaces it unless it has changed.
    func finish(_ due: Due, as stored: LaidOutStream) {
        state.withLock { state in
            if due.use.stores(due.laidOut) {
                state.entries[due.key]?.use.didStore(on: due.use.day)
            } else {
                state.entries[due.key]?.use.endStoring()
            }
            guard state.entries[due.key]?.laidOut.served === due.laidOut.served else { return }
            state.entries[due.key]?.laidOut = stored
        }
    }
}
