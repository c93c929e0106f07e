public import PhotoStreamModel
import PhotoStreamStorage

/// The tags, albums, cameras, years, ratings and folders that the photos of a stream, or of a part of it, have in common.
public struct FacetsAnswer: Hashable, Sendable {
    /// The stream's name.
    public let stream: StreamName
    /// The condition that the photos meet, with fixed days; `nil` for all photos.
    public let condition: Condition?
    /// The state of the stream.
    public let revision: Revision
    /// The number of photos.
    public let count: Int
    /// The facets; a kind is missing if its values may not be read.
    public let facets: [FacetKind: [Facet]]
    /// The kinds with more than 10,000 different values: some are not counted.
    public let incomplete: Set<FacetKind>
}

/// The albums of the photos of a stream, or of a part of it.
public struct AlbumsAnswer: Hashable, Sendable {
    /// The stream's name.
    public let stream: StreamName
    /// The condition that the photos meet, with fixed days; `nil` for all photos.
    public let condition: Condition?
    /// The state of the stream.
    public let revision: Revision
    /// The albums by path, each after those that contain it.
    public let albums: [Facet]
    /// Whether there are more than 10,000 albums, so that some are missing.
    public let isIncomplete: Bool
}

extension Session {
    /// Returns values that photos have in common, with the number of photos that adding each to the condition leaves.
    ///
    ///     let answer = try service.read { try $0.facets(of: stream, where: Condition(parsing: "beach")) }
    ///     for year in answer.facets[.years] ?? [] { print(year.text, year.count, year.condition) }
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - condition: The condition that the photos meet; `nil` for all photos.
    ///   - limit: The maximum number of facets of each kind, 1 to ``PhotoStreamService/maximumFacetCount``.
    ///   - readable: The values that the readers of the answer see; other kinds are left out.
    /// - Returns: The facets.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unansweredCondition(_:)``,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(photos), from attributes in memory or in the file; from rows the first time.
    public func facets(
        of stream: StreamName, where condition: Condition? = nil, limit: Int = PhotoStreamService.defaultFacetCount,
        readable: ConditionInputs = .all
    ) throws -> FacetsAnswer {
        let maximum = PhotoStreamService.maximumFacetCount
        guard (1...maximum).contains(limit) else { throw StreamServiceError.invalidLimit(limit, maximum: maximum) }
        let (row, view, counts, photoCount) = try facetCounts(of: stream, where: condition)
        let kinds = FacetKind.allCases.filter { $0.inputs.isSubset(of: readable) }
        return FacetsAnswer(
            stream: row.name, condition: view.asked, revision: try mark(of: row).revision, count: photoCount,
            facets: Dictionary(uniqueKeysWithValues: kinds.map { ($0, counts.facets($0, limit: limit)) }),
            incomplete: counts.incomplete.intersection(kinds))
    }

    /// Returns the albums of photos, and those above them, by path.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - condition: The condition that the photos meet; `nil` for all photos.
    /// - Returns: The albums, with the number of photos in each and in those below it.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unansweredCondition(_:)``.
    /// - Complexity: As ``facets(of:where:limit:readable:)``.
    public func albums(of stream: StreamName, where condition: Condition? = nil) throws -> AlbumsAnswer {
        let (row, view, counts, _) = try facetCounts(of: stream, where: condition)
        let albums = counts.facets(.albums, limit: FacetCounts.maximumValueCount)
        return AlbumsAnswer(
            stream: row.name, condition: view.asked, revision: try mark(of: row).revision,
            albums: albums.map { (FoldedText.path(of: $0.text), $0) }
                .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1),
            isIncomplete: counts.incomplete.contains(.albums))
    }

    private func facetCounts(
        of stream: StreamName, where condition: Condition?
    ) throws -> (row: StreamRow, view: ViewCondition, counts: FacetCounts, photoCount: Int) {
        let (row, view) = try selection(of: stream, where: condition)
        let fold = InFlightFold()
        defer { service.layouts.end(fold) }
        let work = ChunkWork(service, for: fold, in: reader)
        let (source, selection) = try selection(
            of: ViewKey(row, among: view), row, work: work, progress: { _ in })
        var (counts, photoCount) = (FacetCounts(), 0)
        for (position, chunk) in source.chunks.enumerated() {
            let part = selection?.parts[position]
            let shown = selection == nil ? chunk : part?.chunk
            guard let shown else { continue }
            photoCount += shown.count
            try work.begin()
            let attributes = try service.attributes.attributes(
                of: chunk, in: source.streamID, rowIDs: { try reader.content(of: chunk).rowIDs }, reader: reader
            ) {
                service.countWork { $0.packedChunkCount += 1 }
            }
            try counts.add(attributes, of: part?.mask) {
                try reader.photos(rowIDs: reader.content(of: shown).rowIDs.ids).map(\.photo)
            }
        }
        return (row, view, counts, photoCount)
    }
}

extension PhotoStreamService {
    /// The number of facets of each kind in an answer whose question has no limit.
    public static let defaultFacetCount = 20
    /// The maximum number of facets of each kind in an answer.
    public static let maximumFacetCount = 100
}
