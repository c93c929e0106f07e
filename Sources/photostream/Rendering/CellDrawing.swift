import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// Draws one cell: the picture, its caption and its index.
struct CellDrawing {
    private static let lineSpacing = 1.32

    private let item: PlacedPhoto
    private let frame: Rect
    /// The height of the caption area, in points.
    private let captionHeight: Double
    private let color: PictureColor
    private let isMirrored: Bool
    /// The picture as JPEG; `nil` to draw its colour and size.
    private let thumbnail: [UInt8]?

    /// Prepares a cell.
    init(_ item: PlacedPhoto, key: LayoutKey, thumbnail: [UInt8]?) {
        self.item = item
        self.thumbnail = thumbnail
        isMirrored = key.layoutDirection == .rightToLeft
        let scale = key.displayScale
        frame = scale.points(item.attributes.frame)
        captionHeight = scale.points(item.attributes.captionExtent)
        color = PictureColor(of: item)
    }

    private var pictureHeight: Double { max(0, frame.height - captionHeight) }

    /// Draws the cell, with a tooltip.
    func draw(in writer: inout SVGWriter) {
        writer.open("g", attributes: ["class": item.attributes.elementKind.name])
        let name = "\(item.attributes.index)  \(item.id)"
        writer.element("title", text: item.photo.caption.map { name + "  " + $0 } ?? name)
        drawAreas(in: &writer)
        if thumbnail == nil { drawSize(in: &writer) }
        if let caption = item.photo.caption { draw(caption, in: &writer) }
        drawIndex(in: &writer)
        writer.close("g")
    }

    private func drawAreas(in writer: inout SVGWriter) {
        let radius = min(6, frame.width / 8, pictureHeight / 8)
        var picture = SVGWriter.Shape(
            x: frame.x, y: frame.y, width: frame.width, height: pictureHeight, topRadius: radius)
        if captionHeight > 0 {
            let bottom = min(radius, captionHeight / 2)
            let caption = SVGWriter.Shape(
                x: frame.x, y: frame.y + pictureHeight, width: frame.width, height: captionHeight, bottomRadius: bottom)
            writer.shape(caption, fill: color.mixed(with: .white, share: 0.84).svg)
        } else {
            picture.bottomRadius = radius
        }
        writer.shape(picture, fill: color.svg)
        if let thumbnail { writer.image(jpeg: thumbnail, in: picture) }
    }

    /// Draws the photo's size in the middle of the picture, if there is room.
    private func drawSize(in writer: inout SVGWriter) {
        let size = item.photo.pixelSize
        let text =
            item.photo.metricsSource == .assumed ? "size unknown" : "\(size.width) × \(size.height)"
        let fontSize = min(11, frame.width / 12)
        guard fontSize >= 5, pictureHeight > fontSize * 6 else { return }
        writer.element(
            "text",
            attributes: [
                "x": (frame.x + frame.width / 2).svg, "y": (frame.y + pictureHeight / 2 + fontSize * 0.35).svg,
                "font-size": fontSize.svg, "text-anchor": "middle", "fill": color.isDark ? "#ffffff" : "#000000",
                "fill-opacity": "0.6",
            ], text: text)
    }

    /// Draws the caption in its own area, or over the bottom of the picture without one.
    private func draw(_ caption: String, in writer: inout SVGWriter) {
        let hasArea = captionHeight > 0
        let available = hasArea ? captionHeight : pictureHeight * 0.4
        let fontSize = min(12, max(7, frame.width / 15), available / 1.5)
        let padding = min(6, frame.width / 16)
        guard fontSize >= 3, frame.width > fontSize * 2 else { return }
        let lineHeight = fontSize * Self.lineSpacing
        let lineLimit = max(1, Int((available - fontSize * 0.4) / lineHeight))
        let text = CaptionText(
            caption, width: (frame.width - 2 * padding) / fontSize,
            maximumLines: hasArea ? lineLimit : min(2, lineLimit))
        let blockHeight = Double(text.lines.count) * lineHeight + fontSize * 0.4
        let top = hasArea ? frame.y + pictureHeight : frame.y + frame.height - blockHeight
        if !hasArea {
            let shape = SVGWriter.Shape(
                x: frame.x, y: top, width: frame.width, height: blockHeight,
                bottomRadius: min(6, frame.width / 8, pictureHeight / 8, blockHeight / 2))
            writer.shape(shape, fill: "rgba(16,20,28,0.55)")
        }
        // A nested viewport clips text that is wider than estimated.
        let area = [frame.x, top, frame.width, frame.y + frame.height - top].map(\.svg)
        writer.open(
            "svg",
            attributes: [
                "x": area[0], "y": area[1], "width": area[2], "height": area[3],
                "viewBox": area.joined(separator: " "),
            ])
        for (number, line) in text.lines.enumerated() {
            let attributes: KeyValuePairs<StaticString, String> = [
                "x": (text.isRightToLeft ? frame.x + frame.width - padding : frame.x + padding).svg,
                "y": (top + fontSize * 0.2 + lineHeight * Double(number) + fontSize).svg,
                "font-size": fontSize.svg, "fill": hasArea ? "#22262d" : "#ffffff",
                "direction": text.isRightToLeft ? "rtl" : "ltr",
            ]
            writer.element("text", attributes: attributes, text: line)
        }
        writer.close("svg")
    }

    /// Draws the index in the leading corner.
    private func drawIndex(in writer: inout SVGWriter) {
        let text = String(item.attributes.index)
        let fontSize = min(11, max(4, frame.width / 8), pictureHeight * 0.6, frame.width / Double(text.count) * 1.3)
        guard fontSize >= 2 else { return }
        let (width, height) = ((Double(text.count) * 0.6 + 0.8) * fontSize, fontSize * 1.4)
        let offset = min(4, frame.width / 20, pictureHeight / 20)
        let shape = SVGWriter.Shape(
            x: isMirrored ? frame.x + frame.width - offset - width : frame.x + offset, y: frame.y + offset,
            width: width, height: height, topRadius: height / 3, bottomRadius: height / 3)
        writer.shape(shape, fill: "rgba(16,20,28,0.66)")
        writer.element(
            "text",
            attributes: [
                "x": (shape.x + width / 2).svg, "y": (shape.y + height / 2 + fontSize * 0.36).svg,
                "font-size": fontSize.svg, "text-anchor": "middle", "fill": "#ffffff",
            ], text: text)
    }
}
