import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

/// The layouts that were asked for last, in memory, and those of them that are to be stored.
///
/// An entry is of one revision of its stream and is used for that revision only, so nothing in here can be stale.
final class LayoutCache: Sendable {
    /// Names a layout of a stream.
    struct Key: Hashable, Sendable {
        let streamID: Int64
        let layoutKey: LayoutKey
    }

    private struct Entry {
        let laidOut: LaidOutStream
        var lastUse: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var unsaved: [Key: LaidOutStream] = [:]
        var clock = 0
        var foldedChunkCount = 0
    }

    // A directory takes some hundred bytes a chunk: at 10 million photos a megabyte or two for each layout.
    private static let capacity = 32
    private let state = Mutex(State())

    var foldedChunkCount: Int { state.withLock { $0.foldedChunkCount } }

    /// The layout of a stream at a revision, if it is at hand.
    func layout(_ key: Key, revision: Revision) -> LaidOutStream? {
        state.withLock { state in
            guard let laidOut = state.entries[key]?.laidOut, laidOut.chunks.revision == revision.rawValue else {
                return nil
            }
            state.clock += 1
            state.entries[key]?.lastUse = state.clock
            return laidOut
        }
    }

    /// Keeps a layout that was just resolved, and marks it for storing where the file does not have it.
    func insert(_ laidOut: LaidOutStream, for key: Key, wantsStoring: Bool) {
        state.withLock { state in
            state.clock += 1
            state.foldedChunkCount += laidOut.folded.count
            state.entries[key] = Entry(laidOut: laidOut, lastUse: state.clock)
            state.unsaved[key] = wantsStoring ? laidOut : nil
            guard state.entries.count > Self.capacity else { return }
            let oldest = state.entries.min { $0.value.lastUse < $1.value.lastUse }
            if let oldest { state.entries[oldest.key] = nil }
        }
    }

    /// Takes what is to be stored.
    func takeUnsaved() -> [Key: LaidOutStream] {
        state.withLock { state in
            let unsaved = state.unsaved
            state.unsaved = [:]
            return unsaved
        }
    }

    /// Forgets a layout, so that the next question finds it in the file.
    func remove(_ key: Key) {
        state.withLock { $0.entries[key] = nil }
    }

    /// Forgets everything.
    func removeAll() {
        state.withLock { state in
            state.entries = [:]
            state.unsaved = [:]
        }
    }
}
