import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport

/// A stream that was laid out in pieces of any length, with nothing but encoded bytes handed from one to the next.
struct CutLayout: LayoutSource {
    let directory: LayoutDirectory
    /// The state after every piece, as bytes, in the order of folding.
    let states: [[UInt8]]
    private let chunks: [PlacedChunk]

    /// Lays out items.
    ///
    /// - Parameters:
    ///   - key: The configuration.
    ///   - items: The items in stream order.
    ///   - lengths: The lengths of the pieces, repeated as needed; a piece may be empty.
    ///   - encodes: Whether states are passed on as bytes, which is possible except for a placement rule.
    /// - Throws: The engine's error about a state that it wrote itself.
    init(_ key: LayoutKey, _ items: [ItemMetrics], lengths: [Int], encodes: Bool = true) throws {
        let engine = LayoutEngine(key)
        let metrics = PackedMetrics(items)
        var directory = LayoutDirectory(engine)
        var (chunks, states): ([PlacedChunk], [[UInt8]]) = ([], [])
        var (state, start, placed, turn) = (engine.initialState, 0, 0, 0)
        while start < items.count {
            let end = min(items.count, start + lengths[turn % lengths.count])
            let piece = engine.foldsBackward ? items.count - end..<items.count - start : start..<end
            let placement = engine.place(metrics[piece], from: state)
            directory.append(count: end - start, extents: placement.extents, sections: placement.sections)
            let next = placed + placement.extents.placedCount
            // A backward fold leaves nothing open.
            let own = engine.foldsBackward ? piece : placed..<next
            chunks.append(PlacedChunk(metrics: metrics[own], frames: placement.frames))
            let bytes = placement.exitState.encoded
            states.append(bytes)
            state = encodes ? try engine.state(decoding: bytes) : placement.exitState
            (start, placed, turn) = (end, next, turn + 1)
        }
        let ending = engine.close(state)
        directory.finish(ending)
        if engine.foldsBackward { chunks.reverse() }
        chunks.append(PlacedChunk(metrics: metrics[placed..<items.count], frames: ending.frames))
        self.directory = directory
        self.chunks = chunks
        self.states = states
    }

    func placedChunk(at position: Int) -> PlacedChunk { chunks[position] }
}

extension LayoutSource where Failure == Never {
    /// The frame of every item; `nil` for one that is hidden.
    var shownFrames: [PixelRect?] {
        (0..<directory.itemCount).map { index in
            attributes(forItemAt: index).flatMap { $0.isHidden ? nil : $0.frame }
        }
    }
}
