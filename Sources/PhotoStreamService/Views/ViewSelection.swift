import PhotoStreamModel
import PhotoStreamStorage

/// The photos of a stream that meet a condition, at one revision.
///
/// A view's chunks are those of its stream without the other photos, so that everything that lays out, pages and finds the
/// photos of a stream does so with those of a view.
struct ViewSelection: Sendable {
    /// The selected photos of a chunk.
    struct Part: Sendable {
        /// Their positions in the chunk.
        let mask: PhotoMask
        /// The chunk without the other photos, with a mark of its own as long as these stay the same; `nil` if none is left.
        let chunk: PhotoChunk?
    }

    /// The chunks of the stream.
    let source: StreamChunks
    /// The selected photos of each of these chunks.
    let parts: [Part]
    /// The chunks of the view.
    let chunks: StreamChunks

    /// Selects the photos that meet a condition.
    ///
    /// - Parameters:
    ///   - source: The chunks of the stream as of the transaction.
    ///   - condition: The condition, with fixed days.
    ///   - stream: The stream.
    ///   - earlier: The selection at an earlier revision, if it is in memory: only chunks with changed photos are read.
    ///   - service: The service, which caches attributes of chunks.
    ///   - reader: The transaction.
    ///   - work: Counts the chunks that are read.
    ///   - progress: Called with the fraction done, up to 1. An error ends the work.
    /// - Throws: The errors of reading, `work` and `progress`.
    /// - Complexity: O(photos of the chunks that are read).
    init(
        of source: StreamChunks, by condition: Condition, in stream: StreamName, earlier: ViewSelection?,
        service: PhotoStreamService, reader: PhotoReader, work: ChunkWork, progress: (Double) throws -> Void
    ) throws {
        var unchanged: [ChunkMark: Part] = [:]
        if let earlier {
            for (chunk, part) in zip(earlier.source.chunks, earlier.parts) { unchanged[chunk.mark] = part }
        }
        let reused = source.chunks.map { unchanged[$0.mark] }
        // Reading the photos of a few chunks is faster than searching the words of all photos.
        let isShort = reused.count { $0 == nil } <= Self.chunksWithoutIndex
        if !isShort { try work.begin(atOnce: ChunkWork.freeChunkCount + 1) }
        let words = isShort ? nil : try FoundWords(condition, in: reader) { try work.check() }
        let answers = TextAnswers()
        let usesAttributes = condition.root.terms.contains(where: ChunkAttributes.decides)
        let parts = try zip(source.chunks, reused).enumerated().map { position, found in
            let (chunk, part) = found
            if let part { return part }
            try work.begin()
            try progress(Double(position) / Double(source.chunks.count))
            let whole = try reader.content(of: chunk)
            let attributes =
                usesAttributes
                ? try service.attributes.attributes(
                    of: chunk, in: source.streamID, rowIDs: { whole.rowIDs }, reader: reader
                ) {
                    service.countWork { $0.packedChunkCount += 1 }
                } : nil
            return try Self.part(
                of: chunk,
                ChunkFacts(
                    stream: stream, content: whole, words: words, attributes: attributes, answers: answers),
                by: condition,
                reader: reader)
        }
        self.init(of: source, parts: parts)
    }

    /// The number of chunks up to which their photos are read instead of the index of words.
    private static let chunksWithoutIndex = 2

    private init(of source: StreamChunks, parts: [Part]) {
        (self.source, self.parts, chunks) = (source, parts, source.selecting(parts.map(\.chunk)))
    }

    /// The same photos after the chunks of the stream were stored.
    ///
    /// - Parameter stored: The chunks in the file, in the same order as in ``source``.
    /// - Returns: The selection.
    func adopting(_ stored: StreamChunks) -> ViewSelection { ViewSelection(of: stored, parts: parts) }

    /// The cost of keeping it, in photos; a chunk takes as much as 32, with or without any.
    var cost: Int { chunks.photoCount + 32 * source.chunks.count }

    private static func part(
        of chunk: PhotoChunk, _ facts: ChunkFacts, by condition: Condition, reader: PhotoReader
    ) throws -> Part {
        let verdict = try condition.verdict(from: facts)
        var mask = verdict.met
        let open = verdict.open.map { (position: $0, rowID: facts.content.rowIDs[$0]) }
        for position in try Self.positions(in: open, meeting: condition, of: facts.stream, reader: reader) {
            mask.insert(position)
        }
        return Part(mask: mask, chunk: chunk.selecting(facts.content.selecting(mask.positions)))
    }

    /// Returns the positions of photos that meet a condition, out of their rows.
    private static func positions(
        in photos: [(position: Int, rowID: Int64)], meeting condition: Condition, of stream: StreamName,
        reader: PhotoReader
    ) throws -> [Int] {
        // The days of the condition are fixed, so any current day leads to the same answer.
        let today = CivilDate(daysSince1970: 0)
        return try zip(photos, reader.photos(rowIDs: photos.map(\.rowID))).compactMap { photo, stored in
            condition.matches(ConditionSubject(stored.photo, in: stream, today: today)) ? photo.position : nil
        }
    }
}
