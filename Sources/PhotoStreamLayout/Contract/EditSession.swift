/// Which chunks edits have touched; chunks keep their positions until all edits are made.
struct EditSession {
    /// Positions of chunks that were touched; some more than once.
    private(set) var touched: [Int] = []
    /// Whether photos may have other positions than the directory says.
    private(set) var hasEdits = false
    /// How many photos each chunk holds, once several edits need it.
    private var counts: [Int]?
    /// How many photos chunks hold that were touched before that.
    private var changed: [(chunk: Int, count: Int)] = []

    /// A session over chunks that the directory knows.
    init() {}

    /// A session over chunks that no directory knows.
    init(_ chunks: [StreamChunk]) {
        counts = chunks.map(\.count)
        hasEdits = true
    }

    /// Finds the chunk of a position; the last one for the position behind all photos.
    ///
    /// - Complexity: O(log chunks) for the first edit, O(chunks) for those behind it.
    mutating func locate(_ index: Int, _ directory: LayoutDirectory) -> (chunk: Int, offset: Int) {
        guard hasEdits else {
            let chunk = directory.chunk(containing: index) ?? max(0, directory.chunks.count - 2)
            return (chunk, index - directory.chunks[chunk].items.lowerBound)
        }
        var start = 0
        let all = allCounts(directory)
        for (chunk, count) in all.enumerated() {
            if index < start + count || chunk == all.count - 1 { return (chunk, index - start) }
            start += count
        }
        return (0, index)
    }

    private mutating func allCounts(_ directory: LayoutDirectory) -> [Int] {
        if let counts { return counts }
        // Behind the chunks stands the ending; a stream without photos has nothing else.
        var found = directory.chunks.dropLast().map(\.items.count)
        if found.isEmpty { found = [0] }
        for (chunk, count) in changed { found[chunk] = count }
        counts = found
        return found
    }

    /// Notes that a chunk was touched.
    mutating func touch(_ chunk: Int) {
        touched.append(chunk)
    }

    /// Notes how many photos a chunk holds now.
    mutating func touch(_ chunk: Int, count: Int) {
        touched.append(chunk)
        hasEdits = true
        if counts == nil { changed.append((chunk, count)) } else { counts?[chunk] = count }
    }
}
