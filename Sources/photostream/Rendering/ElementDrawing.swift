import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// Draws one element other than a photo: a section header, footer or background, a badge or a separator.
struct ElementDrawing {
    private let element: LayoutAttributes
    private let frame: Rect
    private let section: SectionAnswer?
    private let context: LayoutContext

    /// Prepares the drawing of an element.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - picture: The picture of which it is part.
    init(_ element: LayoutAttributes, in picture: LayoutPicture) {
        self.element = element
        context = picture.context
        frame = context.layoutKey.displayScale.points(element.frame)
        let position = element.indexPath.section
        section = picture.sections.indices.contains(position) ? picture.sections[position] : nil
    }

    /// Draws the element, with a tooltip.
    func draw(in writer: inout SVGWriter) {
        writer.open("g", attributes: ["class": element.elementKind.name])
        writer.element("title", text: title)
        switch element.elementKind {
        case .sectionHeader: drawBand(fill: "#dfe6ef", ink: "#1d2733", isHeader: true, in: &writer)
        case .sectionFooter: drawBand(fill: "#edf1f6", ink: "#5b6675", isHeader: false, in: &writer)
        case .sectionBackground: drawBackground(in: &writer)
        case .badge: drawBadge(in: &writer)
        default: draw(frame, fill: "#aab3bf", in: &writer)
        }
        writer.close("g")
    }

    private var title: String {
        let path = element.indexPath
        let place = "section \(path.section), item \(path.item)"
        return "\(element.elementKind.name)  \(place)  \(section?.id ?? "")"
    }

    private var countText: String { (section?.count ?? 0).counting("photo") }

    private func drawBackground(in writer: inout SVGWriter) {
        let radius = min(8, frame.width / 4, frame.height / 4)
        let shape = SVGWriter.Shape(
            x: frame.x, y: frame.y, width: frame.width, height: frame.height, topRadius: radius, bottomRadius: radius)
        writer.shape(shape, fill: "#f3f0fa", stroke: "#d9d2ec")
    }

    /// Draws a star on a disc.
    private func drawBadge(in writer: inout SVGWriter) {
        let radius = min(frame.width, frame.height) / 2
        let shape = SVGWriter.Shape(
            x: frame.x, y: frame.y, width: frame.width, height: frame.height, topRadius: radius, bottomRadius: radius)
        writer.shape(shape, fill: "rgba(214,69,93,0.94)")
        // Points of the unit circle at every tenth of a turn, from the top; every second point is moved towards the
        // middle.
        let points: [(x: Double, y: Double)] = [
            (0, -1), (0.588, -0.809), (0.951, -0.309), (0.951, 0.309), (0.588, 0.809), (0, 1), (-0.588, 0.809),
            (-0.951, 0.309), (-0.951, -0.309), (-0.588, -0.809),
        ]
        let corners = points.enumerated().map { position, point in
            let length = radius * (position.isMultiple(of: 2) ? 0.68 : 0.28)
            let (x, y) = (frame.x + frame.width / 2 + length * point.x, frame.y + frame.height / 2 + length * point.y)
            return "\(x.svg) \(y.svg)"
        }
        writer.element("path", attributes: ["d": "M" + corners.joined(separator: "L") + "z", "fill": "#ffffff"])
    }

    private func draw(_ rect: Rect, fill: String, in writer: inout SVGWriter) {
        writer.element(
            "rect",
            attributes: [
                "x": rect.x.svg, "y": rect.y.svg, "width": rect.width.svg, "height": rect.height.svg, "fill": fill,
            ])
    }
}

extension ElementDrawing {
    /// The line at the end of a header, which separates adjacent headers.
    private var edge: Rect {
        let width = min(1, frame.width / 8, frame.height / 8)
        guard context.layoutKey.scrollDirection == .horizontal else {
            return Rect(x: frame.x, y: frame.y + frame.height - width, width: frame.width, height: width)
        }
        let isMirrored = context.layoutKey.layoutDirection == .rightToLeft
        let x = isMirrored ? frame.x : frame.x + frame.width - width
        return Rect(x: x, y: frame.y, width: width, height: frame.height)
    }

    /// Draws a header with the section's title and count, or a footer with the count only.
    ///
    /// The text of an upright band, in horizontally scrolling content, is rotated by 90 degrees.
    private func drawBand(fill: String, ink: String, isHeader: Bool, in writer: inout SVGWriter) {
        draw(frame, fill: fill, in: &writer)
        let isUpright = context.layoutKey.scrollDirection == .horizontal
        if isHeader { draw(edge, fill: "#c3cedb", in: &writer) }
        let (length, thickness) = isUpright ? (frame.height, frame.width) : (frame.width, frame.height)
        let fontSize = min(isHeader ? 18 : 13, thickness * 0.56)
        let padding = min(12, length / 20)
        guard fontSize >= 3, length > 4 * fontSize else { return }
        // From the band's start in reading order; an upright band reads downwards.
        let isMirrored = context.layoutKey.layoutDirection == .rightToLeft && !isUpright
        let band = Band(
            frame: frame, isUpright: isUpright, fontSize: fontSize, start: padding, end: length - padding,
            isMirrored: isMirrored)
        guard let section, isHeader else {
            return band.write(countText, size: fontSize, ink: ink, atEnd: false, in: &writer)
        }
        let noteSize = fontSize * 0.72
        let noteWidth = CaptionText.width(of: countText) * noteSize
        let title = CaptionText(
            section.title(in: context.stream), width: (length - 2 * padding) / fontSize, maximumLines: 1)
        let text = title.lines.first ?? ""
        band.write(text, size: fontSize, ink: ink, atEnd: false, in: &writer)
        // Without room for both, only the title is drawn.
        guard CaptionText.width(of: text) * fontSize + noteWidth + 3 * padding < length else { return }
        band.write(countText, size: noteSize, ink: "#5b6675", atEnd: true, in: &writer)
    }
}

/// The text line of a header or footer.
private struct Band {
    let frame: Rect
    let isUpright: Bool
    let fontSize: Double
    /// The bounds of the text along the band.
    let start: Double
    let end: Double
    /// Whether reading begins at the band's other end.
    let isMirrored: Bool

    /// Writes text at the start or the end in reading order.
    func write(_ text: String, size: Double, ink: String, atEnd: Bool, in writer: inout SVGWriter) {
        let isFar = atEnd != isMirrored
        let along = isFar ? end : start
        let anchor = isFar ? "end" : "start"
        let x: Double
        let y: Double
        if isUpright {
            (x, y) = (frame.x + frame.width / 2 - fontSize * 0.36, frame.y + along)
        } else {
            (x, y) = (frame.x + along, frame.y + frame.height / 2 + fontSize * 0.36)
        }
        if isUpright { writer.open("g", attributes: ["transform": "rotate(90 \(x.svg) \(y.svg))"]) }
        writer.element(
            "text",
            attributes: [
                "x": x.svg, "y": y.svg, "font-size": size.svg, "text-anchor": anchor, "fill": ink,
                "font-weight": atEnd ? "400" : "600",
            ], text: text)
        if isUpright { writer.close("g") }
    }
}

extension SectionAnswer {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Returns the title of the section's header.
    ///
    /// - Parameter stream: The stream's name, the title of an undivided stream.
    /// - Returns: The title, such as `21 November 2026`, `November 2026`, `2026`, `Undated` or `Map`.
    func title(in stream: StreamName) -> String {
        let parts = id.split(separator: "-").compactMap { Int($0) }
        let month = parts.count > 1 ? Self.months[(parts[1] + 11) % 12] : ""
        switch parts.count {
        case 3: return "\(parts[2]) \(month) \(parts[0])"
        case 2: return "\(month) \(parts[0])"
        case 1: return String(parts[0])
        default: return ["undated": "Undated", "located": "Map", "unlocated": "Without a place"][id] ?? stream.rawValue
        }
    }
}
