package import PhotoStreamModel

/// A stream at a past revision, described by its differences from the current chunks.
package struct PastStream: Sendable {
    /// Consecutive current photos, with their former positions.
    package struct Run: Hashable, Sendable {
        /// The former position of the first photo; `nil` for photos that were not in the stream.
        package let old: Int?
        /// The number of photos.
        package let count: Int
        /// Whether their fields have been written to since.
        package let isUpdated: Bool
    }

    /// The former metrics between each current chunk's first place and the next chunk's.
    ///
    /// `nil` if they equal the chunk's current metrics. A stream without chunks has one entry.
    package let metrics: [PackedMetrics?]
    /// All current photos, in stream order.
    package let runs: [Run]
    /// The changed photos, by their former positions.
    package let changed: [Int: NetChange]

    fileprivate init(_ chunks: StreamChunks, undone: [Int: UndoneChunk]) {
        let counts = chunks.chunks.isEmpty ? [0] : chunks.chunks.map(\.count)
        var starts: [Int] = []
        var end = 0
        for (position, count) in counts.enumerated() {
            starts.append(end)
            end += undone[position]?.metrics.count ?? count
        }
        var changed: [Int: NetChange] = [:]
        var oldPositions: [PhotoID: Int] = [:]
        for (position, chunk) in undone {
            for (offset, change) in chunk.restored {
                changed[starts[position] + offset] = change
                oldPositions[change.id] = starts[position] + offset
            }
        }
        self.changed = changed
        metrics = counts.indices.map { position in
            undone[position].flatMap { $0.isAsNow ? nil : $0.metrics }
        }
        runs = counts.indices.flatMap { position in
            guard let chunk = undone[position] else {
                return [Run(old: starts[position], count: counts[position], isUpdated: false)]
            }
            return chunk.segments.map { segment in
                switch segment {
                case .kept(let first, let count): Run(old: starts[position] + first, count: count, isUpdated: false)
                case .changed(let change): Run(old: oldPositions[change.id], count: 1, isUpdated: change.isUpdated)
                }
            }
        }
    }
}

extension PhotoReader {
    /// Reconstructs a stream before some changes.
    ///
    /// - Parameters:
    ///   - chunks: The stream's chunks in this transaction.
    ///   - changes: The result of ``netChanges(streamID:after:)`` in this transaction.
    ///   - willUndo: Called before each changed chunk, with the fraction of them done so far. An error ends the work.
    /// - Returns: The former stream.
    /// - Throws: ``ReadInterruption`` if chunks and photos contradict each other, and errors of `willUndo`.
    /// - Complexity: O(chunks + changes × log photos + photos of changed chunks).
    package func pastStream(
        _ chunks: StreamChunks, before changes: [NetChange], willUndo: (Double) throws -> Void = { _ in }
    ) throws -> PastStream {
        var touched: [Int: TouchedChunk] = [:]
        for change in changes {
            if let key = change.present {
                touched[chunks.position(covering: key) ?? 0, default: TouchedChunk()].added.append((key, change))
            }
            if let key = change.past?.key {
                touched[chunks.position(covering: key) ?? 0, default: TouchedChunk()].gone.append((key, change))
            }
        }
        var undone: [Int: UndoneChunk] = [:]
        for (position, chunk) in touched {
            try willUndo(Double(undone.count) / Double(touched.count))
            let isThere = chunks.chunks.indices.contains(position)
            undone[position] = try chunk.undone(isThere ? chunks.chunks[position] : nil, reader: self)
        }
        return PastStream(chunks, undone: undone)
    }
}

/// The changes in a chunk.
private struct TouchedChunk {
    /// The changed photos that it contains now, and those that it contained before.
    var added: [(key: OrderKey, change: NetChange)] = []
    var gone: [(key: OrderKey, change: NetChange)] = []

    /// Returns the former state of the chunk.
    func undone(_ chunk: PhotoChunk?, reader: PhotoReader) throws -> UndoneChunk {
        let content = try chunk.map { try reader.content(of: $0) }
        var search = KeySearch(reader: reader, rowIDs: content?.rowIDs.ids ?? [])
        var (result, next): (UndoneChunk, Int) = (UndoneChunk(), 0)
        var parts: [PackedMetrics] = []
        func keep(upTo position: Int) {
            guard position > next, let content else { return }
            result.segments.append(.kept(first: result.count, count: position - next))
            parts.append(content.metrics[next..<position])
            result.count += position - next
            next = position
        }
        let added = added.sorted { $0.key > $1.key }
        var rest = gone.sorted { $0.key > $1.key }[...]
        func restore(from key: OrderKey?) throws {
            while let photo = rest.first, key.map({ photo.key >= $0 }) ?? true {
                rest.removeFirst()
                guard let past = photo.change.past else { continue }
                keep(upTo: try search.position(atOrAfter: photo.key))
                result.restored.append((result.count, photo.change))
                parts.append(PackedMetrics([past.metrics]))
                result.count += 1
            }
        }
        for photo in added {
            try restore(from: photo.key)
            let position = try search.position(atOrAfter: photo.key)
            guard try search.key(at: position) == photo.key else {
                throw ReadInterruption.contradiction(
                    "a chunk lacks photo \(photo.change.id); `photostream cache clear` repairs it")
            }
            keep(upTo: position)
            result.segments.append(.changed(photo.change))
            next = position + 1
        }
        try restore(from: nil)
        keep(upTo: content?.count ?? 0)
        result.metrics = PackedMetrics(joining: parts)
        result.isAsNow = result.metrics == content?.metrics
        return result
    }
}

/// The former state of a chunk.
private struct UndoneChunk {
    /// A part of the current chunk.
    enum Segment {
        /// Unchanged photos, with the former position of the first.
        case kept(first: Int, count: Int)
        /// A changed or added photo.
        case changed(NetChange)
    }

    var count = 0
    var metrics = PackedMetrics(words: EmptyCollection())
    var isAsNow = false
    var segments: [Segment] = []
    var restored: [(offset: Int, change: NetChange)] = []
}

/// Finds places among the photos of a chunk.
///
/// Their keys are not stored with the chunk, so a few are looked up.
private struct KeySearch {
    let reader: PhotoReader
    let rowIDs: [Int64]
    private var known: [Int: OrderKey] = [:]

    init(reader: PhotoReader, rowIDs: [Int64]) {
        (self.reader, self.rowIDs) = (reader, rowIDs)
    }

    /// Returns the first position whose photo is at or after a place.
    mutating func position(atOrAfter key: OrderKey) throws -> Int {
        var (low, high) = (0, rowIDs.count)
        while low < high {
            let middle = low + (high - low) / 2
            if try self.key(at: middle).map({ $0 > key }) ?? false { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the place of the photo at a position; `nil` after the last.
    mutating func key(at position: Int) throws -> OrderKey? {
        guard rowIDs.indices.contains(position) else { return nil }
        if let key = known[position] { return key }
        let key = try reader.database.first(PhotoSQL.keyByRowID, with: rowIDs[position]) { try $0.orderKey(0) }
        guard let key else {
            throw ReadInterruption.contradiction(
                "photo row \(rowIDs[position]) is missing; `photostream cache clear` repairs it")
        }
        known[position] = key
        return key
    }
}
