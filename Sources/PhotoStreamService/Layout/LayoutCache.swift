import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

/// The layouts that were asked for last, in memory, and what of them is to be stored.
///
/// An entry is used only while its stream has the same revision and its stored chunks the same generation as when it was
/// made; both are read in the transaction that asks. So an entry may be old, but what is answered from it is not.
final class LayoutCache: Sendable {
    /// Names a layout of a stream.
    struct Key: Hashable, Sendable {
        let streamID: Int64
        let layoutKey: LayoutKey
    }

    /// A layout that the file is to be told of.
    struct Work: Sendable {
        let key: Key
        let laidOut: LaidOutStream
        /// Whether something was computed; else only the time of its last use is news.
        let isUnsaved: Bool
    }

    private struct Entry {
        let laidOut: LaidOutStream
        var lastUse: Int
        var isUnsaved: Bool
        /// When the file was last told that it is in use.
        var lastFlush: Int64
        var isFlushDue = false
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var marks: [Int64: StreamMark] = [:]
        var clock = 0
        var foldedChunkCount = 0

        /// Drops entries, the least recently used first; the last one always stays.
        mutating func dropLeastUsed(beyond capacity: Int, unsavedBytes limit: Int) {
            var bytes = entries.values.reduce(0) { $0 + $1.laidOut.unsavedByteCount }
            while entries.count > 1, entries.count > capacity || bytes > limit,
                let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                bytes -= oldest.value.laidOut.unsavedByteCount
                entries[oldest.key] = nil
            }
        }
    }

    private static let capacity = 32
    // Frames and metrics that are not in the file yet; dropping them costs another fold and nothing else.
    private static let unsavedByteLimit = 128 << 20
    private static let flushInterval: Int64 = 60_000
    private let state = Mutex(State())

    /// How many chunks were folded for layouts that came in here.
    var foldedChunkCount: Int { state.withLock { $0.foldedChunkCount } }

    /// What is known of a stream's state, to look only at the log behind it.
    func mark(of streamID: Int64) -> StreamMark? { state.withLock { $0.marks[streamID] } }

    /// Remembers a stream's state.
    func remember(_ mark: StreamMark, of streamID: Int64) {
        state.withLock { $0.marks[streamID] = mark }
    }

    /// A layout that fits a stream's state, if it is at hand.
    func layout(_ key: Key, _ mark: StreamMark, now: Int64) -> LaidOutStream? {
        state.withLock { state in
            guard var entry = state.entries[key], entry.laidOut.chunks.fits(mark) else { return nil }
            state.clock += 1
            entry.lastUse = state.clock
            if now - entry.lastFlush > Self.flushInterval { entry.isFlushDue = true }
            state.entries[key] = entry
            return entry.laidOut
        }
    }

    /// A stream's chunks in that state, if a layout at hand has them: all of its layouts share them.
    func chunks(of streamID: Int64, _ mark: StreamMark) -> StreamChunks? {
        state.withLock { state in
            state.entries.first { $0.key.streamID == streamID && $0.value.laidOut.chunks.fits(mark) }?
                .value.laidOut.chunks
        }
    }

    /// Keeps a layout that was just resolved.
    func insert(_ laidOut: LaidOutStream, for key: Key, now: Int64) {
        state.withLock { state in
            state.clock += 1
            state.foldedChunkCount += laidOut.folded.count
            let lastFlush = laidOut.stored?.lastUsedMilliseconds ?? now
            state.entries[key] = Entry(
                laidOut: laidOut, lastUse: state.clock, isUnsaved: laidOut.isUnsaved, lastFlush: lastFlush,
                isFlushDue: now - lastFlush > Self.flushInterval)
            state.dropLeastUsed(beyond: Self.capacity, unsavedBytes: Self.unsavedByteLimit)
        }
    }

    /// Takes what the file is to be told, by stream; until it is given back it counts as told.
    func takeWork(now: Int64) -> [Int64: [Work]] {
        state.withLock { state in
            var work: [Int64: [Work]] = [:]
            for (key, entry) in state.entries where entry.isUnsaved || entry.isFlushDue {
                work[key.streamID, default: []].append(
                    Work(key: key, laidOut: entry.laidOut, isUnsaved: entry.isUnsaved))
                state.entries[key]?.isUnsaved = false
                state.entries[key]?.isFlushDue = false
                state.entries[key]?.lastFlush = now
            }
            return work
        }
    }

    /// Takes back what could not be written, to be tried again.
    func giveBack(_ work: [Work]) {
        state.withLock { state in
            for item in work {
                state.entries[item.key]?.isUnsaved = item.isUnsaved
                state.entries[item.key]?.isFlushDue = true
            }
        }
    }

    /// Forgets the layouts of a stream, so that the next question finds them in the file.
    func forget(_ streamID: Int64) {
        state.withLock { state in state.entries = state.entries.filter { $0.key.streamID != streamID } }
    }
}
