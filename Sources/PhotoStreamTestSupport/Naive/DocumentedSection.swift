import PhotoStreamLayout
import PhotoStreamModel

/// The photos of one section, measured from the start of its photos.
struct DocumentedSection {
    /// The frame of every photo; `nil` for a hidden one.
    private(set) var frames: [DocumentedLine.Frame?] = []
    private(set) var extent: Int128 = 0
    private(set) var lines: [(firstItem: Int, end: Int128)] = []

    private init() {}

    /// Returns the sections of a map.
    static func map(
        _ lengths: DocumentedLengths, parameters: MapParameters, items: [ItemMetrics]
    ) -> [DocumentedSection] {
        let side = lengths.pixels(Double(256 << parameters.zoom))
        let width = max(1, lengths.pixels(parameters.itemSize.width))
        let height = max(1, lengths.pixels(parameters.itemSize.height))
        var (located, others) = (DocumentedSection(), DocumentedSection())
        located.extent = side + height
        located.frames = items.compactMap(\.position).map { position in
            let (x, y) = ((Int128(position.x) * side) >> 32, (Int128(position.y) * side) >> 32)
            return DocumentedLine.Frame(
                along: y, across: lengths.isMirrored ? side - x : x, alongExtent: height, acrossExtent: width)
        }
        let flow = DocumentedFlow(
            lengths, parameters: FlowParameters(itemSize: .uniform(parameters.itemSize)),
            items: items.filter { $0.position == nil })
        others.add(flow.lines, lengths: lengths)
        others.lines = []
        return [located, others]
    }

    init?(_ configuration: LayoutConfiguration, lengths: DocumentedLengths, items: [ItemMetrics]) {
        switch configuration.algorithm {
        case .justified(let parameters):
            add(DocumentedJustified(lengths, parameters: parameters, items: items).lines, lengths: lengths)
        case .flow(let parameters):
            add(DocumentedFlow(lengths, parameters: parameters, items: items).lines, lengths: lengths)
        case .grid(let parameters):
            add(DocumentedColumns.grid(lengths, parameters: parameters, count: items.count), lengths: lengths)
        case .masonry(let parameters):
            let columns = DocumentedColumns(lengths, columns: parameters.columns)
            (frames, extent) = columns.masonry(parameters, items: items)
        default: return nil
        }
    }

    private mutating func add(_ placed: [DocumentedLine], lengths: DocumentedLengths) {
        var top: Int128 = 0
        for line in placed {
            let first = frames.count
            frames += line.frames.map { frame in
                var frame = frame
                frame.along += top
                return line.isHidden ? nil : frame
            }
            guard !line.isHidden else { continue }
            extent = top + line.thickness
            top = extent + lengths.lineSpacing
            lines.append((first, extent))
        }
    }
}

/// A line with its photos.
struct DocumentedLine {
    var frames: [Frame] = []
    var thickness: Int128 = 0
    var isHidden = false

    /// The frame of a photo, along from the line's top, across from the leading insets.
    struct Frame {
        var along: Int128 = 0
        var across: Int128 = 0
        var alongExtent: Int128 = 0
        var acrossExtent: Int128 = 0
    }
}
