public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

/// The beginning of a list of the photos of a map's cluster, or of those without a position.
public enum ClusterStart: Hashable, Sendable {
    /// The first photos of the cluster whose cell contains a point of the content, in points.
    case at(Point)
    /// The first photos without a position.
    case unlocated
    /// The photos after an answer with this cursor.
    case after(String)
}

/// Photos of a map's cluster, or photos without a position, in stream order.
public struct ClusterAnswer: Hashable, Sendable {
    /// The stream, revision, layout key and content size.
    public let context: LayoutContext
    /// The number of all photos of the cluster, or of all without a position.
    public let count: Int
    /// The bounds of their positions; `nil` without a position.
    public let bounds: GeographicBounds?
    /// The photos after the cursor's place.
    ///
    /// Each has the frame of the cluster, and all but the first of the cluster are hidden; those without a position have no
    /// extent.
    public let items: [PlacedPhoto]
    /// The cursor to continue with; `nil` after the last photo.
    public let nextCursor: String?

    /// Whether more photos follow.
    public var isTruncated: Bool { nextCursor != nil }
}

extension SessionLayout {
    /// Returns photos of a cluster of a map, or photos without a position, in stream order.
    ///
    /// - Parameters:
    ///   - start: The cluster, or the cursor of an earlier answer. A cluster without photos has none.
    ///   - limit: The maximum number of photos, 1 to ``PhotoStreamService/maximumLimit``; fewer are returned if they
    ///     would take more than ``PhotoStreamService/maximumByteCount``.
    /// - Returns: The photos.
    /// - Throws: ``StreamServiceError/noClusters(_:)``, `LayoutError` for NaN and infinite values,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``, ``StreamServiceError/invalidCursor(_:)``,
    ///   ``StreamServiceError/outdatedCursor``.
    /// - Complexity: O(photos of the cluster), and reading the photos of the answer, if the layout is cached.
    public func cluster(
        _ start: ClusterStart, limit: Int = PhotoStreamService.defaultLimit
    ) throws -> ClusterAnswer {
        try session.checkLimit(limit)
        guard engine.hasClusters else { throw StreamServiceError.noClusters(key.algorithm.name) }
        let (photos, place) = try photos(of: start)
        let placed = try placed()
        let first = try place.map { try placed.index(after: $0) } ?? 0
        let found = placed.directory.attributes(of: photos, from: first, limit: limit + 1)
        let rowIDs = try placed.rowIDs(of: found.prefix(limit).map(\.index))
        let rows = try session.reader.packedRows(rowIDs, within: PhotoStreamService.maximumByteCount)
        let shown = Array(found.prefix(rows.count))
        var next: String?
        if found.count > shown.count, !shown.isEmpty {
            next = try cursorCodec().text(
                ClusterCursor(
                    streamID: stream.id, layoutKey: key, photos: photos, place: rows.key(at: shown.count - 1),
                    revision: placed.laidOut.chunks.revision))
        }
        let (count, box) = placed.directory.summary(of: photos)
        return ClusterAnswer(
            context: placed.context, count: count, bounds: box.map { GeographicBounds($0) },
            items: try session.photos(at: shown, rowIDs: Array(rowIDs.prefix(shown.count)), of: self.photos) {
                rows[$0]
            },
            nextCursor: next)
    }

    /// Returns whether ``cluster(_:limit:)`` returns immediately; see ``isReady()``.
    ///
    /// - Throws: ``StreamServiceError/invalidCursor(_:)``.
    public func isReady(for start: ClusterStart) throws -> Bool {
        if case .after(let text) = start, try session.reader.isAhead(cursor(text).revision) { return false }
        return try isReady()
    }

    private func cursor(_ text: String) throws -> ClusterCursor {
        try cursorCodec().clusterCursor(text, streamID: stream.id, layoutKey: key)
    }

    private func photos(of start: ClusterStart) throws -> (photos: ClusterPhotos, place: OrderKey?) {
        switch start {
        case .at(let point): return (.at(try key.displayScale.pixel(holding: point)), nil)
        case .unlocated: return (.unlocated, nil)
        case .after(let text):
            let content = try cursor(text)
            try session.requireNotLost(content.revision)
            return (content.photos, content.place)
        }
    }
}

extension PlacedStream {
    /// Returns the photos of the cluster of each item, by positions in stream order; empty if the layout has no clusters.
    ///
    /// - Complexity: That of one cluster for each item.
    func clusters(ofItemsAt indices: some Sequence<Int>) throws -> [PositionSummary?] {
        guard directory.engine.hasClusters else { return [] }
        let source = SteppingSource(self)
        return try indices.map { try source.cluster(ofItemAt: $0)?.positions }
    }
}
