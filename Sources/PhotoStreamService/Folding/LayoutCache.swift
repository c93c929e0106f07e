import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

/// A cache of the layouts that were used last, which also tracks in-flight folds and the layouts to store.
///
/// An entry is valid only while its stream has the same revision, and its stored chunks the same generation, as when
/// the entry was created. The query reads both in its transaction, so an outdated entry never leads to an outdated
/// answer. A new layout is repaired from an outdated entry.
final class LayoutCache: Sendable {
    /// Identifies a layout of a stream or of a view.
    struct Key: Hashable, Sendable {
        let view: ViewKey
        let layoutKey: LayoutKey
        var streamID: Int64 { view.streamID }
        /// Whether it is a layout of all photos, which may be stored.
        var isOfStream: Bool { view.condition == nil }
    }

    /// The result of a lookup.
    enum Found {
        /// The layout.
        case ready(LaidOutStream)
        /// Another query is folding it.
        case wait(InFlightFold)
        /// The caller must fold it, and must end the fold even if it fails.
        case mustFold(InFlightFold, earlier: LaidOutStream?)
    }

    private struct Entry {
        var laidOut: LaidOutStream {
            didSet { contentByteCount = laidOut.contentByteCount }
        }
        var use: LayoutUsage
        var lastUse: Int
        private var contentByteCount: Int

        init(laidOut: LaidOutStream, use: LayoutUsage, lastUse: Int) {
            (self.laidOut, self.use, self.lastUse) = (laidOut, use, lastUse)
            contentByteCount = laidOut.contentByteCount
        }

        /// The approximate memory use, without positions.
        var byteCount: Int { contentByteCount + laidOut.ownByteCount }
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var inFlight: [Key: InFlightFold] = [:]
        /// The folds that have a slot, the oldest first.
        var folding: [InFlightFold] = []
        var marks: [Int64: StreamVersion] = [:]
        var rebuildCount = 0
        var clock = 0

        /// Returns the layout for a state of its stream if it is cached, and records its use.
        mutating func use(_ key: Key, at mark: StreamVersion, now: Int64) -> LaidOutStream? {
            guard var entry = entries[key], entry.laidOut.chunks.matches(mark) else { return nil }
            clock += 1
            entry.lastUse = clock
            entry.use.record(at: now)
            entries[key] = entry
            return entry.laidOut
        }

        /// The turn of a layout to be dropped: views first, because a search leaves one for each letter, then by their last
        /// use, and the layout of the present query last.
        private func turn(of entry: (key: Key, value: Entry)) -> (Int, Int) {
            let (key, value) = entry
            return (value.lastUse == clock ? 2 : key.isOfStream ? 1 : 0, value.lastUse)
        }

        /// Drops the least recently used entries until both limits hold, but always keeps one.
        mutating func dropLeastUsed(beyond capacity: Int, bytes limit: Int) {
            guard entries.count > 1 else { return }
            var bytes = entries.values.reduce(0) { $0 + $1.byteCount }
            // Positions are shared by layouts, so they are counted, and freed, once.
            var users: [ObjectIdentifier: Int] = [:]
            for entry in entries.values {
                guard let index = entry.laidOut.directory.positions else { continue }
                if users[ObjectIdentifier(index)] == nil { bytes += index.byteCount }
                users[ObjectIdentifier(index), default: 0] += 1
            }
            while entries.count > 1, entries.count > capacity || bytes > limit,
                let oldest = entries.min(by: { turn(of: $0) < turn(of: $1) })
            {
                bytes -= oldest.value.byteCount
                if let index = oldest.value.laidOut.directory.positions {
                    users[ObjectIdentifier(index), default: 0] -= 1
                    if users[ObjectIdentifier(index)] == 0 { bytes -= index.byteCount }
                }
                entries[oldest.key] = nil
            }
        }
    }

    private static let capacity = 64
    // Dropping a layout only costs another read of its checkpoints, or another fold.
    private static let byteLimit = 96 << 20
    /// The maximum number of concurrent long folds: each holds a connection and a core, and other queries need some.
    let foldSlotCount: Int
    private let state = Mutex(State())

    /// Creates an empty cache.
    ///
    /// - Parameter foldSlotCount: The maximum number of concurrent long folds; `nil` for all cores but one, at least
    ///   one.
    init(foldSlotCount: Int? = nil) {
        self.foldSlotCount = max(1, foldSlotCount ?? ProcessInfo.processInfo.activeProcessorCount - 1)
    }

    /// Returns the last known state of a stream; only the log after it has to be read.
    func mark(of streamID: Int64) -> StreamVersion? { state.withLock { $0.marks[streamID] } }

    /// Drops everything if the file was rebuilt since the last call, because revisions of its former history may be
    /// greater.
    func noteRebuilds(_ count: Int) {
        state.withLock { state in
            guard state.rebuildCount != count else { return }
            (state.entries, state.marks, state.rebuildCount) = ([:], [:], count)
        }
    }

    /// Records a stream's state.
    func remember(_ mark: StreamVersion, of streamID: Int64) {
        state.withLock { state in
            // A transaction that began earlier may end later.
            if let known = state.marks[streamID], known.isLater(than: mark) { return }
            state.marks[streamID] = mark
        }
    }

    /// Returns the layout for a state of its stream if it is cached.
    func ready(_ key: Key, at mark: StreamVersion, now: Int64) -> LaidOutStream? {
        state.withLock { $0.use(key, at: mark, now: now) }
    }

    /// Returns whether a layout is cached for a revision of its stream, even if the stream's chunks were stored since then.
    func knows(_ key: Key, at revision: Revision) -> Bool {
        state.withLock { $0.entries[key]?.laidOut.chunks.revision == revision }
    }

    /// Returns the layout for a state of its stream, or the fold that computes it.
    func find(_ key: Key, at mark: StreamVersion, now: Int64) -> Found {
        state.withLock { state in
            if let laidOut = state.use(key, at: mark, now: now) { return .ready(laidOut) }
            if let fold = state.inFlight[key] { return .wait(fold) }
            let fold = InFlightFold()
            state.inFlight[key] = fold
            return .mustFold(fold, earlier: state.entries[key]?.laidOut)
        }
    }

    /// Takes one of the slots for long folds, unless the fold already has one.
    ///
    /// - Throws: `ReadInterruption.mustWait` if none is free; the query then waits for the oldest fold that has one.
    func takeSlot(_ fold: InFlightFold) throws {
        let other = state.withLock { state -> InFlightFold? in
            if state.folding.contains(where: { $0 === fold }) { return nil }
            guard state.folding.count >= foldSlotCount else {
                state.folding.append(fold)
                return nil
            }
            return state.folding.first
        }
        if let other { throw ReadInterruption.mustWait { try other.wait(forResult: false) } }
    }

    /// Ends a fold and frees its slot.
    ///
    /// The key is that of the layout that other queries may wait for; a fold of other data has none.
    func end(_ fold: InFlightFold, of key: Key? = nil) {
        state.withLock { state in
            if let key { state.inFlight[key] = nil }
            state.folding.removeAll { $0 === fold }
        }
        fold.finish()
    }

    /// Returns a stream's chunks in the newest state of its cached layouts, which share them.
    func chunks(of streamID: Int64) -> StreamChunks? {
        state.withLock { state in
            state.entries.lazy.filter { $0.key.streamID == streamID && $0.key.isOfStream }.map(\.value.laidOut.chunks)
                .max { $0.revision < $1.revision }
        }
    }

    /// Returns the positions of a view's photos in the newest state of its cached layouts, which share them.
    func positions(of view: ViewKey) -> StreamPositions? {
        state.withLock { state in
            state.entries.lazy.filter { $0.key.view == view }.compactMap(\.value.laidOut.positions)
                .max { $0.chunks.revision < $1.chunks.revision }
        }
    }

    /// Caches a new layout, unless its entry is newer.
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
            if laidOut.directory.positions != nil {
                // Nothing of older maps with clusters can be used again.
                state.entries = state.entries.filter { other in
                    other.key.view != key.view || other.value.laidOut.directory.positions == nil
                        || other.value.laidOut.chunks.revision >= laidOut.chunks.revision
                }
            }
            state.dropLeastUsed(beyond: Self.capacity, bytes: Self.byteLimit)
        }
    }

    /// Requests that a layout is stored next time.
    func want(_ key: Key) {
        state.withLock { $0.entries[key]?.use.want() }
    }

    /// Drops all layouts, so that the next query reads them from the file.
    func forgetAll() {
        state.withLock { $0.entries = [:] }
    }

    /// Returns the number of bytes of a layout's checkpoints in the file; 0 if the layout is not cached.
    func checkpointByteCount(_ key: Key) -> Int64 {
        state.withLock { $0.entries[key]?.laidOut.checkpointByteCount ?? 0 }
    }

    /// Returns whether the file has all data of a layout that have to be stored; `false` if the layout is not cached.
    func isStored(_ key: Key) -> Bool {
        state.withLock { state in
            guard let entry = state.entries[key] else { return false }
            return !entry.laidOut.chunks.isUnsaved && entry.laidOut.unsavedPlacementCount == 0
        }
    }
}

extension LayoutCache {
    /// A layout to store.
    struct Due: Sendable {
        let key: Key
        let laidOut: LaidOutStream
        let use: LayoutUsage
    }

    /// Returns the layouts to store, by stream.
    ///
    /// No other call returns them until they are given back or finished.
    func takeDue() -> [Int64: [Due]] {
        state.withLock { state in
            var due: [Int64: [Due]] = [:]
            for (key, entry) in state.entries where key.isOfStream && entry.use.isDue(entry.laidOut) {
                // An outdated layout cannot be stored; the next query brings it up to date.
                guard let mark = state.marks[key.streamID], entry.laidOut.chunks.matches(mark) else { continue }
                due[key.streamID, default: []].append(Due(key: key, laidOut: entry.laidOut, use: entry.use))
                state.entries[key]?.use.beginStoring()
            }
            return due
        }
    }

    /// Takes back layouts that could not be stored, so that they are tried again.
    func giveBack(_ due: [Due]) {
        state.withLock { state in
            for item in due { state.entries[item.key]?.use.endStoring() }
        }
    }

    /// Records that a layout, or only its stream's chunks, was stored.
    ///
    /// The result replaces the cached layout unless that has changed.
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
