public import PhotoStreamModel
import PhotoStreamStorage

extension Session {
    /// Returns the statistics of streams.
    ///
    /// - Parameters:
    ///   - stream: The stream; `nil` for all streams.
    ///   - condition: If given, only the photos that meet it are counted; chunks, log and layouts are those of the stream.
    /// - Returns: The statistics, all of one state.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unansweredCondition(_:)``.
    /// - Complexity: O(photos of the file): one pass over the photo table, for one stream or for all.
    public func stats(of stream: StreamName? = nil, where condition: Condition? = nil) throws -> StatsAnswer {
        let named =
            try stream.map { [try photos(named: $0)] } ?? reader.streams().map { try NamedPhotos($0, in: reader) }
        let all = try reader.photoCounts()
        return StatsAnswer(
            streams: try stats(of: named, photos: photoCounts(of: named, where: condition, among: all)),
            fileCount: all.values.reduce(0) { $0 + $1.count }, fileByteCount: try reader.fileByteCount())
    }

    /// Returns the statistics of photos by their streams.
    private func photoCounts(
        of named: [NamedPhotos], where condition: Condition?, among all: [Int64: StreamStats]
    ) throws -> [Int64: StreamStats] {
        var counts = all
        for photos in named {
            let view = try ViewCondition(condition, among: photos, isInventory: true)
            guard view.condition != nil else { continue }
            var stats = StreamStats()
            try forEachStoredPhoto(of: photos, in: view) { if $0.photo.stack?.isHidden != true { stats.add($0) } }
            counts[photos.stream.id] = stats
        }
        return counts
    }

    /// Returns a text that differs if any data does that the statistics of a stream depend on, without reading photos.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(streams + chunks + rows of the change log).
    package func statsValidator(of stream: StreamName) throws -> String {
        let photos = try photos(named: stream)
        let (row, revision) = (photos.stream, try mark(of: photos.stream).revision)
        let stats = try stats(of: [photos], photos: [:])[0]
        let numbers: [any FixedWidthInteger] = [
            row.id, revision.rawValue, revision.tag ?? 0, stats.chunks.count, stats.chunks.least, stats.chunks.mean,
            stats.chunks.greatest, stats.logRowCount, stats.layoutCount, stats.layoutByteCount,
        ]
        return numbers.map { "\($0)" }.joined(separator: ".") + (photos.rule.map { " \($0.canonicalText)" } ?? "")
    }

    /// Returns the statistics of streams, with those of their photos given.
    private func stats(of named: [NamedPhotos], photos: [Int64: StreamStats]) throws -> [StreamStats] {
        let chunks = try reader.chunkCounts()
        let log = try reader.logCounts()
        let layouts = try reader.layoutSizes()
        return named.map { photosOfName in
            let row = photosOfName.stream
            var stats = photos[row.id] ?? StreamStats()
            // A kept view has none of its own, and does not tell those of its source.
            guard photosOfName.rule == nil else {
                stats.name = row.name
                return stats
            }
            let stored = layouts.filter { $0.layout.streamID == row.id }
            (stats.name, stats.chunks, stats.logRowCount) = (row.name, chunks[row.id] ?? ChunkStats(), log[row.id] ?? 0)
            (stats.layoutCount, stats.layoutByteCount) = (
                stored.count, stored.reduce(0) { $0 + Int($1.layout.byteCount) }
            )
            return stats
        }
    }
}
