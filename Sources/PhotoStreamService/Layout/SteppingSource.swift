import PhotoStreamLayout

/// A laid-out stream that is asked item by item: the chunk that answered last is at hand for the next item.
final class SteppingSource: LayoutSource {
    private let placed: PlacedStream
    private var last: (position: Int, chunk: PlacedChunk)?

    init(_ placed: PlacedStream) {
        self.placed = placed
    }

    var directory: LayoutDirectory { placed.directory }

    func placedChunk(at position: Int) throws -> PlacedChunk {
        if let last, last.position == position { return last.chunk }
        let chunk = try placed.placedChunk(at: position)
        last = (position, chunk)
        return chunk
    }
}
