import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// Compares what is stored of a stream with what its photo rows give, by a walk over all rows.
struct DerivedVerifier {
    let reader: PhotoReader
    let stream: StreamRow

    func verify(_ answer: inout VerificationAnswer) throws {
        let chunks = try reader.streamChunks(stream.id)
        let contents = try verifyChunks(chunks, &answer)
        for size in try reader.layoutSizes() where size.layout.streamID == stream.id {
            let byteCount = try reader.storedByteCount(layoutID: size.layout.id)
            if byteCount != size.layout.byteCount {
                answer.differences.append(
                    "\(stream.name), \(size.layout.layoutKey): \(size.layout.byteCount) bytes are counted, "
                        + "\(byteCount) are stored")
            }
            do {
                let engine = LayoutEngine(try LayoutKey(parsing: size.layout.layoutKey))
                try verify(size.layout, engine, chunks, contents, &answer)
            } catch is LayoutError {
                // Of another engine: nobody can ask for it any more.
                answer.outdatedCount += size.chunkCount
            }
        }
    }

    /// Walks the rows in stream order beside the chunks; gives what the chunks should hold.
    private func verifyChunks(_ chunks: StreamChunks, _ answer: inout VerificationAnswer) throws -> [ChunkContent] {
        var place: OrderKey?
        var expected: [ChunkContent] = []
        for (position, chunk) in chunks.chunks.enumerated() {
            let photos = try reader.photos(streamID: stream.id, after: place, limit: chunk.count)
            place = photos.last?.key
            let content = ChunkContent(
                metrics: PackedMetrics(photos.map(\.itemMetrics)), rowIDs: PackedRowIDs(photos.map(\.rowID)))
            answer.chunkCount += 1
            if chunk.positions != content.metrics.positionSummary {
                answer.differences.append("\(stream.name): chunk \(position) says other positions than its photos")
            }
            if photos.first?.key != chunk.firstKey {
                answer.differences.append("\(stream.name): chunk \(position) begins elsewhere than its first photo")
            }
            do {
                if try reader.content(of: chunk) != content {
                    answer.differences.append("\(stream.name): chunk \(position) does not hold what its photos say")
                }
            } catch let error as StorageError where error.code == .corrupt {
                answer.differences.append("\(stream.name): \(error.message)")
            }
            expected.append(content)
        }
        if try !reader.photos(streamID: stream.id, after: place, limit: 1).isEmpty {
            answer.differences.append("\(stream.name): photos lie behind the last chunk")
        }
        return expected
    }

    /// Folds the whole layout from nothing; what is stored and valid must be just that.
    private func verify(
        _ stored: StoredLayout, _ engine: LayoutEngine, _ chunks: StreamChunks, _ contents: [ChunkContent],
        _ answer: inout VerificationAnswer
    ) throws {
        let name = "\(stream.name), \(stored.layoutKey)"
        let placements = try reader.placements(layoutID: stored.id)
        var state = engine.initialState
        for position in engine.foldOrder(ofChunks: chunks.chunks.count) {
            let chunk = chunks.chunks[position]
            let result = engine.place(contents[position].metrics, from: state)
            let entryState = state.encoded
            state = result.exitState
            guard let chunkID = chunk.id, let found = placements[chunkID], found.version == chunk.version,
                found.entryState == entryState
            else {
                answer.outdatedCount += chunk.id.flatMap { placements[$0] } == nil ? 0 : 1
                continue
            }
            answer.placementCount += 1
            let expected = StoredPlacement(chunk, entryState: entryState, result)
            if found != expected {
                answer.differences.append("\(name): the place of chunk \(position) is wrong")
            }
            guard let frames = try reader.frames(layoutID: stored.id, found) else { continue }
            answer.framesCount += 1
            if frames != result.frames.encoded {
                answer.differences.append("\(name): the frames of chunk \(position) are wrong")
            }
        }
    }
}
