import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

/// A stream laid out as of one revision: where its chunks stand, and how to get at what they hold.
///
/// It has few frames. Those of a chunk are read from the file, or made again from the chunk's checkpoint, when they are
/// first served; the last ones are kept.
struct LaidOutStream: Sendable {
    let chunks: StreamChunks
    let directory: LayoutDirectory
    /// One for each chunk; the chunk id is 0 while the chunk is not stored.
    let placements: [StoredPlacement]
    /// Whether the file has the placement, one for each chunk.
    let isStored: [Bool]
    /// The frames of what was still open behind the last chunk.
    let endingFrames: PackedFrames
    /// The layout's row in the file, if it has one.
    let storedID: Int64?
    /// Frames that were made for an answer and are to be stored.
    let served = ServedFrames()
    /// Frames that were read from the file for an answer.
    let read = ServedFrames()

    var engine: LayoutEngine { directory.engine }

    /// Whether the layout stores anything of its own: places that are computed are never stored.
    var isStorable: Bool { !engine.placesByFunction }

    /// How many placements the file lacks.
    var unsavedPlacementCount: Int { isStorable ? isStored.count { !$0 } : 0 }

    /// The same without anything of it in the file.
    var unstored: LaidOutStream {
        LaidOutStream(
            chunks: chunks, directory: directory, placements: placements, isStored: isStored.map { _ in false },
            endingFrames: endingFrames, storedID: nil)
    }

    /// What its checkpoints take in the file, as the budget counts.
    var checkpointByteCount: Int64 { placements.reduce(0) { $0 + $1.byteCount } }

    /// About how much memory it takes: what is kept for each chunk and section, and what is not in the file yet.
    ///
    /// Layouts of one stream share chunks that are not stored, so a sum over layouts is an upper bound.
    var byteCount: Int {
        let contents = chunks.chunks.reduce(0) { $0 + ($1.unsavedContent == nil ? 0 : 16 * $1.count) }
        return 512 * placements.count + 32 * directory.sections.count + contents + served.byteCount + read.byteCount
    }
}

/// Frames in memory, by the chunk's position.
final class ServedFrames: Sendable {
    private struct State {
        var frames: [Int: PackedFrames] = [:]
        var byteCount = 0
    }

    /// The most that is kept, in bytes; beyond it all are forgotten, since they can be read or made again.
    private static let byteLimit = 1 << 20
    private let state = Mutex(State())

    var byteCount: Int { state.withLock { $0.byteCount } }

    subscript(position: Int) -> PackedFrames? { state.withLock { $0.frames[position] } }

    /// Keeps frames.
    func keep(_ frames: PackedFrames, at position: Int) {
        state.withLock { state in
            if state.byteCount + frames.byteCount > Self.byteLimit { (state.frames, state.byteCount) = ([:], 0) }
            if state.frames.updateValue(frames, forKey: position) == nil { state.byteCount += frames.byteCount }
        }
    }

    /// All of them.
    var all: [Int: PackedFrames] { state.withLock { $0.frames } }
}
