package import PhotoStreamLayout
package import PhotoStreamModel

/// A naive implementation of every layout, written from the specification alone: the reference of the engine's tests.
///
/// It shares types with the engine (a configuration in, rectangles out), but no code: it uses integers only, handles
/// one section and one item after the other, and filters rectangles. It is slow and simple on purpose.
package struct NaiveLayout {
    /// The frame of every item in device pixels, in stream order; `nil` for a hidden one.
    package private(set) var frames: [PixelRect?] = []
    /// The caption's part of each frame's height.
    package private(set) var captionExtents: [Int64] = []
    /// The sections, in order.
    package private(set) var sections: [NaiveSection] = []
    /// The size of the content, including insets.
    package let contentSize: PixelExtent
    /// The positions of each section's items in stream order.
    package private(set) var itemsBySection: [[Int]] = []
    private let displayScale: Double

    /// Lays out items.
    ///
    /// - Parameters:
    ///   - configuration: A valid configuration.
    ///   - items: The items in stream order.
    ///   - sectionLengths: The number of items in each section, in place of sections by date.
    ///   - undecidedLimit: The maximum number of undecided items of optimal lines, in place of the documented one.
    package init(
        _ configuration: LayoutConfiguration, items: [ItemMetrics], sectionLengths: [Int]? = nil,
        undecidedLimit: Int = 1_024
    ) {
        displayScale = configuration.displayScale
        if case .map(let parameters) = configuration.algorithm {
            let map = NaiveMap(configuration, parameters: parameters, items: items)
            (frames, sections, contentSize) = (map.frames, map.sections, map.contentSize)
            itemsBySection = [0, 1].map { section in items.indices.filter { map.paths[$0].section == section } }
            captionExtents = items.map { _ in 0 }
            return
        }
        let measures = NaiveMeasures(configuration)
        let algorithm = Self.algorithm(of: configuration, measures: measures, undecidedLimit: undecidedLimit)
        let lengths = sectionLengths ?? NaiveSections.lengths(items, by: configuration.sections.sectioning)
        var (first, top) = (0, measures.contentInset.before)
        var placed: [NaiveFrame?] = []
        for length in lengths {
            let block = algorithm.place(Array(items[first..<first + length]))
            let origin = top + measures.header + measures.sectionInset.before
            placed += block.frames.map { $0?.moved(by: origin) }
            let end = origin + block.end + measures.sectionInset.after + measures.footer
            itemsBySection.append(Array(first..<first + length))
            sections.append(NaiveSection(items: first..<first + length, origin: top, end: end))
            (first, top) = (first + length, end)
        }
        let contentExtent = top + measures.contentInset.after
        let screen = NaiveScreen(measures, contentExtent: contentExtent)
        frames = placed.map { $0.map(screen.rect) }
        captionExtents = placed.map { $0?.caption ?? 0 }
        for index in sections.indices { sections[index].addElements(configuration, measures: measures, screen: screen) }
        contentSize =
            measures.isHorizontal
            ? PixelExtent(width: contentExtent, height: measures.container)
            : PixelExtent(width: measures.container, height: contentExtent)
    }

    private static func algorithm(
        of configuration: LayoutConfiguration, measures: NaiveMeasures, undecidedLimit: Int
    ) -> any NaiveAlgorithm {
        switch configuration.algorithm {
        case .masonry(let parameters): NaiveMasonry(measures: measures, parameters: parameters)
        case .flow(let parameters): NaiveFlow(measures: measures, parameters: parameters)
        case .justified(let parameters):
            NaiveJustified(measures: measures, parameters: parameters, undecidedLimit: undecidedLimit)
        case .grid(let parameters): NaiveGrid(measures: measures, parameters: parameters)
        case .map: preconditionFailure("a map has sections of its own")
        case .placed: preconditionFailure("a custom layout has its own reference")
        }
    }

    /// Returns the items that intersect a rectangle in points, by examining every frame.
    ///
    /// Both are half-open; a rectangle without area intersects nothing.
    package func indices(meeting rect: Rect) -> [Int] {
        guard rect.width > 0, rect.height > 0 else { return [] }
        let (left, right) = (rect.x * displayScale, (rect.x + rect.width) * displayScale)
        let (top, bottom) = (rect.y * displayScale, (rect.y + rect.height) * displayScale)
        return frames.indices.filter { index in
            guard let frame = frames[index] else { return false }
            return Double(frame.x) < right && left < Double(frame.x + frame.width)
                && Double(frame.y) < bottom && top < Double(frame.y + frame.height)
        }
    }

    /// Returns the height of a picture scaled to a width: the exact quotient, rounded half up, at least one pixel.
    package static func pictureExtent(of size: PixelSize, width: Int64) -> Int64 {
        NaiveNumbers.scaled(width, by: size.height, over: size.width)
    }

    /// Returns the position and width of every column of a configuration with columns.
    package static func columnSpans(_ configuration: LayoutConfiguration) -> [NaiveSpan] {
        let measures = NaiveMeasures(configuration)
        switch configuration.algorithm {
        case .masonry(let parameters): return measures.columnSpans(parameters.columns)
        case .grid(let parameters): return measures.columnSpans(parameters.columns)
        case .flow, .justified, .map, .placed: return []
        }
    }
}

/// Computes the frames of one section's items.
protocol NaiveAlgorithm {
    /// Computes the frames of all items of a section, from 0 along the scroll axis.
    func place(_ items: [ItemMetrics]) -> NaiveBlock
}

/// The frames of a section's items.
struct NaiveBlock {
    /// The frames; `nil` for hidden items.
    var frames: [NaiveFrame?] = []
    /// The end of the last item along the scroll axis.
    var end: Int64 = 0
}

/// A cell along and across the scroll axis, with the caption's part of its height.
struct NaiveFrame {
    var along: Int64
    var across: Int64
    var alongExtent: Int64
    var acrossExtent: Int64
    var caption: Int64 = 0

    func moved(by distance: Int64) -> NaiveFrame {
        var frame = self
        frame.along += distance
        return frame
    }
}

/// Converts positions along and across the scroll axis to screen coordinates.
struct NaiveScreen {
    private let isHorizontal: Bool
    private let mirrorWidth: Int64?

    init(_ measures: NaiveMeasures, contentExtent: Int64) {
        isHorizontal = measures.isHorizontal
        mirrorWidth = measures.isMirrored ? (measures.isHorizontal ? contentExtent : measures.container) : nil
    }

    func rect(_ frame: NaiveFrame) -> PixelRect {
        var rect =
            isHorizontal
            ? PixelRect(x: frame.along, y: frame.across, width: frame.alongExtent, height: frame.acrossExtent)
            : PixelRect(x: frame.across, y: frame.along, width: frame.acrossExtent, height: frame.alongExtent)
        if let mirrorWidth { rect.x = mirrorWidth - (rect.x + rect.width) }
        return rect
    }
}
