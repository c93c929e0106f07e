public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// The most stops of a scrubber.
    public static let maximumScrubberSteps = 1_000

    /// Which date lies where: stops at even distances of the content, for a scroll bar that names dates.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - steps: How many stops, 1 to ``maximumScrubberSteps``; a single one is the start.
    /// - Returns: The stops. Sections come from the section table; the photo and its date from the one chunk that lies
    ///   at the stop.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/invalidSteps(_:maximum:)``.
    /// - Complexity: O(steps × (log sections + log photos)), and the content of at most one chunk for each stop, of
    ///   which none is read twice in a row, when the layout is at hand.
    public func scrubber(of stream: StreamName, _ key: LayoutKey, steps: Int) throws -> ScrubberAnswer {
        guard (1...Self.maximumScrubberSteps).contains(steps) else {
            throw StreamServiceError.invalidSteps(steps, maximum: Self.maximumScrubberSteps)
        }
        return try withLayout(of: stream, key) { row, placed in
            let directory = placed.directory
            var dates = OrderDates(placed)
            return ScrubberAnswer(
                context: LayoutContext(row, placed.laidOut),
                stops: try placed.scrubberPlaces(steps).map { place in
                    ScrubberStop(
                        offset: place.offset, section: place.section,
                        sectionID: directory.sections[place.section].mark.id(key.sections.sectioning),
                        index: place.index, date: try dates.date(at: place.index))
                })
        }
    }
}

/// The dates of photos by their positions, which are asked for in ascending order.
private struct OrderDates {
    private let placed: PlacedStream
    private var open: (items: Range<Int>, metrics: PackedMetrics)?

    init(_ placed: PlacedStream) {
        self.placed = placed
    }

    mutating func date(at index: Int) throws -> OrderDate {
        if open?.items.contains(index) != true, let chunk = placed.directory.chunk(containing: index) {
            let metrics = try placed.reader.metrics(of: placed.laidOut.chunks.chunks[chunk])
            open = (placed.directory.chunks[chunk].items, metrics)
        }
        guard let open else { return .undated }
        return open.metrics[index - open.items.lowerBound].orderDate
    }
}
